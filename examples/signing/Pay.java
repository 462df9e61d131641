import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;

public class Pay {
  public static void main(String[] arguments) throws Exception {
    pay(System.getenv("BANK"), Files.readString(Path.of("mine.cert.pem")), Files.readString(Path.of("mine.key.pem")),
        System.getenv("KEY_ID"));
  }

  static void pay(String bank, String certificate, String key, String keyId) throws Exception {
    String body = """
        {"instructedAmount":{"amount":"250.00","currency":"NOK"},
         "debtorAccount":{"bban":"09232911044","currency":"NOK"},
         "creditorAccount":{"bban":"90491105991","currency":"NOK"},
         "creditorName":"Company 123","remittanceInformationUnstructured":"Kredittrente"}""";
    Map<String, String> signed = new LinkedHashMap<>();
    signed.put("date", DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
        .format(ZonedDateTime.now(ZoneOffset.UTC)));
    signed.put("digest", digest(body.getBytes(StandardCharsets.UTF_8)));
    signed.put("x-request-id", UUID.randomUUID().toString());
    signed.put("tpp-redirect-uri", bank + "/sandbox/landed");
    String target = "/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true";
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(bank + target))
        .version(HttpClient.Version.HTTP_1_1)
        .POST(HttpRequest.BodyPublishers.ofString(body));
    signed.forEach(request::header);
    prove(signed, certificate, key, keyId).forEach(request::header);
    request.header("Content-Type", "application/json");
    request.header("Accept", "application/json");
    request.header("PSU-IP-Address", "127.0.0.1");
    request.header("TPP-Session-ID", "mine");
    request.header("X-PSU-IDENTITY", "13039319955");
    request.header("PSU-Context", "PRIVATE");
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.body() + " " + answer.statusCode());
  }

  public static String digest(byte[] body) throws Exception {
    return "SHA-256=" + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(body));
  }

  /** The headers that prove these headers, which are signed in their order. */
  public static Map<String, String> prove(
      Map<String, String> signed, String certificate, String key, String keyId)
      throws Exception {
    List<String> lines = new ArrayList<>();
    signed.forEach((name, value) -> lines.add(name + ": " + value.strip()));
    byte[] pkcs8 = Base64.getDecoder().decode(pemBody(key));
    Signature signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(pkcs8)));
    signer.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    String signature = Base64.getEncoder().encodeToString(signer.sign());
    return Map.of(
        "tpp-signature-certificate", pemBody(certificate),
        "signature", "keyId=\"" + keyId + "\",algorithm=\"rsa-sha256\",headers=\""
            + String.join(" ", signed.keySet()) + "\",signature=\"" + signature + "\"");
  }

  /** What stands between the BEGIN and END lines, without line breaks. */
  static String pemBody(String pem) {
    return pem.replaceAll("-----[^-]+-----|\\s", "");
  }
}
