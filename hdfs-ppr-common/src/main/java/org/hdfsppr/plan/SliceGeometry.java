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
 * How the bytes of a unit are cut into slices, and which slices are checked. Every node of a tree
 * holds the same geometry, so that no message needs to say more than its slice's number.
 *
 * <p>A code that works on each byte on its own has slices of a run of bytes:
 *
 * <pre>
 *   unit   |&lt;-------------------- streamBytes --------------------&gt;|
 *   slices |   0   |   1   |   2   |  ...                     | last |
 *              sliceBytes each, the last one what is left
 * </pre>
 *
 * <p>A code with s sub-chunks couples the s equal parts of a cell, as the client encoded it. There
 * a slice is s runs, the same piece of each part, and no slice crosses the end of a cell. Here with
 * s = 2 and cells of four slices:
 *
 * <pre>
 *   unit   |         cell 0        |         cell 1        |    last cell   |
 *   slices | 0 | 1 .. | 0 | 1 ..   | 2 | 3 .. | 2 | 3 ..   | 4   | 4   |tail|
 * </pre>
 *
 * <p>The last cell may be short. Its parts are the s-th of its length, rounded down; the up to
 * s - 1 bytes behind them are the tail, one more slice, of a code of one part.
 *
 * <p>The stream is as long as the longest lost unit; with sub-chunks, as the longest unit of the
 * group where the last cell is short, for that is what the parts are measured by. A helper's unit
 * may be shorter: behind its end it counts as zeros, which is how the code was computed when the
 * file was written.
 *
 * <p>Who wants a part of a unit only, such as a reader, asks for a range of these slices, see
 * {@link #covering}: they keep their numbers and places, so that a range of a code with sub-chunks
 * is a range of its coding windows.
 */
@InterfaceAudience.Private
public final class SliceGeometry {
  /** Below this a message's overhead outweighs its bytes. */
  public static final int SLICE_BYTES_MIN = 512;
  /** Bounds what one request can make a node allocate. */
  public static final int SLICE_BYTES_MAX = 1 << 20;
  /** Rows that a slice can have: eight lost units of eight sub-chunks, and the check row. */
  public static final int ROWS_MAX = 65;
  /** HDFS has cells of multiples of this only. */
  private static final int CELL_BYTES_UNIT = 1024;
  /** HDFS allows 4 MiB unless told otherwise; a destination holds one of each lost unit. */
  public static final int CELL_BYTES_MAX = 64 << 20;
  /** No internal block is longer; a request that says so is garbage. */
  public static final long STREAM_BYTES_MAX = 1L << 40;

  private final long streamBytes;
  private final int sliceBytes;
  private final int subChunks;
  private final int cellBytes;
  private final int checkOneIn;
  private final int checkPhase;

  /** Whole cells, slices in each, and the length of a part of one. */
  private final long cells;
  private final int slicesPerCell;
  private final long partBytes;
  /** The same of what is behind the whole cells. */
  private final int slicesInRest;
  private final long restPartBytes;
  private final int tailBytes;
  /** The slices that are wanted: from the first to before the end. */
  private final int firstSlice;
  private final int endSlice;

  /**
   * The geometry of a code without sub-chunks.
   *
   * @param streamBytes length of the longest lost unit, bytes, at least 1
   * @param sliceBytes length of a slice, bytes
   * @param checkOneIn one slice in this many is checked (1: all), 0: none
   * @param checkPhase which one of them, 0 to {@code checkOneIn - 1}
   * @throws IllegalArgumentException naming what is out of range
   */
  public SliceGeometry(long streamBytes, int sliceBytes, int checkOneIn, int checkPhase) {
    this(streamBytes, sliceBytes, 1, 0, checkOneIn, checkPhase);
  }

  /**
   * @param streamBytes how far the stream goes into the units, bytes, at least 1
   * @param sliceBytes length of each of a slice's runs, bytes
   * @param subChunks s
   * @param cellBytes bytes of a cell, a multiple of s; 0 if s is 1, which needs none
   * @param checkOneIn one slice in this many is checked (1: all), 0: none
   * @param checkPhase which one of them, 0 to {@code checkOneIn - 1}
   * @throws IllegalArgumentException naming what is out of range
   */
  public SliceGeometry(long streamBytes, int sliceBytes, int subChunks, int cellBytes,
      int checkOneIn, int checkPhase) {
    if (streamBytes < 1 || streamBytes > STREAM_BYTES_MAX) {
      throw new IllegalArgumentException("A stream of " + streamBytes
          + " bytes is out of range (1 to " + STREAM_BYTES_MAX + ")");
    }
    if (sliceBytes < SLICE_BYTES_MIN || sliceBytes > SLICE_BYTES_MAX) {
      throw new IllegalArgumentException("A slice of " + sliceBytes + " bytes is out of range ("
          + SLICE_BYTES_MIN + " to " + SLICE_BYTES_MAX + ")");
    }
    if (checkOneIn < 0 || checkPhase < 0 || checkPhase >= Math.max(1, checkOneIn)) {
      throw new IllegalArgumentException("Check one slice in " + checkOneIn + " at phase "
          + checkPhase + " is out of range (phase below the period, both at least 0)");
    }
    if (subChunks < 1 || subChunks > LinearCode.MAX_SUB_CHUNKS) {
      throw new IllegalArgumentException(subChunks + " sub-chunks are out of range (1 to "
          + LinearCode.MAX_SUB_CHUNKS + ")");
    }
    if (subChunks == 1 ? cellBytes != 0 : cellBytes < CELL_BYTES_UNIT
        || cellBytes % CELL_BYTES_UNIT != 0 || cellBytes % subChunks != 0) {
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
    this.checkOneIn = checkOneIn;
    this.checkPhase = checkPhase;
    cells = subChunks == 1 ? 0 : streamBytes / cellBytes;
    partBytes = cellBytes / subChunks;
    long rest = streamBytes - cells * cellBytes;
    restPartBytes = rest / subChunks;
    tailBytes = (int) (rest % subChunks);
    slicesPerCell = (int) slicesOf(partBytes);
    long inRest = slicesOf(restPartBytes);
    if (cells * slicesPerCell + inRest >= Integer.MAX_VALUE) {
      throw new IllegalArgumentException("A stream of " + streamBytes + " bytes in slices of "
          + sliceBytes + " has too many slices");
    }
    slicesInRest = (int) inRest;
    firstSlice = 0;
    endSlice = slicesOfStream();
  }

  /** Some slices of another geometry. */
  private SliceGeometry(SliceGeometry whole, int firstSlice, int endSlice) {
    this.streamBytes = whole.streamBytes;
    this.sliceBytes = whole.sliceBytes;
    this.subChunks = whole.subChunks;
    this.cellBytes = whole.cellBytes;
    this.checkOneIn = whole.checkOneIn;
    this.checkPhase = whole.checkPhase;
    this.cells = whole.cells;
    this.slicesPerCell = whole.slicesPerCell;
    this.partBytes = whole.partBytes;
    this.slicesInRest = whole.slicesInRest;
    this.restPartBytes = whole.restPartBytes;
    this.tailBytes = whole.tailBytes;
    this.firstSlice = firstSlice;
    this.endSlice = endSlice;
  }

  /**
   * The same geometry, of which only some slices are wanted.
   *
   * @param first number of the first one
   * @param end number behind the last one
   * @throws IllegalArgumentException if there are no such slices
   */
  public SliceGeometry withSlices(int first, int end) {
    if (first < 0 || first >= end || end > slicesOfStream()) {
      throw new IllegalArgumentException("Slices " + first + " to " + end
          + " are out of range (0 to " + slicesOfStream() + ", at least one)");
    }
    return new SliceGeometry(this, first, end);
  }

  /**
   * The same geometry with no more slices than those in which the bytes from {@code from} to before
   * {@code to} of a unit lie. With sub-chunks a slice has a run in each part of its cell, so that
   * one that goes from one part to the next wants all slices of the cell.
   *
   * @param from offset in the unit, bytes
   * @param to offset behind the last byte, at most {@code streamBytes}
   */
  public SliceGeometry covering(long from, long to) {
    if (from < 0 || from >= to || to > streamBytes) {
      throw new IllegalArgumentException("Bytes " + from + " to " + to + " are out of range (0 to "
          + streamBytes + ", at least one)");
    }
    if (subChunks == 1) {
      return withSlices((int) (from / sliceBytes), (int) ((to - 1) / sliceBytes) + 1);
    }
    long firstCell = from / cellBytes;
    long lastCell = (to - 1) / cellBytes;
    long endOfFirst = Math.min(to, (firstCell + 1) * cellBytes);
    long startOfLast = Math.max(from, lastCell * cellBytes);
    return withSlices(
        (int) (firstCell * slicesPerCell) + bound(firstCell, from, endOfFirst, false),
        (int) (lastCell * slicesPerCell) + bound(lastCell, startOfLast, to, true));
  }

  /** The first slice within its cell, or the one behind the last, in which some bytes lie. */
  private int bound(long cell, long from, long to, boolean end) {
    long part = cell < cells ? partBytes : restPartBytes;
    int slices = cell < cells ? slicesPerCell : slicesInRest;
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

  /** Whether not all slices are wanted. */
  public boolean isRange() {
    return firstSlice > 0 || endSlice < slicesOfStream();
  }

  /** Number of the first slice that is wanted; 0 for a whole unit. */
  public int firstSlice() {
    return firstSlice;
  }

  private long slicesOf(long bytes) {
    return (bytes + sliceBytes - 1) / sliceBytes;
  }

  public long streamBytes() {
    return streamBytes;
  }

  public int sliceBytes() {
    return sliceBytes;
  }

  /** s, the runs of a slice that is no tail. */
  public int subChunks() {
    return subChunks;
  }

  /** Bytes of a cell, 0 without sub-chunks. */
  public int cellBytes() {
    return cellBytes;
  }

  public int checkOneIn() {
    return checkOneIn;
  }

  public int checkPhase() {
    return checkPhase;
  }

  /** Number behind the last slice that is wanted: how many the stream has, for a whole unit. */
  public int slices() {
    return endSlice;
  }

  private int slicesOfStream() {
    return tailSlice() + (tailBytes > 0 ? 1 : 0);
  }

  /** Whether the last slice of the stream is a tail. */
  public boolean hasTail() {
    return tailBytes > 0;
  }

  /** Number that the tail has, or would have. */
  private int tailSlice() {
    return (int) (cells * slicesPerCell) + slicesInRest;
  }

  private boolean isTail(int slice) {
    return slice == tailSlice();
  }

  /** How many runs slice {@code slice} has: one for each sub-chunk, and one if it is a tail. */
  public int runs(int slice) {
    return isTail(slice) ? 1 : subChunks;
  }

  /** Index of the cell that slice {@code slice} is in; 0 without sub-chunks. */
  private long cell(int slice) {
    return cells == 0 ? 0 : Math.min(cells, slice / slicesPerCell);
  }

  /** Offset of slice {@code slice} in its part of the cell, bytes. */
  private long offsetInPart(int slice) {
    return (slice - cell(slice) * slicesPerCell) * sliceBytes;
  }

  private long partBytes(int slice) {
    return cell(slice) < cells ? partBytes : restPartBytes;
  }

  /** Offset of the first run of slice {@code slice} in the unit, bytes. */
  public long offset(int slice) {
    return offset(slice, 0);
  }

  /** Offset of run {@code run} of slice {@code slice} in the unit, bytes. */
  public long offset(int slice, int run) {
    long start = cell(slice) * cellBytes;
    return isTail(slice) ? start + subChunks * restPartBytes
        : start + run * partBytes(slice) + offsetInPart(slice);
  }

  /** Length of each run of slice {@code slice}, bytes. */
  public int length(int slice) {
    return isTail(slice) ? tailBytes
        : (int) Math.min(sliceBytes, partBytes(slice) - offsetInPart(slice));
  }

  /** Length of what a unit of {@code unitBytes} has of a slice's first run, 0 if nothing. */
  public int lengthWithin(int slice, long unitBytes) {
    return lengthWithin(slice, 0, unitBytes);
  }

  /** Length of what a unit of {@code unitBytes} has of a run, bytes, 0 if nothing. */
  public int lengthWithin(int slice, int run, long unitBytes) {
    return (int) Math.max(0, Math.min(length(slice), unitBytes - offset(slice, run)));
  }

  /** Whether slice {@code slice} is the first one of its cell that is wanted. */
  public boolean beginsCell(int slice) {
    return slice == firstSlice || cell(slice - 1) != cell(slice);
  }

  /**
   * How far the bytes of a part of a cell are wanted, from slice {@code slice} on: to the part's
   * end, or to the end of the slices that are wanted.
   */
  public long runLength(int slice) {
    return isTail(slice) ? tailBytes : Math.min(partBytes(slice) - offsetInPart(slice),
        (long) (endSlice - slice) * sliceBytes);
  }

  /** Offset of the cell that slice {@code slice} is in, bytes. */
  public long cellStart(int slice) {
    return cell(slice) * cellBytes;
  }

  /** Whether slice {@code slice} is the last one of its cell that is wanted. */
  public boolean endsCell(int slice) {
    return slice == slices() - 1 || cell(slice + 1) != cell(slice);
  }

  /**
   * Whether slice {@code slice} carries the check row. The last slice always does where any does:
   * it is where lengths and padding go wrong.
   */
  public boolean checked(int slice) {
    return checkOneIn > 0 && (slice % checkOneIn == checkPhase || slice == slices() - 1);
  }

  public SliceKind kind(int slice) {
    return SliceKind.of(checked(slice), isTail(slice));
  }
}
