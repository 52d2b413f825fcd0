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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;

/** Opens blocks of this node. Thread-safe. */
@FunctionalInterface
@InterfaceAudience.Private
public interface OwnBlocks {
  /**
   * Opens a block.
   *
   * @param block the block
   * @return a source that reads the block and verifies checksums; the caller closes it
   * @throws IOException if the block is not here
   */
  UnitSource open(BlockRef block) throws IOException;
}
