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
package org.hdfsppr.it.faults;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.util.StringUtils;

/**
 * The right content of each unit of a block group, computed from the written bytes by Hadoop's own
 * encoder. It does not depend on anything that a cluster has stored.
 */
final class UnitOracle {

  /** {@code TestFile} makes its noise in chunks of this size, so a cell is one chunk. */
  private static final int CELL_BYTES = 1024 * 1024;

  private final List<String> digests;
  /** The SHA-256 of the file. */
  final String fileDigest;

  private UnitOracle(List<String> digests, String fileDigest) {
    this.digests = digests;
    this.fileDigest = fileDigest;
  }

  /**
   * Computes the units of a file of one group, as {@code TestFile.write} makes it from the same
   * seed.
   */
  static UnitOracle of(int dataUnits, int parityUnits, long fileBytes, long seed)
      throws IOException {
    RawErasureEncoder encoder = CodecUtil.createRawEncoder(new Configuration(),
        ErasureCodeConstants.RS_CODEC_NAME, new ErasureCoderOptions(dataUnits, parityUnits));
    Random random = new Random(seed);
    int units = dataUnits + parityUnits;
    List<MessageDigest> digests = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      digests.add(sha256());
    }
    MessageDigest whole = sha256();
    long stripeBytes = (long) CELL_BYTES * dataUnits;
    for (long start = 0; start < fileBytes; start += stripeBytes) {
      byte[][] data = new byte[dataUnits][CELL_BYTES];
      for (int cell = 0; cell < dataUnits; cell++) {
        int length = within(fileBytes - start - (long) cell * CELL_BYTES);
        if (length > 0) {
          random.nextBytes(data[cell]);
          // Bytes behind the end of the file count as zeros.
          Arrays.fill(data[cell], length, CELL_BYTES, (byte) 0);
          whole.update(data[cell], 0, length);
        }
      }
      byte[][] parity = new byte[parityUnits][CELL_BYTES];
      byte[][] inputs = new byte[dataUnits][];
      for (int cell = 0; cell < dataUnits; cell++) {
        inputs[cell] = data[cell].clone();
      }
      encoder.encode(inputs, parity);
      for (int unit = 0; unit < units; unit++) {
        long unitBytes = StripedBlockUtil.getInternalBlockLength(fileBytes, CELL_BYTES, dataUnits,
            unit);
        byte[] cell = unit < dataUnits ? data[unit] : parity[unit - dataUnits];
        digests.get(unit).update(cell, 0, within(unitBytes - start / dataUnits));
      }
    }
    encoder.release();
    List<String> texts = new ArrayList<>();
    digests.forEach(digest -> texts.add(StringUtils.byteToHexString(digest.digest())));
    return new UnitOracle(texts, StringUtils.byteToHexString(whole.digest()));
  }

  private static int within(long length) {
    return (int) Math.max(0, Math.min(CELL_BYTES, length));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Returns the SHA-256 of a unit's data. */
  String digest(int unit) {
    return digests.get(unit);
  }
}
