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
package org.hdfsppr.namenode.manage.endings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.endings.StockHandOver.LeavingShare;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests how many units of a leaving node are copied. */
@InterfaceAudience.Private
class TestLeavingShare {
  private static final int DATA_UNITS = 6;

  private final LeavingShare share = new LeavingShare();

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  /** Returns a group whose unit 0 is on a leaving node ({@code stillThere}), or lost. */
  private static LostGroup group(int number, boolean stillThere) {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = stillThere ? 0 : 1; unit < DATA_UNITS + 3; unit++) {
      live.add(new UnitHolder(unit, node(unit)));
    }
    return new LostGroup(new GroupId("BP-1", -16L * number, 1001), 6 << 20,
        new GroupPolicy("rs", DATA_UNITS, 3, 1 << 20), live, Collections.singletonList(0), 3, 0)
        .occupying(Collections.emptyList());
  }

  @Test
  void theShareThatTakesAsLongEitherWay() {
    int copied = 0;
    for (int number = 1; number <= 60; number++) {
      copied += share.isToCopy(group(number, true), 17) ? 1 : 0;
    }
    // 60 units, of which 60 * 6 / (17 + 6) are copied.
    assertEquals(16, copied);
  }

  @Test
  void theSameAnswerEachTime() {
    for (int number = 1; number <= 20; number++) {
      boolean first = share.isToCopy(group(number, true), 17);
      for (int again = 0; again < 3; again++) {
        assertEquals(first, share.isToCopy(group(number, true), 17));
      }
    }
  }

  @Test
  void whatIsLostCannotBeCopied() {
    assertFalse(LeavingShare.isOnlyLeaving(group(1, false)));
    assertTrue(LeavingShare.isOnlyLeaving(group(1, true)));
    assertFalse(LeavingShare.isCopiedByStock(group(1, false)));
    assertTrue(LeavingShare.isCopiedByStock(group(1, true)));
  }

  /**
   * A group of one byte has a single data unit. A longer group here lacks a unit that is not to be
   * rebuilt.
   */
  @Test
  void stockCopiesWhereAllUnitsThatHaveBytesAreThere() {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit : new int[] {0, DATA_UNITS, DATA_UNITS + 1, DATA_UNITS + 2}) {
      live.add(new UnitHolder(unit, node(unit)));
    }
    long cell = 1 << 20;
    for (long bytes : new long[] {1, cell, cell + 1}) {
      assertEquals(bytes <= cell, LeavingShare.isCopiedByStock(new LostGroup(new GroupId("BP-1",
          -16, 1001), bytes, new GroupPolicy("rs", DATA_UNITS, 3, 1 << 20), live,
          Collections.singletonList(0), 3, 0)
          .occupying(Collections.emptyList())), bytes + " bytes");
    }
  }
}
