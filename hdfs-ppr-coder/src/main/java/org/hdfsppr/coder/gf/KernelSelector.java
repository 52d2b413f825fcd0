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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Implements the rules by which {@link Kernels} chooses a kernel. It is a class of its own, whose
 * constructor takes the native library as an argument, so that tests can use several libraries.
 * {@link Kernels} loads one library for the whole process.
 */
final class KernelSelector {
  /** The name that chooses the fastest kernel that works. */
  static final String AUTO = "auto";

  /**
   * The logger has the name of the public class {@link Kernels}, because operators configure it by
   * that name.
   */
  private static final Logger LOG = LoggerFactory.getLogger("org.hdfsppr.coder.gf.Kernels");

  private final Supplier<NativeLibrary> libraries;
  private final JavaKernel java = new JavaKernel();
  /**
   * The names of kernels and the texts of problems that this object has logged already. Guarded by
   * this object's monitor.
   */
  private final Set<String> said = new HashSet<>();

  /** @param libraries returns the native library, and loads it at the first call */
  KernelSelector(Supplier<NativeLibrary> libraries) {
    this.libraries = libraries;
  }

  RegionKernel select(String wanted) {
    switch (wanted) {
      case AUTO:
        return chosen(available().get(0));
      case JavaKernel.NAME:
        return chosen(java);
      case NativeKernel.ISAL:
      case NativeKernel.GFNI:
        return chosen(named(wanted));
      default:
        throw new IllegalArgumentException(String.format(Locale.ROOT,
            "there is no kernel \"%s\"; use %s, %s, %s or %s", wanted, AUTO,
            NativeKernel.GFNI, NativeKernel.ISAL, JavaKernel.NAME));
    }
  }

  List<RegionKernel> available() {
    NativeLibrary library = libraries.get();
    library.problem().ifPresent(problem -> {
      if (firstTime(problem)) {
        LOG.warn("Falling back to the {} kernel, which is several times slower: {}",
            JavaKernel.NAME, problem);
      }
    });
    List<RegionKernel> kernels = new ArrayList<>(library.kernels);
    kernels.add(java);
    return kernels;
  }

  /** Returns why no native kernel works here; empty if one works. */
  String whyOnlyJava() {
    NativeLibrary library = libraries.get();
    if (!library.kernels.isEmpty()) {
      return "";
    }
    return library.problem().orElseGet(() -> NativeKernel.GFNI + ": "
        + library.whyNot(NativeKernel.GFNI) + "; " + NativeKernel.ISAL + ": "
        + library.whyNot(NativeKernel.ISAL));
  }

  private RegionKernel named(String wanted) {
    NativeLibrary library = libraries.get();
    for (RegionKernel kernel : library.kernels) {
      if (kernel.name().equals(wanted)) {
        return kernel;
      }
    }
    throw new IllegalArgumentException("the kernel \"" + wanted + "\" cannot be used here: "
        + library.whyNot(wanted) + "; set \"" + AUTO + "\" to use the best one that works");
  }

  private RegionKernel chosen(RegionKernel kernel) {
    if (firstTime(kernel.name())) {
      LOG.info("Using the {} kernel for erasure coding", kernel.name());
    }
    return kernel;
  }

  private synchronized boolean firstTime(String what) {
    return said.add(what);
  }

  /**
   * The kernel that works on every machine. It has no tables. It processes eight bytes at a time as
   * a long, in plain loops over long arrays. The JIT compiler turns these loops into vector
   * instructions.
   *
   * <p>It computes a sum of products bit by bit, by Horner's rule. Let S_b be the XOR of those
   * inputs whose coefficient has bit b set. Then
   *
   * <pre>
   *   sum of c_i * in_i  =  ((S_7 * x + S_6) * x + S_5) * x + ... + S_0
   * </pre>
   *
   * <p>So an output costs at most seven multiplications by x, and one XOR for each bit that is set
   * in a coefficient. A multiplication by x consists of a few shifts and masks on eight bytes at
   * once. A zero coefficient costs nothing, and a row of ones is a plain XOR, without special
   * cases.
   *
   * <p>Most implementations use tables, but the JIT compiler does not vectorize look-ups. For
   * RS(6,3) in cells of 64 KiB, on a Zen 4 core with JDK 17, this kernel processes 5.0 GB of data
   * per second, and 1.5 GB without the vectorizer. Kernels with tables are slower. A kernel with
   * one table per input, whose entries hold the products for all three outputs, processes 1.0 GB
   * per second. A kernel with one table of 65536 pairs of products per coefficient processes 0.45
   * GB. Hadoop's Java coder processes 0.4 to 0.5 GB.
   *
   * <p>The kernel copies data through long arrays, block by block, because the JIT compiler
   * vectorizes loops over arrays but not over buffers. The copies are cheap compared with the
   * arithmetic.
   */
  static final class JavaKernel implements RegionKernel {
    static final String NAME = "java";

    /**
     * How many longs of each buffer the kernel processes at a time, as one block: 4 KiB. The six to
     * ten inputs of a usual code then stay in the first-level or the second-level cache while the
     * kernel computes all outputs from them.
     */
    private static final int BLOCK_LONGS = 512;

    /**
     * The scratch arrays of each thread, 4 KiB each. There are two more than the widest operator
     * that the thread has used has inputs. Each thread keeps its arrays, because the JVM fills new
     * arrays with zeros, and that takes longer than a small call.
     */
    private static final ThreadLocal<long[][]> SCRATCH =
        ThreadLocal.withInitial(() -> new long[0][]);

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public boolean skipsZeros(GfMatrix coefficients) {
      return true;
    }

    @Override
    public RegionOperator prepare(GfMatrix coefficients) {
      return new JavaOperator(coefficients);
    }

    @Override
    public String toString() {
      return NAME;
    }

    private static long[][] scratch(int arrays) {
      long[][] scratch = SCRATCH.get();
      if (scratch.length < arrays) {
        long[][] wider = new long[arrays][];
        for (int i = 0; i < arrays; i++) {
          wider[i] = i < scratch.length ? scratch[i] : new long[BLOCK_LONGS];
        }
        SCRATCH.set(wider);
        return wider;
      }
      return scratch;
    }

    /**
     * Returns the steps of Horner's rule for one output. There is a step for each bit, from the
     * highest bit that is set in a coefficient down to bit 0. In each step, the sum is multiplied
     * by x, and then the listed inputs are added.
     */
    private static int[][] horner(GfMatrix coefficients, int row) {
      List<int[]> steps = new ArrayList<>();
      for (int bit = 7; bit >= 0; bit--) {
        int[] chosen = new int[coefficients.columns()];
        int count = 0;
        for (int i = 0; i < coefficients.columns(); i++) {
          if ((coefficients.get(row, i) >>> bit & 1) != 0) {
            chosen[count++] = i;
          }
        }
        if (count > 0 || !steps.isEmpty()) {
          steps.add(Arrays.copyOf(chosen, count));
        }
      }
      return steps.toArray(new int[0][]);
    }

    /** Applies a matrix, with the steps of Horner's rule for each output. */
    private static final class JavaOperator extends RegionOperator {
      private final int[][][] stepsByOutput;

      JavaOperator(GfMatrix coefficients) {
        super(coefficients);
        stepsByOutput = new int[coefficients.rows()][][];
        for (int o = 0; o < stepsByOutput.length; o++) {
          stepsByOutput[o] = horner(coefficients, o);
        }
      }

      @Override
      void run(ByteBuffer[] inputs, ByteBuffer[] outputs, int length, boolean accumulate) {
        long[][] blocks = scratch(inputs.length + 2);
        long[] sum = blocks[inputs.length];
        long[] before = blocks[inputs.length + 1];
        Region[] from = regions(inputs, length);
        Region[] to = regions(outputs, length);
        for (int start = 0; start < length; start += BLOCK_LONGS * Long.BYTES) {
          int bytes = Math.min(BLOCK_LONGS * Long.BYTES, length - start);
          int longs = (bytes + Long.BYTES - 1) / Long.BYTES;
          for (int i = 0; i < from.length; i++) {
            from[i].read(blocks[i], start, bytes);
          }
          for (int o = 0; o < to.length; o++) {
            sumUp(stepsByOutput[o], blocks, sum, longs);
            if (accumulate) {
              to[o].read(before, start, bytes);
              xor(sum, before, longs);
            }
            to[o].write(sum, start, bytes);
          }
        }
      }

      private static Region[] regions(ByteBuffer[] buffers, int length) {
        Region[] regions = new Region[buffers.length];
        for (int i = 0; i < regions.length; i++) {
          regions[i] = new Region(buffers[i], length);
        }
        return regions;
      }

      private static void sumUp(int[][] steps, long[][] inputs, long[] sum, int longs) {
        if (steps.length == 0) {
          Arrays.fill(sum, 0, longs, 0);
          return;
        }
        int[] first = steps[0];
        System.arraycopy(inputs[first[0]], 0, sum, 0, longs);
        addInputs(first, 1, inputs, sum, longs);
        for (int s = 1; s < steps.length; s++) {
          int[] chosen = steps[s];
          int done;
          if (chosen.length >= 2) {
            timesXPlus(sum, inputs[chosen[0]], inputs[chosen[1]], longs);
            done = 2;
          } else if (chosen.length == 1) {
            timesXPlus(sum, inputs[chosen[0]], longs);
            done = 1;
          } else {
            timesX(sum, longs);
            done = 0;
          }
          addInputs(chosen, done, inputs, sum, longs);
        }
      }

      /** Adds the inputs {@code chosen[from]}, {@code chosen[from + 1]}, ... to the sum. */
      private static void addInputs(int[] chosen, int from, long[][] inputs, long[] sum,
          int longs) {
        int i = from;
        for (; i + 4 <= chosen.length; i += 4) {
          xor(sum, inputs[chosen[i]], inputs[chosen[i + 1]], inputs[chosen[i + 2]],
              inputs[chosen[i + 3]], longs);
        }
        for (; i + 2 <= chosen.length; i += 2) {
          xor(sum, inputs[chosen[i]], inputs[chosen[i + 1]], longs);
        }
        if (i < chosen.length) {
          xor(sum, inputs[chosen[i]], longs);
        }
      }
    }

    // The following methods contain the loops. Each loop is in a method of its own without other
    // statements: the JIT compiler vectorizes such loops, and compiles a short method as a whole
    // when it becomes hot.

    /** The top bit of each byte. */
    private static final long HIGH_BITS = 0x8080808080808080L;
    /**
     * The field polynomial without x^8, in each byte. If the shift of a multiplication by x moves
     * the top bit out of a byte, the kernel adds this value to the byte.
     */
    private static final long REDUCTION = 0x1d1d1d1d1d1d1d1dL;

    /**
     * Multiplies eight field elements by x. {@code high - (high >>> 7)} is 0x7f in each byte whose
     * top bit is set, and 0 in the other bytes, without a borrow between bytes. This mask selects
     * the bytes that need the reduction. Bit 7 of the reduction is not set, so the mask need not
     * cover it.
     */
    private static long timesX(long v) {
      long high = v & HIGH_BITS;
      return ((v ^ high) << 1) ^ ((high - (high >>> 7)) & REDUCTION);
    }

    private static void timesX(long[] sum, int longs) {
      for (int i = 0; i < longs; i++) {
        sum[i] = timesX(sum[i]);
      }
    }

    private static void timesXPlus(long[] sum, long[] a, int longs) {
      for (int i = 0; i < longs; i++) {
        sum[i] = timesX(sum[i]) ^ a[i];
      }
    }

    private static void timesXPlus(long[] sum, long[] a, long[] b, int longs) {
      for (int i = 0; i < longs; i++) {
        sum[i] = timesX(sum[i]) ^ a[i] ^ b[i];
      }
    }

    private static void xor(long[] sum, long[] a, int longs) {
      for (int i = 0; i < longs; i++) {
        sum[i] ^= a[i];
      }
    }

    private static void xor(long[] sum, long[] a, long[] b, int longs) {
      for (int i = 0; i < longs; i++) {
        sum[i] ^= a[i] ^ b[i];
      }
    }

    private static void xor(long[] sum, long[] a, long[] b, long[] c, long[] d, int longs) {
      for (int i = 0; i < longs; i++) {
        sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
      }
    }

    /**
     * The region of a buffer as longs in native byte order. Up to seven bytes at the end are
     * treated separately. The arithmetic works with any byte order, as long as reads and writes use
     * the same one.
     */
    private static final class Region {
      private final ByteBuffer bytes;
      private final LongBuffer longs;

      Region(ByteBuffer buffer, int length) {
        ByteBuffer view = buffer.duplicate();
        view.limit(view.position() + length);
        bytes = view.slice().order(ByteOrder.nativeOrder());
        longs = bytes.asLongBuffer();
      }

      void read(long[] into, int start, int count) {
        int whole = count / Long.BYTES;
        longs.position(start / Long.BYTES);
        longs.get(into, 0, whole);
        if (count % Long.BYTES != 0) {
          into[whole] = tail(start, count);
        }
      }

      /**
       * Returns the last one to seven bytes of the region in a long. The first of them is the
       * lowest byte of the long. Zeros fill the bytes above them.
       */
      private long tail(int start, int count) {
        long value = 0;
        for (int i = count - 1; i >= count - count % Long.BYTES; i--) {
          value = value << Byte.SIZE | bytes.get(start + i) & 0xff;
        }
        return value;
      }

      void write(long[] from, int start, int count) {
        int whole = count / Long.BYTES;
        longs.position(start / Long.BYTES);
        longs.put(from, 0, whole);
        long value = count % Long.BYTES == 0 ? 0 : from[whole];
        for (int i = whole * Long.BYTES; i < count; i++) {
          bytes.put(start + i, (byte) value);
          value >>>= Byte.SIZE;
        }
      }
    }
  }
}
