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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.datanode.MetricTexts;
import org.hdfsppr.datanode.SampleAnswers;
import org.hdfsppr.namenode.files.FilesCounters;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.web.metrics.FullMetrics;
import org.hdfsppr.namenode.web.metrics.MetricsPage;
import org.hdfsppr.namenode.web.metrics.SampleMetrics;
import org.hdfsppr.namenode.web.metrics.TestManagerMetricSnapshots;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests all metrics of a NameNode that has more than repairs. */
@InterfaceAudience.Private
class TestFilesMetrics {
  private static final long MIB = 1 << 20;
  private static final Path DOCS = Path.of("..", "docs", "metrics.md");

  private ManagerMetrics metrics;

  @BeforeAll
  static void startMetrics() {
    // Hadoop's NameNode gives its metrics this name.
    DefaultMetricsSystem.initialize("NameNode");
  }

  @AfterAll
  static void stopMetrics() {
    DefaultMetricsSystem.shutdown();
  }

  @BeforeEach
  void register() {
    metrics = ManagerMetrics.register("balanced");
  }

  @AfterEach
  void unregister() {
    metrics.unregister();
  }

  private void fill() {
    FullMetrics.fill(metrics);
    FilesCounters files = new FilesCounters(metrics);
    files.formed(10 * MIB, 4 * MIB);
    for (int i = 0; i < 3; i++) {
      files.failed();
    }
    files.dissolved();
    files.dissolved();
    SampleAnswers.jobs().forEach(job -> files.converted(job.counts));
    SampleAnswers.commits().forEach(files::committed);
  }

  @Test
  void thePageIsAsRecorded() {
    fill();
    TestManagerMetricSnapshots.RECORDED.assertSame(TestManagerMetricSnapshots.FULL,
        TestManagerMetricSnapshots.text(FullMetrics.page(metrics, FilesFamilies.full(metrics))));
  }

  @Test
  void thePageBeforeTheFirstCycleIsAsRecorded() {
    TestManagerMetricSnapshots.RECORDED.assertSame(TestManagerMetricSnapshots.EMPTY,
        TestManagerMetricSnapshots.text(new MetricsPage(() -> ManagerStatus.NONE, metrics,
            FilesFamilies.empty(metrics))));
  }

  @Test
  void theRecordsAreAsRecorded() {
    fill();
    TestManagerMetricSnapshots.RECORDED.assertSame(TestManagerMetricSnapshots.RECORDS,
        MetricTexts.records(metrics, name -> !name.equals("StepAgeMs")));
  }

  /** Each family that the code names is recorded, with a sample. */
  @Test
  void noFamilyIsLeftOut() throws IOException {
    assertEquals(TestManagerMetricSnapshots.named(TestManagerMetricSnapshots::isOfFiles),
        TestManagerMetricSnapshots.recorded(TestManagerMetricSnapshots::isOfFiles));
  }

  @Test
  void theTableListsEachMetricOfThePage() throws Exception {
    metrics.unregister();
    Map<String, String> shown = new TreeMap<>();
    try (SampleMetrics sample = FilesFamilies.sample()) {
      sample.fill().text().families.forEach((name, family) -> {
        assertFalse(family.samples.isEmpty(), name + " has no sample in this test");
        TreeMap<String, String> labels = new TreeMap<>(family.samples.get(0).labels);
        labels.remove("le");
        shown.put(name, family.type + " " + labels.keySet());
      });
    }
    Map<String, String> listed = new TreeMap<>();
    Matcher rows = Pattern.compile(
        "(?m)^\\| `(hdfs_ppr_\\w+)` \\| (\\w+) \\| ([^|]*) \\| ([^|]*) \\| [^|]+ \\|$")
        .matcher(Files.readString(DOCS));
    while (rows.find()) {
      String name = rows.group(1);
      List<String> labels = new ArrayList<>();
      Matcher label = Pattern.compile("`(\\w+)`").matcher(rows.group(3));
      while (label.find()) {
        labels.add(label.group(1));
      }
      labels.sort(null);
      String unit = rows.group(4);
      assertEquals(unitOf(name), unit, name);
      assertEquals(null, listed.put(name, rows.group(2) + " " + labels), name);
    }
    assertEquals(shown, listed);
  }

  /** Returns the unit that the name of a metric says. */
  private static String unitOf(String name) {
    String unit = name.replaceAll("_total$", "");
    return unit.endsWith("_bytes_per_second") ? "bytes/s" : unit.endsWith("_seconds") ? "s"
        : unit.endsWith("_bytes") ? "bytes" : "";
  }
}
