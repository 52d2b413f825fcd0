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

import static org.hdfsppr.datanode.replica.ChunkCache.CHUNK_BYTES;
import static org.hdfsppr.datanode.replica.ReplicaCluster.CRC32C_512;
import static org.hdfsppr.datanode.replica.ReplicaCluster.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.datanode.replica.ReplicaCluster.Recorded;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replicas read through the chunk cache: the same bytes, the same refusals, fewer reads. */
class TestCachedReplicas {
  /** Two chunks and a part of a third one, which ends within a checksum chunk. */
  private static final int LENGTH = 2 * CHUNK_BYTES + 1003;

  @TempDir
  private static Path dir;
  private static ReplicaCluster cluster;

  private final ChunkCache cache = new ChunkCache(64L << 20);
  private final Recorded bad = new Recorded();

  @BeforeAll
  static void start() throws IOException {
    cluster = new ReplicaCluster(dir, 1, ReplicaCluster.conf());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void nothingIsHeld() throws Exception {
    cluster.awaitVolumesFree(0);
  }

  private CachedReplicaSource open(ExtendedBlock block) throws IOException {
    return CachedReplicaSource.open(cluster.dn(0), block, cache, bad);
  }

  private void warm(ExtendedBlock block) throws IOException {
    try (CachedReplicaSource source = open(block)) {
      ReplicaCluster.readAll(source);
    }
  }

  private static void delete(ExtendedBlock block) throws Exception {
    cluster.dn(0).getFSDataset().invalidate(block.getBlockPoolId(),
        new Block[] {block.getLocalBlock()});
    GenericTestUtils.waitFor(() -> {
      try {
        return cluster.filesOf(block).isEmpty();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }, 100, 10_000);
  }

  @Test
  void whatWasReadNeedsNoFileAgain() throws IOException {
    byte[] expected = bytes(LENGTH, 1);
    ExtendedBlock block = cluster.writeLocal(0, expected, CRC32C_512);
    try (CachedReplicaSource source = open(block)) {
      assertArrayEquals(expected, ReplicaCluster.readAll(source));
      assertTrue(source.isOpen());
      assertEquals(0, source.cachedBytes());
    }
    assertEquals(3, cache.misses());
    assertEquals(0, cache.hits());
    try (CachedReplicaSource source = open(block)) {
      source.announce(0, 0);
      source.announce(0, LENGTH);
      assertArrayEquals(expected, ReplicaCluster.readAll(source));
      assertFalse(source.isOpen(), "a file was opened");
      assertEquals(LENGTH, source.cachedBytes());
      assertEquals(DataChecksum.Type.CRC32C, source.checksum().getChecksumType());
      assertEquals(512, source.checksum().getBytesPerChecksum());
    }
    assertEquals(3, cache.misses());
    assertEquals(3, cache.hits());
    bad.assertReports();
  }

  @ParameterizedTest
  @CsvSource({"CRC32C, 512", "CRC32, 512", "CRC32C, 4096", "CRC32C, 100", "CRC32C, 300000",
      "NULL, 512"})
  void everyPieceIsRight(DataChecksum.Type type, int bytesPerChecksum) throws IOException {
    DataChecksum checksum = DataChecksum.newDataChecksum(type, bytesPerChecksum);
    // Room for a few chunks only, so that the cache evicts many and reads them again.
    ChunkCache small = new ChunkCache(5 * CHUNK_BYTES);
    for (int length : new int[] {0, 1, 511, 512, 513, CHUNK_BYTES, CHUNK_BYTES + 1, 1_000_003}) {
      byte[] expected = bytes(length, length);
      ExtendedBlock block = cluster.writeLocal(0, expected, checksum);
      Random random = new Random(length);
      for (int round = 0; round < 4; round++) {
        try (CachedReplicaSource source =
            CachedReplicaSource.open(cluster.dn(0), block, small, bad)) {
          assertEquals(length, source.length());
          assertEquals(type, source.checksum().getChecksumType());
          assertEquals(bytesPerChecksum, source.checksum().getBytesPerChecksum());
          readInPieces(source, expected, random);
        }
      }
    }
    assertEquals(type == DataChecksum.Type.NULL, small.hits() + small.misses() == 0,
        "bytes without checksums pass by");
    assertTrue(small.bytes() <= 5 * CHUNK_BYTES);
    bad.assertReports();
  }

  private static void readInPieces(CachedReplicaSource source, byte[] expected, Random random)
      throws IOException {
    int pos = 0;
    while (pos < expected.length) {
      int length = Math.min(expected.length - pos,
          1 + random.nextInt(random.nextBoolean() ? 2000 : 200_000));
      if (random.nextBoolean()) {
        source.announce(pos, random.nextInt(3) == 0 ? 0 : length);
      }
      assertRead(source, expected, pos, length);
      pos += random.nextBoolean() ? length : length + random.nextInt(100_000);
    }
  }

  private static void assertRead(CachedReplicaSource source, byte[] expected, int pos, int length)
      throws IOException {
    ByteBuffer dst = ByteBuffer.allocateDirect(length + 2);
    dst.position(1).limit(1 + length);
    source.read(pos, dst);
    assertFalse(dst.hasRemaining());
    dst.position(1);
    byte[] got = new byte[length];
    dst.get(got);
    assertArrayEquals(Arrays.copyOfRange(expected, pos, pos + length), got,
        length + " bytes at " + pos);
  }

  /** A caller may expect fewer bytes than the replica has; the chunk is whole nevertheless. */
  @Test
  void aBeginningOfTheReplica() throws IOException {
    byte[] expected = bytes(LENGTH, 2);
    ExtendedBlock block = cluster.writeLocal(0, expected, CRC32C_512);
    ExtendedBlock shorter = new ExtendedBlock(block);
    shorter.setNumBytes(1000);
    try (CachedReplicaSource source = open(shorter)) {
      assertArrayEquals(Arrays.copyOf(expected, 1000), ReplicaCluster.readAll(source));
      assertThrows(IllegalArgumentException.class,
          () -> source.read(990, ByteBuffer.allocateDirect(11)));
    }
    try (CachedReplicaSource source = open(block)) {
      assertRead(source, expected, 0, CHUNK_BYTES);
      assertFalse(source.isOpen());
      assertArrayEquals(expected, ReplicaCluster.readAll(source));
    }
    bad.assertReports();
  }

  @Test
  void anotherGenerationStampIsNeverServed() throws Exception {
    ExtendedBlock block = cluster.writeLocal(0, bytes(LENGTH, 3), CRC32C_512);
    warm(block);
    ExtendedBlock newer = new ExtendedBlock(block);
    newer.setGenerationStamp(block.getGenerationStamp() + 1);
    assertThrows(ReplicaNotFoundException.class, () -> open(newer));
    ExtendedBlock older = new ExtendedBlock(block);
    older.setGenerationStamp(block.getGenerationStamp() - 1);
    assertThrows(ReplicaNotFoundException.class, () -> open(older));

    // The same block and length, with other bytes.
    delete(block);
    byte[] expected = bytes(LENGTH, 4);
    try (LocalReplicaSink sink =
        LocalReplicaSink.open(cluster.dn(0), newer, StorageType.DISK, "", CRC32C_512)) {
      ReplicaCluster.writeAll(sink, expected, new Random(4));
      sink.commit();
    }
    assertThrows(ReplicaNotFoundException.class, () -> open(block));
    for (int round = 0; round < 2; round++) {
      try (CachedReplicaSource source = open(newer)) {
        assertArrayEquals(expected, ReplicaCluster.readAll(source));
      }
    }
    bad.assertReports();
  }

  @Test
  void aDeletedReplicaIsNotServed() throws Exception {
    ExtendedBlock block = cluster.writeLocal(0, bytes(LENGTH, 5), CRC32C_512);
    warm(block);
    delete(block);
    assertThrows(ReplicaNotFoundException.class, () -> open(block));
    bad.assertReports();
  }

  /** The cached chunk stays readable, as the replica was there at open; other chunks do not. */
  @Test
  void aReplicaThatIsDeletedWhileItIsReadFromMemory() throws Exception {
    byte[] expected = bytes(LENGTH, 6);
    ExtendedBlock block = cluster.writeLocal(0, expected, CRC32C_512);
    try (CachedReplicaSource source = open(block)) {
      assertRead(source, expected, 0, 1000);
    }
    try (CachedReplicaSource source = open(block)) {
      delete(block);
      assertRead(source, expected, 500, CHUNK_BYTES - 500);
      assertThrows(ReplicaNotFoundException.class,
          () -> source.read(CHUNK_BYTES, ByteBuffer.allocateDirect(10)));
    }
    bad.assertReports();
  }

  @Test
  void aTruncatedReplicaIsCorruptWhateverIsCached() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(LENGTH, 7), CRC32C_512);
    warm(block);
    try (RandomAccessFile file = new RandomAccessFile(cluster.dataFile(block), "rw")) {
      file.setLength(LENGTH - 1);
    }
    assertThrows(ChecksumException.class, () -> open(block));
    bad.assertReports("local " + block.getBlockId());
  }

  @Test
  void aReplicaWithoutItsFileIsCorruptWhateverIsCached() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(LENGTH, 8), CRC32C_512);
    warm(block);
    assertTrue(cluster.dataFile(block).delete());
    assertThrows(ChecksumException.class, () -> open(block));
    bad.assertReports("local " + block.getBlockId());
  }

  @Test
  void aShorterReplicaThanAskedForIsNotCalledCorrupt() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(LENGTH, 9), CRC32C_512);
    warm(block);
    block.setNumBytes(LENGTH + 1);
    assertThrows(ReplicaNotFoundException.class, () -> open(block));
    bad.assertReports();
  }

  @Test
  void nothingCorruptGetsIn() throws IOException {
    byte[] expected = bytes(LENGTH, 10);
    ExtendedBlock block = cluster.writeLocal(0, expected, CRC32C_512);
    int at = CHUNK_BYTES + 40_000;
    ReplicaCluster.flipBit(cluster.dataFile(block), at);
    ReplicaKey key = new ReplicaKey(block, LENGTH);
    try (CachedReplicaSource source = open(block)) {
      assertRead(source, expected, 100, 100);
      for (int round = 0; round < 2; round++) {
        // A chunk is right as a whole, or not at all.
        ChecksumException e = assertThrows(ChecksumException.class,
            () -> source.read(CHUNK_BYTES, ByteBuffer.allocateDirect(1)));
        assertEquals(at / 512 * 512, e.getPos());
      }
      assertRead(source, expected, 200, 100);
      assertRead(source, expected, 2 * CHUNK_BYTES, 1003);
    }
    assertTrue(cache.has(key, 0));
    assertFalse(cache.has(key, 1));
    assertTrue(cache.has(key, 2));
    bad.assertReports("local " + block.getBlockId());

    ReplicaCluster.flipBit(cluster.dataFile(block), at);
    try (CachedReplicaSource source = open(block)) {
      assertArrayEquals(expected, ReplicaCluster.readAll(source));
    }
  }

  @Test
  void closedTwiceAndNotReadAfterwards() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(1000, 11), CRC32C_512);
    CachedReplicaSource source = open(block);
    source.read(0, ByteBuffer.allocateDirect(700));
    source.close();
    source.close();
    source.announce(0, 1000);
    assertThrows(IOException.class, () -> source.read(0, ByteBuffer.allocateDirect(1)));
  }
}
