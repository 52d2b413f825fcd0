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
package org.hdfsppr.datanode.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sums are those of Hadoop's own class, for any sizes of the pieces of data. */
class TestChunkSums {
  private static ByteBuffer direct(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
    buffer.put(bytes).flip();
    return buffer;
  }

  private static byte[] hadoopSums(DataChecksum checksum, byte[] data) {
    byte[] sums = new byte[(int) ChunkSums.of(checksum).sumsSize(data.length)];
    checksum.calculateChunkedSums(data, 0, data.length, sums, 0);
    return sums;
  }

  @ParameterizedTest
  @CsvSource({"CRC32C, 512", "CRC32, 512", "CRC32C, 4096", "CRC32, 100", "CRC32C, 1"})
  void piecesGiveTheSumsOfTheWhole(DataChecksum.Type type, int bytesPerChecksum) {
    DataChecksum checksum = DataChecksum.newDataChecksum(type, bytesPerChecksum);
    Random random = new Random(bytesPerChecksum);
    for (int length : new int[] {0, 1, 511, 512, 513, 4096, 10_007}) {
      byte[] data = new byte[length];
      random.nextBytes(data);
      ChunkSums sums = ChunkSums.of(checksum);
      ByteBuffer out = ByteBuffer.allocateDirect((int) sums.sumsSize(length));
      ByteBuffer in = direct(data);
      while (in.hasRemaining()) {
        in.limit(Math.min(length, in.position() + 1 + random.nextInt(1500)));
        sums.update(in, out);
        assertEquals(in.limit(), in.position());
        in.limit(length);
      }
      sums.finish(out);
      assertEquals(0, out.remaining());
      out.flip();
      byte[] got = new byte[out.remaining()];
      out.get(got);
      assertArrayEquals(hadoopSums(checksum, data), got, type + " " + length);
    }
  }

  @Test
  void everyFlippedBitIsFoundAndLeavesTheBuffersAsTheyWere() throws ChecksumException {
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 64);
    ChunkSums sums = ChunkSums.of(checksum);
    byte[] bytes = new byte[200];
    new Random(1).nextBytes(bytes);
    ByteBuffer stored = direct(hadoopSums(checksum, bytes));
    ByteBuffer data = direct(bytes);
    sums.verify(data, stored, "good", 0);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      int at = bit / 8;
      data.put(at, (byte) (bytes[at] ^ 1 << bit % 8));
      ChecksumException e = assertThrows(ChecksumException.class,
          () -> sums.verify(data, stored, "bad", 6400));
      assertEquals(6400 + at / 64 * 64, e.getPos());
      assertEquals(0, data.position());
      assertEquals(200, data.remaining());
      assertEquals(0, stored.position());
      data.put(at, bytes[at]);
    }
  }

  @Test
  void replicasWithoutSumsHaveNoneToVerify() throws ChecksumException {
    ChunkSums none = ChunkSums.of(DataChecksum.newDataChecksum(DataChecksum.Type.NULL, 512));
    ByteBuffer data = ByteBuffer.allocateDirect(1000);
    none.verify(data, ByteBuffer.allocate(0), "none", 0);
    none.update(data, ByteBuffer.allocate(0));
    none.finish(ByteBuffer.allocate(0));
    assertEquals(0, none.sumsSize(1000));
    assertEquals(0, data.remaining());
  }
}
