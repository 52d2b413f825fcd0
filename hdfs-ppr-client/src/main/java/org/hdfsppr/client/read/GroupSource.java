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
 * The bytes of a stream's block groups. {@link GroupReader} is the source; something that changes
 * what is read, such as updates that are not committed yet, can stand in front of it. Thread-safe.
 */
@InterfaceAudience.Private
public interface GroupSource {
  /**
   * Reads a run of a group's file data.
   *
   * @param group the block group
   * @param from offset in the group's data, bytes
   * @param dst filled up to its limit; its content is undefined if this fails
   * @throws IOException if no way gives the bytes
   */
  void read(LocatedGroup group, long from, ByteBuffer dst) throws IOException;

  /**
   * @param group the block group
   * @return whether stock's stateful reads of a group are better not tried: they would wait for a
   *     DataNode that is known to be slow, or are known to be refused
   */
  boolean isBeyondStock(LocatedGroup group);

  /** Drops all bytes that are kept. */
  void clear();
}
