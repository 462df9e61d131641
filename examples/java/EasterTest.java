// What is due at Easter is paid on the banking day after it. Needs Java 17 or newer, and JUnit 5: org.junit.jupiter:junit-jupiter.
//
// mvn test                               in a project that has it below src/test/java: starts a bank with $SANDBANK, or else with npx
// BANK=http://127.0.0.1:7263 mvn test    uses a running one, such as a container
//
// Without Maven, with junit-platform-console-standalone, 1.10 or newer, as junit.jar:
// javac -d classes -cp junit.jar EasterTest.java && java -jar junit.jar execute --class-path classes --scan-class-path
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server for each test class, and in it a bank for each test: extend it. */
abstract class BankTest {
  static final HttpClient http = HttpClient.newHttpClient();
  static String server = System.getenv("BANK");
  static Process process;
  String name, bank, tpp;
  /** What a subclass may set: when its banks begin, who pays, and from which account. */
  String now = "2027-03-24T12:00:00+01:00", psu = "13039319955", account = "09232911044";

  /** One server for the tests of a class, which ends with them. */
  @BeforeAll
  static void start() throws Exception {
    if (server == null) {
      String serve = "exec ${SANDBANK:-npx --no sandbank} serve --port 0 --ledger :memory: --json";
      process = new ProcessBuilder("sh", "-c", serve).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String greeting = process.inputReader().readLine();
      assertNotNull(greeting, "No bank started: npm install the package sandbank here, or set SANDBANK to its command or BANK to the address of a bank.");
      server = member(greeting, "address");
    }
    for (int wait = 0; wait < 300 && !isReady(); wait++) Thread.sleep(100);
    assertTrue(isReady(), server + " is not ready");
  }

  @AfterAll
  static void end() {
    if (process == null) return;
    process.destroy();
    process = null;
    server = null; // The next class starts its own.
  }

  /** A bank of its own for each test; without another `now` at noon on the Wednesday before Easter. */
  @BeforeEach
  void open() throws Exception {
    name = "easter-" + UUID.randomUUID();
    call("POST", server + "/sandbox/banks", "{'name': '%s', 'now': '%s', 'mode': 'frozen'}".formatted(name, now));
    bank = server + "/banks/" + name;
    tpp = bank + "/sandbox/as/java"; // Plain requests below it are signed by the bank.
  }

  /** Takes the bank back to its start. */
  void reset() throws Exception {
    call("POST", bank + "/sandbox/reset", "{}");
  }

  @AfterEach
  void close() throws Exception {
    call("DELETE", server + "/sandbox/banks/" + name, "");
  }

  /** Initiates a payment of NOK 250 that is due on that date, signs it, and returns the answer to the initiation. */
  String pay(String due) throws Exception {
    String payment = call("POST", tpp + "/v1/payments/norwegian-domestic-credit-transfers", """
        {'instructedAmount': {'amount': '250.00', 'currency': 'NOK'}, 'requestedExecutionDate': '%s',
         'debtorAccount': {'bban': '%s', 'currency': 'NOK'},
         'creditorAccount': {'bban': '90491105991', 'currency': 'NOK'}, 'creditorName': 'Company 123'}
        """.formatted(due, account));
    String sca = bank + "/sandbox/sca/" + member(payment, "scaRedirect\":{\"href").replaceAll(".*/", "");
    call("POST", sca, "{'outcome': 'approve', 'psu': '%s', 'context': 'PRIVATE'}".formatted(psu));
    return payment;
  }

  /** Sends JSON for the PSU, written with single quotes, and returns the answer; throws if the bank refuses. */
  String call(String method, String address, String json) throws Exception {
    return send(psu, method, address, json);
  }

  static String send(String psu, String method, String address, String json) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address)).headers(
        "Content-Type", "application/json", "X-PSU-IDENTITY", psu, "PSU-Context", "PRIVATE");
    request.method(method, HttpRequest.BodyPublishers.ofString(json.replace('\'', '"')));
    var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() < 300) return answer.body();
    throw new IOException(method + " " + address + ": " + answer.statusCode() + " " + answer.body());
  }

  /** A member of a JSON text that is a string: enough for these, and no JSON library. */
  static String member(String json, String name) {
    var found = Pattern.compile("\"" + Pattern.quote(name) + "\":\"([^\"]*)").matcher(json);
    assertTrue(found.find(), "no " + name + " in " + json);
    return found.group(1);
  }

  static boolean isReady() throws Exception {
    try { return !send("", "GET", server + "/ready", "").isEmpty(); } catch (IOException notYet) { return false; }
  }
}

class EasterTest extends BankTest {
  @ParameterizedTest
  @CsvSource({"'2027-03-24', '2027-03-24'", "'2027-03-25', '2027-03-30'"})
  void isPaidOnABankingDay(String due, String on) throws Exception {
    String payment = pay(due), id = member(payment, "paymentId");
    String until = "{'until': {'paymentId': '%s', 'status': 'ACSC'}}".formatted(id);
    assertEquals(on, member(call("POST", bank + "/sandbox/clock/advance", until), "to").substring(0, 10));
    assertEquals("ACSC", member(call("GET", tpp + member(payment, "status\":{\"href"), ""), "transactionStatus"));
  }
}
