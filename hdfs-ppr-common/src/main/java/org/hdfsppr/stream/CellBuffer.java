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
package org.hdfsppr.stream;

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Collects one cell of a unit that is rebuilt in sub-chunks. Each slice brings a piece of every
 * part of the cell, but a replica is written from its beginning to its end. The buffer therefore
 * holds the slices until the cell is complete. Used by one thread.
 */
@InterfaceAudience.Private
final class CellBuffer {
  private final SliceGeometry geometry;
  private final ByteBuffer memory;
  private int filled;

  /** @param memory memory for a cell; the caller gives it back after the last use of this object */
  CellBuffer(SliceGeometry geometry, ByteBuffer memory) {
    this.geometry = geometry;
    this.memory = memory;
  }

  /**
   * Copies a slice's rows of a lost unit to their places in the cell. {@code unit} is the index of
   * the unit among the lost units, from 0.
   */
  void put(int slice, SliceBuffer rows, int unit) {
    int runs = geometry.runs(slice);
    for (int run = 0; run < runs; run++) {
      ByteBuffer row = rows.row(unit * runs + run);
      int offset = (int) (geometry.offset(slice, run) - geometry.cellStart(slice));
      memory.clear().position(offset);
      filled += row.remaining();
      memory.put(row);
    }
  }

  /**
   * Returns the cell. The caller calls this method after it has put all slices of the cell. The
   * bytes stay valid until the caller puts the next slice.
   */
  ByteBuffer take() {
    memory.clear().limit(filled);
    filled = 0;
    return memory;
  }
}
