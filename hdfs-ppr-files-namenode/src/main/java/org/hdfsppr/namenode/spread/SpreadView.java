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
package org.hdfsppr.namenode.spread;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.plan.GroupId;

/** Looks up where the blocks of columns are, and gives callers tokens to move them. Thread-safe. */
@InterfaceAudience.Private
public interface SpreadView {
  /**
   * Looks up some block groups within one hold of the namesystem's read lock.
   *
   * @param groups the block groups at one index of a CORE group
   * @return those that exist
   */
  List<SpreadRow> rows(Collection<GroupId> groups);

  /** @return all live DataNodes */
  List<SpreadNode> nodes();

  /**
   * Returns what a caller needs to move a block.
   *
   * @param move the move to make
   * @param user short name of the caller
   * @return the block, whose two locations are the source and the target, with a token for both
   * @throws IOException if the block or one of the DataNodes does not exist any more
   */
  LocatedBlock grant(BlockMove move, String user) throws IOException;
}
