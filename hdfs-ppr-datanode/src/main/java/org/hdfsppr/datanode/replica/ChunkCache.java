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

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DataChecksum;

/**
 * Keeps in memory the chunks of local replicas that degraded reads have asked for (the chunk cache
 * of Mitra et al., "Partial-parallel-repair (PPR)", EuroSys 2016). A chunk is {@link #CHUNK_BYTES}
 * of a replica and begins at a multiple of this length; the last chunk may be shorter. A caller
 * puts in only bytes that matched their stored checksums. Thread-safe.
 *
 * <p>A full cache drops the chunks that were asked for least often and least recently (Caffeine's
 * W-TinyLFU). A reader that reads a lost unit once from end to end therefore does not displace the
 * chunks that other readers read again and again.
 *
 * <p>The chunks are on the heap. Any number of threads may read a chunk while the cache evicts it.
 * On the heap, a chunk lives until the last of these threads has finished with the chunk. Direct
 * memory would need a count of readers, and a wrong count would mean wrong bytes.
 */
@InterfaceAudience.Private
public final class ChunkCache {
  /**
   * The length of a chunk, bytes. It is a few times the length of a small read. One request to a
   * disk can read it, and no garbage collector treats it as a huge object.
   */
  static final int CHUNK_BYTES = 64 * 1024;

  /**
   * The bytes that a chunk takes besides its data: its key, its array's header and the cache's own
   * nodes.
   */
  static final int CHUNK_OVERHEAD_BYTES = 512;

  private final Cache<ChunkKey, byte[]> chunks;
  private final ConcurrentHashMap<ReplicaKey, Held> held = new ConcurrentHashMap<>();

  /**
   * @param bytes the most bytes of memory that the cache may take; each chunk counts with {@link
   *     #CHUNK_OVERHEAD_BYTES} more than its data
   */
  public ChunkCache(long bytes) {
    chunks = Caffeine.newBuilder()
        .maximumWeight(bytes)
        .weigher((ChunkKey key, byte[] chunk) -> chunk.length + CHUNK_OVERHEAD_BYTES)
        // The thread that puts a chunk in makes room for it, so that nothing waits for eviction.
        .executor(Runnable::run)
        .removalListener((ChunkKey key, byte[] chunk, RemovalCause cause) ->
            release(key.replica, chunk.length))
        .recordStats()
        .build();
  }

  private static final class ChunkKey {
    private final ReplicaKey replica;
    private final long index;

    ChunkKey(ReplicaKey replica, long index) {
      this.replica = replica;
      this.index = index;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof ChunkKey && index == ((ChunkKey) o).index
          && replica.equals(((ChunkKey) o).replica);
    }

    @Override
    public int hashCode() {
      return 31 * replica.hashCode() + Long.hashCode(index);
    }
  }

  /**
   * How many bytes of one replica the cache holds, and the replica's kind of checksums. Immutable.
   */
  private static final class Held {
    private final long bytes;
    private final DataChecksum.Type type;
    private final int bytesPerChecksum;

    Held(long bytes, DataChecksum.Type type, int bytesPerChecksum) {
      this.bytes = bytes;
      this.type = type;
      this.bytesPerChecksum = bytesPerChecksum;
    }

    Held plus(long more) {
      return new Held(bytes + more, type, bytesPerChecksum);
    }
  }

  /** Returns the bytes of a chunk, or null. The caller must not write to them. */
  byte[] get(ReplicaKey replica, long index) {
    return chunks.getIfPresent(new ChunkKey(replica, index));
  }

  /** Returns whether the cache holds a chunk. The statistics do not count this call. */
  boolean has(ReplicaKey replica, long index) {
    return chunks.asMap().containsKey(new ChunkKey(replica, index));
  }

  /**
   * Puts a chunk into the cache.
   *
   * @param chunk the verified bytes of the chunk; no thread may write to them after this call
   * @param checksum the checksum that verified the bytes
   */
  void put(ReplicaKey replica, long index, byte[] chunk, DataChecksum checksum) {
    // The bytes are counted first, because the cache may evict the chunk as soon as it holds it.
    held.compute(replica, (key, now) -> now == null
        ? new Held(chunk.length, checksum.getChecksumType(), checksum.getBytesPerChecksum())
        : now.plus(chunk.length));
    boolean added = false;
    try {
      added = chunks.asMap().putIfAbsent(new ChunkKey(replica, index), chunk) == null;
    } finally {
      if (!added) {
        release(replica, chunk.length);
      }
    }
  }

  private void release(ReplicaKey replica, int bytes) {
    held.computeIfPresent(replica, (key, now) -> now.bytes <= bytes ? null : now.plus(-bytes));
  }

  /**
   * Returns type and chunk size of the checksums of a replica, or null if the cache holds no chunk
   * of the replica.
   */
  DataChecksum checksumOf(ReplicaKey replica) {
    Held now = held.get(replica);
    return now == null ? null : DataChecksum.newDataChecksum(now.type, now.bytesPerChecksum);
  }

  /**
   * Lists the blocks of which the cache holds at least {@code percent} of the bytes. The DataNode
   * may have deleted the replicas of these blocks in the meantime.
   *
   * @param poolId block pool of the blocks
   * @param percent the least share of a block's bytes, 0 to 100
   * @return ids of the blocks
   */
  public Collection<Long> mostlyHeld(String poolId, int percent) {
    List<Long> ids = new ArrayList<>();
    held.forEach((replica, now) -> {
      if (replica.poolId.equals(poolId)
          && now.bytes >= replica.length / 100.0 * percent) {
        ids.add(replica.blockId);
      }
    });
    return ids;
  }

  /** @return the number of chunks that the cache held when asked for them */
  public long hits() {
    return chunks.stats().hitCount();
  }

  /** @return the number of chunks that the cache did not hold when asked for them */
  public long misses() {
    return chunks.stats().missCount();
  }

  /** @return bytes of memory of all chunks, with {@link #CHUNK_OVERHEAD_BYTES} for each */
  public long bytes() {
    return chunks.policy().eviction()
        .map(eviction -> eviction.weightedSize().orElse(0)).orElse(0L);
  }
}
