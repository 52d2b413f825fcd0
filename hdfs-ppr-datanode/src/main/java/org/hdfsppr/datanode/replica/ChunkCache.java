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
 * Chunks of local replicas that degraded reads have asked for, in memory (the chunk cache of
 * Mitra et al., "Partial-parallel-repair (PPR)", EuroSys 2016). A chunk is {@link #CHUNK_BYTES} of
 * a replica, from a multiple of that on; the last one may be shorter. Only bytes that matched their
 * stored checksums may be put in. Thread-safe.
 *
 * <p>When it is full, what has been asked for least often and least recently makes room (Caffeine's
 * W-TinyLFU), so that somebody who reads a lost unit once from end to end does not drive out what
 * others read again and again.
 *
 * <p>The chunks are on the heap. Each is read by any number of threads while it may be evicted at
 * any time: on the heap it lives until the last of them has let go of it, where direct memory would
 * need a count of its readers, with wrong bytes as the price of a wrong count.
 */
@InterfaceAudience.Private
public final class ChunkCache {
  /** A few times what a small read wants, and one request to a disk; not huge for any collector. */
  static final int CHUNK_BYTES = 64 * 1024;

  /** Keys, arrays' headers, the cache's own nodes: what a chunk weighs besides its bytes. */
  static final int CHUNK_OVERHEAD_BYTES = 512;

  private final Cache<ChunkKey, byte[]> chunks;
  private final ConcurrentHashMap<ReplicaKey, Held> held = new ConcurrentHashMap<>();

  /** @param bytes that it may take */
  public ChunkCache(long bytes) {
    chunks = Caffeine.newBuilder()
        .maximumWeight(bytes)
        .weigher((ChunkKey key, byte[] chunk) -> chunk.length + CHUNK_OVERHEAD_BYTES)
        // Whoever puts something in makes room for it, so that nothing waits to be evicted.
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

  /** What there is of one replica. Immutable. */
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

  /** The bytes of a chunk, not to be written to, or null. */
  byte[] get(ReplicaKey replica, long index) {
    return chunks.getIfPresent(new ChunkKey(replica, index));
  }

  /** Whether there is a chunk, without asking for it. */
  boolean has(ReplicaKey replica, long index) {
    return chunks.asMap().containsKey(new ChunkKey(replica, index));
  }

  /**
   * Puts a chunk in.
   *
   * @param chunk its bytes, verified, and not written to from now on
   * @param checksum what they were verified by
   */
  void put(ReplicaKey replica, long index, byte[] chunk, DataChecksum checksum) {
    // First: once it is in, it may be evicted at any time.
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

  /** Type and chunk size of the checksums of a replica that there are chunks of, or null. */
  DataChecksum checksumOf(ReplicaKey replica) {
    Held now = held.get(replica);
    return now == null ? null : DataChecksum.newDataChecksum(now.type, now.bytesPerChecksum);
  }

  /**
   * The ids of blocks of a pool of which at least {@code percent} of the bytes are here. Their
   * replicas may be gone meanwhile.
   */
  public Collection<Long> mostlyHeld(String poolId, int percent) {
    List<Long> ids = new ArrayList<>();
    held.forEach((replica, now) -> {
      if (replica.poolId().equals(poolId)
          && now.bytes >= replica.length() / 100.0 * percent) {
        ids.add(replica.blockId());
      }
    });
    return ids;
  }

  /** Chunks that were found when they were asked for. */
  public long hits() {
    return chunks.stats().hitCount();
  }

  /** Chunks that were not. */
  public long misses() {
    return chunks.stats().missCount();
  }

  /** What all chunks take, with {@link #CHUNK_OVERHEAD_BYTES} for each. */
  public long bytes() {
    return chunks.policy().eviction()
        .map(eviction -> eviction.weightedSize().orElse(0)).orElse(0L);
  }
}
