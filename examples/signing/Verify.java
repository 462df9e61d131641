import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.*;
import java.security.*;
import java.security.cert.*;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.*;

class Verify {
  public static void main(String[] args) throws Exception {
    String bank = System.getenv("BANK");
    String pem = new String(get(bank + "/sandbox/bank-certificate").body()).split("\"")[3].replace("\\n", "\n");
    X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem.getBytes()));
    certificate.checkValidity();
    HttpResponse<byte[]> answer = get(bank + "/sandbox/as/mine/v1/sandbox/customers");
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(answer.body());
    if (!header(answer, "digest").equals("SHA-256=" + Base64.getEncoder().encodeToString(hash))) throw new Exception("digest");
    Map<String, String> parts = Pattern.compile("(\\w+)=\"([^\"]*)\"").matcher(header(answer, "signature")).results()
        .collect(Collectors.toMap(part -> part.group(1), part -> part.group(2)));
    String string = Stream.of(parts.get("headers").split(" "))
        .map(name -> name + ": " + (name.equals("(status)") ? answer.statusCode() : header(answer, name)))
        .collect(Collectors.joining("\n"));
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(certificate);
    signature.update(string.getBytes());
    if (!signature.verify(Base64.getDecoder().decode(parts.get("signature")))) throw new Exception("signature");
    System.out.println("verified");
  }

  static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElseThrow();
  }

  static HttpResponse<byte[]> get(String address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
  }
}
