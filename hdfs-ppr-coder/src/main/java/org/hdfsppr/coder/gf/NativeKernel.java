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
import java.util.List;
import java.util.function.IntFunction;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A kernel of the native library. This class checks all bounds, because the C code does not check
 * its arguments. The C code works on direct buffers in place. If an argument is a heap buffer, this
 * class copies all buffers slice by slice through direct buffers of the thread. That is still
 * faster than the Java kernel.
 */
@InterfaceAudience.Private
final class NativeKernel implements RegionKernel {
  static final String GFNI = "gfni";
  static final String ISAL = "isal";

  // The bits that features() returns. They have the same values as in native/src/jni.c.
  private static final int HAS_GFNI = 1;
  private static final int HAS_ISAL = 2;

  /**
   * The length in bytes of each direct buffer of a thread. The usual ten to twenty buffers fit into
   * a second-level cache.
   */
  private static final int SLICE_BYTES = 16 * 1024;

  private static final ThreadLocal<ByteBuffer[]> SLICES =
      ThreadLocal.withInitial(() -> new ByteBuffer[0]);

  /**
   * Each thread's array for the buffer addresses of a call. The array grows to the largest number
   * of buffers that a call of the thread has had.
   */
  private static final ThreadLocal<long[]> ADDRESSES = ThreadLocal.withInitial(() -> new long[32]);

  private final String name;
  private final boolean gfni;

  private NativeKernel(String name) {
    this.name = name;
    this.gfni = name.equals(GFNI);
  }

  /**
   * Returns a candidate for each kernel that the library may contain, fastest first. A candidate
   * contains either the kernel, or the reason why the kernel does not run on this machine.
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
  @InterfaceAudience.Private
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
     * Passes addresses instead of buffers, because C code takes longer than compiled Java code to
     * read buffers from an array.
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
     * Returns the address of a buffer's position. It first checks the position once more against
     * the capacity, which never changes. If another thread moves a position during the call, the
     * caller gets wrong bytes, but the C code never touches memory outside of the buffer.
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
     * Returns the index in the buffer's array of byte {@code start} of the region, after the same
     * check as {@link #region}.
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
}
