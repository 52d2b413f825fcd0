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
package org.hdfsppr.it.views;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;

/**
 * Looks at a cluster through everything that shows an operator how repairs go on, each view on a
 * thread of its own, from {@link #Viewers} to {@link #end}:
 *
 * <ul>
 *   <li>{@code page}: the document from which the page on the NameNode's web server is drawn
 *   <li>{@code watch}: a process {@code hdfs ppr -status -watch 1 -json}
 *   <li>{@code counters}: the source PprNameNode in /jmx
 *   <li>{@code metrics}: /ppr/metrics
 *   <li>{@code fsck}: {@code hdfs fsck /}
 * </ul>
 */
final class Viewers {
  static final String TO_DO = "groups_to_do";
  static final String QUEUED = "groups_queued";
  static final String IN_FLIGHT = "repairs_in_flight";
  static final String AT_RISK = "at_risk";
  static final String BYTES_LEFT = "bytes_left";
  static final String BYTES_REBUILT = "bytes_rebuilt";
  static final String DONE = "repairs_done";
  static final String DATA_NODES = "data_nodes";
  static final String AGENTS = "agents";

  private static final String[] OF_STATUS = {QUEUED, IN_FLIGHT, AT_RISK, BYTES_LEFT, BYTES_REBUILT,
      DONE, DATA_NODES, AGENTS};
  private static final Map<String, String> OF_COUNTERS = Map.of("GroupsQueued", QUEUED,
      "RepairsInFlight", IN_FLIGHT, "GroupsAtRisk", AT_RISK, "BytesLeft", BYTES_LEFT,
      "BytesRebuiltTotal", BYTES_REBUILT, "RepairsDone", DONE, "DataNodes", DATA_NODES, "Agents",
      AGENTS);
  private static final Map<String, String> OF_METRICS = Map.of("hdfs_ppr_groups_waiting", QUEUED,
      "hdfs_ppr_repairs_in_flight", IN_FLIGHT, "hdfs_ppr_groups_at_risk", AT_RISK,
      "hdfs_ppr_left_bytes", BYTES_LEFT, "hdfs_ppr_rebuilt_bytes_total", BYTES_REBUILT,
      "hdfs_ppr_repair_duration_seconds_count", DONE, "hdfs_ppr_data_nodes", DATA_NODES,
      "hdfs_ppr_agents", AGENTS);
  private static final Pattern SERIES =
      Pattern.compile("^([a-z_]+)(?:\\{[^}]*\\})? (\\S+)$", Pattern.MULTILINE);
  /** The page's document changes with each cycle, which begins every 200 ms. */
  private static final long PAGE_EVERY_MS = 100;
  private static final long OTHERS_EVERY_MS = 500;
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final HdfsProcessCluster cluster;
  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private final long start = System.nanoTime();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  final View page = new View("page");
  private final View watch = new View("watch");
  private final View counters = new View("counters");
  private final View metrics = new View("metrics");
  private final View fsck = new View("fsck");
  private final Map<Long, String> pageByCycle = new HashMap<>();
  private final Map<Long, String> watchByCycle = new HashMap<>();
  private final Process command;
  private volatile boolean ended;

  /** Returns the numbers that a view shows now. */
  private interface Look {
    Map<String, Double> numbers() throws Exception;
  }

  /**
   * Begins to look.
   *
   * @param clientJava the command line of a client, without a main class
   */
  Viewers(HdfsProcessCluster cluster, List<String> clientJava) throws IOException {
    this.cluster = cluster;
    List<String> line = new ArrayList<>(clientJava);
    line.addAll(List.of("org.hdfsppr.client.PprTool", "-status", "-watch", "1", "-json"));
    Path log = cluster.dir().resolve("watch.log");
    command = new ProcessBuilder(line).redirectError(log.toFile()).start();
    begin("watch", this::readCommand);
    begin("page", () -> look(page, PAGE_EVERY_MS, this::readPage));
    begin("counters", () -> look(counters, OTHERS_EVERY_MS, this::readCounters));
    begin("metrics", () -> look(metrics, OTHERS_EVERY_MS, this::readMetrics));
    begin("fsck", () -> look(fsck, OTHERS_EVERY_MS, this::readFsck));
  }

  /** Something that fails. */
  private interface Work {
    void run() throws Exception;
  }

  private void begin(String name, Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (Exception e) {
        failure.compareAndSet(null, e);
      }
    }, "view-" + name);
    thread.setUncaughtExceptionHandler((which, error) -> failure.compareAndSet(null, error));
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  private long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private void look(View view, long everyMs, Look look) throws Exception {
    while (!ended) {
      long asked = nowMs();
      Map<String, Double> numbers = look.numbers();
      view.add(new Glance(asked, nowMs(), numbers));
      Thread.sleep(everyMs);
    }
  }

  private void readCommand() throws Exception {
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(command.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode document = mapper.readTree(line);
        watch.add(new Glance(nowMs(), nowMs(), ofStatus(document)));
        remember(watchByCycle, document);
      }
    }
    if (!ended) {
      throw new IOException("-watch has ended by itself, see " + cluster.dir() + "/watch.log");
    }
  }

  private static void remember(Map<Long, String> byCycle, JsonNode document) {
    synchronized (byCycle) {
      byCycle.put(document.get("cycle").asLong(), document.toString());
    }
  }

  private String read(String path) throws Exception {
    HttpResponse<String> answer = client.send(HttpRequest.newBuilder(
        URI.create("http://" + cluster.nameNodes().webAddress(1) + path)).timeout(LIMIT).build(),
        BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(path + " has the status " + answer.statusCode());
    }
    return answer.body();
  }

  private Map<String, Double> readPage() throws Exception {
    JsonNode document = mapper.readTree(read("/ppr/v1/status"));
    remember(pageByCycle, document);
    return ofStatus(document);
  }

  private static Map<String, Double> ofStatus(JsonNode document) {
    Map<String, Double> numbers = new HashMap<>();
    for (String name : OF_STATUS) {
      numbers.put(name, document.get(name).asDouble());
    }
    return withToDo(numbers);
  }

  private Map<String, Double> readCounters() throws Exception {
    JsonNode bean = cluster.nameNodes().jmx(1, "Hadoop:service=NameNode,name=PprNameNode");
    Map<String, Double> numbers = new HashMap<>();
    OF_COUNTERS.forEach((counter, name) -> numbers.put(name, bean.get(counter).asDouble()));
    return withToDo(numbers);
  }

  private Map<String, Double> readMetrics() throws Exception {
    Map<String, Double> numbers = new HashMap<>();
    // A series is missing while nothing belongs to it.
    OF_METRICS.values().forEach(name -> numbers.put(name, 0.0));
    Matcher series = SERIES.matcher(read("/ppr/metrics"));
    while (series.find()) {
      String name = OF_METRICS.get(series.group(1));
      if (name != null) {
        numbers.merge(name, Double.valueOf(series.group(2)), Double::sum);
      }
    }
    return withToDo(numbers);
  }

  /** Each group of this test lacks one unit, for which one repair is ordered. */
  private static Map<String, Double> withToDo(Map<String, Double> numbers) {
    numbers.put(TO_DO, numbers.get(QUEUED) + numbers.get(IN_FLIGHT));
    return numbers;
  }

  private Map<String, Double> readFsck() throws Exception {
    Fsck report = Fsck.of(cluster.clientConf());
    double groups = report.count("Under-erasure-coded block groups");
    double units = report.count("Missing internal blocks");
    if (groups != units) {
      throw new AssertionError("fsck counts units that are not lost by the node: " + report);
    }
    return Map.of(TO_DO, groups);
  }

  /** Fails if a view has failed. */
  void requireNoFailure() {
    if (failure.get() != null) {
      throw new AssertionError("a view cannot be read", failure.get());
    }
  }

  /** Ends all views. */
  void end() throws InterruptedException {
    ended = true;
    command.destroy();
    for (Thread thread : threads) {
      thread.join(LIMIT.toMillis());
    }
  }

  /** Returns the views, the page first. */
  List<View> all() {
    return List.of(page, watch, counters, metrics, fsck);
  }

  /** Returns how many statuses of one cycle both the page and the command have shown. */
  int sameCycles() {
    int same = 0;
    for (Map.Entry<Long, String> shown : watchByCycle.entrySet()) {
      String onPage = pageByCycle.get(shown.getKey());
      if (onPage != null) {
        if (!onPage.equals(shown.getValue())) {
          throw new AssertionError("cycle " + shown.getKey() + " on the page " + onPage
              + " and in the command " + shown.getValue());
        }
        same++;
      }
    }
    return same;
  }
}
