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
package org.hdfsppr.coder.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.CodingWindow;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.code.ShippedCodes;
import org.hdfsppr.coder.code.UnsupportedCodeException;
import org.hdfsppr.coder.code.WindowEncoder;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which units a change of code links, of what it makes the others, and what that costs. */
@InterfaceAudience.Private
class TestConversion {
  private static final long SEED = 20261107;
  private static final Configuration CONF = new Configuration(false);

  private final RegionKernel kernel = Kernels.select("java");

  private static LinearCode code(String codec, int k, int m) throws Exception {
    return Codes.forCodec(CONF, codec, k, m);
  }

  private static Stream<LinearCode> codes() {
    return Stream.concat(ShippedCodes.all(), Stream.of(ReedSolomon.hadoop(3, 2),
        ReedSolomon.hadoop(6, 3), ReedSolomon.hadoop(10, 4), ReedSolomon.hadoop(12, 4)));
  }

  static Stream<Arguments> pairs() {
    return codes().flatMap(from -> codes()
        .filter(to -> to.dataUnits() == from.dataUnits())
        .map(to -> Arguments.of(from, to)));
  }

  /** The bytes of each unit of a code, as its own encoder writes them. */
  private byte[][] encode(LinearCode code, byte[][] data) {
    int length = data[0].length;
    byte[][] parities = new byte[code.parityUnits()][length];
    new WindowEncoder(code, kernel).encode(
        Arrays.stream(data).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new),
        Arrays.stream(parities).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new), length);
    return Stream.concat(Arrays.stream(data), Arrays.stream(parities)).toArray(byte[][]::new);
  }

  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource("pairs")
  void everyUnitIsThatOfTheOtherEncoder(LinearCode from, LinearCode to) throws Exception {
    Conversion conversion = Conversion.of(from, to);
    LinearCode combined = conversion.combined();
    Random random = new Random(SEED);
    // Windows that no number of sub-chunks divides, and some that are shorter than a sub-chunk.
    for (int length : new int[] {1, 2, 3, 5, 6, 7, 8, 48, 59}) {
      byte[][] data = new byte[from.dataUnits()][length];
      Arrays.stream(data).forEach(random::nextBytes);
      byte[][] old = encode(from, data);
      byte[][] expected = encode(to, data);
      byte[][] known = new byte[combined.units()][];
      for (int unit = 0; unit < from.units(); unit++) {
        if (conversion.oldUnit(unit) != Conversion.NONE) {
          known[conversion.oldUnit(unit)] = old[unit];
        }
      }
      int[] available = IntStream.range(0, known.length).filter(u -> known[u] != null).toArray();
      for (int unit = 0; unit < to.units(); unit++) {
        int linked = conversion.linkedFrom(unit);
        if (linked != Conversion.NONE) {
          assertArrayEquals(expected[unit], old[linked], "unit " + unit + ", seed " + SEED);
          continue;
        }
        int[] lost = {conversion.newUnit(unit)};
        List<RepairOption> options = combined.repairOptions(lost, available);
        assertTrue(!options.isEmpty());
        for (RepairOption option : options) {
          assertArrayEquals(expected[unit],
              made(combined, option.equation(), known, length),
              "unit " + unit + " by " + option.name() + ", length " + length + ", seed " + SEED);
        }
      }
    }
  }

  private byte[] made(LinearCode code, RepairEquation equation, byte[][] known, int length) {
    byte[] unit = new byte[length];
    CodingWindow window = new CodingWindow(code, length);
    add(equation, known, unit, window::offsetOf, window.subChunkLength());
    if (window.remainderLength() > 0) {
      LinearCode bytes = code.remainderCode().get();
      int[] available = IntStream.range(0, known.length).filter(u -> known[u] != null).toArray();
      add(bytes.solve(equation.lostUnits(), bytes.subChunksOf(available)).get(), known, unit,
          sub -> window.remainderOffset(), window.remainderLength());
    }
    return unit;
  }

  private void add(RepairEquation equation, byte[][] known, byte[] unit,
      IntUnaryOperator offset, int length) {
    ByteBuffer[] inputs = equation.helpers().stream().map(helper -> ByteBuffer
        .wrap(known[helper.unit()], offset.applyAsInt(helper.sub()), length))
        .toArray(ByteBuffer[]::new);
    ByteBuffer[] outputs = equation.lostSubChunks().stream().map(lost -> ByteBuffer
        .wrap(unit, offset.applyAsInt(lost.sub()), length)).toArray(ByteBuffer[]::new);
    kernel.prepare(equation.coefficients()).apply(inputs, outputs, length, false);
  }

  /** Each code has the same units as itself, so that nothing has to be made. */
  @Test
  void nothingIsMadeForTheSameCode() {
    codes().forEach(code -> {
      try {
        Conversion conversion = Conversion.of(code, code);
        assertEquals(List.of(), conversion.made(), code.name());
        IntStream.range(0, code.units()).forEach(unit ->
            assertEquals(unit, conversion.linkedFrom(unit)));
      } catch (UnsupportedCodeException e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void aRowOfCoreIsAFileOfReedSolomon() throws Exception {
    assertEquals(List.of(), Conversion.of(code("rs", 6, 3), code("core-t3", 6, 3)).made());
  }

  /**
   * The first parity of Hitchhiker is that of Hadoop's Reed-Solomon. Each of the others lies where
   * its own predecessor is, and gets the sum of three half units.
   */
  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({"rs, hitchhiker-nonxor", "hitchhiker-nonxor, rs"})
  void hitchhikerOverReedSolomonPatchesItsParities(String from, String to) throws Exception {
    Conversion conversion = Conversion.of(code(from, 10, 4), code(to, 10, 4));
    assertEquals(10, conversion.linkedFrom(10));
    assertEquals(List.of(11, 12, 13), conversion.made());
    double all = 0;
    for (int unit : conversion.made()) {
      assertEquals(1.5, conversion.unitsMoved(unit, unit));
      assertEquals(2.5, conversion.unitsMoved(unit, Conversion.NONE));
      all += conversion.unitsMoved(unit, unit);
    }
    assertEquals(4.5, all);
  }

  @ParameterizedTest
  @CsvSource({"6, 3, 3", "10, 4, 5", "12, 4, 6"})
  void localParitiesOverReedSolomonAreSumsOfTheirGroups(int k, int m, int group)
      throws Exception {
    Conversion conversion = Conversion.of(code("rs", k, m), code("lrc-rs-l2", k, 4));
    assertEquals(List.of(k + 2, k + 3), conversion.made());
    assertEquals(k, conversion.linkedFrom(k));
    assertEquals(k + 1, conversion.linkedFrom(k + 1));
    assertEquals(group, conversion.unitsMoved(k + 2, k + 2));
    assertEquals(group, conversion.unitsMoved(k + 3, Conversion.NONE));
  }

  @Test
  void aParityWithoutACheapWayMovesKUnitsOrOneLess() throws Exception {
    Conversion conversion = Conversion.of(code("rs", 10, 4), code("hitchhiker-xorplus", 10, 4));
    assertEquals(List.of(10, 11, 12, 13), conversion.made());
    assertEquals(9, conversion.unitsMoved(11, 11));
    assertEquals(10, conversion.unitsMoved(11, Conversion.NONE));
  }

  /** Two codes that divide a short cell at different positions share only clean parities. */
  @Test
  void onlyCleanParitiesCrossDifferentSubChunks() throws Exception {
    Conversion conversion = Conversion.of(code("hitchhiker-xor", 6, 3), code("less-a3", 6, 3));
    assertEquals(6, conversion.oldUnit(6));
    assertEquals(Conversion.NONE, conversion.oldUnit(7));
    assertEquals(6 + 1 + 3, conversion.combined().units());
    assertEquals(7, conversion.newUnit(6));
  }

  @Test
  void ordersFindTheCombinedCodeByItsName() throws Exception {
    Conversion conversion = Conversion.of(code("rs", 6, 3), code("lrc-rs-l2", 6, 4));
    assertEquals("rs-6-3>lrc-rs-l2-6-4", conversion.codecName());
    LinearCode found = Codes.forCodec(CONF, "rs-6-3>lrc-rs-l2-6-4", 6, 7);
    assertEquals(conversion.combined().generator(), found.generator());
    assertSame(found, Codes.forCodec(CONF, "rs-6-3>lrc-rs-l2-6-4", 6, 7));
  }

  @ParameterizedTest
  @ValueSource(strings = {">", "rs-6-3>", ">rs-6-3", "rs-6-3>rs", "rs>rs-6-3", "rs-6-3>rs-6-3>rs",
      "rs-6-3>rs-6-3>rs-6-3", "rs-6-03>rs-6-3", "rs-6-3>>rs-6-3", "rs-6-3>rs-100-3"})
  void aMalformedNameIsRefused(String name) {
    UnsupportedCodeException e = assertThrows(UnsupportedCodeException.class,
        () -> Codes.forCodec(CONF, name, 6, 6));
    assertTrue(e.getMessage().contains("is not the name of two codes"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"rs-6-3>no-such-6-3, 6, 6, no codec", "rs-6-3>lrc-rs-l2-10-4, 6, 7, same number",
      "rs-6-3>lrc-rs-l2-6-4, 6, 6, 'parities together, not 6 and 6'",
      "rs-6-3>lrc-rs-l2-6-3, 6, 6, maximally", "rs-12-5>rs-12-4, 12, 9, at most 16",
      "rs-2-14>rs-2-13, 2, 27, at most 28"})
  void codesThatCannotBeCombinedAreRefused(String name, int k, int m, String words) {
    UnsupportedCodeException e = assertThrows(UnsupportedCodeException.class,
        () -> Codes.forCodec(CONF, name, k, m));
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @Test
  void aUnitThatIsNotMadeHasNoPrice() throws Exception {
    Conversion conversion = Conversion.of(code("rs", 6, 3), code("lrc-rs-l2", 6, 4));
    assertThrows(IllegalArgumentException.class, () -> conversion.unitsMoved(6, 6));
  }
}
