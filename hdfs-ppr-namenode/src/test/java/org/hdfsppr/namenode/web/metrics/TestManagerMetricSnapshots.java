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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.datanode.MetricTexts;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names, types, words and values of metrics are what dashboards and alerts know. */
@InterfaceAudience.Private
public class TestManagerMetricSnapshots {
  /** The pages are those with an extension, which is what tests of its own compare. */
  public static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-namenode", "metrics");
  /** The page on which everything has happened */
  public static final String FULL = "full.txt";
  /** The page before the first cycle */
  public static final String EMPTY = "empty.txt";
  /** The records of the Metrics2 source */
  public static final String RECORDS = "records.txt";
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

  /**
   * @param family the name of a family
   * @return whether an extension shows it
   */
  public static boolean isOfFiles(String family) {
    return family.matches("hdfs_ppr_(conver|commit|core_|old_versions_|version_).*");
  }

  /** Returns a recorded page without the families of an extension. */
  private static String ofRepairs(String file) {
    StringBuilder text = new StringBuilder();
    for (String family : RECORDED.read(file).split("(?m)(?=^# HELP )")) {
      text.append(isOfFiles(family.split(" ")[2]) ? "" : family);
    }
    return text.toString();
  }

  /**
   * @param page the page for Prometheus
   * @return its text, without the age of steps, which is another one in each run
   */
  public static String text(MetricsPage page) {
    return new String(page.find("/metrics").orElseThrow().body, StandardCharsets.UTF_8)
        .replaceAll("(?m)^(hdfs_ppr_service_step_age_seconds\\{.*\\}) .*$", "$1 AGE");
  }

  @Test
  void thePageIsAsRecordedButForWhatAnExtensionShows() {
    FullMetrics.fill(metrics);
    assertEquals(ofRepairs(FULL), text(FullMetrics.page(metrics, List.of())));
  }

  @Test
  void thePageBeforeTheFirstCycleIsAsRecordedButForWhatAnExtensionShows() {
    assertEquals(ofRepairs(EMPTY),
        text(new MetricsPage(() -> ManagerStatus.NONE, metrics, List.of())));
  }

  @Test
  void theRecordsAreAsRecorded() {
    FullMetrics.fill(metrics);
    FullMetrics.fillOthers(metrics);
    RECORDED.assertSame(RECORDS,
        MetricTexts.records(metrics, name -> !name.equals("StepAgeMs")));
  }

  @Test
  void theBeansAreAsRecorded() throws JMException {
    FullMetrics.fill(metrics);
    FullMetrics.fillOthers(metrics);
    MetricTexts.registerAnew("PprNameNode");
    RECORDED.assertSame(BEANS, MetricTexts.beans("Hadoop:service=NameNode,name=Ppr*"));
  }

  /** Each family that the code names is recorded, with a sample. */
  @Test
  void noFamilyIsLeftOut() throws IOException {
    assertEquals(named(name -> !isOfFiles(name)), recorded(name -> !isOfFiles(name)));
  }

  /**
   * @param which says by its name whether a family counts
   * @return those families that the sources of this module, or the counters, name
   * @throws IOException if a source cannot be read
   */
  public static Set<String> named(Predicate<String> which) throws IOException {
    Set<String> named = new TreeSet<>();
    for (ManagerCounter counter : ManagerCounter.values()) {
      if (counter.family != null) {
        named.add(counter.family);
      }
    }
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
    named.removeIf(which.negate());
    return named;
  }

  /**
   * @param which says by its name whether a family counts
   * @return those families of the recorded page that have a sample
   */
  public static Set<String> recorded(Predicate<String> which) {
    Set<String> recorded = new TreeSet<>();
    PromText.parse(RECORDED.read(FULL).replace("} AGE", "} 0").getBytes(StandardCharsets.UTF_8))
        .families.forEach((name, family) -> {
          if (!family.samples.isEmpty() && which.test(name)) {
            recorded.add(name);
          }
        });
    return recorded;
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of(FULL, EMPTY, RECORDS, BEANS));
  }
}
