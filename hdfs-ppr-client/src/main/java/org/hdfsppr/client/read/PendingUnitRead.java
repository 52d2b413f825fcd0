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

import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import org.hdfsppr.client.patience.LinkShares;

/**
 * The part of a read that gets the bytes of one unit. The other parts of the same read, which get
 * other units, look through this interface for bytes that they can share.
 */
interface PendingUnitRead {
  int unit();

  /** The offset in the unit of the first byte that is read. */
  long from();

  /**
   * Whether this part gets its bytes from the unit's DataNode or from memory, and gets all bytes at
   * the offsets of {@code range}. The unit of {@code range} does not matter.
   */
  boolean covers(UnitRange range);

  /**
   * Whether this part does not read its unit, but rebuilds it at the same offsets as {@code range}.
   * Both then need the same bytes of other units.
   */
  boolean sharesSources(UnitRange range);

  /** The bytes from the DataNode, beginning at {@link #from}. */
  Future<ByteBuffer> bytes();

  /** Counts the bytes that have arrived from the DataNode. */
  LinkShares.Flow flow();
}
