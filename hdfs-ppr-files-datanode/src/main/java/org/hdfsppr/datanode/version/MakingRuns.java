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

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;

/** Makes blocks in the same way as repairs rebuild lost units. Thread-safe. */
@InterfaceAudience.Private
public interface MakingRuns {
  /**
   * Prepares the making of a command's blocks, but does not begin it. When the result comes, the
   * new blocks on this DataNode are synced to the disk. For blocks on other DataNodes, the result
   * does not say whether they are.
   *
   * @param command the command; this DataNode is the node of its first target
   * @param whenEnded takes the result, which has a version report; {@link Making#run} calls it once
   * @return the making, which runs once
   * @throws IllegalArgumentException if this DataNode does not know the shape of the tree
   */
  Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded);

  /**
   * Reads a block of this DataNode, and computes its digest.
   *
   * @param block the block, which is finalised
   * @param key the key of the digest
   * @param watch is called before and while the block is read, and may wait or end the read
   * @return the digest
   * @throws IOException if the block cannot be read, or no memory is free
   */
  int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch) throws IOException;
}
