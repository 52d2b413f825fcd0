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
package org.hdfsppr.verify;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
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
 * Digests of units that add up as the units do, so that the relations of a code show by a few bytes
 * of each unit whether whole units are right. Each unit is read on the node that has it, and only
 * its digest crosses a link.
 *
 * <pre>
 *   unit    | piece 0 | piece 1 | piece 2 | ... | last piece, zeros |
 *                c0        c1        c2               cn               random, not zero
 *   sum     | c0 * piece 0 + c1 * piece 1 + ...  |                     one piece long
 *   byte    = w0 * sum[0] + w1 * sum[1] + ...                          random, not zero
 * </pre>
 *
 * <p>Of a short unit, the byte takes most of the time: each of its factors is a random number of
 * its own. The folded form therefore cuts the sum into {@link #FOLDS} parts, adds these up with
 * random factors as if they were pieces, and makes the byte of that.
 *
 * <p>A digest has {@link #ROWS} such bytes, each with its own factors. The factors depend on the
 * seed and on the position only. The same combination of units that is zero at each position is
 * therefore zero in the digests, too. Units of different lengths count as if zeros followed the
 * shorter ones, as they do for the code.
 *
 * <p>If a combination of units is not zero everywhere, its sum of pieces is zero with a chance of
 * at most 1 in 255. So is what each further step makes of a sum that is not zero. All bytes of a
 * digest are zero in spite of wrong units with a chance of less than 1 in 200 million, and of less
 * than 1 in 50 million in the folded form. A wrong byte in one
 * place alone is always seen. The factors do not keep off an attacker that knows the seed: such a
 * digest finds faults, and no forgeries. A code with sub-chunks relates bytes at different
 * positions, so that these digests say nothing about it.
 */
@InterfaceAudience.Private
public final class LinearDigest {
  /** The bytes of a digest: as many as an int has. */
  static final int ROWS = Integer.BYTES;
  /**
   * The bytes of a piece. Shorter pieces would need more factors; the sums of longer ones would not
   * stay in a processor's cache.
   */
  static final int PIECE_BYTES = 16 << 10;
  /** The most pieces that are read, and multiplied, together. */
  static final int PIECES = 16;
  /** Into how many parts the folded form cuts a sum. */
  static final int FOLDS = PIECES;
  /**
   * The longest wait for memory, ms. Other work that can wait holds memory for a shorter time. The
   * reader of a unit has nothing for which others wait.
   */
  static final long LEASE_MS_MOST = 10_000;
  /** How often a reading that waits for memory asks whether it has to end, ms. */
  private static final long LOOK_MS = 200;
  /** Makes the factors of the sums others than those of the pieces. */
  private static final long SUMS = 0x5deece66dL;
  private static final byte[] ZEROS = new byte[PIECE_BYTES];
  /** All products, the first factor times 256 and the second as index. */
  private static final byte[] PRODUCTS = new byte[1 << 2 * Byte.SIZE];

  static {
    for (int i = 0; i < PRODUCTS.length; i++) {
      PRODUCTS[i] = (byte) Gf256.mul(i >>> Byte.SIZE, i);
    }
  }

  /** Follows the reading of a unit. */
  @InterfaceAudience.Private
  public interface Watch {
    /**
     * Is called after some bytes were read, before the next ones are, and again and again while no
     * memory is free. It may wait.
     *
     * @param bytes how many were read; 0 before the first ones
     * @throws IOException if the reading has to end
     */
    void read(int bytes) throws IOException;
  }

  /** Says that others use all memory; it may be free later. */
  @InterfaceAudience.Private
  public static final class NoMemoryException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message what lacks memory */
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
   * @param key the key of all digests that are compared with this one
   * @param kernel multiplies and adds
   * @param memory has the memory for that, some 350 KiB, for which it waits a while
   * @param watch follows the reading
   * @return the digest
   * @throws NoMemoryException if no memory is free
   * @throws IOException if the unit cannot be read, or the memory is too small
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

  /** Adds all pieces, each with its factors, to the sums. */
  private static void add(UnitSource unit, DigestFactors random, RegionKernel kernel,
      ByteBuffer read, ByteBuffer sums, ByteBuffer tables, Watch watch) throws IOException {
    ByteBuffer[] pieces = cut(read, PIECES, PIECE_BYTES);
    ByteBuffer[] rows = cut(sums, ROWS, PIECE_BYTES);
    zero(sums);
    for (long offset = 0; offset < unit.length(); offset += read.capacity()) {
      int bytes = (int) Math.min(read.capacity(), unit.length() - offset);
      read.clear().limit(bytes);
      unit.read(offset, read.duplicate());
      // All pieces have factors, and those of zeros add nothing.
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

  /** Adds up the parts of each sum, each part with its factor. */
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
   * Makes the digest.
   *
   * @param sums {@link #ROWS} sums, one behind the other
   * @param length their length in bytes
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
   * Says whether units satisfy all relations of their code, by their digests.
   *
   * @param code a code without sub-chunks
   * @param digests the digests of the units, all with one key; a unit without bytes needs none
   * @return whether they do
   * @throws IllegalArgumentException if the code has sub-chunks, or no unit with one of the indices
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
}
