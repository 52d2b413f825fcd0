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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.LinkShares;

/** A read of one unit's bytes that is under way, as seen from the other units of the same read. */
@InterfaceAudience.Private
interface Underway {
  int unit();

  /** The offset in the unit of the first byte that is read. */
  long from();

  /**
   * Whether the bytes come from the unit's DataNode or were kept, and include all bytes at the
   * offsets of {@code range}.
   */
  boolean covers(UnitRange range);

  /**
   * Whether this unit is rebuilt, too, from the same bytes of other units as {@code range} would
   * be.
   */
  boolean sharesSources(UnitRange range);

  /** The bytes from the DataNode, beginning at {@link #from}. */
  Future<ByteBuffer> bytes();

  /** Counts the bytes that have arrived from the DataNode. */
  LinkShares.Flow flow();
}
