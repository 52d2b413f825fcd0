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
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A range of bytes of one unit. The bytes of a file are divided into cells, and successive cells
 * lie on successive data units. So the bytes of a range of the file form a single range in each
 * unit that contains some of them.
 */
@InterfaceAudience.Private
public final class UnitRange {
  /** Index in the group */
  public final int unit;
  /** Offset in the unit, bytes */
  public final long from;
  /** Offset in the unit of the first byte behind the range */
  public final long to;

  /**
   * @param unit index in the group
   * @param from offset in the unit, bytes
   * @param to offset in the unit of the first byte behind the range
   */
  public UnitRange(int unit, long from, long to) {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("Unit " + unit + " has no bytes " + from + " to " + to);
    }
    this.unit = unit;
    this.from = from;
    this.to = to;
  }

  /** Whether {@code other} lies within this range. */
  boolean covers(UnitRange other) {
    return unit == other.unit && from <= other.from && to >= other.to;
  }

  /** @return bytes */
  public int length() {
    return Math.toIntExact(to - from);
  }

  /**
   * Returns the ranges of units that contain the given bytes of a group's file data, at most one
   * for each data unit.
   *
   * @param from offset in the group's data, bytes
   * @param to offset in the group's data of the first byte behind the range
   * @param dataUnits k
   * @param cellBytes bytes of a cell
   * @return the ranges, in the order of their first bytes in the file
   */
  public static List<UnitRange> of(long from, long to, int dataUnits, int cellBytes) {
    List<UnitRange> ranges = new ArrayList<>();
    long firstCell = from / cellBytes;
    long lastCell = (to - 1) / cellBytes;
    for (long cell = firstCell; cell <= lastCell && cell < firstCell + dataUnits; cell++) {
      long last = cell + (lastCell - cell) / dataUnits * dataUnits;
      ranges.add(new UnitRange((int) (cell % dataUnits),
          cell / dataUnits * cellBytes + (cell == firstCell ? from % cellBytes : 0),
          last / dataUnits * cellBytes + (last == lastCell ? (to - 1) % cellBytes + 1
              : cellBytes)));
    }
    return ranges;
  }

  /**
   * Copies this range's bytes to their places in a buffer of file data.
   *
   * @param bytes this range's bytes, from the buffer's position on; the position does not change
   * @param groupFrom the offset in the group's data that belongs to {@code dst}'s position
   * @param dst has room for all of this range's bytes; its position does not change
   * @param dataUnits k
   * @param cellBytes bytes of a cell
   */
  public void copyTo(ByteBuffer dst, long groupFrom, ByteBuffer bytes, int dataUnits,
      int cellBytes) {
    place(dst, groupFrom, bytes, dataUnits, cellBytes, ByteBuffer::put);
  }

  /**
   * Adds this range's bytes by XOR to the bytes at their places in a buffer of file data.
   *
   * @param bytes this range's bytes, from the buffer's position on; the position does not change
   * @param groupFrom the offset in the group's data that belongs to {@code dst}'s position
   * @param dst has all of this range's bytes; its position does not change
   * @param dataUnits k
   * @param cellBytes bytes of a cell
   */
  public void addTo(ByteBuffer dst, long groupFrom, ByteBuffer bytes, int dataUnits,
      int cellBytes) {
    place(dst, groupFrom, bytes, dataUnits, cellBytes, (target, source) -> {
      while (source.hasRemaining()) {
        int at = target.position();
        target.put((byte) (target.get(at) ^ source.get()));
      }
    });
  }

  /** Is called for each run of bytes that are adjacent both in the unit and in the file. */
  private interface Run {
    void take(ByteBuffer target, ByteBuffer source);
  }

  private void place(ByteBuffer dst, long groupFrom, ByteBuffer bytes, int dataUnits,
      int cellBytes, Run run) {
    long offset = from;
    while (offset < to) {
      long cell = offset / cellBytes;
      int length = (int) (Math.min(to, (cell + 1) * cellBytes) - offset);
      long inGroup = (cell * dataUnits + unit) * cellBytes + offset % cellBytes;
      ByteBuffer source = bytes.duplicate();
      source.position(bytes.position() + (int) (offset - from));
      source.limit(source.position() + length);
      ByteBuffer target = dst.duplicate();
      target.position(dst.position() + (int) (inGroup - groupFrom));
      run.take(target, source);
      offset += length;
    }
  }

  @Override
  public String toString() {
    return unit + "[" + from + "," + to + ")";
  }
}
