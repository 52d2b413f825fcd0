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
package org.hdfsppr.coder.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.KernelsUnderTest;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every kernel encodes windows of every length as the generator matrix says. */
@InterfaceAudience.Private
class TestWindowEncoder {
  private static final long SEED = 20260713;
  private static final int BEFORE = 3;
  private static final int AFTER = 5;

  static Stream<Arguments> codesAndKernels() {
    return Stream.of("gfni", "isal", "java").flatMap(kernel ->
        Stream.concat(ShippedCodes.all(), Stream.of(ToyCodes.coupled()))
            .map(code -> Arguments.of(code, kernel)));
  }

  /** Returns lengths around every boundary of sub-chunks, vectors and slices. */
  private static int[] lengths(LinearCode code) {
    int s = code.subChunks();
    TreeSet<Integer> lengths = new TreeSet<>();
    for (int h : new int[] {0, 1, 2, 31, 64, 1007 / s, 16384, 16385}) {
      for (int rest = 0; rest < s; rest++) {
        lengths.add(h * s + rest);
      }
    }
    return lengths.stream().mapToInt(Integer::intValue)
        .filter(n -> n % s == 0 || code.remainderCode().isPresent()).toArray();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("codesAndKernels")
  void everyLengthIsEncodedByTheGenerator(LinearCode code, String kernelName) {
    RegionKernel kernel = KernelsUnderTest.orSkip(kernelName);
    WindowEncoder encoder = new WindowEncoder(code, kernel);
    Random random = new Random(SEED);
    for (int length : lengths(code)) {
      byte[][] units = ShippedCodes.window(code, length, random);
      assertEncodes(encoder, units, ByteBuffer::allocateDirect, random);
      assertEncodes(encoder, units, ByteBuffer::allocate, random);
    }
  }

  private static void assertEncodes(WindowEncoder encoder, byte[][] units,
      IntFunction<ByteBuffer> allocator, Random random) {
    int k = encoder.code().dataUnits();
    int length = units[0].length;
    ByteBuffer[] buffers = new ByteBuffer[units.length];
    for (int u = 0; u < units.length; u++) {
      byte[] noise = new byte[BEFORE + length + AFTER];
      random.nextBytes(noise);
      if (u < k) {
        System.arraycopy(units[u], 0, noise, BEFORE, length);
      }
      buffers[u] = allocator.apply(noise.length);
      buffers[u].put(noise);
      buffers[u].position(BEFORE);
      // The bytes behind a parity unit must not change, even if the buffer's limit would allow
      // writing them.
      units[u] = u < k ? noise : around(noise, units[u]);
    }
    encoder.encode(Arrays.copyOf(buffers, k), Arrays.copyOfRange(buffers, k, buffers.length),
        length);
    for (int u = 0; u < units.length; u++) {
      assertEquals(BEFORE, buffers[u].position());
      assertEquals(BEFORE + length + AFTER, buffers[u].limit());
      byte[] found = new byte[units[u].length];
      buffers[u].position(0);
      buffers[u].get(found);
      assertArrayEquals(units[u], found,
          () -> encoder.code() + " window of " + length + " bytes");
      units[u] = Arrays.copyOfRange(units[u], BEFORE, BEFORE + length);
    }
  }

  private static byte[] around(byte[] noise, byte[] content) {
    byte[] all = noise.clone();
    System.arraycopy(content, 0, all, BEFORE, content.length);
    return all;
  }

  @Test
  void aRejectedCallWritesNothing() {
    WindowEncoder encoder = new WindowEncoder(Hitchhiker.xorPlus(6, 3),
        KernelsUnderTest.orSkip("java"));
    ByteBuffer[] data = buffers(6, 32);
    ByteBuffer[] parity = buffers(3, 32);
    parity[2].limit(31);
    rejected("parity unit 2 has 31 bytes remaining, 32 are needed",
        () -> encoder.encode(data, parity, 32));
    parity[2] = ByteBuffer.allocate(32).asReadOnlyBuffer();
    rejected("parity unit 2 is read-only", () -> encoder.encode(data, parity, 32));
    rejected("has 3 parity units, not 2",
        () -> encoder.encode(data, Arrays.copyOf(parity, 2), 32));
    rejected("has 6 data units, not 5",
        () -> encoder.encode(Arrays.copyOf(data, 5), parity, 32));
    data[4] = null;
    assertThrows(NullPointerException.class, () -> encoder.encode(data, parity, 32));
    assertEquals(ByteBuffer.allocate(32), parity[0]);
    assertEquals(ByteBuffer.allocate(32), parity[1]);
  }

  private static ByteBuffer[] buffers(int count, int length) {
    return IntStream.range(0, count).mapToObj(i -> ByteBuffer.allocate(length))
        .toArray(ByteBuffer[]::new);
  }

  private static void rejected(String why, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(why), message);
  }
}
