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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.web.metrics.Promtool;
import org.hdfsppr.namenode.web.metrics.SampleMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the alerts and the dashboard of {@code conf/} against the page: each metric and label that
 * they name is there. Runs promtool where it is installed.
 */
@InterfaceAudience.Private
class TestMonitoringFiles {
  private static final Path PROMETHEUS = Path.of("..", "conf", "prometheus");
  private static final Path RULES = PROMETHEUS.resolve("hdfs-ppr-alerts.yml");
  private static final Path RULE_TESTS = PROMETHEUS.resolve("hdfs-ppr-alerts-test.yml");
  private static final Path DASHBOARD = Path.of("..", "conf", "grafana", "hdfs-ppr.json");
  private static final Pattern SERIES = Pattern.compile("\\b(hdfs_ppr_\\w+)(\\{([^}]*)\\})?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");
  /** Prometheus adds these labels; the configuration of the example sets nameservice. */
  private static final Set<String> OF_TARGET = Set.of("job", "instance", "nameservice");

  @TempDir
  private Path folder;

  private static Map<String, Set<String>> labelsOfPage() {
    Map<String, Set<String>> labels = new TreeMap<>();
    try (SampleMetrics sample = FilesFamilies.sample()) {
      sample.fill().text().samplesByName().forEach((name, samples) ->
          labels.put(name, samples.get(0).labels.keySet()));
    }
    return labels;
  }

  /** Checks the metrics and labels of an expression, and returns the metrics' names. */
  private static Set<String> check(String expression, Map<String, Set<String>> page) {
    Set<String> names = new TreeSet<>();
    Set<String> labels = new HashSet<>(OF_TARGET);
    Matcher series = SERIES.matcher(expression);
    while (series.find()) {
      String name = series.group(1);
      assertTrue(page.containsKey(name), () -> "no metric " + name + " for " + expression);
      names.add(name);
      labels.addAll(page.get(name));
      if (series.group(3) != null) {
        Matcher label = LABEL.matcher(series.group(3));
        while (label.find()) {
          assertTrue(page.get(name).contains(label.group(1))
              || OF_TARGET.contains(label.group(1)), expression);
        }
      }
    }
    Matcher grouping = GROUPING.matcher(expression);
    while (grouping.find()) {
      for (String label : grouping.group(1).split(",\\s*")) {
        assertTrue(labels.contains(label), () -> "no label " + label + " for " + expression);
      }
    }
    return names;
  }

  private static Map<String, String> alerts() throws IOException {
    Map<String, String> alerts = new LinkedHashMap<>();
    for (String part : Files.readString(RULES).split("(?m)^ {6}- alert: ")) {
      if (!part.startsWith("#")) {
        alerts.put(part.substring(0, part.indexOf('\n')), part);
      }
    }
    assertTrue(alerts.size() >= 8, () -> "only " + alerts.keySet() + " are read as alerts");
    return alerts;
  }

  static List<String> expressionsOfDashboard() throws IOException {
    List<String> all = new ArrayList<>();
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertTrue(ids.add(panel.get("id").asInt()), () -> "an id twice: " + panel.get("title"));
      for (JsonNode target : panel.path("targets")) {
        all.add(target.get("expr").asText());
      }
    }
    return all;
  }

  @Test
  void alertsNameMetricsOfThePage() throws IOException {
    Map<String, Set<String>> page = labelsOfPage();
    for (String alert : alerts().values()) {
      String expression = alert.substring(alert.indexOf("expr:"), alert.indexOf("labels:"));
      assertTrue(!check(expression, page).isEmpty(), expression);
    }
    for (String series : Files.readString(RULE_TESTS).split("\n")) {
      if (series.trim().startsWith("- series:")) {
        check(series, page);
      }
    }
  }

  @Test
  void eachAlertSaysWhatToDo() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "metrics.md"));
    alerts().forEach((name, text) -> {
      assertTrue(text.contains("summary: \"") && text.contains("description: \""), name);
      assertTrue(text.matches("(?s).*severity: (critical|warning)\n.*"), name);
      assertTrue(text.contains(
          "runbook: docs/metrics.md#" + name.toLowerCase(Locale.ROOT) + "\n"), name);
      assertTrue(docs.contains("\n### " + name + "\n"), () -> "docs/metrics.md lacks " + name);
    });
    Matcher headings = Pattern.compile("(?m)^### (HdfsPpr\\w+)$").matcher(docs);
    while (headings.find()) {
      assertTrue(alerts().containsKey(headings.group(1)), headings.group(1));
    }
  }

  @Test
  void eachAlertHasTestsInWhichItFiresAndDoesNot() throws IOException {
    String tests = Files.readString(RULE_TESTS);
    for (String alert : alerts().keySet()) {
      String name = "alertname: " + alert + "\n        exp_alerts:";
      assertTrue(tests.contains(name + "\n"), () -> alert + " fires in no test");
      assertTrue(tests.contains(name + " []\n"), () -> "no test expects silence of " + alert);
    }
  }

  @Test
  void theDashboardNamesMetricsOfThePage() throws IOException {
    Map<String, Set<String>> page = labelsOfPage();
    Set<String> shown = new TreeSet<>();
    for (String expression : expressionsOfDashboard()) {
      shown.addAll(check(expression, page));
    }
    assertTrue(shown.containsAll(Set.of("hdfs_ppr_rate_bytes_per_second", "hdfs_ppr_eta_seconds",
        "hdfs_ppr_groups_waiting", "hdfs_ppr_repairs_in_flight", "hdfs_ppr_node_pending_bytes",
        "hdfs_ppr_groups_doubted", "hdfs_ppr_lock_hold_seconds_total",
        "hdfs_ppr_repair_duration_seconds_bucket")), shown::toString);
  }

  @Test
  void promtoolAcceptsThePage() throws Exception {
    Path page = folder.resolve("page");
    try (SampleMetrics sample = FilesFamilies.sample()) {
      Files.write(page, sample.fill().page.find("/metrics").orElseThrow().body);
    }
    assertEquals("", Promtool.run(folder, page, "check", "metrics"));
  }

  @Test
  void promtoolAcceptsTheRulesAndTheirTestsPass() throws Exception {
    Path where = PROMETHEUS.toAbsolutePath().normalize();
    Promtool.run(where, null, "check", "config", "prometheus-example.yml");
    Promtool.run(where, null, "check", "rules", "hdfs-ppr-alerts.yml");
    Promtool.run(where, null, "test", "rules", "hdfs-ppr-alerts-test.yml");
  }

  @Test
  void promtoolParsesTheExpressionsOfTheDashboard() throws Exception {
    List<String> rules = new ArrayList<>(List.of("groups:", "  - name: dashboard", "    rules:"));
    for (String expression : expressionsOfDashboard()) {
      rules.add("      - record: dashboard:" + rules.size());
      rules.add("        expr: '" + expression.replace("$__rate_interval", "1m")
          .replace("$instance", ".+").replace("'", "''") + "'");
    }
    assertTrue(rules.size() > 30, () -> "only " + rules);
    Path file = folder.resolve("dashboard.yml");
    Files.writeString(file, rules.stream().collect(Collectors.joining("\n", "", "\n")));
    Promtool.run(folder, null, "check", "rules", "dashboard.yml");
  }
}
