// What is due at Easter is paid on the banking day after it. Needs Java 17 or newer, and no library.
//
// java Easter.java                               starts a bank with $SANDBANK, or else with npx
// BANK=http://127.0.0.1:7263 java Easter.java    uses a running one, such as a container
// In a clone, with Node 24: SANDBANK='node ../../scripts/sandbank.js' java Easter.java
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.util.UUID;
import java.util.regex.Pattern;

public class Easter {
  static String server = System.getenv("BANK"), bank, tpp;

  public static void main(String[] args) throws Exception {
    if (server == null) start();
    for (int wait = 0; wait < 300 && !isReady(); wait++) Thread.sleep(100);
    if (!isReady()) throw new IllegalStateException(server + " is not ready");
    paid("2027-03-24", "2027-03-24");
    paid("2027-03-25", "2027-03-30");
    System.out.println("2 passed");
  }

  /** A test with a bank of its own, at noon on the Wednesday before Easter: what is due on one day is paid on the other. */
  static void paid(String due, String on) throws Exception {
    String name = "easter-" + UUID.randomUUID(), now = "2027-03-24T12:00:00+01:00";
    call("POST", server + "/sandbox/banks", "{'name': '%s', 'now': '%s', 'mode': 'frozen'}".formatted(name, now));
    bank = server + "/banks/" + name;
    tpp = bank + "/sandbox/as/java"; // Plain requests below it are signed by the bank.
    try {
      String payment = pay(due), id = member(payment, "paymentId");
      String until = "{'until': {'paymentId': '%s', 'status': 'ACSC'}}".formatted(id);
      expect(on, member(call("POST", bank + "/sandbox/clock/advance", until), "to").substring(0, 10));
      expect("ACSC", member(call("GET", tpp + member(payment, "status\":{\"href"), ""), "transactionStatus"));
    } finally {
      call("DELETE", server + "/sandbox/banks/" + name, "");
    }
  }

  static String pay(String due) throws Exception {
    String payment = call("POST", tpp + "/v1/payments/norwegian-domestic-credit-transfers", """
        {'instructedAmount': {'amount': '250.00', 'currency': 'NOK'}, 'requestedExecutionDate': '%s',
         'debtorAccount': {'bban': '09232911044', 'currency': 'NOK'},
         'creditorAccount': {'bban': '90491105991', 'currency': 'NOK'}, 'creditorName': 'Company 123'}
        """.formatted(due));
    String sca = bank + "/sandbox/sca/" + member(payment, "scaRedirect\":{\"href").replaceAll(".*/", "");
    call("POST", sca, "{'outcome': 'approve', 'psu': '13039319955', 'context': 'PRIVATE'}");
    return payment;
  }

  /** Sends JSON for the PSU, written with single quotes, and returns the answer; throws if the bank refuses. */
  static String call(String method, String address, String json) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address)).headers(
        "Content-Type", "application/json", "X-PSU-IDENTITY", "13039319955", "PSU-Context", "PRIVATE");
    request.method(method, HttpRequest.BodyPublishers.ofString(json.replace('\'', '"')));
    var answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() < 300) return answer.body();
    throw new IOException(method + " " + address + ": " + answer.statusCode() + " " + answer.body());
  }

  /** A member of a JSON text that is a string: enough for these, and no JSON library. */
  static String member(String json, String name) {
    var found = Pattern.compile("\"" + Pattern.quote(name) + "\":\"([^\"]*)").matcher(json);
    if (found.find()) return found.group(1);
    throw new AssertionError("no " + name + " in " + json);
  }

  static void expect(String expected, String actual) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  static void start() throws IOException {
    String serve = "exec ${SANDBANK:-npx --no sandbank} serve --port 0 --ledger :memory: --json";
    Process process = new ProcessBuilder("sh", "-c", serve).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    String greeting = process.inputReader().readLine();
    if (greeting == null) {
      System.err.println("No bank started: npm install the package sandbank here, or set SANDBANK to its command or BANK to the address of a bank.");
      System.exit(1);
    }
    server = member(greeting, "address");
  }

  static boolean isReady() throws Exception {
    try { return !call("GET", server + "/ready", "").isEmpty(); } catch (IOException notYet) { return false; }
  }
}
