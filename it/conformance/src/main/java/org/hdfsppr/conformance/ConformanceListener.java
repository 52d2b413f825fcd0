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
 * Writes into the run's log where each test begins and ends, so that {@link RunLog} can tell which
 * repairs belong to which test, sets a {@link ManagerPort}, and ends the JVM if a test hangs.
 * JUnit finds it through {@code META-INF/services}; it works for JUnit 4 tests (Hadoop 3.3 and 3.4)
 * and JUnit 5 tests (Hadoop 3.5) alike.
 */
@InterfaceAudience.Private
public final class ConformanceListener implements TestExecutionListener {
  /** System property: longest time for one test, seconds. */
  static final String TEST_TIMEOUT_S_KEY = "conformance.test.timeout.s";
  /** More than any of Hadoop's tests allows itself. */
  static final long TEST_TIMEOUT_S_DEFAULT = 600;
  /** System property: longest time for one JVM, that is one test class, seconds. */
  static final String CLASS_TIMEOUT_S_KEY = "conformance.class.timeout.s";
  /** The slowest class of tests.txt needs four minutes on two cores, twelve when they are busy. */
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

  /** An exit would wait for shutdown hooks, and those of a cluster that hangs may hang too. */
  private static void halt(String what) {
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      LOG.error("{}", thread);
    }
    LOG.error("{} takes too long, the JVM ends here", what);
    Runtime.getRuntime().halt(EXIT_HUNG);
  }
}
