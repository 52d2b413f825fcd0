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
package org.apache.hadoop.io.erasurecode.rawcoder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ECChunk;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's own tests of raw coders, over heap and direct buffers, for one of our codecs. A subclass
 * names the codec; the coders are the ones that Hadoop finds by that name.
 *
 * <p>Hadoop's base class gives a decoder the last k units that are left. Stock readers take the
 * first k units, and only from these can a decoder of a code with sub-chunks serve them. These
 * tests therefore do the same.
 */
@InterfaceAudience.Private
abstract class RawCoderContract extends TestRawCoderBase {
  private final PprCodec codec;
  private LinearCode code;

  RawCoderContract(PprCodec codec) {
    this.codec = codec;
  }

  @BeforeEach
  void useTheFactoryThatHadoopFinds() {
    code = codec.shippedCodes().get(0);
    encoderFactoryClass = CodecRegistry.getInstance()
        .getCoderByName(codec.codecName(), codec.codecName() + "_ppr").getClass();
    decoderFactoryClass = encoderFactoryClass;
    setAllowDump(false);
  }

  @Override
  protected void ensureOnlyLeastRequiredChunks(ECChunk[] inputChunks) {
    int superfluous = (int) Arrays.stream(inputChunks).filter(c -> c != null).count()
        - numDataUnits;
    for (int i = inputChunks.length - 1; superfluous > 0; i--) {
      if (inputChunks[i] != null) {
        inputChunks[i] = null;
        superfluous--;
      }
    }
  }

  private void prepareFor(LinearCode of, int... erased) {
    int k = of.dataUnits();
    prepare(null, k, of.parityUnits(), Arrays.stream(erased).filter(u -> u < k).toArray(),
        Arrays.stream(erased).filter(u -> u >= k).map(u -> u - k).toArray(), false);
  }

  /** Yields the patterns of losses that stock can repair from the first k remaining units. */
  static Stream<int[]> legalErasures(LinearCode code) {
    int k = code.dataUnits();
    Stream<int[]> single = IntStream.rangeClosed(0, k).mapToObj(u -> new int[] {u});
    if (code.subChunks() > 1) {
      return single;
    }
    Stream<int[]> more = Stream.of(new int[] {0, 1}, new int[] {0, k - 1}, new int[] {0, k},
        new int[] {k, k + 1});
    if (code.parityUnits() > 2 && !code.name().startsWith("lrc")) {
      more = Stream.concat(more, Stream.of(new int[] {0, 1, 2}, new int[] {0, k, k + 1},
          new int[] {k, k + 1, k + 2}, new int[] {0, 2, k + 2}));
    }
    return Stream.concat(single, more);
  }

  @Test
  void whatWasErasedIsRecovered() {
    for (LinearCode each : codec.shippedCodes()) {
      legalErasures(each).forEach(erased -> {
        prepareFor(each, erased);
        testCodingDoMixAndTwice();
      });
    }
  }

  @Test
  void fixedDataIsRecovered() {
    prepare(null, code.dataUnits(), code.parityUnits(), new int[] {0}, new int[0], true);
    testCodingDoMixAndTwice();
  }

  @Test
  @Override
  public void testCodingWithErasingTooMany() {
    prepareFor(code, IntStream.rangeClosed(0, code.parityUnits()).toArray());
    super.testCodingWithErasingTooMany();
  }

  @Test
  @Override
  public void testIdempotentReleases() {
    prepareFor(code, 0);
    super.testIdempotentReleases();
  }

  @Test
  void buffersOfWrongSizeAreRejected() {
    prepareFor(code, 0);
    testCodingWithBadInput(true);
    testCodingWithBadInput(false);
    testCodingWithBadOutput(true);
    testCodingWithBadOutput(false);
  }

  @Test
  void positionsOfInputsMoveToTheirEnds() {
    prepareFor(code, 0);
    testInputPosition(false);
    testInputPosition(true);
  }

  @Test
  void releasedCodersSayThatTheyAreClosed() throws Exception {
    prepareFor(code, 0);
    setChunkSize(baseChunkSize);
    testAfterRelease();
  }

  @Test
  void codersAreTheOnesThatHadoopMakes() {
    Configuration conf = new Configuration();
    ErasureCoderOptions options =
        new ErasureCoderOptions(code.dataUnits(), code.parityUnits());
    assertTrue(CodecUtil.createRawEncoder(conf, codec.codecName(), options)
        instanceof LinearCodeRawEncoder);
    assertTrue(CodecUtil.createRawDecoder(conf, codec.codecName(), options)
        instanceof LinearCodeRawDecoder);
    assertThrows(IllegalArgumentException.class, () -> CodecUtil.createRawEncoder(conf,
        codec.codecName(), new ErasureCoderOptions(15, 5)));
  }

  @Test
  void decoderArgumentsAreChecked() throws Exception {
    prepareFor(code, 0);
    prepareCoders(true);
    byte[][] inputs = new byte[code.units()][8];
    inputs[0] = null;
    decoder.decode(inputs, new int[] {0}, new byte[1][8]);
    assertThrows(IllegalArgumentException.class,
        () -> decoder.decode(inputs, new int[] {1}, new byte[1][8]));
    assertThrows(IllegalArgumentException.class,
        () -> decoder.decode(inputs, new int[] {code.units()}, new byte[1][8]));
    assertThrows(IllegalArgumentException.class,
        () -> decoder.decode(inputs, new int[] {0, 0}, new byte[2][8]));
    assertThrows(IllegalArgumentException.class,
        () -> decoder.decode(inputs, new int[] {0}, new byte[1][7]));
    assertThrows(IllegalArgumentException.class,
        () -> decoder.decode(Arrays.copyOf(inputs, 3), new int[] {0}, new byte[1][8]));
    assertThrows(IllegalArgumentException.class,
        () -> decoder.decode(inputs, new int[] {0}, new byte[][] {null}));
    Arrays.fill(inputs, null);
    assertThrows(IllegalArgumentException.class,
        () -> decoder.decode(inputs, new int[] {0}, new byte[1][8]));
  }

  @Test
  void encoderArgumentsAreChecked() throws Exception {
    prepareFor(code, 0);
    prepareCoders(true);
    byte[][] inputs = new byte[code.dataUnits()][8];
    byte[][] outputs = new byte[code.parityUnits()][8];
    assertThrows(IllegalArgumentException.class,
        () -> encoder.encode(Arrays.copyOf(inputs, code.dataUnits() - 1), outputs));
    assertThrows(IllegalArgumentException.class,
        () -> encoder.encode(inputs, new byte[code.parityUnits() + 1][8]));
    assertThrows(IllegalArgumentException.class,
        () -> encoder.encode(inputs, new byte[code.parityUnits()][9]));
    inputs[1] = null;
    assertThrows(IllegalArgumentException.class, () -> encoder.encode(inputs, outputs));
    // Cells of length 0 must be accepted, and nothing happens.
    encoder.encode(new byte[code.dataUnits()][0], new byte[code.parityUnits()][0]);
  }

  @Test
  void tooFewInputsAreAnIoException() {
    prepareFor(code, 0);
    prepareCoders(true);
    byte[][] inputs = new byte[code.units()][8];
    Arrays.fill(inputs, 0, code.parityUnits() + 1, null);
    String message = assertThrows(IOException.class,
        () -> decoder.decode(inputs, new int[] {0}, new byte[1][8])).getMessage();
    assertTrue(message.contains(code.name()), message);
  }

  /** Hadoop's check of its own work (dfs.datanode.ec.reconstruction.validation) passes. */
  @Test
  void decodedDataPassesHadoopsValidation() throws Exception {
    prepareFor(code, 0);
    prepareCoders(true);
    int k = code.dataUnits();
    ByteBuffer[] data = IntStream.range(0, k).mapToObj(i -> ByteBuffer.wrap(generateData(99)))
        .toArray(ByteBuffer[]::new);
    ByteBuffer[] parity = IntStream.range(0, code.parityUnits())
        .mapToObj(i -> ByteBuffer.allocate(99)).toArray(ByteBuffer[]::new);
    encoder.encode(data, parity);
    ByteBuffer[] inputs = new ByteBuffer[code.units()];
    for (int i = 1; i < k; i++) {
      inputs[i] = data[i];
      inputs[i].rewind();
    }
    inputs[k] = parity[0];
    ByteBuffer[] outputs = {ByteBuffer.allocate(99)};
    decoder.decode(inputs, new int[] {0}, outputs);
    assertEquals(0, outputs[0].position());
    assertEquals(data[0].rewind(), outputs[0]);
    Arrays.stream(inputs).filter(b -> b != null).forEach(ByteBuffer::rewind);
    new DecodingValidator(decoder).validate(inputs, new int[] {0}, outputs);
    outputs[0].put(5, (byte) ~outputs[0].get(5));
    Arrays.stream(inputs).filter(b -> b != null).forEach(ByteBuffer::rewind);
    assertThrows(InvalidDecodingException.class,
        () -> new DecodingValidator(decoder).validate(inputs, new int[] {0}, outputs));
  }
}
