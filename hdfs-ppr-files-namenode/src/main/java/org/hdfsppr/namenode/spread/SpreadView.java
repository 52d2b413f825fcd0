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

/** Sees where the blocks of columns are, and lets callers move them. Thread-safe. */
@InterfaceAudience.Private
public interface SpreadView {
  /**
   * Looks once at some block groups, under the namesystem's lock for reading.
   *
   * @param groups the block groups with one index of a CORE group
   * @return those that there are
   */
  List<SpreadRow> rows(Collection<GroupId> groups);

  /** @return all live DataNodes */
  List<SpreadNode> nodes();

  /**
   * Makes what a caller needs to move a block.
   *
   * @param move the move
   * @param user short name of the caller
   * @return the block with a token for both DataNodes, which are its two locations
   * @throws IOException if the block or one of the DataNodes is gone meanwhile
   */
  LocatedBlock grant(BlockMove move, String user) throws IOException;
}
