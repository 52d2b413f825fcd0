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
package org.hdfsppr.namenode.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** What a client hears that asks for a column. */
class TestColumnRpcHandler {
  private static final GroupId ID = new GroupId("BP", -32, 7);
  private static final LocatedBlock BLOCK =
      new LocatedBlock(new ExtendedBlock("BP", -16, 5, 7), new DatanodeInfo[0]);

  private final ColumnRpcHandler desk = new ColumnRpcHandler(4);
  private IOException unknown;
  private boolean isTrusted = true;

  private void open(CoreGroupLookup book) {
    desk.open(book, new ColumnBlocks() {
      @Override
      public List<LocatedBlock> locate(CoreRows rows, int lost, int unit) {
        assertTrue(isTrusted, "blocks of a column that may not be read are not looked for");
        return List.of(BLOCK);
      }

      @Override
      public SquareBlocks locate(CoreRows rows) {
        return new SquareBlocks(rows.coreGroup, rows.index,
            new ErasureCodingPolicy(new ECSchema("rs", 3, 2), 1024), List.of());
      }
    }, (rows, lost, unit) -> {
      assertEquals(1, lost);
      return isTrusted;
    }, () -> {
      if (unknown != null) {
        throw unknown;
      }
    });
  }

  private static CoreRows.Row row(long id) {
    return new CoreRows.Row(new GroupId("BP", id, 7), 100, false);
  }

  @Test
  void aDeskThatIsNotOpenAsksCallersToTryAgain() {
    assertThrows(RetriableException.class, () -> desk.column(ID, 0));
    assertThrows(RetriableException.class, () -> desk.square(ID.groupId));
  }

  @Test
  void onlyWhereAllGroupsAreKnownABlockGroupIsInNone() throws IOException {
    open(CoreGroupLookup.NONE);
    assertEquals(List.of(), desk.column(ID, 0));
    assertEquals(Optional.empty(), desk.square(ID.groupId));
    // A standby NameNode knows no groups, and a client remembers what it has heard.
    unknown = new StandbyException("standby");
    assertThrows(StandbyException.class, () -> desk.column(ID, 0));
    assertThrows(StandbyException.class, () -> desk.square(ID.groupId));
    unknown = new RetriableException("reads its groups");
    assertThrows(RetriableException.class, () -> desk.column(ID, 0));
  }

  @Test
  void aGroupThatIsReadAlreadyIsAnswered() throws IOException {
    CoreRows rows = new CoreRows(5, 0, new GroupPolicy("rs", 3, 2, 10),
        List.of(row(-16), row(-32), row(-48)));
    open(id -> Optional.of(rows));
    unknown = new RetriableException("reads its groups");
    assertEquals(List.of(BLOCK), desk.column(ID, 0));
    assertEquals(5, desk.square(ID.groupId).orElseThrow().coreGroup);
    isTrusted = false;
    assertEquals(List.of(), desk.column(ID, 0));
    assertEquals(5, desk.square(ID.groupId).orElseThrow().coreGroup, "checks go on");
  }
}
