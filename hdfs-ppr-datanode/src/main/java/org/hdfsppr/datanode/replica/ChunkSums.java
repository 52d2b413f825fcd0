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

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.util.DataChecksum;

/**
 * Computes and verifies the checksums of a replica. The replica has one 4-byte sum, big-endian, for
 * every {@code bytesPerChecksum} bytes of data (a chunk); the last chunk may be shorter.
 *
 * <pre>
 *   data  |--chunk 0--|--chunk 1--|--chunk 2--|-3-|
 *   sums  |s0|s1|s2|s3|
 * </pre>
 *
 * <p>Without libhadoop, Hadoop's {@link DataChecksum} copies a direct buffer chunk by chunk into a
 * fresh array. The JDK's CRCs read direct memory at full speed with or without libhadoop. This
 * class therefore computes the sums itself. Hadoop's class only names their type and chunk size.
 *
 * <p>Used by one thread. The state of the CRC carries an incomplete chunk from one {@link #update}
 * to the next, so this class keeps no bytes.
 */
@InterfaceAudience.Private
public final class ChunkSums {
  private final DataChecksum.Type type;
  /** Bytes of data per sum */
  public final int bytesPerChecksum;
  /** The CRC of the chunk under way; null if the replica carries no sums. */
  private final Checksum crc;
  private int bytesInChunk;

  private ChunkSums(DataChecksum.Type type, int bytesPerChecksum, Checksum crc) {
    this.type = type;
    this.bytesPerChecksum = bytesPerChecksum;
    this.crc = crc;
  }

  /**
   * Makes sums of the type and chunk size of {@code checksum}.
   *
   * @param checksum names type and chunk size
   * @return sums that have seen no data yet
   * @throws IllegalArgumentException if no replica can carry that type
   */
  public static ChunkSums of(DataChecksum checksum) {
    DataChecksum.Type type = checksum.getChecksumType();
    int bytesPerChecksum = checksum.getBytesPerChecksum();
    switch (type) {
      case NULL:
        return new ChunkSums(type, bytesPerChecksum, null);
      case CRC32:
        return new ChunkSums(type, bytesPerChecksum, new CRC32());
      case CRC32C:
        return new ChunkSums(type, bytesPerChecksum, new CRC32C());
      default:
        throw new IllegalArgumentException("No replica carries checksums of type " + type);
    }
  }

  /** @return bytes per sum; 0 if there are no sums */
  public int sumSize() {
    return type.size;
  }

  /**
   * @param dataLength the number of bytes of data, which begins on a chunk boundary
   * @return the number of bytes that the sums of that data take
   */
  public long sumsSize(long dataLength) {
    return (dataLength + bytesPerChecksum - 1) / bytesPerChecksum * type.size;
  }

  /**
   * Compares {@code data} with its stored sums. Positions and limits stay as they are.
   *
   * @param data the data, which starts on a chunk boundary and ends on one or at the replica's end
   * @param sums the stored sums, beginning with the sum of the first chunk
   * @param name what the message calls the data
   * @param basePos where in the replica {@code data} starts, bytes
   * @throws ChecksumException at the first chunk that differs
   */
  public void verify(ByteBuffer data, ByteBuffer sums, String name, long basePos)
      throws ChecksumException {
    if (crc == null) {
      return;
    }
    int start = data.position();
    int end = data.limit();
    int sumAt = sums.position();
    try {
      for (int at = start; at < end; at += bytesPerChecksum, sumAt += type.size) {
        int computed = sumOf(data, at, Math.min(end, at + bytesPerChecksum));
        int stored = sums.getInt(sumAt);
        if (computed != stored) {
          long pos = basePos + at - start;
          throw new ChecksumException(String.format(
              "%s of %s does not match at byte %d: stored %08x, computed %08x",
              type, name, pos, stored, computed), pos);
        }
      }
    } finally {
      data.limit(end).position(start);
    }
  }

  private int sumOf(ByteBuffer data, int from, int to) {
    crc.reset();
    data.limit(to).position(from);
    crc.update(data);
    return (int) crc.getValue();
  }

  /**
   * Consumes {@code data} and writes the sum of each chunk that it completes.
   *
   * @param data the data that follows the data of the last call
   * @param sums takes the sums; has room for {@code sumsSize(data.remaining())} bytes
   */
  public void update(ByteBuffer data, ByteBuffer sums) {
    if (crc == null) {
      data.position(data.limit());
      return;
    }
    int end = data.limit();
    while (data.position() < end) {
      int take = Math.min(end - data.position(), bytesPerChecksum - bytesInChunk);
      data.limit(data.position() + take);
      crc.update(data);
      data.limit(end);
      bytesInChunk += take;
      if (bytesInChunk == bytesPerChecksum) {
        finish(sums);
      }
    }
  }

  /**
   * Writes the sum of a last chunk that is not full, if there is one.
   *
   * @param sums takes the sum
   */
  public void finish(ByteBuffer sums) {
    if (bytesInChunk > 0) {
      sums.putInt((int) crc.getValue());
      crc.reset();
      bytesInChunk = 0;
    }
  }
}
