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
package org.hdfsppr.plan;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;

/**
 * Calculates where the slices of a stream lie in a unit, as SliceGeometry describes it. Slices are
 * numbered in the whole stream. Immutable.
 */
@InterfaceAudience.Private
final class StreamSlices {
  static final int SLICE_BYTES_MIN = 512;
  static final int SLICE_BYTES_MAX = 1 << 20;
  static final int CELL_BYTES_MAX = 64 << 20;
  static final long STREAM_BYTES_MAX = 1L << 40;
  /** HDFS accepts only cells whose length is a multiple of this number of bytes. */
  private static final int CELL_BYTES_UNIT = 1024;

  final long streamBytes;
  final int sliceBytes;
  final int subChunks;
  final int cellBytes;

  /**
   * The number of whole cells. Each whole cell has {@link #slicesPerCell} slices. Each part of it
   * has {@link #partBytes} bytes in {@link #slicesPerPart} slices, and its tail has {@link
   * #cellTailBytes} bytes.
   */
  private final long cells;
  private final int slicesPerCell;
  private final int slicesPerPart;
  private final int cellTailBytes;
  private final long partBytes;
  /**
   * The number of slices of the short cell behind the whole cells. Each part of the short cell has
   * {@link #restPartBytes} bytes.
   */
  private final int slicesInRest;
  private final long restPartBytes;
  private final int tailBytes;

  /** As the constructor of SliceGeometry, with the same parameters and exceptions. */
  StreamSlices(long streamBytes, int sliceBytes, int subChunks, int cellBytes) {
    if (streamBytes < 1 || streamBytes > STREAM_BYTES_MAX) {
      throw new IllegalArgumentException("A stream of " + streamBytes
          + " bytes is out of range (1 to " + STREAM_BYTES_MAX + ")");
    }
    if (sliceBytes < SLICE_BYTES_MIN || sliceBytes > SLICE_BYTES_MAX) {
      throw new IllegalArgumentException("A slice of " + sliceBytes + " bytes is out of range ("
          + SLICE_BYTES_MIN + " to " + SLICE_BYTES_MAX + ")");
    }
    if (subChunks < 1 || subChunks > LinearCode.MAX_SUB_CHUNKS) {
      throw new IllegalArgumentException(subChunks + " sub-chunks are out of range (1 to "
          + LinearCode.MAX_SUB_CHUNKS + ")");
    }
    if (subChunks == 1 ? cellBytes != 0 : cellBytes < CELL_BYTES_UNIT
        || cellBytes % CELL_BYTES_UNIT != 0) {
      throw new IllegalArgumentException("A cell of " + cellBytes + " bytes cannot be split into "
          + subChunks + " sub-chunks");
    }
    if (cellBytes > CELL_BYTES_MAX) {
      throw new IllegalArgumentException("A cell of " + cellBytes + " bytes is out of range (at"
          + " most " + CELL_BYTES_MAX + ")");
    }
    this.streamBytes = streamBytes;
    this.sliceBytes = sliceBytes;
    this.subChunks = subChunks;
    this.cellBytes = cellBytes;
    cells = subChunks == 1 ? 0 : streamBytes / cellBytes;
    partBytes = cellBytes / subChunks;
    cellTailBytes = cellBytes % subChunks;
    long rest = streamBytes - cells * cellBytes;
    restPartBytes = rest / subChunks;
    tailBytes = (int) (rest % subChunks);
    slicesPerPart = (int) slicesOf(partBytes);
    slicesPerCell = slicesPerPart + (cellTailBytes > 0 ? 1 : 0);
    long inRest = slicesOf(restPartBytes);
    if (cells * slicesPerCell + inRest >= Integer.MAX_VALUE) {
      throw new IllegalArgumentException("A stream of " + streamBytes + " bytes in slices of "
          + sliceBytes + " has too many slices");
    }
    slicesInRest = (int) inRest;
  }

  private long slicesOf(long bytes) {
    return (bytes + sliceBytes - 1) / sliceBytes;
  }

  /** Returns the number of slices of the stream. */
  int count() {
    return tailSlice() + (tailBytes > 0 ? 1 : 0);
  }

  /** Returns whether any slice of the stream is a tail. */
  boolean hasTail() {
    return tailBytes > 0 || cells > 0 && cellTailBytes > 0;
  }

  /**
   * Returns the slice number of the short cell's tail. If the short cell has no tail, the result is
   * the number of the stream's last slice, plus 1.
   */
  private int tailSlice() {
    return (int) (cells * slicesPerCell) + slicesInRest;
  }

  /**
   * Returns the number of the first slice that holds any of some bytes, or, if {@code end} is set,
   * the number of the last such slice, plus 1.
   *
   * @param from offset of the bytes in the unit
   * @param to offset behind them, greater than {@code from}, at most {@link #streamBytes}
   */
  int bound(long from, long to, boolean end) {
    if (subChunks == 1) {
      return end ? (int) ((to - 1) / sliceBytes) + 1 : (int) (from / sliceBytes);
    }
    long cell = (end ? to - 1 : from) / cellBytes;
    return (int) (cell * slicesPerCell) + bound(cell, Math.max(from, cell * cellBytes),
        Math.min(to, (cell + 1) * cellBytes), end);
  }

  /** As the other method, within a cell, whose slices are numbered from 0. */
  private int bound(long cell, long from, long to, boolean end) {
    long part = cell < cells ? partBytes : restPartBytes;
    int slices = cell < cells ? slicesPerPart : slicesInRest;
    long start = cell * cellBytes;
    long tailStart = start + subChunks * part;
    if (end ? to > tailStart : from >= tailStart) {
      return end ? slices + 1 : slices;
    }
    long last = Math.min(to, tailStart) - 1;
    boolean onePart = (from - start) / part == (last - start) / part;
    if (end) {
      return onePart ? (int) ((last - start) % part / sliceBytes) + 1 : slices;
    }
    return onePart ? (int) ((from - start) % part / sliceBytes) : 0;
  }

  boolean isTail(int slice) {
    return slice == tailSlice() || cellTailBytes > 0 && slice < cells * slicesPerCell
        && slice % slicesPerCell == slicesPerPart;
  }

  /** Returns the index of the cell that the slice is in; 0 without sub-chunks. */
  long cell(int slice) {
    return cells == 0 ? 0 : Math.min(cells, slice / slicesPerCell);
  }

  /** Returns the offset of the slice in its part of the cell, bytes. */
  private long offsetInPart(int slice) {
    return (slice - cell(slice) * slicesPerCell) * sliceBytes;
  }

  private long partBytes(int slice) {
    return cell(slice) < cells ? partBytes : restPartBytes;
  }

  /** Returns the offset of a run of the slice in the unit, bytes. */
  long offset(int slice, int run) {
    long start = cell(slice) * cellBytes;
    return isTail(slice) ? start + subChunks * partBytes(slice)
        : start + run * partBytes(slice) + offsetInPart(slice);
  }

  /** Returns the length of each run of the slice, bytes. */
  int length(int slice) {
    return (int) runLength(slice, 1);
  }

  /** Returns the length of each run of some contiguous slices within a cell, bytes. */
  long runLength(int slice, int slices) {
    if (isTail(slice)) {
      return cell(slice) < cells ? cellTailBytes : tailBytes;
    }
    return Math.min(partBytes(slice) - offsetInPart(slice), (long) slices * sliceBytes);
  }
}
