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
package org.hdfsppr.datanode.version;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.datanode.repair.RepairContexts;
import org.hdfsppr.datanode.version.CommandedMakings.MadeOrder;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Orders of blocks that never were there. */
class TestMadeOrder {
  private static final int CELL = 1 << 10;
  private static final GroupId GROUP = new GroupId("BP-1", -1600, 1001);

  private static NodeRef node(int unit) {
    return new NodeRef("node-" + unit, "127.0.0.1", "localhost", 9_000 + unit, 9_100 + unit, "/r");
  }

  /** Makes the last units of a group from all others. */
  private static MadeOrder order(String codec, int dataUnits, int parityUnits, int made) {
    int live = dataUnits + parityUnits - made;
    RepairCommand work = new RepairCommand(RepairCommand.of("make-1", 1, GROUP,
        (long) CELL * dataUnits).setCodec(codec).setDataUnits(dataUnits).setParityUnits(parityUnits)
        .setCellBytes(CELL).setTopology("chain").setDeadlineMs(1_000),
        IntStream.range(0, live + made).mapToObj(unit -> GROUP.block(unit, CELL))
        .collect(Collectors.toList()), IntStream.range(0, live)
        .mapToObj(unit -> new UnitHolder(unit, node(unit))).collect(Collectors.toList()),
        IntStream.range(live, live + made).mapToObj(unit -> new CommandTarget(unit, node(unit),
        "DS-1", StorageType.DISK)).collect(Collectors.toList()));
    return new MadeOrder(RepairContexts.empty(), new MakeCommand(work, MakeCommand.UNLIMITED), null,
        result -> {
          throw new AssertionError("the order does not end");
        });
  }

  /** Where operators want every result checked, a making without a check would be given up. */
  @Test
  void onlyACodeWithoutASpareRelationIsLeftToTheManagersCheck() {
    assertTrue(order("xor", 2, 1, 1).isCheckedByManager());
    assertTrue(order("rs", 6, 3, 3).isCheckedByManager());
    assertFalse(order("rs", 6, 3, 2).isCheckedByManager());
    assertFalse(order("rs", 6, 3, 1).isCheckedByManager());
  }
}
