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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads the bytes of a stream's block groups. {@link GroupReader} implements it. Another
 * implementation can wrap a {@link GroupReader} to change the bytes, for example to apply updates
 * that are not committed yet. Thread-safe.
 */
@InterfaceAudience.Private
public interface GroupSource {
  /**
   * Reads a range of a group's file data.
   *
   * @param group the block group
   * @param from offset in the group's data, bytes
   * @param dst filled up to its limit; its content is undefined if the read fails
   * @throws IOException if the bytes can be neither read nor rebuilt
   */
  void read(LocatedGroup group, long from, ByteBuffer dst) throws IOException;

  /**
   * @param group the block group
   * @return true if stock should not serve stateful reads of the group, because stock would wait
   *     for a DataNode that is known to be slow, or would fail
   */
  boolean isBeyondStock(LocatedGroup group);

  /**
   * Notifies DataNodes in the background that stock decodes a stripe of the group. So readers need
   * units that the group has lost, and the group's repair is urgent. Returns at once.
   *
   * @param group the block group
   */
  void decodedByStock(LocatedGroup group);

  /** Drops all bytes that this object keeps for later reads. */
  void clear();
}
