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
package org.hdfsppr.coder.gf;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A kernel of the native library. The C code does not check its arguments, so this class checks all
 * bounds. The C code works on direct buffers in place. If an argument is a heap buffer, this class
 * copies all buffers, slice by slice, through direct buffers of the thread. That is still faster
 * than the Java kernel.
 */
final class NativeKernel implements RegionKernel {
  static final String GFNI = "gfni";
  static final String ISAL = "isal";

  // The bits that features() returns. They have the same values as in native/src/jni.c.
  private static final int HAS_GFNI = 1;
  private static final int HAS_ISAL = 2;

  /**
   * How many bytes each direct buffer of a thread has. The usual ten to twenty buffers fit into a
   * second-level cache.
   */
  private static final int SLICE_BYTES = 16 * 1024;

  private static final ThreadLocal<ByteBuffer[]> SLICES =
      ThreadLocal.withInitial(() -> new ByteBuffer[0]);

  /**
   * Each thread keeps an array for the addresses of the buffers of a call. It grows to the largest
   * number of buffers that a call of the thread has had.
   */
  private static final ThreadLocal<long[]> ADDRESSES = ThreadLocal.withInitial(() -> new long[32]);

  private final String name;
  private final boolean gfni;

  private NativeKernel(String name) {
    this.name = name;
    this.gfni = name.equals(GFNI);
  }

  /**
   * Returns, for each kernel that the library may contain, either the kernel or the reason why it
   * does not run on this machine. The fastest kernel comes first.
   */
  static List<Candidate> supported() {
    int features = features();
    List<Candidate> candidates = new ArrayList<>();
    candidates.add((features & HAS_GFNI) != 0
        ? new Candidate(GFNI, new NativeKernel(GFNI), null)
        : new Candidate(GFNI, null, "this CPU has no GFNI with AVX-512"));
    candidates.add((features & HAS_ISAL) != 0
        ? new Candidate(ISAL, new NativeKernel(ISAL), null)
        : new Candidate(ISAL, null, "the native library was built without ISA-L"));
    return candidates;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean skipsZeros(GfMatrix coefficients) {
    return gfni && GfniTables.isPaired(coefficients);
  }

  @Override
  public RegionOperator prepare(GfMatrix coefficients) {
    return prepare(coefficients, ByteBuffer::allocateDirect);
  }

  @Override
  public RegionOperator prepare(GfMatrix coefficients, IntFunction<ByteBuffer> tables) {
    return new NativeOperator(coefficients, gfni, bytes -> {
      ByteBuffer memory = tables.apply(bytes);
      if (!memory.isDirect() || memory.capacity() < bytes) {
        throw new IllegalArgumentException("tables need " + bytes + " bytes of direct memory, not "
            + memory);
      }
      return memory.order(ByteOrder.nativeOrder());
    });
  }

  @Override
  public int tableBytesMost(int rows, int columns) {
    return gfni ? GfniTables.bytesMost(rows, columns) : IsalTables.bytes(rows, columns);
  }

  @Override
  public String toString() {
    return name;
  }

  /** Returns a bit for each kernel that the library contains and that runs on this CPU. */
  private static native int features();

  /** Returns the address of a direct buffer's memory. The argument must be a direct buffer. */
  private static native long address(ByteBuffer buffer);

  private static native void applyGfni(long program, long[] addresses, int inputs, int outputs,
      int length, boolean accumulate);

  private static native void applyIsal(long tables, long[] addresses, int inputs, int outputs,
      int length, boolean accumulate);

  /**
   * Returns the thread's direct buffers of {@link #SLICE_BYTES}, at least {@code count} of them.
   */
  private static ByteBuffer[] slices(int count) {
    ByteBuffer[] slices = SLICES.get();
    if (slices.length < count) {
      ByteBuffer[] more = new ByteBuffer[count];
      for (int i = 0; i < count; i++) {
        more[i] = i < slices.length ? slices[i] : ByteBuffer.allocateDirect(SLICE_BYTES);
      }
      SLICES.set(more);
      return more;
    }
    return slices;
  }

  private static long[] addresses(int count) {
    long[] addresses = ADDRESSES.get();
    if (addresses.length < count) {
      addresses = new long[count];
      ADDRESSES.set(addresses);
    }
    return addresses;
  }

  /** A kernel of the library, or the reason why the kernel does not run on this machine. */
  static final class Candidate {
    final String name;
    /** The kernel, or null if it does not run on this machine. */
    final RegionKernel kernel;
    final String reason;

    Candidate(String name, RegionKernel kernel, String reason) {
      this.name = name;
      this.kernel = kernel;
      this.reason = reason;
    }
  }

  /** Applies a matrix. Its tables are in direct memory, which the C code reads. */
  private static final class NativeOperator extends RegionOperator {
    private final boolean gfni;
    /** The memory at {@link #tablesAddress}, which the operator or its caller has allocated. */
    private final ByteBuffer tables;
    private final long tablesAddress;

    NativeOperator(GfMatrix coefficients, boolean gfni, IntFunction<ByteBuffer> memory) {
      super(coefficients);
      this.gfni = gfni;
      this.tables = gfni ? GfniTables.program(coefficients, memory)
          : IsalTables.expand(coefficients, memory);
      this.tablesAddress = address(tables);
    }

    @Override
    void run(ByteBuffer[] inputs, ByteBuffer[] outputs, int length, boolean accumulate) {
      if (direct(inputs) && direct(outputs)) {
        call(inputs, outputs, length, accumulate);
      } else {
        copyAndCall(inputs, outputs, length, accumulate);
      }
    }

    private static boolean direct(ByteBuffer[] buffers) {
      for (ByteBuffer buffer : buffers) {
        if (!buffer.isDirect()) {
          return false;
        }
      }
      return true;
    }

    /**
     * Calls the C code with the addresses of buffers, and not with the buffers, because C code
     * takes longer than compiled Java code to read buffers from an array.
     */
    private void call(ByteBuffer[] inputs, ByteBuffer[] outputs, int length, boolean accumulate) {
      long[] addresses = addresses(inputs.length + outputs.length);
      for (int i = 0; i < inputs.length; i++) {
        addresses[i] = region(inputs[i], length);
      }
      for (int o = 0; o < outputs.length; o++) {
        addresses[inputs.length + o] = region(outputs[o], length);
      }
      try {
        apply(addresses, length, accumulate);
      } finally {
        // The garbage collector may free a buffer while the C code has only its address. The fences
        // keep the buffers reachable until the call returns.
        Reference.reachabilityFence(inputs);
        Reference.reachabilityFence(outputs);
      }
    }

    /**
     * Calls the C code.
     *
     * @param addresses the addresses of the inputs, followed by the addresses of the outputs
     */
    private void apply(long[] addresses, int length, boolean accumulate) {
      try {
        if (gfni) {
          applyGfni(tablesAddress, addresses, inputs(), outputs(), length, accumulate);
        } else {
          applyIsal(tablesAddress, addresses, inputs(), outputs(), length, accumulate);
        }
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    /**
     * Returns the address of the byte at a buffer's position. It checks the position again, against
     * the capacity, which never changes. So if another thread moves a position during the call, the
     * caller may get wrong bytes, but the C code never touches memory outside of the buffer.
     */
    private static long region(ByteBuffer buffer, int length) {
      int position = buffer.position();
      if (position > buffer.capacity() - length) {
        throw new IllegalArgumentException("a buffer's position was changed during the call");
      }
      return address(buffer) + position;
    }

    private void copyAndCall(ByteBuffer[] inputs, ByteBuffer[] outputs, int length,
        boolean accumulate) {
      int count = inputs.length + outputs.length;
      ByteBuffer[] slices = slices(count);
      long[] addresses = addresses(count);
      for (int i = 0; i < count; i++) {
        addresses[i] = address(slices[i]);
      }
      for (int start = 0; start < length; start += SLICE_BYTES) {
        int bytes = Math.min(SLICE_BYTES, length - start);
        for (int i = 0; i < inputs.length; i++) {
          copy(inputs[i], start, slices[i], bytes);
        }
        for (int o = 0; accumulate && o < outputs.length; o++) {
          copy(outputs[o], start, slices[inputs.length + o], bytes);
        }
        // A ThreadLocal refers to the slices, so that their memory stays allocated without a fence.
        apply(addresses, bytes, accumulate);
        for (int o = 0; o < outputs.length; o++) {
          copyBack(slices[inputs.length + o], outputs[o], start, bytes);
        }
      }
    }

    /**
     * Returns the index, in the buffer's array, of the byte {@code start} of the region. It makes
     * the same check as {@link #region}.
     */
    private static int arrayIndex(ByteBuffer buffer, int start, int count) {
      int position = buffer.position();
      if (position + start > buffer.capacity() - count) {
        throw new IllegalArgumentException("a buffer's position was changed during the call");
      }
      return buffer.arrayOffset() + position + start;
    }

    private static void copy(ByteBuffer source, int start, ByteBuffer slice, int count) {
      slice.clear();
      if (source.hasArray()) {
        slice.put(source.array(), arrayIndex(source, start, count), count);
      } else {
        ByteBuffer part = source.duplicate();
        part.position(part.position() + start).limit(part.position() + count);
        slice.put(part);
      }
    }

    private static void copyBack(ByteBuffer slice, ByteBuffer target, int start, int count) {
      slice.clear().limit(count);
      if (target.hasArray()) {
        slice.get(target.array(), arrayIndex(target, start, count), count);
      } else {
        ByteBuffer part = target.duplicate();
        part.position(part.position() + start);
        part.put(slice);
      }
    }
  }

  /**
   * Makes the programs that the GFNI kernel reads in place of coefficients.
   *
   * <p>The instruction GF2P8MULB cannot be used: it multiplies modulo 0x11b, the polynomial of AES,
   * and not modulo the polynomial of this field. But a multiplication by a constant is linear over
   * GF(2) in any field, and the instruction GF2P8AFFINEQB multiplies each byte by an 8x8 bit
   * matrix. So a program has a bit matrix of eight bytes for each coefficient.
   *
   * <p>The kernel computes outputs in groups, so that each load of an input serves a whole group. A
   * program consists of these 8-byte words:
   *
   * <pre>
   *   number of groups
   *   per group:  outputs in it | inputs used
   *               per input used:  index of the input | one bit matrix per output of the group
   * </pre>
   *
   * <p>If all coefficients of an input in a group are zero, the program leaves the input out of
   * this group, and the kernel does not read it for this group.
   *
   * <p>The parities of a code with two sub-chunks do not fit into one group. Their outputs are in
   * two halves: first the parities of the first sub-chunks, then those of the second sub-chunks.
   * Most inputs contribute mainly to the outputs of one half. If every input contributes to at most
   * one output of the other half, which is the <i>guest</i> of the input, the class makes a second
   * kind of program. It reads every input only once, and multiplies by few zeros:
   *
   * <pre>
   *   0 | h, the number of outputs in a half | one bit for each output of the first half, 1 if
   *   the program adds the corresponding output of the second half to it at the end
   *   per section (first half, no guest; guest 0; ... guest h - 1; second half likewise):
   *       number of inputs
   *   number of inputs | their indexes, section after section
   *   per input:  one bit matrix per output of its half | one for the guest, if there is one
   * </pre>
   */
  static final class GfniTables {
    /**
     * How many outputs a group has at most. The kernel needs two accumulators for each output, and
     * all accumulators have to fit into registers, see gfni.c.
     */
    static final int GROUP = 6;

    /**
     * How many outputs each half has at least in a program of two halves. With fewer outputs, a
     * program of groups is as fast.
     */
    static final int HALF_MIN = 3;
    static final int HALF_MAX = 4;

    private static final long[] BIT_MATRICES = new long[256];

    static {
      for (int c = 0; c < BIT_MATRICES.length; c++) {
        BIT_MATRICES[c] = bitMatrix(c);
      }
    }

    private GfniTables() {
    }

    /**
     * Returns the bit matrix of a multiplication by {@code c}. The instruction computes bit b of
     * the result as the parity of (source AND byte 7 - b of the matrix). So bit j of that byte has
     * to be bit b of c * x^j.
     */
    private static long bitMatrix(int c) {
      long matrix = 0;
      for (int b = 0; b < 8; b++) {
        for (int j = 0; j < 8; j++) {
          long bit = Gf256.mul(c, 1 << j) >>> b & 1;
          matrix |= bit << ((7 - b) * 8 + j);
        }
      }
      return matrix;
    }

    /** Returns whether a program of two halves can be made for the matrix. */
    static boolean isPaired(GfMatrix coefficients) {
      int h = coefficients.rows() / 2;
      if (coefficients.rows() % 2 != 0 || h < HALF_MIN || h > HALF_MAX) {
        return false;
      }
      GfMatrix unjoined = unjoin(coefficients);
      return IntStream.range(0, coefficients.columns()).noneMatch(i ->
          Math.min(wanted(unjoined, i, 0).length, wanted(unjoined, i, 1).length) > 1);
    }

    /**
     * Returns whether the program first computes the sum of outputs o and h + o in place of output
     * o, and adds output h + o to it at the end. This saves work if the sum has fewer products than
     * output o.
     */
    private static boolean isJoined(GfMatrix coefficients, int o) {
      int h = coefficients.rows() / 2;
      return o < h && IntStream.range(0, coefficients.columns()).map(i -> {
        int own = coefficients.get(o, i);
        int other = coefficients.get(h + o, i);
        return (own != 0 ? 1 : 0) - (own != other ? 1 : 0);
      }).sum() > 0;
    }

    private static GfMatrix unjoin(GfMatrix coefficients) {
      int h = coefficients.rows() / 2;
      boolean[] joined = new boolean[2 * h];
      for (int o = 0; o < h; o++) {
        joined[o] = isJoined(coefficients, o);
      }
      return GfMatrix.generate(2 * h, coefficients.columns(), (o, i) ->
          coefficients.get(o, i) ^ (joined[o] ? coefficients.get(h + o, i) : 0));
    }

    /** Returns the outputs of a half, counted from 0, to which an input contributes. */
    private static int[] wanted(GfMatrix coefficients, int input, int half) {
      int h = coefficients.rows() / 2;
      return IntStream.range(0, h).filter(o -> coefficients.get(half * h + o, input) != 0)
          .toArray();
    }

    /** Returns the index of the section of an input; -1 if the input contributes to no output. */
    private static int section(GfMatrix coefficients, int input) {
      int[][] wanted = {wanted(coefficients, input, 0), wanted(coefficients, input, 1)};
      int half = wanted[1].length > wanted[0].length ? 1 : 0;
      if (wanted[half].length == 0) {
        return -1;
      }
      int[] guests = wanted[1 - half];
      return half * (coefficients.rows() / 2 + 1) + (guests.length == 0 ? 0 : 1 + guests[0]);
    }

    /** Returns how many bytes a program for these numbers of rows and columns has at most. */
    static int bytesMost(int rows, int columns) {
      int groups = (rows + GROUP - 1) / GROUP;
      // This is enough for both kinds of programs: their counts of groups or sections, and for each
      // input in each group or section its index and its bit matrices.
      return (6 + 2 * rows + columns * (2 + groups + rows)) * Long.BYTES;
    }

    private static ByteBuffer pairedProgram(GfMatrix coefficients, IntFunction<ByteBuffer> memory) {
      GfMatrix unjoined = unjoin(coefficients);
      int h = coefficients.rows() / 2;
      int sections = 2 * (h + 1);
      int[][] inputs = new int[sections][];
      for (int s = 0; s < sections; s++) {
        int section = s;
        inputs[s] = IntStream.range(0, unjoined.columns())
            .filter(i -> section(unjoined, i) == section).toArray();
      }
      int used = Arrays.stream(inputs).mapToInt(i -> i.length).sum();
      ByteBuffer program = memory.apply((4 + sections + used * (2 + h)) * Long.BYTES);
      program.putLong(0).putLong(h);
      program.putLong(IntStream.range(0, h).filter(o -> isJoined(coefficients, o))
          .map(o -> 1 << o).sum());
      Arrays.stream(inputs).forEach(i -> program.putLong(i.length));
      program.putLong(used);
      Arrays.stream(inputs).flatMapToInt(Arrays::stream).forEach(program::putLong);
      for (int s = 0; s < sections; s++) {
        int half = s / (h + 1);
        int guest = s % (h + 1) - 1;
        for (int i : inputs[s]) {
          for (int o = 0; o < h; o++) {
            program.putLong(BIT_MATRICES[unjoined.get(half * h + o, i)]);
          }
          if (guest >= 0) {
            program.putLong(BIT_MATRICES[unjoined.get((1 - half) * h + guest, i)]);
          }
        }
      }
      return program;
    }

    /**
     * Makes the program for a matrix.
     *
     * @param memory allocates the direct buffer for the program; its argument is the number of
     *     bytes
     */
    static ByteBuffer program(GfMatrix coefficients, IntFunction<ByteBuffer> memory) {
      if (isPaired(coefficients)) {
        return pairedProgram(coefficients, memory);
      }
      int groups = (coefficients.rows() + GROUP - 1) / GROUP;
      int[][] usedByGroup = new int[groups][];
      int words = 1;
      for (int g = 0; g < groups; g++) {
        int outputs = Math.min(GROUP, coefficients.rows() - g * GROUP);
        usedByGroup[g] = used(coefficients, g * GROUP, outputs);
        words += 2 + usedByGroup[g].length * (1 + outputs);
      }
      ByteBuffer program = memory.apply(words * Long.BYTES);
      program.putLong(groups);
      for (int g = 0; g < groups; g++) {
        int outputs = Math.min(GROUP, coefficients.rows() - g * GROUP);
        program.putLong(outputs).putLong(usedByGroup[g].length);
        for (int i : usedByGroup[g]) {
          program.putLong(i);
          for (int o = 0; o < outputs; o++) {
            program.putLong(BIT_MATRICES[coefficients.get(g * GROUP + o, i)]);
          }
        }
      }
      return program;
    }

    private static int[] used(GfMatrix coefficients, int firstRow, int rows) {
      int[] used = new int[coefficients.columns()];
      int count = 0;
      for (int i = 0; i < coefficients.columns(); i++) {
        for (int r = firstRow; r < firstRow + rows; r++) {
          if (coefficients.get(r, i) != 0) {
            used[count++] = i;
            break;
          }
        }
      }
      return Arrays.copyOf(used, count);
    }
  }

  /**
   * Makes the tables that ISA-L reads in place of coefficients, in the layout of its {@code
   * ec_init_tables}. The tables contain for each coefficient c, row after row, the products of c
   * with 0 to 15, and then with 0, 16, 32, ..., 240. The product of c and a byte is the XOR of two
   * entries: the entry for the low half of the byte and the entry for its high half.
   */
  static final class IsalTables {
    private static final int NIBBLES = 16;

    private IsalTables() {
    }

    static int bytes(int rows, int columns) {
      return rows * columns * 2 * NIBBLES;
    }

    /**
     * Makes the tables for a matrix.
     *
     * @param memory allocates the direct buffer for the tables; its argument is the number of bytes
     */
    static ByteBuffer expand(GfMatrix coefficients, IntFunction<ByteBuffer> memory) {
      ByteBuffer tables = memory.apply(bytes(coefficients.rows(), coefficients.columns()));
      for (int o = 0; o < coefficients.rows(); o++) {
        for (int i = 0; i < coefficients.columns(); i++) {
          for (int low = 0; low < NIBBLES; low++) {
            tables.put((byte) Gf256.mul(coefficients.get(o, i), low));
          }
          for (int high = 0; high < NIBBLES; high++) {
            tables.put((byte) Gf256.mul(coefficients.get(o, i), high << 4));
          }
        }
      }
      return tables;
    }
  }
}
