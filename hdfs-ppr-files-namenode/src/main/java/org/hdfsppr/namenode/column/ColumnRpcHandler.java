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

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.column.ColumnProtocol;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.namenode.files.rpc.HandlerShare;
import org.hdfsppr.namenode.model.ColumnTrust;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.plan.GroupId;

/**
 * Answers clients that cannot read a block, and ask for the other blocks of its column.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class ColumnRpcHandler implements ColumnProtocol {
  private final HandlerShare share;
  private volatile CoreGroupLookup book = CoreGroupLookup.NONE;
  private volatile ColumnBlocks blocks;
  private volatile ColumnTrust trust;
  private volatile ColumnGate gate;

  /** @param handlers how many handler threads the RPC server has */
  public ColumnRpcHandler(int handlers) {
    share = new HandlerShare(handlers, "clients");
  }

  /**
   * Answers calls from now on. Before this call, callers are asked to try again.
   *
   * @param groups finds the CORE group of a block group
   * @param locations finds the blocks of a column
   * @param trusted says which columns may be read
   * @param known checks that {@code groups} has all CORE groups
   */
  public void open(CoreGroupLookup groups, ColumnBlocks locations, ColumnTrust trusted,
      ColumnGate known) {
    book = groups;
    trust = trusted;
    gate = known;
    blocks = locations;
  }

  @Override
  public List<LocatedBlock> column(GroupId group, int unit) throws IOException {
    Optional<List<LocatedBlock>> found = answer(group.groupId, (located, rows) -> {
      int lost = rowOf(rows, group);
      int units = rows.policy.dataUnits + rows.policy.parityUnits;
      return lost < 0 || unit >= units || !trust.mayBeRead(rows, lost, unit) ? List.of()
          : located.locate(rows, lost, unit);
    });
    return found.orElse(List.of());
  }

  @Override
  public Optional<SquareBlocks> square(long blockGroup) throws IOException {
    // Not checked whether these columns may be read: callers only check them, to find wrong blocks,
    // and restore no bytes from them.
    return answer(blockGroup, ColumnBlocks::locate);
  }

  /** An answer, as a function of the block groups of a CORE group. */
  private interface Answer<T> {
    T of(ColumnBlocks located, CoreRows rows) throws IOException;
  }

  /**
   * Answers a call if a handler thread is free for it; returns empty if the block group is in no
   * CORE group.
   */
  private <T> Optional<T> answer(long blockGroup, Answer<T> what) throws IOException {
    ColumnBlocks located = blocks;
    if (located == null) {
      throw new RetriableException("This NameNode does not know its CORE groups yet; try again");
    }
    return share.answer(() -> {
      Optional<CoreRows> rows = book.rowsOf(blockGroup);
      if (rows.isEmpty()) {
        // A client remembers this answer. So a NameNode that is standby, or has not read its
        // groups, must not give it.
        gate.check();
        return Optional.empty();
      }
      return Optional.of(what.of(located, rows.get()));
    });
  }

  /**
   * Returns the row of a block group; -1 if the row now has another generation stamp or has changed
   * since it was recorded.
   */
  private static int rowOf(CoreRows rows, GroupId group) {
    for (int i = 0; i < rows.rows.size(); i++) {
      CoreRows.Row row = rows.rows.get(i);
      if (row != null && !row.stale && row.id.equals(group)) {
        return i;
      }
    }
    return -1;
  }
}
