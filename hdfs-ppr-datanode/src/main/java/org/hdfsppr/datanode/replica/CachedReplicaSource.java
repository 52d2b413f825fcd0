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

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.stream.UnitSource;

/**
 * Reads a finalised replica on this DataNode through the {@link ChunkCache}. A {@link
 * LocalReplicaSource} reads and verifies the chunks that the cache lacks, and the cache then keeps
 * these chunks. This class opens the replica's files only when it needs the first such chunk. Each
 * time a caller opens a source, this class checks that the replica is still there and finalised,
 * with its generation stamp and length. It does so even if the cache holds all chunks.
 *
 * <p>A replica without checksums bypasses the cache, which takes only verified bytes.
 */
@InterfaceAudience.Private
public final class CachedReplicaSource implements UnitSource {
  private final DataNode dn;
  private final BadReplicas badReplicas;
  private final long length;
  /** The whole replica. The unit is the beginning of the replica. */
  private final ExtendedBlock replica;
  private final ReplicaKey key;
  private final ChunkCache cache;
  private DataChecksum checksum;

  /** The open files of the replica; null until a read needs a chunk that the cache lacks. */
  private LocalReplicaSource files;
  /**
   * The run of bytes that this class announces to {@code files} as soon as it has opened them; null
   * if there is none.
   */
  private Run announced;

  /** The chunk that was last read; the cache may have dropped it. */
  private byte[] chunk;
  private long chunkIndex;
  private boolean chunkWasCached;
  private long cachedBytes;
  private boolean closed;

  private CachedReplicaSource(DataNode dn, BadReplicas badReplicas, ExtendedBlock block,
      long replicaLength, ChunkCache cache) {
    this.dn = dn;
    this.badReplicas = badReplicas;
    this.length = block.getNumBytes();
    this.replica = new ExtendedBlock(block);
    this.replica.setNumBytes(replicaLength);
    this.key = new ReplicaKey(block, replicaLength);
    this.cache = cache;
  }

  private static final class Run {
    private final long offset;
    private final long length;

    Run(long offset, long length) {
      this.offset = offset;
      this.length = length;
    }
  }

  /**
   * Opens the replica of {@code block}, and reports corruption to the NameNode.
   *
   * @param dn the DataNode that has the replica
   * @param block as for {@link #open(DataNode, ExtendedBlock, ChunkCache, BadReplicas)}
   * @param cache the cache that keeps the chunks
   * @return the open source
   * @throws IOException as {@link #open(DataNode, ExtendedBlock, ChunkCache, BadReplicas)} does
   */
  public static CachedReplicaSource open(DataNode dn, ExtendedBlock block, ChunkCache cache)
      throws IOException {
    return open(dn, block, cache, new NameNodeReports(dn));
  }

  /**
   * Opens the replica of {@code block}. If the cache holds chunks of the replica, this method does
   * not open the replica's files yet.
   *
   * @param dn the DataNode that has the replica
   * @param block the block, with the generation stamp that the replica must have and the length of
   *     the unit; the replica must be at least as long
   * @param cache the cache that keeps the chunks
   * @param badReplicas takes the report if the replica is corrupt
   * @return the open source
   * @throws IOException as {@link LocalReplicaSource#open(DataNode, ExtendedBlock, BadReplicas)}
   *     does
   */
  public static CachedReplicaSource open(DataNode dn, ExtendedBlock block, ChunkCache cache,
      BadReplicas badReplicas) throws IOException {
    CachedReplicaSource source = new CachedReplicaSource(dn, badReplicas, block,
        LocalReplicaSource.checkedLength(dn, block, badReplicas), cache);
    source.checksum = cache.checksumOf(source.key);
    if (source.checksum == null) {
      source.files();
    }
    return source;
  }

  @Override
  public long length() {
    return length;
  }

  /** @return type and chunk size of the stored checksums */
  public DataChecksum checksum() {
    return checksum;
  }

  /** @return how many of the bytes read so far were in the cache */
  public long cachedBytes() {
    return cachedBytes;
  }

  /** Returns whether the replica's files have been opened. */
  boolean isOpen() {
    return files != null;
  }

  private boolean hasSums() {
    return checksum.getChecksumType() != DataChecksum.Type.NULL;
  }

  private LocalReplicaSource files() throws IOException {
    if (files == null) {
      LocalReplicaSource opened = LocalReplicaSource.open(dn, replica, badReplicas);
      if (opened.replicaLength != key.length) {
        opened.close();
        throw new ReplicaNotFoundException("The replica of " + replica + " has "
            + opened.replicaLength + " bytes now");
      }
      files = opened;
      checksum = opened.checksum;
      if (announced != null) {
        files.announce(announced.offset, announced.length);
      }
    }
    return files;
  }

  /**
   * Announces all chunks that the run of bytes touches, because the source reads whole chunks.
   * Announces nothing if the cache has all of these chunks.
   */
  @Override
  public void announce(long offset, long runLength) {
    if (closed) {
      return;
    }
    Run run = new Run(offset, runLength);
    if (runLength > 0 && hasSums()) {
      long from = offset / ChunkCache.CHUNK_BYTES;
      long to = (offset + runLength - 1) / ChunkCache.CHUNK_BYTES + 1;
      if (hasAll(from, to)) {
        return;
      }
      long start = from * ChunkCache.CHUNK_BYTES;
      run = new Run(start, Math.min(to * ChunkCache.CHUNK_BYTES, key.length) - start);
    }
    if (files == null) {
      announced = run;
    } else {
      files.announce(run.offset, run.length);
    }
  }

  private boolean hasAll(long from, long to) {
    for (long index = from; index < to; index++) {
      if (!cache.has(key, index)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void read(long offset, ByteBuffer dst) throws IOException {
    if (closed) {
      throw new IOException("The replica of " + replica + " is closed");
    }
    if (offset < 0 || dst.remaining() > length - offset) {
      throw new IllegalArgumentException(
          dst.remaining() + " bytes at " + offset + " of " + length);
    }
    if (!hasSums()) {
      files().read(offset, dst);
      return;
    }
    long pos = offset;
    while (dst.hasRemaining()) {
      long index = pos / ChunkCache.CHUNK_BYTES;
      seek(index);
      int from = (int) (pos - index * ChunkCache.CHUNK_BYTES);
      int bytes = Math.min(dst.remaining(), chunk.length - from);
      dst.put(chunk, from, bytes);
      pos += bytes;
      cachedBytes += chunkWasCached ? bytes : 0;
    }
  }

  private void seek(long index) throws IOException {
    if (chunk != null && chunkIndex == index) {
      return;
    }
    byte[] found = cache.get(key, index);
    chunkWasCached = found != null;
    chunk = found != null ? found : load(index);
    chunkIndex = index;
  }

  private byte[] load(long index) throws IOException {
    // This method forgets the previous chunk first, so that no read uses that chunk if the load
    // fails.
    chunk = null;
    LocalReplicaSource from = files();
    long start = index * ChunkCache.CHUNK_BYTES;
    int bytes = (int) Math.min(ChunkCache.CHUNK_BYTES, key.length - start);
    byte[] loaded = new byte[bytes];
    // This method holds the buffer only during the load. A reader may have a source open for each
    // sub-chunk, and the buffers of all sources are bounded.
    ByteBuffer loading = ReplicaBuffers.READERS.getBuffer(ChunkCache.CHUNK_BYTES);
    try {
      loading.limit(bytes);
      from.read(start, loading);
      loading.flip();
      loading.get(loaded);
    } finally {
      ReplicaBuffers.READERS.returnBuffer(loading);
    }
    if (hasSums()) {
      cache.put(key, index, loaded, checksum);
    }
    return loaded;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    chunk = null;
    if (files != null) {
      files.close();
    }
  }
}
