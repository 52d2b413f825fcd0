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
package org.hdfsppr.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Random;
import java.util.concurrent.Executors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line into the run's log when a test begins and when it ends, so that {@link RunLog} can
 * assign each repair to a test. This listener also chooses the {@link ManagerPort}, and halts the
 * JVM if a test hangs. JUnit finds this class through {@code META-INF/services}, for tests of JUnit
 * 4 (Hadoop 3.3 and 3.4) as well as JUnit 5 (Hadoop 3.5).
 */
@InterfaceAudience.Private
public final class ConformanceListener implements TestExecutionListener {
  /** The system property that sets the longest time for one test, in seconds. */
  static final String TEST_TIMEOUT_S_KEY = "conformance.test.timeout.s";
  /**
   * The default of {@link #TEST_TIMEOUT_S_KEY}. It is longer than the time limit of any of Hadoop's
   * tests.
   */
  static final long TEST_TIMEOUT_S_DEFAULT = 600;
  /**
   * The system property that sets the longest time for one JVM, in seconds. A JVM runs one test
   * class.
   */
  static final String CLASS_TIMEOUT_S_KEY = "conformance.class.timeout.s";
  /**
   * The default of {@link #CLASS_TIMEOUT_S_KEY}. The slowest class of tests.txt needs four minutes
   * on two idle cores, and twelve minutes on two busy cores.
   */
  static final long CLASS_TIMEOUT_S_DEFAULT = 1500;

  private static final Logger LOG = LoggerFactory.getLogger(ConformanceListener.class);
  private static final String JVM = "this JVM";
  private static final int EXIT_HUNG = 3;

  private final Watchdog watchdog = new Watchdog(
      Executors.newSingleThreadScheduledExecutor(r -> {
        Thread thread = new Thread(r, "conformance-watchdog");
        thread.setDaemon(true);
        return thread;
      }), ConformanceListener::halt);

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    LOG.info(RunLog.MARK_JVM);
    refreshManagerPort();
    watchdog.began(JVM, Long.getLong(CLASS_TIMEOUT_S_KEY, CLASS_TIMEOUT_S_DEFAULT));
  }

  private static void refreshManagerPort() {
    try {
      ManagerPort.refresh(new Random());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    watchdog.ended(JVM);
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      LOG.info("{}{}", RunLog.MARK_BEGIN, name(test));
      refreshManagerPort();
      watchdog.began(test.getUniqueId(),
          Long.getLong(TEST_TIMEOUT_S_KEY, TEST_TIMEOUT_S_DEFAULT));
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      watchdog.ended(test.getUniqueId());
      LOG.info("{}{} {}", RunLog.MARK_END, name(test), result.getStatus());
    }
  }

  private static String name(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(m -> m.getClassName() + "#" + m.getMethodName())
        .orElseGet(test::getUniqueId);
  }

  /**
   * Logs the stacks of all threads and halts the JVM. System.exit() would wait for shutdown hooks,
   * and the hooks of a cluster that hangs may hang too.
   */
  private static void halt(String what) {
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      LOG.error("{}", thread);
    }
    LOG.error("{} takes too long, the JVM ends here", what);
    Runtime.getRuntime().halt(EXIT_HUNG);
  }
}
