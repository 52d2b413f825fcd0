/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.namenode.files.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.namenode.web.PageResponse;
import org.hdfsppr.namenode.web.metrics.Promtool;
import org.hdfsppr.namenode.web.metrics.SampleMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets a real Prometheus scrape the page, with the release's rules, and asks it for every series
 * and for every expression of the dashboard. Runs where Prometheus is installed.
 */
@InterfaceAudience.Private
class TestPrometheusReadsThePage {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  /** How often Prometheus, which scrapes once a second, has to scrape the page. */
  private static final int SCRAPES = Integer.getInteger("prometheus.scrapes", 5);

  private final SampleMetrics sample = FilesFamilies.sample().fill();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;
  private Process prometheus;
  private String api;

  @TempDir
  private Path folder;

  @AfterEach
  void stop() throws InterruptedException {
    if (prometheus != null) {
      prometheus.destroy();
      if (!prometheus.waitFor(LIMIT.getSeconds(), TimeUnit.SECONDS)) {
        prometheus.destroyForcibly();
      }
    }
    if (server != null) {
      server.stop(0);
    }
    sample.close();
  }

  private void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/ppr/", exchange -> {
      PageResponse page = sample.page.find(exchange.getRequestURI().getPath().substring(4))
          .orElseThrow();
      sample.metrics.rebuilt("rs", 1, SampleMetrics.MIB, 500);
      exchange.getResponseHeaders().add("Content-Type", page.contentType);
      exchange.sendResponseHeaders(page.status, page.body.length);
      exchange.getResponseBody().write(page.body);
      exchange.close();
    });
    server.start();
    Path rules = Path.of("..", "conf", "prometheus", "hdfs-ppr-alerts.yml").toAbsolutePath();
    String config = Files.readString(rules.resolveSibling("prometheus-example.yml"))
        .replace("15s", "1s").replace("- hdfs-ppr-alerts.yml", "- " + rules.normalize())
        .replace("- namenode1.example.com:9870", "- 127.0.0.1:" + server.getAddress().getPort())
        .replaceAll("(?m)^ *- namenode2.*\n", "");
    Path file = Files.writeString(folder.resolve("prometheus.yml"), config);
    int port = FreePort.choose();
    api = "http://127.0.0.1:" + port + "/api/v1/";
    prometheus = new ProcessBuilder("prometheus", "--config.file=" + file,
        "--storage.tsdb.path=" + folder.resolve("data"), "--web.listen-address=127.0.0.1:" + port)
        .redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
  }

  private JsonNode ask(String path) throws IOException, InterruptedException {
    JsonNode answer = new ObjectMapper().readTree(client.send(HttpRequest.newBuilder(
        URI.create(api + path)).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString())
        .body());
    assertEquals("success", answer.get("status").asText(), () -> path + ": " + answer);
    return answer.get("data");
  }

  private JsonNode query(String expression) throws IOException, InterruptedException {
    return ask("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .get("result");
  }

  /** Waits until Prometheus has scraped the page often enough for rates. */
  private void awaitScrapes() throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.plusSeconds(2L * SCRAPES).toNanos();
    String enough = "count_over_time(hdfs_ppr_in_charge[10m]) >= " + SCRAPES;
    while (true) {
      assertTrue(prometheus.isAlive(), () -> "Prometheus has ended: " + log());
      assertTrue(System.nanoTime() < end, () -> "no scrapes: " + log());
      try {
        if (query(enough).size() == 1) {
          return;
        }
      } catch (java.net.ConnectException e) {
        // Prometheus does not listen yet.
        assertTrue(prometheus.isAlive(), () -> "Prometheus has ended: " + log());
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void everySeriesAndExpressionIsThere() throws Exception {
    // Also skips the test where Prometheus is not installed: one package has both programs.
    Promtool.run(folder, null, "--version");
    start();
    awaitScrapes();
    for (String name : sample.text().samplesByName().keySet()) {
      assertFalse(query(name).isEmpty(), name);
    }
    assertTrue(query("rate(hdfs_ppr_rebuilt_bytes_total[1m]) > 0").size() == 1);
    TreeSet<String> empty = new TreeSet<>();
    for (String expression : TestMonitoringFiles.expressionsOfDashboard()) {
      String asked = expression.replace("$__rate_interval", "1m").replace("$instance", ".+");
      if (query(asked).isEmpty()) {
        empty.add(asked);
      }
    }
    assertEquals(new TreeSet<>(), empty, "expressions of the dashboard without a result");
    assertEquals(List.of(), ask("targets").get("activeTargets").findValuesAsText("lastError")
        .stream().filter(error -> !error.isEmpty()).collect(Collectors.toList()));
    for (JsonNode rule : ask("rules").findValues("health")) {
      assertEquals("ok", rule.asText());
    }
    // These alerts wait for their time.
    List<String> alerts = ask("alerts").findValuesAsText("alertname");
    assertTrue(alerts.containsAll(List.of("HdfsPprDataLost", "HdfsPprNodeQuarantined")),
        alerts::toString);
  }
}
