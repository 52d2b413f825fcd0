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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.datanode.MetricTexts;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.namenode.files.page.CommitFamilies;
import org.hdfsppr.namenode.files.page.ConversionFamilies;
import org.hdfsppr.namenode.files.page.CoreFamilies;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.operate.CoreStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names, types, words and values of metrics are what dashboards and alerts know. */
@InterfaceAudience.Private
class TestManagerMetricSnapshots {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-namenode", "metrics");
  private static final String FULL = "full.txt";
  private static final String EMPTY = "empty.txt";
  private static final String RECORDS = "records.txt";
  private static final String BEANS = "beans.txt";

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

  /** The age of a step is another one in each run. */
  private static String text(MetricsPage page) {
    return new String(page.find("/metrics").orElseThrow().body, StandardCharsets.UTF_8)
        .replaceAll("(?m)^(hdfs_ppr_service_step_age_seconds\\{.*\\}) .*$", "$1 AGE");
  }

  @Test
  void thePageIsAsRecorded() {
    FullMetrics.fill(metrics);
    RECORDED.assertSame(FULL, text(FullMetrics.page(metrics)));
  }

  @Test
  void thePageBeforeTheFirstCycleIsAsRecorded() {
    RECORDED.assertSame(EMPTY, text(new MetricsPage(() -> ManagerStatus.NONE, metrics, List.of(
        new ConversionFamilies(List::of, Optional::empty, metrics), new CommitFamilies(metrics),
        new CoreFamilies(() -> CoreStatus.NONE, metrics)))));
  }

  @Test
  void theRecordsAreAsRecorded() {
    FullMetrics.fill(metrics);
    RECORDED.assertSame(RECORDS,
        MetricTexts.records(metrics, name -> !name.equals("StepAgeMs")));
  }

  @Test
  void theBeansAreAsRecorded() throws JMException {
    FullMetrics.fill(metrics);
    MetricTexts.registerAnew("PprNameNode");
    RECORDED.assertSame(BEANS, MetricTexts.beans("Hadoop:service=NameNode,name=Ppr*"));
  }

  /** Each family that the code names is recorded, with a sample. */
  @Test
  void noFamilyIsLeftOut() throws IOException {
    Set<String> named = new TreeSet<>();
    List<Path> sources;
    try (Stream<Path> all = Files.walk(Path.of("src", "main", "java"))) {
      sources = all.filter(file -> file.toString().endsWith(".java")).collect(Collectors.toList());
    }
    for (Path file : sources) {
      Matcher family = Pattern.compile("\"(hdfs_ppr_\\w+)\"").matcher(Files.readString(file));
      while (family.find()) {
        named.add(family.group(1));
      }
    }
    Set<String> recorded = new TreeSet<>();
    PromText.parse(RECORDED.read(FULL).replace("} AGE", "} 0").getBytes(StandardCharsets.UTF_8))
        .families.forEach((name, family) -> {
          if (!family.samples.isEmpty()) {
            recorded.add(name);
          }
        });
    assertEquals(named, recorded);
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of(FULL, EMPTY, RECORDS, BEANS));
  }
}
