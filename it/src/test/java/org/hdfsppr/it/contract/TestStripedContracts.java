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
package org.hdfsppr.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.coder.cost.LossTolerance;
import org.hdfsppr.it.read.DegradedCounts;
import org.hdfsppr.it.read.ReadClient;
import org.hdfsppr.it.util.EcCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs Hadoop's contract tests of file systems on erasure-coded files: once with all units, and
 * once with as many disks lost at each open as the code always survives. JUnit's launcher runs the
 * test classes, so that one cluster serves many classes, and tests for JUnit 4 and JUnit 5 both
 * run.
 *
 * <p>{@code -Dread.client=LABEL} chooses the client.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TestStripedContracts {
  private static final ReadClient CLIENT =
      ReadClient.parse(System.getProperty("read.client", "auto"));

  /**
   * Stock HDFS fails these tests of Hadoop 3.3: its streams say nothing about vectored reads there,
   * and throw another exception for a negative offset.
   */
  private static final Set<String> NOT_ON_33 =
      Set.of("testVectoredReadCapability", "testNegativeOffsetRange");

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "hitchhiker-xorplus-6-3"})
  void readsOfWhatIsLost(String code) throws Exception {
    EcCode ecCode = EcCode.parse(code);
    run(ecCode, LossTolerance.guaranteed(ecCode.code), StripedContracts.OF_READS);
  }

  @ParameterizedTest
  @ValueSource(strings = "rs-6-3")
  @Tag("slow")
  void readsOfWhatIsThere(String code) throws Exception {
    run(EcCode.parse(code), 0, StripedContracts.OF_READS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lrc-l2-6-4", "hitchhiker-xorplus-6-3"})
  @Tag("slow")
  void everythingElse(String code) throws Exception {
    EcCode ecCode = EcCode.parse(code);
    List<Class<?>> all = new ArrayList<>(StripedContracts.OF_READS);
    all.addAll(StripedContracts.OTHERS);
    StripedContracts.ofHandles().ifPresent(all::add);
    run(ecCode, 0, all);
    run(ecCode, LossTolerance.guaranteed(ecCode.code), all);
  }

  private static void run(EcCode code, int disks, List<Class<?>> classes) throws Exception {
    Path base = Path.of("target", "test-data", "contract-" + code.label() + "-" + disks)
        .toAbsolutePath();
    try (StripedCluster cluster = StripedCluster.start(base, code, CLIENT)) {
      LossyFileSystem fileSystem = new LossyFileSystem(cluster, disks);
      StripedContract.use(fileSystem);
      LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
          .selectors(classes.stream().map(one -> selectClass(one)).collect(Collectors.toList()))
          .filters((PostDiscoveryFilter) TestStripedContracts::isForThisHadoop)
          .build();
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create().execute(request, listener);
      TestExecutionSummary summary = listener.getSummary();
      System.out.printf("%s, %d disks dead, %s: %d tests of %d classes, %d skipped, %d failed; %d "
          + "units lost%n", code, disks, cluster.client.getClass().getName(),
          summary.getTestsFoundCount(), classes.size(),
          summary.getTestsSkippedCount() + summary.getTestsAbortedCount(),
          summary.getTotalFailureCount(), fileSystem.lostUnits());
      assertEquals(0, summary.getTotalFailureCount(), () -> failures(summary));
      assertTrue(summary.getTestsSucceededCount() > classes.size(), "too few tests ran");
      assertEquals(disks > 0, fileSystem.lostUnits() > 0, "whether units were lost");
      DegradedCounts counts = DegradedCounts.of(cluster.client);
      System.out.println("    " + counts);
      if (CLIENT.isOurs() && CLIENT != ReadClient.OFF && fileSystem.lostUnits() > 0) {
        assertTrue(counts.rebuilt() > 0, "the project's client rebuilt nothing: " + counts);
      }
    } finally {
      StripedContract.use(null);
    }
  }

  private static FilterResult isForThisHadoop(TestDescriptor test) {
    boolean isFor = !VersionInfo.getVersion().startsWith("3.3.") || !test.getSource()
        .filter(source -> source instanceof MethodSource
            && NOT_ON_33.contains(((MethodSource) source).getMethodName())).isPresent();
    return FilterResult.includedIf(isFor);
  }

  private static String failures(TestExecutionSummary summary) {
    StringWriter text = new StringWriter();
    summary.printFailuresTo(new PrintWriter(text), 20);
    return text.toString();
  }
}
