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

import static org.hdfsppr.datanode.replica.ChunkCache.CHUNK_OVERHEAD_BYTES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The chunks that the cache holds, the chunks that leave it, and its counters. */
@Timeout(120)
class TestChunkCache {
  private static final String POOL = "BP-1";
  private static final int BYTES = 1000;
  private static final int WEIGHT = BYTES + CHUNK_OVERHEAD_BYTES;
  private static final int ROOM = 64;
  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final ChunkCache cache = new ChunkCache(ROOM * WEIGHT);

  private static ReplicaKey replica(long id, long length) {
    return new ReplicaKey(new ExtendedBlock(POOL, id, length, 7), length);
  }

  private static byte[] chunk(long value) {
    byte[] chunk = new byte[BYTES];
    Arrays.fill(chunk, (byte) value);
    return chunk;
  }

  @Test
  void givesBackWhatWasPutIn() {
    ReplicaKey replica = replica(-1, 3 * BYTES);
    assertNull(cache.get(replica, 0));
    assertNull(cache.checksumOf(replica));
    byte[] first = chunk(1);
    cache.put(replica, 0, first, CHECKSUM);
    cache.put(replica, 0, chunk(2), CHECKSUM);
    assertArrayEquals(first, cache.get(replica, 0));
    assertNull(cache.get(replica, 1));
    assertEquals(512, cache.checksumOf(replica).getBytesPerChecksum());
    assertEquals(DataChecksum.Type.CRC32C, cache.checksumOf(replica).getChecksumType());
    assertEquals(1, cache.hits());
    assertEquals(2, cache.misses());
    assertEquals(WEIGHT, cache.bytes());
  }

  @Test
  void anotherPoolGenerationStampOrLengthIsAnotherReplica() {
    ExtendedBlock block = new ExtendedBlock(POOL, -1, BYTES, 7);
    cache.put(new ReplicaKey(block, BYTES), 0, chunk(1), CHECKSUM);
    assertNotNull(cache.get(new ReplicaKey(new ExtendedBlock(block), BYTES), 0));
    for (ReplicaKey other : Arrays.asList(
        new ReplicaKey(new ExtendedBlock("BP-2", -1, BYTES, 7), BYTES),
        new ReplicaKey(new ExtendedBlock(POOL, -2, BYTES, 7), BYTES),
        new ReplicaKey(new ExtendedBlock(POOL, -1, BYTES, 8), BYTES),
        new ReplicaKey(block, BYTES + 1))) {
      assertNull(cache.get(other, 0));
      assertNull(cache.checksumOf(other));
    }
  }

  @Test
  void takesNoMoreThanItsRoom() {
    for (long id = -1; id > -10 * ROOM; id--) {
      cache.put(replica(id, BYTES), 0, chunk(id), CHECKSUM);
      assertTrue(cache.bytes() <= ROOM * WEIGHT, cache.bytes() + " bytes");
    }
    assertTrue(cache.bytes() > ROOM * WEIGHT / 2, "it is used");
    assertSaysWhatItHolds(10 * ROOM);
  }

  /** Tiny replicas: their overhead counts, or they would take any amount of memory. */
  @Test
  void tinyChunksAreBoundedToo() {
    int held = 0;
    for (long id = -1; id > -10_000; id--) {
      cache.put(replica(id, 1), 0, new byte[1], CHECKSUM);
    }
    for (long id = -1; id > -10_000; id--) {
      held += cache.has(replica(id, 1), 0) ? 1 : 0;
    }
    assertTrue(held <= ROOM * WEIGHT / CHUNK_OVERHEAD_BYTES, held + " chunks");
  }

  @Test
  void whatIsHotOutlivesAScan() {
    ReplicaKey hot = replica(-1, 4 * BYTES);
    for (int index = 0; index < 4; index++) {
      cache.put(hot, index, chunk(index), CHECKSUM);
    }
    for (long id = -2; id > -20 * ROOM; id--) {
      for (int index = 0; index < 4; index++) {
        assertNotNull(cache.get(hot, index), "chunk " + index + " after " + -id + " others");
      }
      ReplicaKey once = replica(id, BYTES);
      assertNull(cache.get(once, 0));
      cache.put(once, 0, chunk(id), CHECKSUM);
    }
  }

  @Test
  void saysOfWhichBlocksItHoldsMost() {
    ReplicaKey half = replica(-1, 2 * BYTES);
    cache.put(half, 0, chunk(1), CHECKSUM);
    cache.put(replica(-2, BYTES), 0, chunk(2), CHECKSUM);
    assertEquals(Collections.singletonList(-2L), cache.mostlyHeld(POOL, 75));
    assertEquals(Collections.emptyList(), cache.mostlyHeld("BP-2", 75));
    cache.put(half, 1, chunk(3), CHECKSUM);
    assertEquals(new HashSet<>(Arrays.asList(-1L, -2L)),
        new HashSet<>(cache.mostlyHeld(POOL, 75)));
  }

  /** Many threads put and get at once; afterwards the counters match the contents. */
  @Test
  void booksAgreeWithTheContent() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        Random random = new Random(4711 + thread);
        all.add(threads.submit(() -> {
          for (int i = 0; i < 20_000; i++) {
            long id = -1 - random.nextInt(3 * ROOM);
            ReplicaKey replica = replica(id, BYTES);
            byte[] found = cache.get(replica, 0);
            if (found == null) {
              cache.put(replica, 0, chunk(id), CHECKSUM);
            } else {
              assertEquals((byte) id, found[random.nextInt(BYTES)]);
            }
          }
        }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    // Lets the cache evict what was still to be evicted.
    cache.put(replica(-100_000, BYTES), 0, chunk(0), CHECKSUM);
    assertTrue(cache.bytes() <= ROOM * WEIGHT, cache.bytes() + " bytes");
    assertSaysWhatItHolds(3 * ROOM);
  }

  private void assertSaysWhatItHolds(int replicas) {
    Set<Long> said = new HashSet<>(cache.mostlyHeld(POOL, 100));
    for (long id = -1; id >= -replicas; id--) {
      boolean held = cache.has(replica(id, BYTES), 0);
      assertEquals(held, said.contains(id), "block " + id);
      assertEquals(held, cache.checksumOf(replica(id, BYTES)) != null, "block " + id);
    }
  }
}
