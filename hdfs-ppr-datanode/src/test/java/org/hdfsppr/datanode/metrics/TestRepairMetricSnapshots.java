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
package org.hdfsppr.datanode.metrics;

import java.util.List;
import javax.management.JMException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.datanode.MetricTexts;
import org.hdfsppr.datanode.Snapshot;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names, types and words of a DataNode's metrics are what dashboards and alerts know. */
@InterfaceAudience.Private
class TestRepairMetricSnapshots {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-datanode", "metrics");
  private static final String RECORDS = "records.txt";
  private static final String BEANS = "beans.txt";

  private RepairMetrics metrics;

  @BeforeAll
  static void startMetrics() {
    // Hadoop's DataNode gives its metrics this name.
    DefaultMetricsSystem.initialize("DataNode");
  }

  @AfterAll
  static void stopMetrics() {
    DefaultMetricsSystem.shutdown();
  }

  @BeforeEach
  void fill() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.metrics.percentiles.intervals", "60");
    metrics = RepairMetrics.register(conf, "127.0.0.1:9866");
    for (String codec : List.of("rs", "hitchhiker-xorplus")) {
      metrics.repairStarted(codec, "chain");
      metrics.repairStarted(codec, "free-sum");
      metrics.repairStarted(codec, "star");
      metrics.repairSucceeded(codec, "chain", 100);
      metrics.repairFailed(codec, "free-sum", 300);
    }
    for (FallbackReason reason : FallbackReason.values()) {
      add(reason, () -> metrics.fallback(reason));
    }
    for (HelperRejection reason : HelperRejection.values()) {
      add(reason, () -> metrics.helperRejected(reason));
    }
    for (CommandEvent event : CommandEvent.values()) {
      add(event, () -> metrics.commandEvent(event));
    }
    for (ByteFlow flow : ByteFlow.values()) {
      metrics.addBytes(flow, 1_000 + flow.ordinal());
    }
    for (VersionCount count : VersionCount.values()) {
      metrics.versions(count, 2_000 + count.ordinal());
    }
    for (RepairPhase phase : RepairPhase.values()) {
      metrics.phaseTook(phase, 10 + phase.ordinal());
    }
    metrics.slicesVerified(7);
    metrics.verificationFailed();
    metrics.verificationImpossible();
    metrics.helperStarted();
    metrics.helperStarted();
    metrics.helperFinished();
    metrics.helperComputed(1_200_000);
    metrics.degradedReadServed();
    metrics.managersChanged(2, 1);
    metrics.watchBufferBytes(() -> 4_096);
    metrics.watchChunkCache(() -> 512, () -> 3, () -> 4);
    metrics.watchGroupsReadDegraded(() -> 5);
    metrics.services.open("ppr-agent", e -> { }).failed(new IllegalStateException("a test"));
  }

  private static void add(Enum<?> what, Runnable one) {
    for (int i = 0; i <= what.ordinal(); i++) {
      one.run();
    }
  }

  @AfterEach
  void unregister() {
    metrics.unregister();
  }

  @Test
  void theRecordsAreAsRecorded() {
    RECORDED.assertSame(RECORDS,
        MetricTexts.records(metrics, name -> !name.equals("StepAgeMs")));
  }

  @Test
  void theBeansAreAsRecorded() throws JMException {
    MetricTexts.registerAnew(metrics.sourceName());
    RECORDED.assertSame(BEANS, MetricTexts.beans("Hadoop:service=DataNode,name=Ppr*"));
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of(RECORDS, BEANS));
  }
}
