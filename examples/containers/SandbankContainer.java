import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * Sandbank in a container, for Testcontainers. Copy this file. Needs Java 17, org.testcontainers:testcontainers 1.19 or newer, and the
 * image `sandbank` (docker build -t sandbank . in a clone). The clock stands still until `advance` moves it.
 *
 * try (var bank = new SandbankContainer()) {
 *   bank.start();
 *   bank.advance("{\"runs\": 1}");
 * }
 */
public class SandbankContainer extends GenericContainer<SandbankContainer> {
  private static final String TOKEN = "a-token-for-these-tests";

  public SandbankContainer() {
    this("sandbank", "2027-03-24T12:00:00+01:00", "tests");
  }

  /** `now`: where the clock starts; `seed`: with the same seed the same calls give the same ids. */
  public SandbankContainer(String image, String now, String seed) {
    super(image);
    withExposedPorts(7263);
    withEnv(Map.of(
        "SANDBANK_LEDGER", ":memory:",
        "SANDBANK_CLOCK_MODE", "frozen",
        "SANDBANK_CLOCK_NOW", now,
        "SANDBANK_ID_SEED", seed,
        "SANDBANK_CONTROL_TOKEN", TOKEN,
        "SANDBANK_TPP_TRUST", "any"));
    waitingFor(Wait.forHttp("/ready").forPort(7263).forStatusCode(200));
  }

  /** The address of the bank, without a slash at the end. */
  public String url() {
    return "http://" + getHost() + ":" + getMappedPort(7263);
  }

  /** Makes a call of the control plane, and returns its JSON: control("GET", "/payments", ""). Throws if the bank refuses. */
  public String control(String method, String path, String json) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url() + "/sandbox" + path))
        .headers("Content-Type", "application/json", "Authorization", "Bearer " + TOKEN)
        .method(method, json.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(json))
        .build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() < 300) return answer.body();
    throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
  }

  /** Moves the clock: {"by": "P3D"}, {"to": "2027-03-31"}, {"runs": 1}. */
  public String advance(String until) throws IOException, InterruptedException {
    return control("POST", "/clock/advance", until);
  }
}
