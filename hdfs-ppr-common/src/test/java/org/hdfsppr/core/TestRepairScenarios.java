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
package org.hdfsppr.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the strategies with drawn matrices, whose steps can be followed by hand. */
class TestRepairScenarios {
  @ParameterizedTest
  @ValueSource(strings = {"step", "plus", "one-loss", "two-of-a-row", "parity-file", "short-file",
      "stale-row", "stale-short-row", "truncated-row", "in-part"})
  void strategiesOrderTheExpectedSteps(String name) {
    RepairScenario scenario = RepairScenario.read(name);
    assertEquals(RepairStrategies.all().size(), scenario.expected.size());
    scenario.expected.forEach((label, line) -> {
      RepairSchedule schedule = RepairStrategies.byName(label).schedule(scenario.matrix);
      assertEquals(line, RepairScenario.line(schedule), label);
      assertEquals(scenario.left, schedule.unrepaired.failures(), label);
      ScheduleCheck.assertSound(scenario.matrix, schedule);
    });
  }
}
