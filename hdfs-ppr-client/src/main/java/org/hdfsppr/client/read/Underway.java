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

/** The bytes of one unit that a read is getting, as the other units of the same read see them. */
@InterfaceAudience.Private
interface Underway {
  int unit();

  /** Offset of the first byte in the unit. */
  long from();

  /** Whether the DataNode is read, and gives all bytes at the places of {@code range}. */
  boolean covers(UnitRange range);

  /** Whether the unit is rebuilt too, from the same bytes of others as {@code range} would be. */
  boolean sharesSources(UnitRange range);

  /** What the DataNode gives, from {@link #from} on. */
  Future<ByteBuffer> bytes();

  /** What has come of it. */
  LinkShares.Flow flow();
}
