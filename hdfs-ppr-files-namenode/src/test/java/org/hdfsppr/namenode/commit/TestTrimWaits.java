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
package org.hdfsppr.namenode.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.namenode.commit.CommitRunner.TrimWaits;
import org.hdfsppr.namenode.version.PowerCutDurability;
import org.junit.jupiter.api.Test;

/** For how long logs keep what a version has, because a power cut might lose the version. */
class TestTrimWaits {
  private static final UUID FILE = new UUID(1, 2);

  private final AtomicLong nowMs = new AtomicLong(-5_000);
  private final TrimWaits waits = new TrimWaits(nowMs::get);

  @Test
  void aVersionThatIsNotDurableIsWaitedFor() {
    assertEquals(0, waits.leftMs(FILE));
    waits.published(FILE, 700);
    nowMs.addAndGet(300);
    waits.published(FILE, 0);
    assertEquals(400, waits.leftMs(FILE), "the version before is in the new one");
    assertEquals(0, waits.leftMs(new UUID(3, 4)));
    nowMs.addAndGet(400);
    assertEquals(0, waits.leftMs(FILE));
  }

  /** A trim of an earlier commit repeats while a DataNode is silent. */
  @Test
  void nothingIsTrimmedWhileAVersionIsBeingPublished() {
    waits.publishing(FILE);
    assertTrue(waits.leftMs(FILE) > 0);
    nowMs.addAndGet(1_000_000);
    assertTrue(waits.leftMs(FILE) > 0);
    waits.published(FILE, 0);
    assertEquals(0, waits.leftMs(FILE));
  }

  /** The NameNode before may have published the version a moment ago. */
  @Test
  void inTheFirstMinuteOfATermNothingIsTrimmedThatAnEarlierOneHasPublished() {
    waits.untrimmed(FILE, 2_000);
    waits.published(FILE, 0);
    assertEquals(PowerCutDurability.UNSAID_MS - 2_000, waits.leftMs(FILE));
    nowMs.addAndGet(PowerCutDurability.UNSAID_MS - 2_000);
    assertEquals(0, waits.leftMs(FILE));
    waits.untrimmed(FILE, PowerCutDurability.UNSAID_MS);
    assertEquals(0, waits.leftMs(FILE), "the term is old enough");
  }
}
