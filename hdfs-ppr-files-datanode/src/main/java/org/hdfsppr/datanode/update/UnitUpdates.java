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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.NumberedUpdate;

/**
 * Updates of a unit, in the order in which the unit's leader has numbered them. Used by one thread,
 * which closes them.
 */
@InterfaceAudience.Private
public interface UnitUpdates extends Closeable {
  /** @return the updates, with consecutive numbers */
  List<NumberedUpdate> records();

  /**
   * Reads a part of the data of an update. Updates may be read in any order.
   *
   * @param index the index of the update in the list
   * @param from the index of the part's first byte in the data of the update
   * @param into takes the part, which is as long as this buffer has bytes left
   * @throws IOException if the log cannot be read
   */
  void read(int index, int from, ByteBuffer into) throws IOException;
}
