import java.nio.file.*;
import java.util.*;

class Drive {
  public static void main(String[] folders) throws Exception {
    for (String folder : folders) {
      String digest = Pay.digest(Files.readAllBytes(Path.of(folder, "body")));
      Map<String, String> signed = new LinkedHashMap<>();
      for (String line : read(folder, "signed").lines().toList()) {
        String[] parts = line.split(": ", 2);
        signed.put(parts[0], parts[0].equals("digest") ? digest : parts[1]);
      }
      Map<String, String> proof =
          Pay.prove(signed, read(folder, "mine.cert.pem"), read(folder, "mine.key.pem"), read(folder, "key-id"));
      System.out.println(digest + "\n" + proof.get("tpp-signature-certificate") + "\n" + proof.get("signature"));
    }
  }

  static String read(String folder, String name) throws Exception {
    return Files.readString(Path.of(folder, name));
  }
}
