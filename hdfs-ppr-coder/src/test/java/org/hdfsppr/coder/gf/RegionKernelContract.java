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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.NativeLibrary.SelfTest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every kernel, which is checked byte by byte against scalar arithmetic. A kernel's
 * test only adds the kernel's name.
 */
@InterfaceAudience.Private
abstract class RegionKernelContract {
  private static final long SEED = 20260103;
  /** The number of bytes before and behind every region, which no kernel may change. */
  private static final int MARGIN = 70;
  private static final int[] BIG_LENGTHS =
      {511, 512, 513, 1007, 4095, 4096, 4097, 16384, 16385, 65536, 65543, (1 << 20) + 1};
  /** The oracle's products in a table, so that the comparisons are fast. */
  private static final byte[][] PRODUCTS = new byte[256][256];

  static {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        PRODUCTS[a][b] = (byte) Gf256.mul(a, b);
      }
    }
  }

  private final Random random = new Random(SEED);
  private RegionKernel kernel;

  /** Returns the kernel under test. Skips the test if the kernel does not run on this machine. */
  abstract RegionKernel kernel();

  @BeforeAll
  static void seed() {
    System.out.println("seed " + SEED);
  }

  @BeforeEach
  void setUp() {
    kernel = kernel();
  }

  /** The kinds of buffers. The bytes in and around the region are the same for all kinds. */
  private enum Kind { DIRECT, HEAP, HEAP_SLICE, DIRECT_LITTLE_ENDIAN }

  private ByteBuffer buffer(Kind kind, int position, int length) {
    int size = position + length + MARGIN;
    byte[] content = new byte[size];
    random.nextBytes(content);
    ByteBuffer buffer;
    switch (kind) {
      case HEAP:
        buffer = ByteBuffer.allocate(size);
        break;
      case HEAP_SLICE:
        buffer = ByteBuffer.allocate(size + 5);
        buffer.position(5);
        buffer = buffer.slice();
        break;
      case DIRECT_LITTLE_ENDIAN:
        buffer = ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
        break;
      default:
        buffer = ByteBuffer.allocateDirect(size);
        break;
    }
    buffer.duplicate().put(content);
    buffer.position(position);
    return buffer;
  }

  private ByteBuffer[] buffers(int count, Kind kind, int length) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = buffer(kind, MARGIN + i, length);
    }
    return buffers;
  }

  private GfMatrix matrix(int inputs, int outputs) {
    // Zeros and ones are more frequent than by chance, because kernels treat them specially.
    return GfMatrix.generate(outputs, inputs, (r, c) -> {
      int kind = random.nextInt(8);
      return kind == 0 ? 0 : kind == 1 ? 1 : random.nextInt();
    });
  }

  private static byte[] content(ByteBuffer buffer) {
    byte[] content = new byte[buffer.capacity()];
    ByteBuffer all = buffer.duplicate();
    all.clear();
    all.get(content);
    return content;
  }

  private static byte[][] contents(ByteBuffer[] buffers) {
    byte[][] contents = new byte[buffers.length][];
    for (int i = 0; i < buffers.length; i++) {
      contents[i] = content(buffers[i]);
    }
    return contents;
  }

  /**
   * Applies an operator, and compares every byte of every buffer, and the position and limit of
   * each.
   */
  private static void applyAndCheck(RegionOperator operator, ByteBuffer[] inputs,
      ByteBuffer[] outputs, int length, boolean accumulate) {
    byte[][] in = contents(inputs);
    byte[][] expected = contents(outputs);
    List<String> before = states(inputs, outputs);
    for (int o = 0; o < outputs.length; o++) {
      int to = outputs[o].position();
      for (int x = 0; x < length && !accumulate; x++) {
        expected[o][to + x] = 0;
      }
      for (int i = 0; i < inputs.length; i++) {
        byte[] products = PRODUCTS[operator.coefficients().get(o, i)];
        int from = inputs[i].position();
        for (int x = 0; x < length; x++) {
          expected[o][to + x] ^= products[in[i][from + x] & 0xff];
        }
      }
    }
    operator.apply(inputs, outputs, length, accumulate);
    String what = String.format("%s, %d bytes%s", operator, length, accumulate ? ", added" : "");
    assertSame(in, contents(inputs), "input", what);
    assertSame(expected, contents(outputs), "output", what);
    assertEquals(before, states(inputs, outputs), what);
  }

  private static void assertSame(byte[][] expected, byte[][] actual, String kind, String what) {
    for (int i = 0; i < expected.length; i++) {
      for (int x = 0; x < expected[i].length; x++) {
        if (expected[i][x] != actual[i][x]) {
          fail(kind + " " + i + " differs at byte " + x + ": " + what);
        }
      }
    }
  }

  private static List<String> states(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    List<String> states = new ArrayList<>();
    for (ByteBuffer[] buffers : List.of(inputs, outputs)) {
      for (ByteBuffer buffer : buffers) {
        states.add(buffer.toString() + buffer.order());
      }
    }
    return states;
  }

  /**
   * The tables fit into the memory that the caller provides, and are right although that memory
   * held other bytes.
   */
  @Test
  void tablesInTheCallersMemory() {
    for (int inputs : new int[] {1, 2, 6, 10, 16, 61, 128}) {
      for (int outputs : new int[] {1, 2, 4, 6, 7, 8, 13, 65, 128}) {
        for (GfMatrix matrix : new GfMatrix[] {matrix(inputs, outputs), halves(inputs, outputs)}) {
          AtomicInteger calls = new AtomicInteger();
          RegionOperator operator = kernel.prepare(matrix, bytes -> {
            calls.incrementAndGet();
            assertTrue(bytes <= kernel.tableBytesMost(outputs, inputs), bytes + " bytes for "
                + outputs + " x " + inputs);
            return buffer(Kind.DIRECT, 0, bytes - MARGIN);
          });
          assertEquals(kernel.tableBytesMost(outputs, inputs) > 0 ? 1 : 0, calls.get());
          ByteBuffer[] in = buffers(inputs, Kind.DIRECT, 100);
          ByteBuffer[] out = buffers(outputs, Kind.DIRECT, 100);
          ByteBuffer[] expected = buffers(outputs, Kind.DIRECT, 100);
          operator.apply(in, out, 100, false);
          kernel.prepare(matrix).apply(in, expected, 100, false);
          for (int o = 0; o < outputs; o++) {
            assertEquals(expected[o].duplicate().limit(expected[o].position() + 100),
                out[o].duplicate().limit(out[o].position() + 100), "output " + o);
          }
        }
      }
    }
  }

  /**
   * Returns a matrix whose upper and lower half of rows share no input. Kernels may have shortcuts
   * for this.
   */
  private GfMatrix halves(int inputs, int outputs) {
    return GfMatrix.generate(outputs, inputs, (r, c) ->
        r < outputs / 2 == (c % 2 == 0) ? 1 + random.nextInt(255) : 0);
  }

  @Test
  void everyCoefficientAtEveryShortLength() {
    for (int c = 0; c < 256; c++) {
      int coefficient = c;
      RegionOperator operator = kernel.prepare(GfMatrix.generate(1, 1, (r, i) -> coefficient));
      ByteBuffer[] inputs = buffers(1, Kind.DIRECT, 300);
      ByteBuffer[] outputs = buffers(1, Kind.DIRECT, 300);
      for (int length = c % 7; length <= 300; length += 7) {
        applyAndCheck(operator, inputs, outputs, length, false);
        applyAndCheck(operator, inputs, outputs, length, true);
      }
    }
  }

  @Test
  void everyLengthOfAUsualCode() {
    for (Kind kind : Kind.values()) {
      RegionOperator operator = kernel.prepare(matrix(6, 3));
      for (int length = 0; length <= 300; length++) {
        ByteBuffer[] inputs = buffers(6, kind, length);
        ByteBuffer[] outputs = buffers(3, kind, length);
        applyAndCheck(operator, inputs, outputs, length, false);
        applyAndCheck(operator, inputs, outputs, length, true);
      }
      for (int length : BIG_LENGTHS) {
        ByteBuffer[] inputs = buffers(6, kind, length);
        ByteBuffer[] outputs = buffers(3, kind, length);
        applyAndCheck(operator, inputs, outputs, length, false);
        applyAndCheck(operator, inputs, outputs, length, true);
      }
    }
  }

  @Test
  void everyShapeOfABlockGroup() {
    for (int inputs = 1; inputs <= 16; inputs++) {
      for (int outputs = 1; outputs <= 6; outputs++) {
        RegionOperator operator = kernel.prepare(matrix(inputs, outputs));
        for (int length : new int[] {1, 8, 63, 64, 200, 1007}) {
          ByteBuffer[] in = buffers(inputs, Kind.DIRECT, length);
          ByteBuffer[] out = buffers(outputs, Kind.DIRECT, length);
          applyAndCheck(operator, in, out, length, false);
          applyAndCheck(operator, in, out, length, true);
        }
      }
    }
  }

  @Test
  void shapesOfCodesWithManySubChunks() {
    for (int[] shape : new int[][] {{128, 1}, {48, 16}, {1, 128}, {128, 128}}) {
      RegionOperator operator = kernel.prepare(matrix(shape[0], shape[1]));
      ByteBuffer[] in = buffers(shape[0], Kind.DIRECT, 77);
      ByteBuffer[] out = buffers(shape[1], Kind.DIRECT, 77);
      applyAndCheck(operator, in, out, 77, false);
      applyAndCheck(operator, in, out, 77, true);
    }
  }

  @Test
  void rowsAndColumnsOfZerosAndOnes() {
    for (int length : new int[] {1, 100, 5000}) {
      for (GfMatrix matrix : List.of(
          GfMatrix.generate(2, 3, (r, c) -> 0),
          GfMatrix.generate(1, 10, (r, c) -> 1),
          GfMatrix.identity(4),
          GfMatrix.generate(3, 5, (r, c) -> c == 2 ? 0 : 7 * r + c),
          // These matrices have columns with one or two coefficients that are not zero.
          GfMatrix.generate(4, 9, (r, c) -> c < 3 || c % 4 == r ? 7 * r + c + 1 : 0),
          GfMatrix.generate(9, 11, (r, c) -> c % 9 == r || (c + 4) % 9 == r ? r + c + 1 : 0),
          GfMatrix.generate(8, 5, (r, c) -> r < 6 ? 0 : r + c))) {
        RegionOperator operator = kernel.prepare(matrix);
        ByteBuffer[] in = buffers(matrix.columns(), Kind.DIRECT, length);
        ByteBuffer[] out = buffers(matrix.rows(), Kind.DIRECT, length);
        applyAndCheck(operator, in, out, length, false);
        applyAndCheck(operator, in, out, length, true);
      }
    }
  }

  @Test
  void everyAlignment() {
    RegionOperator operator = kernel.prepare(matrix(3, 2));
    for (int shift = 0; shift < 64; shift++) {
      for (int length : new int[] {7, 64, 129, 200}) {
        ByteBuffer[] in = {buffer(Kind.DIRECT, shift, length),
            buffer(Kind.DIRECT, (shift + 13) % 64, length),
            buffer(Kind.DIRECT, 63 - shift, length)};
        ByteBuffer[] out = {buffer(Kind.DIRECT, (5 * shift) % 64, length),
            buffer(Kind.DIRECT, shift, length)};
        applyAndCheck(operator, in, out, length, false);
        applyAndCheck(operator, in, out, length, true);
      }
    }
  }

  @Test
  void directAndHeapBuffersMix() {
    for (int length : new int[] {1, 300, 16384, 40000}) {
      RegionOperator operator = kernel.prepare(matrix(4, 2));
      ByteBuffer[] in = {buffer(Kind.DIRECT, 3, length), buffer(Kind.HEAP, 0, length),
          buffer(Kind.HEAP_SLICE, 9, length).asReadOnlyBuffer(),
          buffer(Kind.DIRECT_LITTLE_ENDIAN, 8, length).asReadOnlyBuffer()};
      ByteBuffer[] out = {buffer(Kind.HEAP_SLICE, 1, length), buffer(Kind.DIRECT, 2, length)};
      applyAndCheck(operator, in, out, length, false);
      applyAndCheck(operator, in, out, length, true);
    }
  }

  @Test
  void anInputMayBeGivenTwice() {
    ByteBuffer input = buffer(Kind.DIRECT, 0, 500);
    RegionOperator operator = kernel.prepare(GfMatrix.of(new byte[][] {{3, 3}, {3, 4}}));
    applyAndCheck(operator, new ByteBuffer[] {input, input}, buffers(2, Kind.DIRECT, 500), 500,
        false);
  }

  @Test
  void aRejectedCallChangesNothing() {
    RegionOperator operator = kernel.prepare(matrix(3, 2));
    ByteBuffer[] in = buffers(3, Kind.DIRECT, 100);
    ByteBuffer[] out = buffers(2, Kind.DIRECT, 100);
    byte[][] before = contents(out);
    ByteBuffer shortOne = ByteBuffer.allocateDirect(99);
    rejected("expected 3 inputs, got 2", operator, new ByteBuffer[] {in[0], in[1]}, out, 100);
    rejected("expected 2 outputs, got 1", operator, in, new ByteBuffer[] {out[0]}, 100);
    rejected("input 1 has 99 bytes remaining, 100 are needed", operator,
        new ByteBuffer[] {in[0], shortOne, in[2]}, out, 100);
    rejected("output 1 has 99 bytes remaining, 100 are needed", operator, in,
        new ByteBuffer[] {out[0], shortOne}, 100);
    rejected("output 1 is read-only", operator, in,
        new ByteBuffer[] {out[0], out[1].asReadOnlyBuffer()}, 100);
    rejected("length is negative: -1", operator, in, out, -1);
    NullPointerException missing = assertThrows(NullPointerException.class,
        () -> operator.apply(new ByteBuffer[] {in[0], null, in[2]}, out, 100, false));
    assertEquals("input 1 is null", missing.getMessage());
    assertSame(before, contents(out), "output", "rejected calls");
  }

  private static void rejected(String why, RegionOperator operator, ByteBuffer[] inputs,
      ByteBuffer[] outputs, int length) {
    assertEquals(why, assertThrows(IllegalArgumentException.class,
        () -> operator.apply(inputs, outputs, length, false)).getMessage());
  }

  @Test
  void shapesThatNoOperatorHasAreRejected() {
    int tooMany = RegionOperator.MAX_BUFFERS + 1;
    for (GfMatrix matrix : List.of(GfMatrix.generate(1, tooMany, (r, c) -> 1),
        GfMatrix.generate(tooMany, 1, (r, c) -> 1), GfMatrix.generate(1, 0, (r, c) -> 1))) {
      assertThrows(IllegalArgumentException.class, () -> kernel.prepare(matrix));
    }
  }

  @Test
  void oneOperatorServesManyThreads() throws Exception {
    RegionOperator operator = kernel.prepare(matrix(6, 3));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Kind kind = t % 2 == 0 ? Kind.DIRECT : Kind.HEAP;
        int length = 5000 + t;
        ByteBuffer[] in = buffers(6, kind, length);
        ByteBuffer[] out = buffers(3, kind, length);
        running.add(threads.submit(() -> {
          for (int round = 0; round < 50; round++) {
            applyAndCheck(operator, in, out, length, round % 2 == 0);
          }
        }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void theSelfTestAgrees() {
    assertTrue(SelfTest.run(kernel).isEmpty());
  }
}
