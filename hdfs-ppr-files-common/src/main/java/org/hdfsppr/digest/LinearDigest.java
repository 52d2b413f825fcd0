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
package org.hdfsppr.digest;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ZeroSums;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.UnitSource;

/**
 * Linear digests of units. A digest has a few bytes. The digests of the units of a block group
 * satisfy the same equations as the units themselves, so that they show whether the units are
 * right. The DataNode that has a unit reads it, and only the digest crosses a link.
 *
 * <pre>
 *   unit    | piece 0 | piece 1 | piece 2 | ... | last piece, zeros |
 *                c0        c1        c2               cn               random, not zero
 *   sum     | c0 * piece 0 + c1 * piece 1 + ...  |                     one piece long
 *   byte    = w0 * sum[0] + w1 * sum[1] + ...                          random, not zero
 * </pre>
 *
 * <p>For a short unit, the last step takes most of the time, because each byte of the sum has a
 * random factor of its own. The folded form shortens this step: it cuts the sum into {@link #FOLDS}
 * parts, adds up the parts with random factors, as it did with the pieces, and computes the byte
 * from the result.
 *
 * <p>A digest has {@link #ROWS} such bytes, each with its own factors. The factors depend only on
 * the seed and the position, and not on the unit. So if a linear combination of units is zero at
 * each position, the same combination of their digests is zero. A shorter unit counts as if it was
 * padded with zeros, as in the code.
 *
 * <p>If a combination that should be zero is not, because of wrong units, its sum of pieces is zero
 * nevertheless with a chance of at most 1 in 255. The same holds for each further step. With all
 * bytes of a digest together, wrong units stay unnoticed with a chance of less than 1 in 200
 * million, and of less than 1 in 50 million in the folded form. A single wrong byte is always
 * found. Digests find faults, but not forgeries: an attacker that knows the seed can make wrong
 * units with the right digests. In a code with sub-chunks, the equations relate bytes at different
 * positions, so that these digests cannot check it.
 */
@InterfaceAudience.Private
public final class LinearDigest {
  /** How many bytes a digest has; they fit into an int. */
  static final int ROWS = Integer.BYTES;
  /**
   * How many bytes a piece has. With shorter pieces, more factors would be needed. With longer
   * pieces, the sums would not fit into a processor's cache.
   */
  static final int PIECE_BYTES = 16 << 10;
  /** How many pieces are read and multiplied at a time, at most. */
  static final int PIECES = 16;
  /** The number of parts into which the folded form cuts a sum. */
  static final int FOLDS = PIECES;
  /**
   * How long the reading of a unit waits for memory at most, ms. Other work that can wait holds its
   * memory for less than this time, so that some becomes free. No other work waits for the reading
   * of a unit, so that the reading may wait this long.
   */
  static final long LEASE_MS_MOST = 10_000;
  /**
   * While it waits for memory, the reading checks after each such time whether it has to end, ms.
   */
  private static final long LOOK_MS = 200;
  /**
   * The seed is changed by this for the factors of the sums, so that they differ from those of the
   * pieces.
   */
  private static final long SUMS = 0x5deece66dL;
  private static final byte[] ZEROS = new byte[PIECE_BYTES];
  /**
   * The products of all pairs of bytes. The index is the first factor times 256, plus the second.
   */
  private static final byte[] PRODUCTS = new byte[1 << 2 * Byte.SIZE];

  static {
    for (int i = 0; i < PRODUCTS.length; i++) {
      PRODUCTS[i] = (byte) Gf256.mul(i >>> Byte.SIZE, i);
    }
  }

  /** Gets news of the reading of a unit, and can end it. */
  public interface Watch {
    /**
     * The reading calls this after each read, and repeatedly while it waits for memory. The method
     * may wait, which slows the reading down.
     *
     * @param bytes how many bytes the last read had; 0 while the reading waits for memory
     * @throws IOException if the reading has to end
     */
    void read(int bytes) throws IOException;
  }

  /** Other work uses all memory now. The caller may try again later. */
  public static final class NoMemoryException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message says what the memory is needed for */
    public NoMemoryException(String message) {
      super(message);
    }
  }

  private LinearDigest() {
  }

  /**
   * Reads a unit, and computes its digest.
   *
   * @param unit the unit, which is read from its beginning to its end
   * @param key the key, which all digests that are compared with this one have to have
   * @param kernel multiplies and adds
   * @param memory supplies about 350 KiB; the reading waits for them for up to {@link
   *     #LEASE_MS_MOST}
   * @param watch follows the reading
   * @return the digest
   * @throws NoMemoryException if no memory became free in this time
   * @throws IOException if the unit cannot be read, or if {@code memory} can never supply as much
   */
  public static int of(UnitSource unit, DigestKey key, RegionKernel kernel, BufferSource memory,
      Watch watch) throws IOException {
    int tableBytes = kernel.tableBytesMost(ROWS, PIECES);
    try (BufferSource.Lease lease = lease(memory, watch, PIECES * PIECE_BYTES,
        ROWS * PIECE_BYTES, Math.max(1, tableBytes))) {
      if (lease == null) {
        throw noMemory(memory, PIECES * PIECE_BYTES, ROWS * PIECE_BYTES, Math.max(1, tableBytes));
      }
      ByteBuffer read = lease.carve(PIECES * PIECE_BYTES);
      ByteBuffer sums = lease.carve(ROWS * PIECE_BYTES);
      ByteBuffer tables = lease.carve(Math.max(1, tableBytes));
      add(unit, new DigestFactors(key.seed), kernel, read, sums, tables, watch);
      DigestFactors random = new DigestFactors(key.seed ^ SUMS);
      if (key.isFolded) {
        fold(sums, random, kernel, read, tables);
        return bytes(read, PIECE_BYTES / FOLDS, random);
      }
      return bytes(sums, PIECE_BYTES, random);
    }
  }

  private static IOException noMemory(BufferSource memory, int... pieces) {
    String never = memory.refusal(pieces);
    return never == null
        ? new NoMemoryException("no buffers are free to compute the digest of a unit")
        : new IOException("no digest of a unit can be computed: " + never);
  }

  private static BufferSource.Lease lease(BufferSource memory, Watch watch, int... pieces)
      throws IOException {
    BufferSource.Lease lease = null;
    try {
      lease = memory.await(LOOK_MS, pieces);
      for (long ms = LOOK_MS; lease == null && ms < LEASE_MS_MOST; ms += LOOK_MS) {
        watch.read(0);
        lease = memory.await(LOOK_MS, pieces);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The reading of a unit was interrupted")
          .initCause(e);
    }
    return lease;
  }

  /** Reads the unit, multiplies each piece by its factors, and adds the products to the sums. */
  private static void add(UnitSource unit, DigestFactors random, RegionKernel kernel,
      ByteBuffer read, ByteBuffer sums, ByteBuffer tables, Watch watch) throws IOException {
    ByteBuffer[] pieces = cut(read, PIECES, PIECE_BYTES);
    ByteBuffer[] rows = cut(sums, ROWS, PIECE_BYTES);
    zero(sums);
    for (long offset = 0; offset < unit.length(); offset += read.capacity()) {
      int bytes = (int) Math.min(read.capacity(), unit.length() - offset);
      read.clear().limit(bytes);
      unit.read(offset, read.duplicate());
      // Factors are drawn for all pieces, also for those behind the end of the unit, so that units
      // of all lengths have the same factors. Only the pieces with bytes are multiplied.
      int count = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
      read.clear().position(bytes).limit(count * PIECE_BYTES);
      zero(read);
      GfMatrix all = GfMatrix.generate(ROWS, PIECES, (row, piece) -> random.next());
      GfMatrix factors = GfMatrix.generate(ROWS, count, all::get);
      RegionOperator operator = kernel.prepare(factors, size -> first(tables, size));
      operator.apply(Arrays.copyOf(pieces, count), rows, PIECE_BYTES, true);
      watch.read(bytes);
    }
  }

  /** Cuts each sum into parts, and adds up the parts, each multiplied by its factor. */
  private static void fold(ByteBuffer sums, DigestFactors random, RegionKernel kernel,
      ByteBuffer folded, ByteBuffer tables) {
    int bytes = PIECE_BYTES / FOLDS;
    ByteBuffer[] parts = cut(sums, ROWS * FOLDS, bytes);
    ByteBuffer[] rows = cut(folded, ROWS, bytes);
    for (int row = 0; row < ROWS; row++) {
      GfMatrix factors = GfMatrix.generate(1, FOLDS, (one, part) -> random.next());
      kernel.prepare(factors, size -> first(tables, size)).apply(
          Arrays.copyOfRange(parts, row * FOLDS, (row + 1) * FOLDS),
          new ByteBuffer[] {rows[row]}, bytes, false);
    }
  }

  private static ByteBuffer[] cut(ByteBuffer whole, int count, int bytes) {
    ByteBuffer[] pieces = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      whole.clear().position(i * bytes).limit((i + 1) * bytes);
      pieces[i] = whole.slice();
    }
    whole.clear();
    return pieces;
  }

  private static ByteBuffer first(ByteBuffer buffer, int bytes) {
    buffer.clear().limit(bytes);
    return buffer.slice();
  }

  private static void zero(ByteBuffer buffer) {
    while (buffer.hasRemaining()) {
      buffer.put(ZEROS, 0, Math.min(ZEROS.length, buffer.remaining()));
    }
    buffer.clear();
  }

  /**
   * Computes the bytes of the digest from the sums.
   *
   * @param sums {@link #ROWS} sums, one after the other
   * @param length how many bytes each sum has
   */
  private static int bytes(ByteBuffer sums, int length, DigestFactors random) {
    byte[] sum = new byte[length];
    int digest = 0;
    sums.clear();
    for (int row = 0; row < ROWS; row++) {
      sums.get(sum);
      int made = 0;
      for (byte one : sum) {
        made ^= PRODUCTS[random.next() << Byte.SIZE | one & 0xff];
      }
      digest = digest << Byte.SIZE | made & 0xff;
    }
    return digest;
  }

  /**
   * Checks by their digests whether units satisfy all equations of their code.
   *
   * @param code a code without sub-chunks
   * @param digests the digests by the index of the unit, all with the same key; a unit without
   *     bytes needs none
   * @return whether the digests satisfy all equations
   * @throws IllegalArgumentException if the code has sub-chunks, or if it has no unit with one of
   *     the indices
   */
  public static boolean agree(LinearCode code, Map<Integer, Integer> digests) {
    if (code.subChunks() != 1) {
      throw new IllegalArgumentException(code.name() + " has sub-chunks");
    }
    GfMatrix relations = ZeroSums.of(code).relations();
    for (int relation = 0; relation < relations.rows(); relation++) {
      int[] sums = new int[ROWS];
      for (Map.Entry<Integer, Integer> unit : digests.entrySet()) {
        int factor = relations.get(relation, unit.getKey());
        for (int row = 0; row < ROWS; row++) {
          sums[row] ^= Gf256.mul(factor, unit.getValue() >>> row * Byte.SIZE & 0xff);
        }
      }
      for (int sum : sums) {
        if (sum != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The random factors of digests, 1 to 255. They are the same sequence as {@code 1 + nextInt(255)}
   * of a {@link SplittableRandom}, which all versions use. The plain digest of a short unit needs
   * 65,000 factors, which take most of its time. So this class calculates them itself, without
   * method calls and without a division. Used by one thread.
   */
  static final class DigestFactors {
    /** What a {@link SplittableRandom} adds to its state for each number. */
    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final int FACTORS = 255;

    private long state;

    DigestFactors(long seed) {
      this.state = seed;
    }

    /** Returns the next factor, 1 to 255. */
    int next() {
      int number;
      int rest;
      do {
        state += STEP;
        long mixed = (state ^ state >>> 33) * 0x62a9d9ed799705f5L;
        number = (int) ((mixed ^ mixed >>> 28) * 0xcb24d0a5c88c35b3L >>> 32) >>> 1;
        rest = rest(number);
        // The greatest numbers do not fill a whole round of 255 factors. They are skipped, so that
        // all factors are equally likely.
      } while (number - rest > Integer.MAX_VALUE - FACTORS + 1);
      return 1 + rest;
    }

    /**
     * Returns a number modulo 255. It adds up the digits of the number to the base 256, because 256
     * is 1 modulo 255.
     */
    private static int rest(int number) {
      int sum = (number & 0xff) + (number >>> 8 & 0xff) + (number >>> 16 & 0xff) + (number >>> 24);
      sum = (sum & 0xff) + (sum >>> 8);
      sum = (sum & 0xff) + (sum >>> 8);
      return sum == FACTORS ? 0 : sum;
    }
  }
}
