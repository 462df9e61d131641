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
    String body = """
        {"instructedAmount":{"amount":"250.00","currency":"NOK"},
         "debtorAccount":{"bban":"09232911044","currency":"NOK"},
         "creditorAccount":{"bban":"90491105991","currency":"NOK"},
         "creditorName":"Company 123","remittanceInformationUnstructured":"Kredittrente"}""";
    Base64.Encoder base64 = Base64.getEncoder();
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
    Map<String, String> signed = new LinkedHashMap<>();
    signed.put("date", DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
        .format(ZonedDateTime.now(ZoneOffset.UTC)));
    signed.put("digest", "SHA-256=" + base64.encodeToString(hash));
    signed.put("x-request-id", UUID.randomUUID().toString());
    signed.put("tpp-redirect-uri", System.getenv("BANK") + "/sandbox/landed");
    List<String> lines = new ArrayList<>();
    signed.forEach((name, value) -> lines.add(name + ": " + value));

    byte[] key = Base64.getDecoder().decode(pemBody("mine.key.pem"));
    Signature signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key)));
    signer.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    String signature = base64.encodeToString(signer.sign());

    String target = "/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true";
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(System.getenv("BANK") + target))
        .version(HttpClient.Version.HTTP_1_1)
        .POST(HttpRequest.BodyPublishers.ofString(body));
    signed.forEach(request::header);
    request.header("TPP-Signature-Certificate", pemBody("mine.cert.pem"));
    request.header("Signature", "keyId=\"" + System.getenv("KEY_ID") + "\",algorithm=\"rsa-sha256\",headers=\""
        + String.join(" ", signed.keySet()) + "\",signature=\"" + signature + "\"");
    request.header("Content-Type", "application/json");
    request.header("Accept", "application/json");
    request.header("PSU-IP-Address", "127.0.0.1");
    request.header("TPP-Session-ID", "mine");
    request.header("X-PSU-IDENTITY", "13039319955");
    request.header("PSU-Context", "PRIVATE");
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.body() + " " + answer.statusCode());
  }

  /** What stands between the BEGIN and END lines, without line breaks. */
  static String pemBody(String file) throws Exception {
    return Files.readString(Path.of(file)).replaceAll("-----[^-]+-----|\\s", "");
  }
}
