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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;

/**
 * Reads the stored sums from a replica's meta file, as many as fit in a buffer at a time, and
 * verifies data by the sums.
 *
 * <pre>
 *   | version, type, bytesPerChecksum | sum 0 | sum 1 | ... |
 *   |&lt;--------- header size ---------&gt;|
 * </pre>
 */
@InterfaceAudience.Private
final class StoredSums {
  private final ReplicaFiles files;
  private final FileChannel meta;
  private final ChunkSums sums;
  private final long chunks;
  private ByteBuffer buffer;
  /**
   * The first chunk whose sum is in the buffer. {@code to} is the first chunk after those whose
   * sums are in the buffer.
   */
  private long from;
  private long to;

  StoredSums(ReplicaFiles files, FileChannel meta, ChunkSums sums, long replicaLength) {
    this.files = files;
    this.meta = meta;
    this.sums = sums;
    this.chunks = sums.sumsSize(replicaLength) / sums.sumSize();
  }

  int bytesPerChecksum() {
    return sums.bytesPerChecksum;
  }

  /** Returns how many bytes of data the sums of a full buffer cover. */
  long dataPerBuffer() {
    return (long) ReplicaBuffers.SUMS_BYTES / sums.sumSize() * sums.bytesPerChecksum;
  }

  /**
   * Verifies {@code data}, which begins on a chunk boundary and has at most {@link #dataPerBuffer}
   * bytes.
   *
   * @throws ChecksumException if the bytes do not match their sums
   * @throws EOFException if the meta file ends before the sums of the data
   */
  void verify(ByteBuffer data, String name, long basePos) throws IOException {
    long first = basePos / sums.bytesPerChecksum;
    long end = first + sums.sumsSize(data.remaining()) / sums.sumSize();
    if (first < from || end > to) {
      load(first);
    }
    buffer.position((int) (first - from) * sums.sumSize());
    sums.verify(data, buffer, name, basePos);
  }

  private void load(long first) throws IOException {
    if (buffer == null) {
      buffer = ReplicaBuffers.READERS.getBuffer(ReplicaBuffers.SUMS_BYTES);
    }
    long count = Math.min(chunks - first, ReplicaBuffers.SUMS_BYTES / sums.sumSize());
    buffer.clear().limit((int) count * sums.sumSize());
    from = first;
    to = first;
    if (!files.readFully(meta, buffer,
        BlockMetadataHeader.getHeaderSize() + first * sums.sumSize())) {
      throw new EOFException("The meta file ends before the sum of chunk " + (first + count - 1));
    }
    to = first + count;
  }

  void close() {
    if (buffer != null) {
      ReplicaBuffers.READERS.returnBuffer(buffer);
      buffer = null;
      from = 0;
      to = 0;
    }
  }
}
