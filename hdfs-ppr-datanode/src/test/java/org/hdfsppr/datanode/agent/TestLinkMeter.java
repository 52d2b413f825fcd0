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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.agent.LoadMeter.LinkMeter;
import org.junit.jupiter.api.Test;

/** Tests that a rate counts as the link's only if repairs moved bytes for the whole sample. */
@InterfaceAudience.Private
class TestLinkMeter {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long bytes = 1_000;
  private long paced;
  private long now = 17;
  private final LinkMeter meter = new LinkMeter(() -> bytes, () -> paced);

  private void second(long more) {
    now += SECOND;
    bytes += more;
    meter.sample(now, SECOND);
  }

  @Test
  void onlyAFullSampleCounts() {
    second(0);
    second(50);
    assertEquals(50, meter.perSecond());
    assertEquals(0, meter.bestPerSecond(), "a repair may have begun within the sample");
    second(100);
    assertEquals(0, meter.bestPerSecond(), "the repair may have ended within the sample");
    second(30);
    assertEquals(100, meter.bestPerSecond());
    second(0);
    assertEquals(0, meter.perSecond());
    second(5_000);
    second(0);
    assertEquals(100, meter.bestPerSecond(), "a short burst says nothing about the link");
  }

  @Test
  void aRateThatWasAskedForIsNotTheLinks() {
    second(0);
    for (int i = 0; i < 5; i++) {
      paced += 20;
      second(20);
    }
    assertEquals(20, meter.perSecond(), "it is on the link all the same");
    assertEquals(0, meter.bestPerSecond(), "it says nothing about the link");
    for (int i = 0; i < 3; i++) {
      paced += 20;
      second(120);
    }
    assertEquals(100, meter.bestPerSecond(), "what a repair moved besides");
  }

  @Test
  void anOldRateIsForgotten() {
    for (int i = 0; i < 5; i++) {
      second(100);
    }
    for (int i = 0; i < 4; i++) {
      second(10);
    }
    assertEquals(100, meter.bestPerSecond());
    now += LinkMeter.KEPT_NANOS;
    for (int i = 0; i < 4; i++) {
      second(10);
    }
    assertEquals(100, meter.bestPerSecond(), "it is younger than two periods");
    now += LinkMeter.KEPT_NANOS;
    for (int i = 0; i < 4; i++) {
      second(10);
    }
    assertEquals(10, meter.bestPerSecond());
  }
}
