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
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

/** Groups whose look has failed are looked at again, each once, and not at once. */
class TestFailedInspections {
  private final AtomicLong nowMs = new AtomicLong(77);
  private final List<BlockInfo> again = new ArrayList<>();
  private final AtomicInteger counted = new AtomicInteger();
  private final FailedInspections looks =
      new FailedInspections(again::add, counted::incrementAndGet, nowMs::get);

  private static BlockInfo group(long id) {
    return new BlockInfoStriped(new Block(-16 * id, 1, 1), QueueCluster.POLICY);
  }

  @Test
  void eachIsLookedAtAgainOnceWhenItIsTime() {
    List<BlockInfo> groups = List.of(group(1), group(2));
    looks.add(groups.get(0), new IllegalStateException("a test"));
    nowMs.addAndGet(FailedInspections.AGAIN_MS - 1);
    looks.add(groups.get(1), new IllegalStateException("a test"));
    looks.add(groups.get(0), new IllegalStateException("a test"));
    assertEquals(3, counted.get());
    looks.retryDue();
    assertEquals(List.of(), again);
    nowMs.addAndGet(1);
    looks.retryDue();
    assertEquals(groups, again);
    looks.retryDue();
    assertEquals(groups, again);
    looks.add(groups.get(1), new IllegalStateException("a test"));
    looks.retryDue();
    assertEquals(groups, again, "its rest begins anew");
  }
}
