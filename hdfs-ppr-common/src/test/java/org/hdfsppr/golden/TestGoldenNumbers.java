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
package org.hdfsppr.golden;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.Test;

/** Numbers of repairs in messages, that no proto file has. */
@InterfaceAudience.Private
class TestGoldenNumbers {
  @Test
  void numbersStay() throws IOException, IllegalAccessException {
    NumberLines numbers = new NumberLines();
    numbers.lines.add("version in heartbeats: " + HeartbeatRequest.PROTOCOL_VERSION);
    numbers.numbers(FailureCause.class, cause -> cause.number);
    numbers.numbers(RepairOutcome.class, outcome -> outcome.number);
    numbers.numbers(ScrubOutcome.class, outcome -> outcome.number);
    numbers.bits(RequestFeatures.class);
    numbers.bits(CommandFeatures.class);
    GoldenLines.check("numbers.txt", numbers.lines);
  }
}
