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
package org.hdfsppr.datanode.watch;

import java.util.Optional;

/**
 * Sees each read of a client over the network from the blocks of a DataNode, while it is attached.
 * Thread-safe.
 */
interface ReadTap {
  /**
   * Returns why the tap cannot be attached; empty if it can be, or is attached. Attaches nothing.
   */
  Optional<String> whyNot();

  /**
   * Attaches the tap.
   *
   * @param reads takes the blocks that clients read; the DataNode's threads that serve them call it
   * @return whether it is attached
   */
  boolean attach(Reads reads);

  /**
   * Returns whether the tap has seen all reads since it was attached, or since the last call of
   * this method.
   */
  boolean isWhole();

  /** Detaches the tap, if it is attached. */
  void detach();

  /** Takes reads. Thread-safe. */
  @FunctionalInterface
  interface Reads {
    /**
     * @param pool the block pool; null if it is not known
     * @param blockId the id of the unit's block that was read
     */
    void read(String pool, long blockId);
  }
}
