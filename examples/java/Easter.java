// What is due at Easter is paid on the banking day after it. Needs Java 17 or newer, and no library.
//
// java Easter.java                               starts a bank with $SANDBANK, or else with npx
// BANK=http://127.0.0.1:8080 java Easter.java    uses a running one, such as a container
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.util.UUID;
import java.util.regex.Pattern;

public class Easter {
  static String server = System.getenv("BANK"), bank, tpp;

  static void dueOnMaundyThursdayPaidOnTuesday() throws Exception {
    String payment = pay("2027-03-25");
    advance("{'to': '2027-03-29T18:00:00+02:00'}");
    expect("ACSP", status(payment));
    expect("2027-03-30", advance("{'until': {'paymentId': '" + member(payment, "paymentId") + "', 'status': 'ACSC'}}"));
  }

  static void dueOnTheWednesdayBeforePaidAtOnce() throws Exception {
    String payment = pay("2027-03-24");
    expect("2027-03-24", advance("{'runs': 1}"));
    expect("ACSC", status(payment));
  }

  interface Test { void run() throws Exception; }

  public static void main(String[] args) throws Exception {
    if (server == null) start();
    for (int wait = 0; wait < 300 && !isReady(); wait++) Thread.sleep(100);
    for (Test test : new Test[] {Easter::dueOnMaundyThursdayPaidOnTuesday, Easter::dueOnTheWednesdayBeforePaidAtOnce}) {
      // Each test has a bank of its own, at noon on the Wednesday before Easter, which signs plain requests to tpp.
      String name = "easter-" + UUID.randomUUID(), now = "2027-03-24T12:00:00+01:00";
      call("POST", server + "/sandbox/banks", "{'name': '%s', 'now': '%s', 'mode': 'frozen'}".formatted(name, now));
      bank = server + "/banks/" + name;
      tpp = bank + "/sandbox/as/java";
      try { test.run(); } finally { call("DELETE", server + "/sandbox/banks/" + name, ""); }
    }
    System.out.println("2 passed");
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

  static String status(String payment) throws Exception {
    return member(call("GET", tpp + member(payment, "status\":{\"href"), ""), "transactionStatus");
  }

  static String advance(String how) throws Exception {
    return member(call("POST", bank + "/sandbox/clock/advance", how), "to").substring(0, 10);
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
    Process process = new ProcessBuilder("sh", "-c", serve).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    server = member(String.valueOf(process.inputReader().readLine()), "address");
  }

  static boolean isReady() throws Exception {
    try { return !call("GET", server + "/ready", "").isEmpty(); } catch (IOException notYet) { return false; }
  }
}
