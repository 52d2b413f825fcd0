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

import static org.apache.hadoop.test.MetricsAsserts.assertCounter;
import static org.apache.hadoop.test.MetricsAsserts.assertGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.datanode.metrics.RepairMetrics.KeyedCounters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the names of counters state the unit, and that counters disappear with their source.
 */
class TestRepairMetrics {
  private static final String NODE = "127.0.0.1:9866";
  private static final String SOURCE = "PprDataNode-127.0.0.1-9866";
  /** Matches names that end in the unit. Metrics2 adds endings for rates and percentiles. */
  private static final Pattern UNIT = Pattern.compile(
      ".*(Bytes|HelperComputeMs|Ms(\\d+s)?(NumOps|AvgTime|NumOps|\\d+(\\.\\d+)?thPercentileLatency)"
          + "|Repairs\\w*|SlicesVerified|VerificationFailures|HelpersInFlight"
          + "|HelperRequests\\w+|Fallbacks\\w+|Heartbeats\\w+|Commands\\w+|Results\\w+"
          + "|Managers\\w+|ChunkCache(Hits|Misses)|DegradedReadsServed|GroupsReadDegraded"
          + "|Replicas(Linked|Copied)|ReplicaLinksFailed|BlocksMade|MakingsFailed"
          + "|BlockDigestsFailed|UnitsPatched|UnitChanges(Forwarded|FromLog|Asked|Wrong)"
          + "|UnitPatchesFailed)");

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private RepairMetrics metrics;

  @BeforeAll
  static void startMetrics() {
    DefaultMetricsSystem.initialize("TestRepairMetrics");
  }

  @AfterAll
  static void stopMetrics() {
    DefaultMetricsSystem.shutdown();
  }

  @BeforeEach
  void register() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.metrics.percentiles.intervals", "60,300");
    metrics = RepairMetrics.register(conf, NODE);
  }

  @AfterEach
  void unregister() {
    metrics.unregister();
  }

  private static ObjectName bean() throws Exception {
    return new ObjectName("Hadoop:service=TestRepairMetrics,name=" + SOURCE);
  }

  @Test
  void countsRepairsByCodecAndTopology() {
    metrics.repairStarted("rs", "chain");
    metrics.repairStarted("rs", "chain");
    metrics.repairStarted("rs-legacy", "star");
    assertGauge("RepairsInFlight", 3, getMetrics(SOURCE));
    metrics.repairSucceeded("rs", "chain", 100);
    metrics.repairFailed("rs-legacy", "star", 300);

    MetricsRecordBuilder record = getMetrics(SOURCE);
    assertCounter("RepairsStarted", 3L, record);
    assertCounter("RepairsSucceeded", 1L, record);
    assertCounter("RepairsFailed", 1L, record);
    assertCounter("RepairsStartedCodecRs", 2L, record);
    assertCounter("RepairsStartedCodecRsLegacy", 1L, record);
    assertCounter("RepairsStartedTopologyChain", 2L, record);
    assertCounter("RepairsSucceededCodecRs", 1L, record);
    assertCounter("RepairsSucceededTopologyChain", 1L, record);
    assertCounter("RepairsFailedCodecRsLegacy", 1L, record);
    assertCounter("RepairsFailedTopologyStar", 1L, record);
    assertGauge("RepairsInFlight", 1, record);
    assertCounter("RepairTimeMsNumOps", 2L, record);
    assertGauge("RepairTimeMsAvgTime", 200.0, record);
  }

  @Test
  void countsTheRest() {
    for (FallbackReason reason : FallbackReason.values()) {
      metrics.fallback(reason);
    }
    for (HelperRejection reason : HelperRejection.values()) {
      metrics.helperRejected(reason);
    }
    for (CommandEvent event : CommandEvent.values()) {
      metrics.commandEvent(event);
    }
    metrics.managersChanged(2, 1);
    for (ByteFlow flow : ByteFlow.values()) {
      metrics.addBytes(flow, 1000 + flow.ordinal());
    }
    for (RepairPhase phase : RepairPhase.values()) {
      metrics.phaseTook(phase, 10);
    }
    metrics.slicesVerified(7);
    metrics.verificationFailed();
    metrics.verificationImpossible();
    metrics.helperStarted();
    metrics.helperStarted();
    metrics.helperFinished();
    metrics.helperComputed(600_000);
    metrics.helperComputed(600_000);
    metrics.watchBufferBytes(() -> 4096);
    metrics.watchChunkCache(() -> 512, () -> 3, () -> 4);
    metrics.degradedReadServed();
    metrics.watchGroupsReadDegraded(() -> 5);

    MetricsRecordBuilder record = getMetrics(SOURCE);
    assertCounter("FallbacksUnknownCodec", 1L, record);
    assertCounter("FallbacksOther", 1L, record);
    assertCounter("HelperRequestsRejectedAccessToken", 1L, record);
    assertCounter("HelperDiskReadBytes", 1000L, record);
    assertCounter("ChunkCacheHitBytes", 1001L, record);
    assertCounter("SentToRemoteTargetsBytes", 1007L, record);
    assertCounter("TransferTimeMsNumOps", 1L, record);
    assertCounter("SlicesVerified", 7L, record);
    assertCounter("VerificationFailures", 1L, record);
    assertCounter("UnverifiableRepairs", 1L, record);
    assertCounter("HelperRequestsAccepted", 2L, record);
    assertGauge("HelpersInFlight", 1, record);
    assertEquals(1, metrics.helpersInFlight());
    assertCounter("HelperComputeMs", 1L, record);
    assertCounter("CommandsReceived", 1L, record);
    assertCounter("ResultsAcknowledged", 1L, record);
    assertGauge("ManagersAnswering", 2, record);
    assertGauge("ManagersActive", 1, record);
    assertGauge("BuffersInUseBytes", 4096L, record);
    assertGauge("ChunkCacheBytes", 512L, record);
    assertCounter("ChunkCacheHits", 3L, record);
    assertCounter("ChunkCacheMisses", 4L, record);
    assertCounter("DegradedReadsServed", 1L, record);
    assertGauge("GroupsReadDegraded", 5L, record);
  }

  @Test
  void aKeyTooManySharesACounter() {
    for (int i = 0; i < 100; i++) {
      metrics.repairStarted("codec" + i, "star");
    }
    MetricsRecordBuilder record = getMetrics(SOURCE);
    assertCounter("RepairsStarted", 100L, record);
    assertCounter("RepairsStartedCodecCodec0", 1L, record);
    assertCounter("RepairsStartedCodecCodec15", 1L, record);
    assertCounter("RepairsStartedCodecOther", 84L, record);
  }

  @Test
  void keysBecomeNames() {
    assertEquals("RsLegacy", KeyedCounters.camelCase("rs-legacy"));
    assertEquals("LrcL2", KeyedCounters.camelCase("lrc l2"));
    assertEquals("Other", KeyedCounters.camelCase("-\u00e4-"));
    assertEquals("Other", KeyedCounters.camelCase(""));
  }

  @Test
  void everyNameSaysItsUnit() throws Exception {
    metrics.repairStarted("rs", "chain");
    List<String> without = new ArrayList<>();
    int seen = 0;
    for (MBeanAttributeInfo attribute : beans.getMBeanInfo(bean()).getAttributes()) {
      if (!attribute.getName().startsWith("tag.")) {
        seen++;
        if (!UNIT.matcher(attribute.getName()).matches()) {
          without.add(attribute.getName());
        }
      }
    }
    assertTrue(seen > 40, "attributes: " + seen);
    assertEquals(new ArrayList<String>(), without);
    assertTrue(java.util.Arrays.stream(beans.getMBeanInfo(bean()).getAttributes())
        .anyMatch(a -> a.getName().startsWith("RepairTimeMs300s")), "percentiles");
  }

  @Test
  void leavesNothingBehind() throws Exception {
    assertEquals(SOURCE, metrics.sourceName());
    assertNotNull(DefaultMetricsSystem.instance().getSource(SOURCE));
    assertTrue(beans.isRegistered(bean()));
    metrics.unregister();
    assertNull(DefaultMetricsSystem.instance().getSource(SOURCE));
    assertFalse(beans.isRegistered(bean()));
    metrics.unregister();

    // A plugin that starts again in the same process can use the same name.
    metrics = RepairMetrics.register(new Configuration(false), NODE);
    assertTrue(beans.isRegistered(bean()));
  }
}
