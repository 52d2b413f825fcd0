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
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSLegacyRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawEncoder;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ProbedCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.gf.Gf256;

/** A block group as stock HDFS would have written it: the bytes of every unit. */
@InterfaceAudience.Private
final class StripedGroup {
  private static final Map<String, LinearCode> CODES = new ConcurrentHashMap<>();
  private static final Map<Integer, byte[]> PRODUCTS = new ConcurrentHashMap<>();

  final LinearCode code;
  final int cellBytes;
  final long groupBytes;
  private final byte[][] units;

  private StripedGroup(LinearCode code, int cellBytes, long groupBytes, byte[][] units) {
    this.code = code;
    this.cellBytes = cellBytes;
    this.groupBytes = groupBytes;
    this.units = units;
  }

  /** A group of random shape and content. */
  static StripedGroup random(Random random) throws IOException {
    if (random.nextInt(3) == 0) {
      List<LinearCode> codes = List.of();
      while (codes.isEmpty()) {
        codes = oneOf(PprCodec.values(), random).shippedCodes();
      }
      return random(codes.get(random.nextInt(codes.size())), random);
    }
    int pick = random.nextInt(10);
    String codec = pick == 0 ? "xor" : pick == 1 ? "rs-legacy" : "rs";
    int k = codec.equals("rs-legacy") ? 3 * (1 + random.nextInt(2)) : 2 + random.nextInt(11);
    int m = codec.equals("xor") ? 1 : codec.equals("rs-legacy") ? 2 : 1 + random.nextInt(4);
    return random(code(codec, k, m), random);
  }

  /** A group of random shape and content in one of our codes with sub-chunks. */
  static StripedGroup withSubChunks(Random random) {
    List<LinearCode> codes = Arrays.stream(PprCodec.values())
        .flatMap(codec -> codec.shippedCodes().stream())
        .filter(code -> code.subChunks() > 1).collect(Collectors.toList());
    return random(codes.get(random.nextInt(codes.size())), random);
  }

  private static <T> T oneOf(T[] all, Random random) {
    return all[random.nextInt(all.length)];
  }

  private static StripedGroup random(LinearCode code, Random random) {
    int k = code.dataUnits();
    int cell = 1024 << random.nextInt(4);
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
    return of(code, cell, Math.max(1, Math.min(bytes, most)), random);
  }

  /** A group with random content. */
  static StripedGroup of(String codec, int k, int m, int cellBytes, long groupBytes,
      Random random) throws IOException {
    return of(code(codec, k, m), cellBytes, groupBytes, random);
  }

  static StripedGroup of(LinearCode code, int cellBytes, long groupBytes, Random random) {
    int k = code.dataUnits();
    int m = code.parityUnits();
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
    for (int cell = 0; cell * cellBytes < lengths[0]; cell++) {
      encode(code, data, parity, cell * cellBytes,
          Math.min(cellBytes, lengths[0] - cell * cellBytes));
    }
    System.arraycopy(parity, 0, units, k, m);
    return new StripedGroup(code, cellBytes, groupBytes, units);
  }

  /** One stripe, by nothing but the generator: the slow way, but an independent one. */
  private static void encode(LinearCode code, byte[][] data, byte[][] parity, int from,
      int length) {
    int s = code.subChunks();
    int part = length / s;
    for (int p = 0; p < parity.length * s; p++) {
      for (int j = 0; j < data.length * s; j++) {
        int coefficient = code.generator().get(data.length * s + p, j);
        add(coefficient, data[j / s], from + j % s * part, parity[p / s], from + p % s * part,
            part);
      }
    }
    LinearCode rest = code.remainderCode().get();
    for (int p = 0; p < parity.length && length % s > 0; p++) {
      for (int j = 0; j < data.length; j++) {
        add(rest.generator().get(data.length + p, j), data[j], from + s * part, parity[p],
            from + s * part, length % s);
      }
    }
  }

  private static void add(int coefficient, byte[] from, int fromStart, byte[] to, int toStart,
      int length) {
    if (coefficient == 0) {
      return;
    }
    byte[] products = PRODUCTS.computeIfAbsent(coefficient, c -> {
      byte[] table = new byte[256];
      for (int x = 0; x < table.length; x++) {
        table[x] = (byte) Gf256.mul(c, x);
      }
      return table;
    });
    for (int i = 0; i < length; i++) {
      to[toStart + i] ^= products[from[fromStart + i] & 0xff];
    }
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
