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
package org.hdfsppr.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSLegacyRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawEncoder;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ProbedCode;
import org.hdfsppr.coder.code.ReedSolomon;

/** A block group as stock HDFS would have written it: the bytes of every unit. */
@InterfaceAudience.Private
final class StripedGroup {
  private static final Map<String, LinearCode> CODES = new ConcurrentHashMap<>();

  private final LinearCode code;
  private final int cellBytes;
  private final long groupBytes;
  private final byte[][] units;

  private StripedGroup(LinearCode code, int cellBytes, long groupBytes, byte[][] units) {
    this.code = code;
    this.cellBytes = cellBytes;
    this.groupBytes = groupBytes;
    this.units = units;
  }

  /** A group of random shape and content. */
  static StripedGroup random(Random random) throws IOException {
    int pick = random.nextInt(10);
    String codec = pick == 0 ? "xor" : pick == 1 ? "rs-legacy" : "rs";
    int k = codec.equals("rs-legacy") ? 3 * (1 + random.nextInt(2)) : 2 + random.nextInt(11);
    int m = codec.equals("xor") ? 1 : codec.equals("rs-legacy") ? 2 : 1 + random.nextInt(4);
    int cell = 512 << random.nextInt(5);
    long stripe = (long) cell * k;
    long most = Math.min(4 * stripe, 128 << 10);
    long bytes;
    switch (random.nextInt(4)) {
      case 0:
        bytes = 1 + random.nextInt(cell);
        break;
      case 1:
        // A byte or so around the end of a cell.
        bytes = (long) cell * (1 + random.nextInt(3 * k)) + random.nextInt(3) - 1;
        break;
      case 2:
        bytes = stripe * (1 + random.nextInt(2));
        break;
      default:
        bytes = 1 + random.nextInt((int) most);
        break;
    }
    return of(codec, k, m, cell, Math.max(1, Math.min(bytes, most)), random);
  }

  /** A group with random content. */
  static StripedGroup of(String codec, int k, int m, int cellBytes, long groupBytes,
      Random random) throws IOException {
    byte[] file = new byte[(int) groupBytes];
    random.nextBytes(file);
    // Parity is as long as the longest data unit; the others count as zeros behind their ends.
    int[] lengths = new int[k];
    byte[][] data = new byte[k][];
    int stripes = (int) ((groupBytes + (long) cellBytes * k - 1) / ((long) cellBytes * k));
    for (int j = 0; j < k; j++) {
      data[j] = new byte[stripes * cellBytes];
    }
    for (int at = 0; at < file.length; ) {
      int cell = at / cellBytes;
      int length = Math.min(cellBytes, file.length - at);
      System.arraycopy(file, at, data[cell % k], cell / k * cellBytes, length);
      lengths[cell % k] = cell / k * cellBytes + length;
      at += length;
    }
    byte[][] units = new byte[k + m][];
    for (int j = 0; j < k; j++) {
      data[j] = Arrays.copyOf(data[j], lengths[0]);
      units[j] = Arrays.copyOf(data[j], lengths[j]);
    }
    byte[][] parity = new byte[m][lengths[0]];
    RawErasureEncoder encoder = encoder(codec, k, m);
    encoder.encode(data, parity);
    encoder.release();
    System.arraycopy(parity, 0, units, k, m);
    return new StripedGroup(code(codec, k, m), cellBytes, groupBytes, units);
  }

  private static RawErasureEncoder encoder(String codec, int k, int m) {
    ErasureCoderOptions options = new ErasureCoderOptions(k, m);
    return codec.equals("rs") ? new RSRawEncoder(options)
        : codec.equals("xor") ? new XORRawEncoder(options) : new RSLegacyRawEncoder(options);
  }

  private static LinearCode code(String codec, int k, int m) throws IOException {
    String key = codec + "-" + k + "-" + m;
    LinearCode code = CODES.get(key);
    if (code == null) {
      code = codec.equals("rs") ? ReedSolomon.hadoop(k, m)
          : ProbedCode.probe(codec, encoder(codec, k, m));
      CODES.put(key, code);
    }
    return code;
  }

  LinearCode code() {
    return code;
  }

  int cellBytes() {
    return cellBytes;
  }

  long groupBytes() {
    return groupBytes;
  }

  /** The bytes of a unit, empty where the file ended before it; not a copy. */
  byte[] unit(int unit) {
    return units[unit];
  }

  /** The units that have bytes. */
  List<Integer> present() {
    List<Integer> present = new ArrayList<>();
    for (int unit = 0; unit < units.length; unit++) {
      if (units[unit].length > 0) {
        present.add(unit);
      }
    }
    return present;
  }

  /** Whether some byte of a run of a unit, which may lie behind its end, is not zero. */
  boolean hasContent(int unit, long from, int length) {
    ByteBuffer bytes = ByteBuffer.wrap(units[unit]);
    for (long at = from; at < Math.min(from + length, bytes.capacity()); at++) {
      if (bytes.get((int) at) != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return code.name() + ", cells of " + cellBytes + ", " + groupBytes + " bytes";
  }
}
