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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Finds out the generator of an encoder whose code this library does not know. This class encodes
 * data that have a single 1, and takes the resulting parities as the columns of the generator. Then
 * it checks with random data that the encoder multiplies the bytes at each position by this
 * generator, and that no other bytes influence the result.
 *
 * <p>Without the check, this class would also accept a code that is not linear, or that mixes bytes
 * of different positions. Repairs would then write wrong bytes with valid checksums.
 */
@InterfaceAudience.Public
public final class ProbedCode {
  /**
   * The seed of the random data. It is fixed, so that every node accepts or refuses the same
   * codecs.
   */
  private static final long SEED = 0x68646673707072L;
  /**
   * The lengths of the checked windows, bytes: odd lengths; powers of two, which expose a code that
   * mixes bytes of the two halves of a window; a length just below a power of two; and 65536, the
   * length of the windows in which DataNodes reconstruct.
   */
  private static final int[] CHECKED_LENGTHS = {1, 2, 7, 64, 1007, 1024, 4095, 4096, 65536};

  private final String name;
  private final int dataUnits;
  private final int parityUnits;
  private final RawErasureEncoder encoder;

  private ProbedCode(String name, RawErasureEncoder encoder) {
    this.name = name;
    this.dataUnits = encoder.getNumDataUnits();
    this.parityUnits = encoder.getNumParityUnits();
    this.encoder = encoder;
  }

  /**
   * Finds the code of an encoder. The result is a code without sub-chunks. The caller has to
   * release the encoder afterwards.
   *
   * @param name name of the code
   * @param encoder Hadoop's encoder of the code
   * @return the code
   * @throws UnsupportedCodeException if the encoder's code is not linear over GF(2^8) with Hadoop's
   *     polynomial, or if the encoder does not compute every byte position in the same way and from
   *     the bytes at that position alone
   * @throws IOException if the encoder fails
   */
  public static LinearCode probe(String name, RawErasureEncoder encoder) throws IOException {
    return new ProbedCode(name, encoder).probe();
  }

  private LinearCode probe() throws IOException {
    byte[][] data = new byte[dataUnits][1];
    byte[][] columns = new byte[dataUnits][];
    for (int j = 0; j < dataUnits; j++) {
      data[j][0] = 1;
      byte[][] parity = encode(data, false);
      data[j][0] = 0;
      columns[j] = new byte[parityUnits];
      for (int p = 0; p < parityUnits; p++) {
        columns[j][p] = parity[p][0];
      }
    }
    GfMatrix coefficients = GfMatrix.generate(parityUnits, dataUnits, (p, j) -> columns[j][p]);
    Random random = new Random(SEED);
    for (int length : CHECKED_LENGTHS) {
      for (boolean direct : new boolean[] {false, true}) {
        check(coefficients, random, length, direct);
      }
    }
    return new LinearCode(name, new CodeDimensions(dataUnits, parityUnits, 1),
        GfMatrix.identity(dataUnits).stack(coefficients), List.of());
  }

  private void check(GfMatrix coefficients, Random random, int length, boolean direct)
      throws IOException {
    byte[][] data = new byte[dataUnits][length];
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
    byte[][] parity = encode(data, direct);
    for (int p = 0; p < parityUnits; p++) {
      for (int x = 0; x < length; x++) {
        if (parity[p][x] != expected(coefficients, p, data, x)) {
          throw refusal(coefficients, data, p, x, direct);
        }
      }
    }
  }

  private byte expected(GfMatrix coefficients, int parity, byte[][] data, int position) {
    int sum = 0;
    for (int j = 0; j < dataUnits; j++) {
      sum ^= Gf256.mul(coefficients.get(parity, j), data[j][position]);
    }
    return (byte) sum;
  }

  /**
   * Makes the exception for an encoder that failed the check. The message says whether the encoder
   * mixes bytes of different positions or is not linear.
   */
  private UnsupportedCodeException refusal(GfMatrix coefficients, byte[][] data, int parity,
      int position, boolean direct) throws IOException {
    int length = data[0].length;
    byte[][] onlyThere = new byte[dataUnits][length];
    for (int j = 0; j < dataUnits; j++) {
      onlyThere[j][position] = data[j][position];
    }
    byte onItsOwn = encode(onlyThere, direct)[parity][position];
    boolean rightOnItsOwn = onItsOwn == expected(coefficients, parity, data, position);
    return new UnsupportedCodeException("Codec " + name + " (" + encoder.getClass().getName()
        + ") cannot be repaired by coefficients: in a window of " + length + " bytes, byte "
        + position + " of parity unit " + (dataUnits + parity) + (rightOnItsOwn
        ? " depends on bytes at other positions of the data units"
        : " is not a GF(2^8)-linear function of the data bytes at its position"));
  }

  /** Encodes copies, because an encoder may be configured to change its inputs. */
  private byte[][] encode(byte[][] data, boolean direct) throws IOException {
    int length = data[0].length;
    ByteBuffer[] inputs = new ByteBuffer[dataUnits];
    ByteBuffer[] outputs = new ByteBuffer[parityUnits];
    for (int j = 0; j < dataUnits; j++) {
      inputs[j] = allocate(length, direct);
      inputs[j].duplicate().put(data[j]);
    }
    for (int p = 0; p < parityUnits; p++) {
      outputs[p] = allocate(length, direct);
    }
    encoder.encode(inputs, outputs);
    byte[][] parity = new byte[parityUnits][length];
    for (int p = 0; p < parityUnits; p++) {
      ByteBuffer output = outputs[p].duplicate();
      output.clear();
      output.get(parity[p]);
    }
    return parity;
  }

  private static ByteBuffer allocate(int length, boolean direct) {
    return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
  }
}
