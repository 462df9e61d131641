// What is due at Easter is paid on the banking day after it. Needs Java 17 or newer, and no library.
//
// java Easter.java                               starts a bank with $SANDBANK, or else with npx
// BANK=http://127.0.0.1:8080 java Easter.java    uses a running one, such as a container
import java.net.URI;
import java.net.http.*;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

public class Easter implements AutoCloseable {
  static final HttpClient http = HttpClient.newHttpClient();
  static String server = System.getenv("BANK");
  final String name = "easter-" + UUID.randomUUID();
  final String bank = server + "/banks/" + name;
  // The bank signs plain requests below /sandbox/as/{tpp}, as the TPP of that name.
  final String tpp = bank + "/sandbox/as/java";

  public static void main(String[] args) throws Exception {
    Process process = server == null ? start() : null;
    try {
      untilReady();
      try (Easter bank = new Easter()) {
        bank.dueOnMaundyThursdayPaidOnTuesday();
      }
      try (Easter bank = new Easter()) {
        bank.dueOnTheWednesdayBeforePaidAtOnce();
      }
      System.out.println("2 passed");
    } finally {
      if (process != null) Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroy);
    }
  }

  void dueOnMaundyThursdayPaidOnTuesday() throws Exception {
    String payment = pay("2027-03-25");
    advance("{'to': '2027-03-29T18:00:00+02:00'}");
    equal("ACSP", status(payment));
    equal("2027-03-30", advance("{'until': {'paymentId': '" + member(payment, "paymentId") + "', 'status': 'ACSC'}}"));
  }

  void dueOnTheWednesdayBeforePaidAtOnce() throws Exception {
    String payment = pay("2027-03-24");
    equal("2027-03-24", advance("{'runs': 1}"));
    equal("ACSC", status(payment));
  }

  /** Each test has a bank of its own, at noon on the Wednesday before Easter. */
  Easter() throws Exception {
    String start = "{'name': '" + name + "', 'now': '2027-03-24T12:00:00+01:00', 'mode': 'frozen'}";
    call("POST", server + "/sandbox/banks", start);
  }

  public void close() throws Exception {
    call("DELETE", server + "/sandbox/banks/" + name, "");
  }

  String pay(String due) throws Exception {
    String order = """
        {'instructedAmount': {'amount': '250.00', 'currency': 'NOK'}, 'requestedExecutionDate': '%s',
         'debtorAccount': {'bban': '09232911044', 'currency': 'NOK'},
         'creditorAccount': {'bban': '90491105991', 'currency': 'NOK'}, 'creditorName': 'Company 123'}
        """.formatted(due);
    String[] psu = {"X-PSU-IDENTITY", "13039319955", "PSU-Context", "PRIVATE"};
    String payment = call("POST", tpp + "/v1/payments/norwegian-domestic-credit-transfers", order, psu);
    String sca = member(payment, "scaRedirect\":{\"href").replaceAll(".*/", "");
    call("POST", bank + "/sandbox/sca/" + sca, "{'outcome': 'approve', 'psu': '13039319955', 'context': 'PRIVATE'}");
    return payment;
  }

  String status(String payment) throws Exception {
    return member(call("GET", tpp + member(payment, "status\":{\"href"), ""), "transactionStatus");
  }

  String advance(String how) throws Exception {
    return member(call("POST", bank + "/sandbox/clock/advance", how), "to").substring(0, 10);
  }

  /** Sends JSON, written with single quotes, and returns the answer; throws if the bank refuses. */
  static String call(String method, String address, String json, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address)).header("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) request.header(headers[i], headers[i + 1]);
    request.method(method, HttpRequest.BodyPublishers.ofString(json.replace('\'', '"')));
    var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() < 300) return answer.body();
    throw new java.io.IOException(method + " " + address + ": " + answer.statusCode() + " " + answer.body());
  }

  /** A member of a JSON text that is a string: enough for these, and no JSON library. */
  static String member(String json, String name) {
    var found = Pattern.compile("\"" + Pattern.quote(name) + "\":\"([^\"]*)").matcher(json);
    if (!found.find()) throw new AssertionError("no " + name + " in " + json);
    return found.group(1);
  }

  static void equal(String expected, String actual) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  static Process start() throws Exception {
    String command = System.getenv().getOrDefault("SANDBANK", "npx --no sandbank");
    String[] words = (command + " serve --port 0 --ledger :memory: --json").split(" ");
    Process process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    server = member(process.inputReader().lines().findFirst().orElse("no answer"), "address");
    return process;
  }

  static void untilReady() throws Exception {
    for (int attempt = 1; ; attempt += 1) {
      try {
        call("GET", server + "/ready", "");
        return;
      } catch (java.io.IOException notReady) {
        if (attempt == 300) throw notReady;
        Thread.sleep(100);
      }
    }
  }
}
