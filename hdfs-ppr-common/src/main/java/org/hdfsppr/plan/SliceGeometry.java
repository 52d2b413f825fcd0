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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;

/**
 * Cuts the bytes of a unit into slices, and says which slices are checked. All nodes of a tree have
 * the same geometry, so that a number is enough to name a slice in a message.
 *
 * <p>If a code works on each byte on its own, a slice is one run of bytes:
 *
 * <pre>
 *   unit   |&lt;-------------------- streamBytes --------------------&gt;|
 *   slices |   0   |   1   |   2   |  ...                     | last |
 *              sliceBytes each; the last slice has the remaining bytes
 * </pre>
 *
 * <p>A code with s sub-chunks divides each cell into s equal parts, whose bytes depend on each
 * other. A slice of such a code has s runs, one run from each part, at the same offset in each
 * part. No slice crosses the end of a cell. An example with s = 2 and cells of four slices:
 *
 * <pre>
 *   unit   |         cell 0        |         cell 1        |    last cell   |
 *   slices | 0 | 1 .. | 0 | 1 ..   | 2 | 3 .. | 2 | 3 ..   | 4   | 4   |tail|
 * </pre>
 *
 * <p>The last cell may be short. The length of each of its parts is the length of the cell divided
 * by s, rounded down. Up to s - 1 bytes remain behind the parts. These bytes are the tail. The tail
 * is a slice of its own, and is coded byte by byte, without sub-chunks. If s does not divide the
 * length of a whole cell, every whole cell has such a tail, too. Cells of 1 MiB with three
 * sub-chunks are an example.
 *
 * <p>The stream is as long as the longest lost unit. If a code has sub-chunks and the last cell of
 * that unit is short, the stream goes to the end of the longest cell in the same stripe, because
 * the length of the longest cell determines the parts. A helper's unit may be shorter. The bytes
 * behind its end then count as zeros, as they did when the client encoded the file.
 *
 * <p>A caller that needs only a part of a unit, such as a reader, asks for a range of slices, see
 * {@link #covering}. The slices of a range keep their numbers and offsets. With sub-chunks, each of
 * them still has a run from each part of its cell.
 *
 * <p>A caller may also pick slices that are not contiguous, see {@link #withPicked}. The picked
 * slices get new numbers from 0, in their order in the unit, and keep their offsets.
 */
@InterfaceAudience.Private
public final class SliceGeometry {
  /** The shortest slice, bytes. In shorter slices, the headers would outweigh the data. */
  public static final int SLICE_BYTES_MIN = StreamSlices.SLICE_BYTES_MIN;
  /**
   * The length of a slice of repairs and checks, bytes. With shorter slices, the first sum passes a
   * long chain sooner, but each byte costs more. Since all nodes use this length, none needs memory
   * for longer slices.
   */
  public static final int SLICE_BYTES = 64 << 10;
  /**
   * The longest slice, bytes. The bound limits the memory that a node allocates for one request.
   */
  public static final int SLICE_BYTES_MAX = StreamSlices.SLICE_BYTES_MAX;
  /**
   * How many rows a slice has at most: those of eight lost units with eight sub-chunks each, and
   * the check row.
   */
  public static final int ROWS_MAX = 65;
  /**
   * The longest cell, bytes. The bound limits the memory of a destination, which holds one cell of
   * each lost unit. HDFS itself allows 4 MiB by default.
   */
  public static final int CELL_BYTES_MAX = StreamSlices.CELL_BYTES_MAX;
  /**
   * The longest stream, 1 TiB in bytes. No internal block is longer, so that a request for a longer
   * stream is invalid.
   */
  public static final long STREAM_BYTES_MAX = StreamSlices.STREAM_BYTES_MAX;
  /**
   * How many slices a caller can pick at most. A node that makes a parity unit requests 1 MiB at a
   * time, which is this many of the shortest slices. A cell of 16 MiB with two sub-chunks also has
   * this many slices of 4 KiB. The bound limits the length of a request, because each picked slice
   * takes some bytes of it.
   */
  public static final int PICKED_MAX = 2048;

  private final StreamSlices stream;
  /** The destination checks one slice in this many: with 1 all slices, with 0 none */
  public final int checkOneIn;
  /** Number of the first checked slice, less than {@link #checkOneIn} */
  public final int checkPhase;
  /**
   * The number of the first wanted slice. {@link #endSlice} is the number of the last wanted slice,
   * plus 1.
   */
  public final int firstSlice;
  private final int endSlice;
  /**
   * For each picked slice, its number in the whole stream, ascending; null if no slices are picked.
   */
  private final int[] picked;

  /**
   * Makes the geometry of a code without sub-chunks.
   *
   * @param streamBytes length of the longest lost unit, bytes, at least 1
   * @param sliceBytes length of a slice, bytes
   * @param checkOneIn the destination checks one slice in this many: with 1 all slices, with 0 none
   * @param checkPhase number of the first checked slice, 0 to {@code checkOneIn - 1}
   * @throws IllegalArgumentException if a number is out of range; the message names the number
   */
  public SliceGeometry(long streamBytes, int sliceBytes, int checkOneIn, int checkPhase) {
    this(streamBytes, sliceBytes, 1, 0, checkOneIn, checkPhase);
  }

  /**
   * @param streamBytes length of the stream from the beginning of each unit, bytes, at least 1
   * @param sliceBytes length of each run of a slice, bytes
   * @param subChunks s, the number of sub-chunks of the code
   * @param cellBytes length of a cell in bytes, a multiple of 1024; 0 if s is 1, which needs no
   *     cells
   * @param checkOneIn the destination checks one slice in this many: with 1 all slices, with 0 none
   * @param checkPhase number of the first checked slice, 0 to {@code checkOneIn - 1}
   * @throws IllegalArgumentException if a number is out of range; the message names the number
   */
  public SliceGeometry(long streamBytes, int sliceBytes, int subChunks, int cellBytes,
      int checkOneIn, int checkPhase) {
    if (checkOneIn < 0 || checkPhase < 0 || checkPhase >= Math.max(1, checkOneIn)) {
      throw new IllegalArgumentException("Check one slice in " + checkOneIn + " at phase "
          + checkPhase + " is out of range (phase below the period, both at least 0)");
    }
    this.stream = new StreamSlices(streamBytes, sliceBytes, subChunks, cellBytes);
    this.checkOneIn = checkOneIn;
    this.checkPhase = checkPhase;
    firstSlice = 0;
    endSlice = stream.count();
    picked = null;
  }

  /** Makes the same geometry as {@code whole}, but with only some of its slices wanted. */
  private SliceGeometry(SliceGeometry whole, int firstSlice, int endSlice, int[] picked) {
    this.stream = whole.stream;
    this.checkOneIn = whole.checkOneIn;
    this.checkPhase = whole.checkPhase;
    this.firstSlice = firstSlice;
    this.endSlice = endSlice;
    this.picked = picked;
  }

  /**
   * Restricts the geometry to a range of the stream's slices.
   *
   * @param first number of the first slice in the stream
   * @param end number of the last slice in the stream, plus 1
   * @return the same geometry with this range
   * @throws IllegalArgumentException if the range is empty or leaves the stream
   */
  public SliceGeometry withSlices(int first, int end) {
    if (first < 0 || first >= end || end > stream.count()) {
      throw new IllegalArgumentException("Slices " + first + " to " + end
          + " are out of range (0 to " + stream.count() + ", at least one)");
    }
    return new SliceGeometry(this, first, end, null);
  }

  /**
   * Restricts the geometry to slices of the stream that need not be contiguous. They get new
   * numbers from 0. If they are contiguous, the result is a range instead, see {@link #withSlices}.
   *
   * @param numbers the numbers of the slices in the stream, ascending
   * @return the same geometry with these slices
   * @throws IllegalArgumentException if no number is given, if the numbers do not ascend, if the
   *     stream has no such slice, or if there are more than {@link #PICKED_MAX} slices that are not
   *     contiguous
   */
  public SliceGeometry withPicked(int... numbers) {
    int count = numbers.length;
    if (count == 0) {
      throw new IllegalArgumentException("No slices are picked");
    }
    for (int i = 1; i < count; i++) {
      if (numbers[i] <= numbers[i - 1]) {
        throw new IllegalArgumentException("Picked slice " + numbers[i] + " comes after "
            + numbers[i - 1] + ": they have to ascend");
      }
    }
    int first = numbers[0];
    int end = numbers[count - 1] + 1;
    SliceGeometry range = withSlices(first, end);
    if (end - first == count) {
      return range;
    }
    if (count > PICKED_MAX) {
      throw new IllegalArgumentException(count + " slices that do not follow each other are out of"
          + " range (at most " + PICKED_MAX + ")");
    }
    return new SliceGeometry(this, 0, count, numbers.clone());
  }

  /**
   * @return whether the geometry was restricted to slices that are not contiguous, see {@link
   *     #withPicked}
   */
  public boolean isPicked() {
    return picked != null;
  }

  /**
   * @return one range for each stretch of contiguous wanted slices; the geometry itself if no
   *     slices are picked
   */
  public List<SliceGeometry> ranges() {
    if (picked == null) {
      return List.of(this);
    }
    List<SliceGeometry> ranges = new ArrayList<>();
    for (int slice = 0; slice < picked.length; slice += following(slice)) {
      ranges.add(withSlices(picked[slice], picked[slice] + following(slice)));
    }
    return ranges;
  }

  /** Counts the wanted slices from {@code slice} to the next gap between wanted slices. */
  private int following(int slice) {
    if (picked == null) {
      return endSlice - slice;
    }
    int end = slice + 1;
    while (end < endSlice && picked[end] == picked[end - 1] + 1) {
      end++;
    }
    return end - slice;
  }

  /** Returns the number that a slice has in the stream. */
  private int number(int slice) {
    return picked == null ? slice : picked[slice];
  }

  /**
   * Restricts the geometry to the slices that hold the bytes from {@code from} to before {@code to}
   * of a unit. With sub-chunks a slice has a run in each part of its cell. If a range of bytes
   * crosses from one part into the next, it therefore needs all slices of the cell.
   *
   * @param from offset in the unit, bytes
   * @param to offset behind the last byte, at most {@code streamBytes}
   * @return the same geometry with the fewest slices that hold these bytes
   * @throws IllegalArgumentException if the range is empty or leaves the stream
   */
  public SliceGeometry covering(long from, long to) {
    if (from < 0 || from >= to || to > stream.streamBytes) {
      throw new IllegalArgumentException("Bytes " + from + " to " + to + " are out of range (0 to "
          + stream.streamBytes + ", at least one)");
    }
    return withSlices(stream.bound(from, to, false), stream.bound(from, to, true));
  }

  /** @return whether the geometry is restricted to some of the stream's slices */
  public boolean isRange() {
    return picked != null || firstSlice > 0 || endSlice < stream.count();
  }

  /** @return length of the stream from the beginning of each unit, bytes */
  public long streamBytes() {
    return stream.streamBytes;
  }

  /** @return length of each run of a slice, bytes; the last run of a part may be shorter */
  public int sliceBytes() {
    return stream.sliceBytes;
  }

  /** @return s, the number of runs of a slice that is no tail */
  public int subChunks() {
    return stream.subChunks;
  }

  /** @return length of a cell, bytes; 0 without sub-chunks */
  public int cellBytes() {
    return stream.cellBytes;
  }

  /**
   * @return the number of the last wanted slice, plus 1. If the whole stream is wanted, or slices
   *     are picked, this is how many slices are wanted
   */
  public int slices() {
    return endSlice;
  }

  /** @return whether any slice of the stream is a tail */
  public boolean hasTail() {
    return stream.hasTail();
  }

  private boolean isTail(int slice) {
    return stream.isTail(number(slice));
  }

  /** Returns the index of the cell that the slice is in; 0 without sub-chunks. */
  private long cell(int slice) {
    return stream.cell(number(slice));
  }

  /**
   * @param slice number of a slice
   * @return number of its runs: one for each sub-chunk of the code, or one if the slice is a tail
   */
  public int runs(int slice) {
    return isTail(slice) ? 1 : stream.subChunks;
  }

  /**
   * @param slice number of a slice
   * @return offset of its first run in the unit, bytes
   */
  public long offset(int slice) {
    return offset(slice, 0);
  }

  /**
   * @param slice number of a slice
   * @param run index of one of its runs, which is the index of the sub-chunk; 0 for a tail
   * @return offset of that run in the unit, bytes
   */
  public long offset(int slice, int run) {
    return stream.offset(number(slice), run);
  }

  /**
   * @param slice number of a slice
   * @return length of each of its runs, bytes
   */
  public int length(int slice) {
    return stream.length(number(slice));
  }

  /**
   * Says how much of a slice's first run lies before the end of a unit.
   *
   * @param slice number of a slice
   * @param unitBytes length of the unit, bytes
   * @return bytes, 0 to {@link #length}
   */
  public int lengthWithin(int slice, long unitBytes) {
    return lengthWithin(slice, 0, unitBytes);
  }

  /**
   * Says how much of a run lies before the end of a unit.
   *
   * @param slice number of a slice
   * @param run index of one of its runs, which is the index of the sub-chunk; 0 for a tail
   * @param unitBytes length of the unit, bytes
   * @return bytes, 0 to {@link #length}
   */
  public int lengthWithin(int slice, int run, long unitBytes) {
    return (int) Math.max(0, Math.min(length(slice), unitBytes - offset(slice, run)));
  }

  /**
   * @param slice number of a wanted slice
   * @return whether it begins a stretch of contiguous wanted slices within a cell: it is the first
   *     wanted slice of its cell, or the slice before it in the stream is not wanted
   */
  public boolean beginsStretch(int slice) {
    return slice == firstSlice || cell(slice - 1) != cell(slice)
        || number(slice - 1) + 1 != number(slice);
  }

  /**
   * Counts the contiguous wanted bytes in one part of a cell: from the beginning of a slice to the
   * end of the part, or to the next gap between wanted slices.
   *
   * @param slice number of a wanted slice
   * @return bytes; an upper bound if the last wanted slice is a short one
   */
  public long runLength(int slice) {
    return stream.runLength(number(slice), following(slice));
  }

  /**
   * @param slice number of a slice
   * @return offset of its cell in the unit, bytes
   */
  public long cellStart(int slice) {
    return cell(slice) * stream.cellBytes;
  }

  /**
   * @param slice number of a wanted slice
   * @return whether it is the last wanted slice of its cell
   */
  public boolean endsCell(int slice) {
    return slice == slices() - 1 || cell(slice + 1) != cell(slice);
  }

  /**
   * Says whether a slice carries the check row. The last slice always does unless checks are off,
   * because a wrong length or wrong padding of a unit shows in that slice.
   *
   * @param slice number of a slice
   * @return whether the destination checks it
   */
  public boolean checked(int slice) {
    return checkOneIn > 0 && (slice % checkOneIn == checkPhase || slice == slices() - 1);
  }

  /**
   * @param slice number of a slice
   * @return its kind, which determines how many rows the slice has
   */
  public SliceKind kind(int slice) {
    return SliceKind.of(checked(slice), isTail(slice));
  }

  /**
   * Returns a length for runs with which a node may read a whole slice of a unit within a second.
   * The waits between slices then stay so short that no node takes a wait for a failure.
   *
   * @param most the most bytes of a run
   * @param bytesPerSecond the most bytes of a unit that a node may read in a second
   * @param subChunks number of runs of a slice
   * @return bytes, at least {@link #SLICE_BYTES_MIN}
   */
  public static int sliceBytesAtRate(int most, long bytesPerSecond, int subChunks) {
    long bytes = Math.min(most, bytesPerSecond) / subChunks;
    return (int) Math.max(SLICE_BYTES_MIN, Long.highestOneBit(bytes));
  }

  /**
   * Calculates where the slices of a stream lie in a unit, as SliceGeometry describes it. A slice's
   * number here is always its number in the whole stream. Immutable.
   */
  static final class StreamSlices {
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
     * The number of whole cells. Each whole cell has {@link #slicesPerCell} slices. Each of its s
     * parts has {@link #partBytes} bytes in {@link #slicesPerPart} slices, and its tail has {@link
     * #cellTailBytes} bytes.
     */
    private final long cells;
    private final int slicesPerCell;
    private final int slicesPerPart;
    private final int cellTailBytes;
    private final long partBytes;
    /**
     * The number of slices of the short cell behind the whole cells. Each part of the short cell
     * has {@link #restPartBytes} bytes.
     */
    private final int slicesInRest;
    private final long restPartBytes;
    private final int tailBytes;

    /**
     * Takes the same parameters as the constructor of SliceGeometry, and throws the same
     * exceptions.
     */
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
     * Returns the slice number of the short cell's tail. If the short cell has no tail, the result
     * is the number of the stream's last slice, plus 1.
     */
    private int tailSlice() {
      return (int) (cells * slicesPerCell) + slicesInRest;
    }

    /**
     * Finds the slices that hold the bytes {@code from} to {@code to}. Returns the number of the
     * first of these slices; if {@code end} is set, the number of the last one, plus 1.
     *
     * @param from offset of the first byte in the unit
     * @param to offset behind the last byte, greater than {@code from}, at most {@link
     *     #streamBytes}
     */
    int bound(long from, long to, boolean end) {
      if (subChunks == 1) {
        return end ? (int) ((to - 1) / sliceBytes) + 1 : (int) (from / sliceBytes);
      }
      long cell = (end ? to - 1 : from) / cellBytes;
      return (int) (cell * slicesPerCell) + bound(cell, Math.max(from, cell * cellBytes),
          Math.min(to, (cell + 1) * cellBytes), end);
    }

    /**
     * Like {@link #bound(long, long, boolean)}, but within one cell, whose slices are numbered from
     * 0.
     */
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

    /**
     * Returns the offset of each run of the slice from the beginning of its part of the cell,
     * bytes.
     */
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
}
