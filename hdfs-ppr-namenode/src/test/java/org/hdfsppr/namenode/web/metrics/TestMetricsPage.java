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
package org.hdfsppr.namenode.web.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.manage.status.RepairTally;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.track.EndReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the page for Prometheus and the Metrics2 source against the manager's status. */
@InterfaceAudience.Private
class TestMetricsPage {
  private static final Path DOCS = Path.of("..", "docs", "metrics.md");

  private final SampleMetrics sample = new SampleMetrics();

  @AfterEach
  void unregister() {
    sample.close();
  }

  @Test
  void thePageIsThereBeforeTheFirstCycle() {
    PromText text = sample.text();
    assertEquals(0, text.value("hdfs_ppr_in_charge"));
    assertEquals(0, text.value("hdfs_ppr_rebuilt_bytes_total"));
    assertEquals("text/plain; version=0.0.4; charset=utf-8",
        sample.page.find("/metrics").orElseThrow().contentType);
    assertFalse(sample.page.find("/v1/status").isPresent());
    assertFalse(sample.page.find("/metrics/").isPresent());
  }

  @Test
  void countersAndStatusAreAsTheManagerHasThem() {
    PromText text = sample.fill().text();
    assertEquals(1, text.value("hdfs_ppr_in_charge"));
    assertEquals(117, text.value("hdfs_ppr_groups_waiting", "spare_units", "1"));
    assertEquals(1, text.value("hdfs_ppr_groups_waiting", "spare_units", "-1"));
    assertEquals(1, text.value("hdfs_ppr_groups_unrecoverable"));
    assertEquals(1, text.value("hdfs_ppr_nodes_quarantined"));
    assertEquals(2, text.value("hdfs_ppr_repairs_ended_total", "codec", "rs",
        "outcome", "done", "reason", "rebuilt", "scheduler", "balanced"));
    assertEquals(1, text.value("hdfs_ppr_repairs_ended_total", "codec", "rs",
        "outcome", "failed", "reason", "overdue", "scheduler", "balanced"));
    assertEquals(3, text.value("hdfs_ppr_rebuilt_units_total", "codec", "rs"));
    assertEquals(256L * SampleMetrics.MIB, text.value("hdfs_ppr_rebuilt_bytes_total"));
    assertEquals(1, text.value("hdfs_ppr_repair_duration_seconds_bucket",
        "codec", "rs", "le", "5"));
    assertEquals(43, text.value("hdfs_ppr_repair_duration_seconds_sum", "codec", "rs"));
    assertEquals(0.005, text.value("hdfs_ppr_lock_hold_seconds_total", "mode", "write"));
    assertEquals(0.002, text.value("hdfs_ppr_planning_seconds_total"));
    assertEquals(1, text.value("hdfs_ppr_cycle_duration_seconds_bucket", "le", "0.005"));
    assertEquals(2 * SampleMetrics.MIB, text.value("hdfs_ppr_node_pending_bytes",
        "node", "dn2:9866", "direction", "up"));
    assertEquals(4 * SampleMetrics.MIB, text.value("hdfs_ppr_node_pending_bytes",
        "node", "dn2:9866", "direction", "down"));
    assertEquals(4 * SampleMetrics.MIB / 25e6,
        text.value("hdfs_ppr_node_busy_seconds", "node", "dn2:9866"), 1e-9);
    assertEquals(1, text.value("hdfs_ppr_nodes_left_out"));
    assertEquals(1, text.value("hdfs_ppr_state", "state", "data_lost"));
    assertEquals(0, text.value("hdfs_ppr_state", "state", "ok"));
    assertEquals(0, text.value("hdfs_ppr_paused"));
    assertEquals(90.5, text.value("hdfs_ppr_oldest_wait_seconds"));
    assertEquals(119, text.value("hdfs_ppr_groups_waiting_by_reason", "reason", "queued"));
    assertEquals(120L * SampleMetrics.MIB, text.value("hdfs_ppr_left_bytes"));
    assertEquals(4.5e6, text.value("hdfs_ppr_rate_bytes_per_second"));
    assertEquals(100, text.value("hdfs_ppr_repairs_in_flight_limit"));
    assertEquals(1, text.value("hdfs_ppr_build_info", "version", "0.2.0",
        "scheduler", "balanced"));
  }

  @Test
  void countersRiseWhileCyclesFailAndNoStatusIsPublished() {
    sample.fill();
    sample.metrics.count(ManagerCounter.CYCLES_FAILED);
    assertEquals(1, sample.text().value("hdfs_ppr_cycle_failures_total"));
  }

  @Test
  void onALargeClusterOnlyTheListedNodesHaveSeries() {
    sample.show(SampleMetrics.status(SampleMetrics.nodes(StatusLists.ENTRIES_MAX)));
    PromText text = sample.text();
    assertEquals(1, text.value("hdfs_ppr_nodes_left_out"));
    assertEquals(StatusLists.ENTRIES_MAX,
        text.families.get("hdfs_ppr_node_busy_seconds").samples.size());
    int length = sample.page.find("/metrics").orElseThrow().body.length;
    assertTrue(length < 1 << 20, "the page of 1,000 nodes has " + length + " bytes");
  }

  @Test
  void nodesOfTheSameAddressHaveSeriesOfTheirOwn() {
    List<NodeStatus> nodes = new ArrayList<>(SampleMetrics.nodes(1));
    nodes.addAll(SampleMetrics.nodes(1, "other-"));
    sample.show(SampleMetrics.status(nodes));
    PromText text = sample.text();
    assertEquals(0, text.value("hdfs_ppr_node_busy_seconds", "node", "dn0:9866 uuid-0"));
    assertEquals(0, text.value("hdfs_ppr_node_busy_seconds", "node", "dn0:9866 other-0"));
  }

  @Test
  void whatIsUnknownIsAbsent() {
    PromText text = sample.text();
    assertTrue(text.families.get("hdfs_ppr_eta_seconds").samples.isEmpty());
    assertEquals(28, sample.fill().text().value("hdfs_ppr_eta_seconds"));
  }

  @Test
  void namesOfCodecsAreBoundedAndEscaped() {
    for (int i = 0; i < 3 * RepairTally.CODECS_MAX; i++) {
      sample.metrics.failed("co\"dec\n" + i, EndReason.ERROR);
    }
    List<PromText.Sample> series =
        sample.text().families.get("hdfs_ppr_repairs_ended_total").samples;
    assertEquals(RepairTally.CODECS_MAX + 1, series.size());
    assertEquals(2 * RepairTally.CODECS_MAX, sample.text().value("hdfs_ppr_repairs_ended_total",
        "codec", "other", "outcome", "failed", "reason", "error", "scheduler", "balanced"));
    assertTrue(series.stream().anyMatch(one -> one.labels.get("codec").equals("co\"dec\n0")));
    // Hadoop's own page for Prometheus does not escape the values of tags.
    for (MetricsRecord record : records()) {
      for (MetricsTag tag : record.tags()) {
        assertFalse(tag.value() != null && tag.value().contains("\""), tag::toString);
      }
    }
  }

  @Test
  void theTableListsEachMetricOfTheSource() throws Exception {
    sample.fill();
    String page = Files.readString(DOCS);
    TreeMap<String, TreeMap<String, String>> shown = new TreeMap<>();
    for (MetricsRecord record : records()) {
      for (AbstractMetric metric : record.metrics()) {
        shown.computeIfAbsent(record.name(), any -> new TreeMap<>())
            .put(metric.name(), metric.description());
      }
    }
    TreeMap<String, TreeMap<String, String>> listed = new TreeMap<>();
    Matcher rows = Pattern.compile("(?m)^\\| `(PprNameNode\\w*)` \\| `(\\w+)` \\|").matcher(page);
    while (rows.find()) {
      listed.computeIfAbsent(rows.group(1), any -> new TreeMap<>()).put(rows.group(2), "");
    }
    shown.forEach((record, metrics) -> assertEquals(metrics.keySet(),
        listed.getOrDefault(record, new TreeMap<>()).keySet(), record));
    assertEquals(shown.keySet(), listed.keySet());
  }

  private Iterable<? extends MetricsRecord> records() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    sample.metrics.getMetrics(collector, true);
    return collector.getRecords();
  }

  @Test
  void theSourceHasTheSumsFirstAndThenTheirParts() {
    sample.fill();
    Map<String, Number> values = new TreeMap<>();
    for (MetricsRecord record : records()) {
      TreeMap<String, String> tags = new TreeMap<>();
      record.tags().forEach(tag -> tags.put(tag.name(), tag.value()));
      if (!record.name().equals("PprNameNode")) {
        assertFalse(values.isEmpty(), "JMX shows the first record under the old names");
      }
      assertEquals("balanced", tags.remove("Scheduler"));
      tags.remove("Context");
      tags.remove("Hostname");
      record.metrics().forEach(metric ->
          values.put(record.name() + tags + metric.name(), metric.value()));
    }
    assertEquals(3L, values.get("PprNameNode{}RepairsDone"));
    assertEquals(1L, values.get("PprNameNode{}RepairsFailed"));
    assertEquals(1L, values.get("PprNameNode{}RepairsDroppedTotal"));
    assertEquals(256L * SampleMetrics.MIB, values.get("PprNameNode{}BytesRebuiltTotal"));
    assertEquals(2L, values.get(
        "PprNameNodeEnded{Codec=rs, Outcome=done, Reason=rebuilt}RepairsTotal"));
    assertEquals(1L, values.get("PprNameNodeWithoutPlan{Reason=no_destination}GroupsTotal"));
    assertEquals(117, values.get("PprNameNodeQueue{SpareUnits=1}Groups"));
  }
}
