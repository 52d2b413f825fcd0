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

/**
 * How the bytes of a unit are cut into slices, and which slices are checked. Every node of a tree
 * holds the same geometry, so that no message needs to say more than its slice's number.
 *
 * <pre>
 *   unit   |&lt;-------------------- streamBytes --------------------&gt;|
 *   slices |   0   |   1   |   2   |  ...                     | last |
 *              sliceBytes each, the last one what is left
 * </pre>
 *
 * <p>The stream is as long as the longest lost unit. A helper's unit may be shorter: behind its end
 * it counts as zeros, which is how the code was computed when the file was written.
 */
@InterfaceAudience.Private
public final class SliceGeometry {
  /** Below this a message's overhead outweighs its bytes. */
  public static final int SLICE_BYTES_MIN = 512;
  /** Bounds what one request can make a node allocate. */
  public static final int SLICE_BYTES_MAX = 1 << 20;
  /** No internal block is longer; a request that says so is garbage. */
  public static final long STREAM_BYTES_MAX = 1L << 40;

  private final long streamBytes;
  private final int sliceBytes;
  private final int checkOneIn;
  private final int checkPhase;

  /**
   * @param streamBytes length of the longest lost unit, bytes, at least 1
   * @param sliceBytes length of a slice, bytes
   * @param checkOneIn one slice in this many is checked (1: all), 0: none
   * @param checkPhase which one of them, 0 to {@code checkOneIn - 1}
   * @throws IllegalArgumentException naming what is out of range
   */
  public SliceGeometry(long streamBytes, int sliceBytes, int checkOneIn, int checkPhase) {
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
    if ((streamBytes + sliceBytes - 1) / sliceBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("A stream of " + streamBytes + " bytes in slices of "
          + sliceBytes + " has too many slices");
    }
    this.streamBytes = streamBytes;
    this.sliceBytes = sliceBytes;
    this.checkOneIn = checkOneIn;
    this.checkPhase = checkPhase;
  }

  public long streamBytes() {
    return streamBytes;
  }

  public int sliceBytes() {
    return sliceBytes;
  }

  public int checkOneIn() {
    return checkOneIn;
  }

  public int checkPhase() {
    return checkPhase;
  }

  /** How many slices the stream has. */
  public int slices() {
    return (int) ((streamBytes + sliceBytes - 1) / sliceBytes);
  }

  /** Offset of slice {@code slice} in the unit, bytes. */
  public long offset(int slice) {
    return (long) slice * sliceBytes;
  }

  /** Length of slice {@code slice}, bytes. */
  public int length(int slice) {
    return (int) Math.min(sliceBytes, streamBytes - offset(slice));
  }

  /** Length of what a unit of {@code unitBytes} has of slice {@code slice}, bytes, 0 if nothing. */
  public int lengthWithin(int slice, long unitBytes) {
    return (int) Math.max(0, Math.min(length(slice), unitBytes - offset(slice)));
  }

  /**
   * Whether slice {@code slice} carries the check row. The last slice always does where any does:
   * it is where lengths and padding go wrong.
   */
  public boolean checked(int slice) {
    return checkOneIn > 0 && (slice % checkOneIn == checkPhase || slice == slices() - 1);
  }
}
