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
 * repairs belong to which test. JUnit finds it through {@code META-INF/services}; it works for
 * JUnit 4 tests (Hadoop 3.3 and 3.4) and JUnit 5 tests (Hadoop 3.5) alike.
 */
@InterfaceAudience.Private
public final class ConformanceListener implements TestExecutionListener {
  private static final Logger LOG = LoggerFactory.getLogger(ConformanceListener.class);

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    LOG.info(RunLog.MARK_JVM);
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      LOG.info("{}{}", RunLog.MARK_BEGIN, name(test));
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
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
}
