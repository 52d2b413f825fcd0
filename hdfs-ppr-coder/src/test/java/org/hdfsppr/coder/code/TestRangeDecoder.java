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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.RangeDecoder.UndecodableException;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that every request of stock HDFS gets right bytes or a refusal, for every pattern and any
 * range.
 */
@InterfaceAudience.Private
class TestRangeDecoder {
  private static final long SEED = 20260714;
  private static final int SUB_CHUNK_BYTES = 40;

  /**
   * Returns the length of a window that is longer than the ranges and has a remainder if the code
   * can have one.
   */
  private static int length(LinearCode code) {
    int s = code.subChunks();
    return s == 1 ? 3 * SUB_CHUNK_BYTES : s * SUB_CHUNK_BYTES + s - 1;
  }

  /**
   * Returns the offset and length of ranges: within sub-chunks, across sub-chunks, into the
   * remainder, and the whole window.
   */
  private static int[][] ranges(int length) {
    return new int[][] {{0, length}, {0, 1}, {length - 1, 1}, {SUB_CHUNK_BYTES - 7, 14},
        {5, SUB_CHUNK_BYTES}, {SUB_CHUNK_BYTES, SUB_CHUNK_BYTES}, {length - 11, 11},
        {3, length - 6}};
  }

  /** The decoder gets exactly k units in the order of their indices, as stock passes them. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#all")
  void everyPatternInAnyRangeIsRightOrRefused(LinearCode code) {
    byte[][] units = ShippedCodes.window(code, length(code), new Random(SEED));
    RangeDecoder decoder = new RangeDecoder(code, Kernels.select("java"));
    int right = 0;
    int refused = 0;
    for (int losses = 1; losses <= code.parityUnits(); losses++) {
      for (int mask : ShippedCodes.patterns(code, losses).toArray()) {
        int[] erased = ShippedCodes.units(code, mask);
        int[] given = Arrays.copyOf(ShippedCodes.others(code, mask), code.dataUnits());
        if (decodes(decoder, units, erased, given)) {
          right++;
          assertTrue(allowed(code, erased, given), () -> code.name() + " decoded "
              + Arrays.toString(erased) + " from " + Arrays.toString(given));
        } else {
          refused++;
          assertTrue(!allowed(code, erased, given), () -> code.name() + " refused "
              + Arrays.toString(erased) + " from " + Arrays.toString(given));
        }
      }
    }
    System.out.println(code.name() + ": " + right + " patterns decoded, " + refused + " refused");
    if (hasPositionWiseParity(code)) {
      assertTrue(right >= code.dataUnits(), "at least each single data unit was decoded");
    } else {
      assertEquals(0, right, "no parity of this code is of any use for a range");
    }
  }

  /** In LESS, every parity depends on data at other positions. */
  private static boolean hasPositionWiseParity(LinearCode code) {
    return !code.name().startsWith("less");
  }

  /** Returns whether the decoder must be able to decode. These rules need no matrices. */
  private static boolean allowed(LinearCode code, int[] erased, int[] given) {
    int k = code.dataUnits();
    if (!hasPositionWiseParity(code)) {
      return false;
    }
    if (code.subChunks() > 1) {
      // The first parity unit has no piggybacks, so it can replace one data unit, or is computed
      // from all of them.
      return IntStream.concat(IntStream.of(erased), IntStream.of(given)).allMatch(u -> u <= k);
    }
    return !code.name().startsWith("lrc") || code.decodable(erased, given);
  }

  private static boolean decodes(RangeDecoder decoder, byte[][] units, int[] erased, int[] given) {
    int refused = 0;
    int[][] ranges = ranges(units[0].length);
    for (int[] range : ranges) {
      ByteBuffer[] inputs = new ByteBuffer[units.length];
      for (int unit : given) {
        inputs[unit] = ByteBuffer.wrap(units[unit], range[0], range[1]);
      }
      ByteBuffer[] outputs = outputs(erased.length, range[1]);
      try {
        decoder.decode(inputs, erased, outputs, range[1]);
        for (int i = 0; i < erased.length; i++) {
          assertEquals(ByteBuffer.wrap(units[erased[i]], range[0], range[1]), outputs[i],
              () -> decoder.code() + " lost " + Arrays.toString(erased));
        }
      } catch (UndecodableException e) {
        refused++;
        assertTrue(e.getMessage().contains(decoder.code().name())
            && e.getMessage().contains(Arrays.toString(erased)), e.getMessage());
        for (ByteBuffer output : outputs) {
          assertEquals(ByteBuffer.allocate(range[1]), output, "a refused call has written bytes");
        }
      }
    }
    assertTrue(refused == 0 || refused == ranges.length, "refused for some ranges only");
    return refused == 0;
  }

  private static ByteBuffer[] outputs(int count, int length) {
    return IntStream.range(0, count).mapToObj(i -> ByteBuffer.allocate(length))
        .toArray(ByteBuffer[]::new);
  }

  /**
   * Any k of the other units are given. The decoder must not invent bytes, although other units are
   * lost that the caller did not ask for.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("org.hdfsppr.coder.code.ShippedCodes#divided")
  void oneUnitFromAnyKOthersIsRightOrRefused(LinearCode code) {
    byte[][] units = ShippedCodes.window(code, length(code), new Random(SEED));
    RangeDecoder decoder = new RangeDecoder(code, Kernels.select("java"));
    for (int lost : new int[] {0, code.dataUnits() - 1, code.dataUnits(), code.units() - 1}) {
      for (int mask : ShippedCodes.patterns(code, code.parityUnits()).toArray()) {
        if ((mask >>> lost & 1) != 0) {
          int[] given = ShippedCodes.others(code, mask);
          assertEquals(allowed(code, new int[] {lost}, given),
              decodes(decoder, units, new int[] {lost}, given));
        }
      }
    }
  }

  @Test
  void erasedUnitsMayComeInAnyOrder() throws UndecodableException {
    LinearCode code = CoreRow.of(3, 6, 3);
    byte[][] units = ShippedCodes.window(code, 50, new Random(SEED));
    RangeDecoder decoder = new RangeDecoder(code, Kernels.select("java"));
    for (int[] erased : new int[][] {{6, 1}, {1, 6}, {8, 0, 3}, {3, 8, 0}}) {
      ByteBuffer[] inputs = Arrays.stream(units).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
      Arrays.stream(erased).forEach(unit -> inputs[unit] = null);
      ByteBuffer[] outputs = outputs(erased.length, 50);
      decoder.decode(inputs, erased, outputs, 50);
      for (int i = 0; i < erased.length; i++) {
        assertArrayEquals(units[erased[i]], outputs[i].array(), Arrays.toString(erased));
      }
    }
  }

  @Test
  void whatWasRememberedOfOneCallIsNotUsedForAnother() throws UndecodableException {
    LinearCode code = LocalReconstruction.of(6, 2, 2);
    byte[][] units = ShippedCodes.window(code, 50, new Random(SEED));
    RangeDecoder decoder = new RangeDecoder(code, Kernels.select("java"));
    int[][] calls = {{0, 1, 2, 8}, {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 8}, {1, 0, 2, 8}};
    for (int[] call : calls) {
      ByteBuffer[] inputs = new ByteBuffer[code.units()];
      for (int i = 1; i < call.length; i++) {
        inputs[call[i]] = ByteBuffer.wrap(units[call[i]]);
      }
      ByteBuffer[] outputs = outputs(1, 50);
      decoder.decode(inputs, new int[] {call[0]}, outputs, 50);
      assertArrayEquals(units[call[0]], outputs[0].array(), Arrays.toString(call));
    }
    // A decode after a refusal must not use patterns that the decoder has kept from earlier calls.
    assertEquals("Cannot rebuild units [0] under lrc-l2-6-4 from units [1, 2, 3]: they do not"
        + " determine them. Others of the block group may: DataNodes with"
        + " dfs.datanode.plugins=org.hdfsppr.datanode.PprDataNodePlugin take whichever do",
        refusal(decoder, new int[] {0}, 1, 2, 3));
    ByteBuffer[] inputs = new ByteBuffer[code.units()];
    IntStream.of(1, 2, 8).forEach(unit -> inputs[unit] = ByteBuffer.wrap(units[unit]));
    ByteBuffer[] outputs = outputs(1, 50);
    decoder.decode(inputs, new int[] {0}, outputs, 50);
    assertArrayEquals(units[0], outputs[0].array());
  }

  @Test
  void refusalsSayWhatToDo() {
    RangeDecoder divided = new RangeDecoder(Hitchhiker.xorPlus(6, 3), Kernels.select("java"));
    assertEquals("Cannot rebuild units [0, 1] under hitchhiker-xorplus-6-3 from units"
        + " [2, 3, 4, 5, 6, 7]: a unit of this code is divided into 2 sub-chunks, and a decoder"
        + " that is given a part of a cell must not guess which. Let DataNodes repair the block"
        + " group, with dfs.datanode.plugins=org.hdfsppr.datanode.PprDataNodePlugin, and read"
        + " again",
        refusal(divided, new int[] {0, 1}, 2, 3, 4, 5, 6, 7));
    RangeDecoder lrc =
        new RangeDecoder(LocalReconstruction.of(6, 2, 2), Kernels.select("java"));
    assertEquals("Cannot rebuild units [0, 1, 2] under lrc-l2-6-4 from units [3, 4, 5, 6, 7, 9]:"
        + " they do not determine them. Others of the block group may: DataNodes with"
        + " dfs.datanode.plugins=org.hdfsppr.datanode.PprDataNodePlugin take whichever do",
        refusal(lrc, new int[] {0, 1, 2}, 3, 4, 5, 6, 7, 9));
    assertEquals("Cannot rebuild units [0, 1, 6, 7] under lrc-l2-6-4 from units"
        + " [2, 3, 4, 5, 8, 9]: they do not determine them. No other unit is left",
        refusal(lrc, new int[] {0, 1, 6, 7}, 2, 3, 4, 5, 8, 9));
  }

  /** Positional reads of one file share a decoder, and many of them may run at once. */
  @Test
  void threadsShareADecoder() throws Exception {
    LinearCode code = LocalReconstruction.of(6, 2, 2);
    byte[][] units = ShippedCodes.window(code, 300, new Random(SEED));
    RangeDecoder decoder = new RangeDecoder(code, Kernels.select(Kernels.AUTO));
    // There are more patterns than the decoder keeps, so that patterns replace each other.
    List<int[]> patterns = new ArrayList<>();
    for (int mask : ShippedCodes.patterns(code, 2).toArray()) {
      int[] erased = ShippedCodes.units(code, mask);
      patterns.add(erased);
      patterns.add(new int[] {erased[1], erased[0]});
    }
    assertTrue(patterns.size() > RangeDecoder.REMEMBERED_MOST);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(SEED + thread);
        boolean direct = thread % 2 == 0;
        running.add(threads.submit(() -> {
          for (int call = 0; call < 3000; call++) {
            // Most calls use the same four patterns.
            int[] erased = patterns.get(random.nextInt(call % 10 == 0 ? patterns.size() : 4));
            assertDecoded(decoder, units, erased, 1 + random.nextInt(300), direct);
          }
          return null;
        }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void assertDecoded(RangeDecoder decoder, byte[][] units, int[] erased,
      int length, boolean direct) throws UndecodableException {
    ByteBuffer[] inputs = new ByteBuffer[units.length];
    for (int unit = 0; unit < units.length; unit++) {
      inputs[unit] = direct ? ByteBuffer.allocateDirect(units[unit].length).put(units[unit])
          : ByteBuffer.wrap(units[unit]);
      inputs[unit].position(units[unit].length - length);
    }
    Arrays.stream(erased).forEach(unit -> inputs[unit] = null);
    ByteBuffer[] outputs = outputs(erased.length, length);
    decoder.decode(inputs, erased, outputs, length);
    for (int i = 0; i < erased.length; i++) {
      assertEquals(ByteBuffer.wrap(units[erased[i]], units[erased[i]].length - length, length),
          outputs[i], Arrays.toString(erased));
    }
  }

  /** Clients decode every stripe of a degraded read, so a decode must not allocate memory. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPatternThatIsRememberedIsDecodedWithoutAllocations(boolean direct)
      throws UndecodableException {
    RegionKernel kernel = Kernels.select(Kernels.AUTO);
    assumeTrue(!kernel.name().equals("java"), "the kernel in Java looks at buffers as longs");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemoryEnabled());
    RangeDecoder decoder = new RangeDecoder(CoreRow.of(3, 6, 3), kernel);
    ByteBuffer[] inputs = new ByteBuffer[9];
    for (int unit = 0; unit < 9; unit++) {
      inputs[unit] = direct ? ByteBuffer.allocateDirect(64) : ByteBuffer.allocate(64);
    }
    ByteBuffer[] outputs = {inputs[0], inputs[4]};
    inputs[0] = null;
    inputs[4] = null;
    int[][] orders = {{0, 4}, {4, 0}};
    long thread = Thread.currentThread().getId();
    long before = 0;
    int calls = 2000;
    for (int call = -calls; call < calls; call++) {
      if (call == 0) {
        before = threads.getThreadAllocatedBytes(thread);
      }
      decoder.decode(inputs, orders[call & 1], outputs, 64);
    }
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    // The measurement itself may allocate a few bytes.
    assertTrue(bytes < calls, bytes + " bytes for " + calls + " calls");
  }

  private static String refusal(RangeDecoder decoder, int[] erased, int... given) {
    ByteBuffer[] inputs = new ByteBuffer[decoder.code().units()];
    Arrays.stream(given).forEach(unit -> inputs[unit] = ByteBuffer.allocate(8));
    return assertThrows(UndecodableException.class,
        () -> decoder.decode(inputs, erased, outputs(erased.length, 8), 8)).getMessage();
  }

  @Test
  void callsThatMakeNoSenseAreRejected() {
    RangeDecoder decoder = new RangeDecoder(CoreRow.of(3, 6, 3), Kernels.select("java"));
    ByteBuffer[] inputs = outputs(9, 8);
    inputs[2] = null;
    rejected("has no unit 9", () -> decoder.decode(inputs, new int[] {9}, outputs(1, 8), 8));
    rejected("has no unit -1", () -> decoder.decode(inputs, new int[] {-1}, outputs(1, 8), 8));
    rejected("unit 2 is erased twice in [2, 2]",
        () -> decoder.decode(inputs, new int[] {2, 2}, outputs(2, 8), 8));
    rejected("unit 1 is both erased and given",
        () -> decoder.decode(inputs, new int[] {1}, outputs(1, 8), 8));
    rejected("given were 9 inputs and 2 outputs for the erased units [2]",
        () -> decoder.decode(inputs, new int[] {2}, outputs(2, 8), 8));
    rejected("has 8 bytes remaining, 9 are needed",
        () -> decoder.decode(inputs, new int[] {2}, outputs(1, 9), 9));
  }

  private static void rejected(String why, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(why), message);
  }
}
