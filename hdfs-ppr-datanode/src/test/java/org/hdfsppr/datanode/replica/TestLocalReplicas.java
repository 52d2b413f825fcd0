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

import static org.hdfsppr.datanode.replica.ReplicaCluster.CRC32C_512;
import static org.hdfsppr.datanode.replica.ReplicaCluster.bytes;
import static org.hdfsppr.datanode.replica.ReplicaCluster.direct;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.UnexpectedReplicaStateException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.hdfsppr.datanode.replica.ReplicaCluster.Recorded;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replicas on local disks: a read returns the written bytes, and nothing else stays behind. */
class TestLocalReplicas {
  private static final int HEADER_BYTES = 7;

  @TempDir
  static Path dir;
  private static ReplicaCluster cluster;

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
    cluster.assertNothingReserved(0);
    cluster.awaitVolumesFree(0);
  }

  private static LocalReplicaSource open(ExtendedBlock block, Recorded bad) throws IOException {
    return LocalReplicaSource.open(cluster.dn(0), block, bad);
  }

  @ParameterizedTest
  @CsvSource({"CRC32C, 512", "CRC32, 512", "CRC32C, 4096", "CRC32C, 100", "CRC32C, 300000",
      "NULL, 512"})
  void whatIsWrittenIsRead(DataChecksum.Type type, int bytesPerChecksum) throws IOException {
    DataChecksum checksum = DataChecksum.newDataChecksum(type, bytesPerChecksum);
    for (int length : new int[] {0, 1, 511, 512, 513, 65_536, 1_000_003, 3 << 20}) {
      byte[] expected = bytes(length, length);
      ExtendedBlock block = cluster.writeLocal(0, expected, checksum);
      assertEquals(length, cluster.dataFile(block).length());
      assertEquals(HEADER_BYTES + ChunkSums.of(checksum).sumsSize(length),
          cluster.metaFile(block).length());
      Recorded bad = new Recorded();
      try (LocalReplicaSource source = open(block, bad)) {
        assertEquals(length, source.length());
        assertEquals(type, source.checksum.getChecksumType());
        assertEquals(bytesPerChecksum, source.checksum.getBytesPerChecksum());
        assertArrayEquals(expected, ReplicaCluster.readAll(source));
        readInPieces(source, expected, new Random(length));
      }
      bad.assertReports();
    }
  }

  /** Forward, with gaps, and at times the same bytes again. */
  private static void readInPieces(LocalReplicaSource source, byte[] expected, Random random)
      throws IOException {
    ByteBuffer dst = ByteBuffer.allocateDirect(expected.length + 1);
    int pos = 0;
    while (pos < expected.length) {
      int length = Math.min(expected.length - pos, 1 + random.nextInt(random.nextBoolean()
          ? 2000 : 400_000));
      dst.clear().position(1).limit(1 + length);
      source.read(pos, dst);
      assertFalse(dst.hasRemaining());
      dst.position(1);
      byte[] got = new byte[length];
      dst.get(got);
      assertArrayEquals(Arrays.copyOfRange(expected, pos, pos + length), got,
          length + " bytes at " + pos);
      switch (random.nextInt(3)) {
        case 0:
          pos += length + random.nextInt(3000);
          break;
        case 1:
          pos += random.nextInt(length) + 1;
          break;
        default:
          pos += length;
          break;
      }
    }
  }

  /** A caller may expect fewer bytes than the replica has: the last chunk is read to its end. */
  @Test
  void readsABeginningOfTheReplica() throws IOException {
    byte[] expected = bytes(5000, 1);
    ExtendedBlock block = cluster.writeLocal(0, expected, CRC32C_512);
    block.setNumBytes(1000);
    Recorded bad = new Recorded();
    try (LocalReplicaSource source = open(block, bad)) {
      assertArrayEquals(Arrays.copyOf(expected, 1000), ReplicaCluster.readAll(source));
      assertThrows(IllegalArgumentException.class,
          () -> source.read(990, ByteBuffer.allocateDirect(11)));
    }
    bad.assertReports();
  }

  @Test
  void readsWhatStockWrote() throws IOException {
    byte[] expected = bytes(1_234_567, 2);
    LocatedBlock located = cluster.writeFile("/stock", expected, 1, CRC32C_512);
    try (LocalReplicaSource source = LocalReplicaSource.open(cluster.dn(0), located.getBlock())) {
      assertArrayEquals(expected, ReplicaCluster.readAll(source));
    }
  }

  /** The replica is deleted during the read, which the NameNode may order at any time. */
  @Test
  void aReplicaThatIsDeletedStaysReadable() throws Exception {
    byte[] expected = bytes(1 << 20, 3);
    ExtendedBlock block = cluster.writeLocal(0, expected, CRC32C_512);
    Recorded bad = new Recorded();
    try (LocalReplicaSource source = open(block, bad)) {
      cluster.dn(0).getFSDataset().invalidate(block.getBlockPoolId(),
          new org.apache.hadoop.hdfs.protocol.Block[] {block.getLocalBlock()});
      GenericTestUtils.waitFor(() -> {
        try {
          return cluster.filesOf(block).isEmpty();
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      }, 100, 10_000);
      assertArrayEquals(expected, ReplicaCluster.readAll(source));
    }
    bad.assertReports();
  }

  @Test
  void refusesWhatIsNotTheReplica() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(1000, 4), CRC32C_512);
    Recorded bad = new Recorded();
    assertThrows(ReplicaNotFoundException.class, () -> open(cluster.newBlock(1000), bad));
    ExtendedBlock older = new ExtendedBlock(block);
    older.setGenerationStamp(block.getGenerationStamp() - 1);
    assertThrows(ReplicaNotFoundException.class, () -> open(older, bad));
    ExtendedBlock newer = new ExtendedBlock(block);
    newer.setGenerationStamp(block.getGenerationStamp() + 1);
    assertThrows(ReplicaNotFoundException.class, () -> open(newer, bad));
    bad.assertReports();

    ExtendedBlock unfinished = cluster.newBlock(1000);
    try (LocalReplicaSink sink = LocalReplicaSink.open(
        cluster.dn(0), unfinished, StorageType.DISK, "", CRC32C_512)) {
      sink.write(direct(bytes(1000, 5)));
      assertThrows(UnexpectedReplicaStateException.class, () -> open(unfinished, bad));
    }
    bad.assertReports();
  }

  @Test
  void aReplicaShorterThanAskedForIsNotCalledCorrupt() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(1000, 6), CRC32C_512);
    block.setNumBytes(1001);
    Recorded bad = new Recorded();
    assertThrows(ReplicaNotFoundException.class, () -> open(block, bad));
    bad.assertReports();
  }

  @ParameterizedTest
  @CsvSource({"0", "511", "512", "300000", "999999"})
  void aFlippedBitInTheDataIsFoundAndReportedOnce(int at) throws IOException {
    byte[] expected = bytes(1_000_000, 7);
    ExtendedBlock block = cluster.writeLocal(0, expected, CRC32C_512);
    ReplicaCluster.flipBit(cluster.dataFile(block), at);
    Recorded bad = new Recorded();
    try (LocalReplicaSource source = open(block, bad)) {
      ChecksumException e = assertThrows(ChecksumException.class,
          () -> ReplicaCluster.readAll(source));
      assertEquals(at / 512 * 512, e.getPos());
      // One byte of the bad chunk is enough.
      assertThrows(ChecksumException.class, () -> source.read(at, ByteBuffer.allocateDirect(1)));
    }
    bad.assertReports("local " + block.getBlockId());
  }

  @Test
  void aFlippedBitInASumIsFound() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(100_000, 8), CRC32C_512);
    ReplicaCluster.flipBit(cluster.metaFile(block), HEADER_BYTES + 4 * 100 + 2);
    Recorded bad = new Recorded();
    try (LocalReplicaSource source = open(block, bad)) {
      source.read(0, ByteBuffer.allocateDirect(512 * 100));
      ChecksumException e = assertThrows(ChecksumException.class,
          () -> source.read(512 * 100, ByteBuffer.allocateDirect(512)));
      assertEquals(512 * 100, e.getPos());
    }
    bad.assertReports("local " + block.getBlockId());
  }

  @Test
  void damagedFilesAreCorruption() throws IOException {
    Recorded bad = new Recorded();
    ExtendedBlock badHeader = cluster.writeLocal(0, bytes(5000, 9), CRC32C_512);
    ReplicaCluster.flipBit(cluster.metaFile(badHeader), 2);
    assertThrows(ChecksumException.class, () -> open(badHeader, bad));

    ExtendedBlock noHeader = cluster.writeLocal(0, bytes(5000, 10), CRC32C_512);
    truncate(cluster.metaFile(noHeader), 3);
    assertThrows(ChecksumException.class, () -> open(noHeader, bad));

    ExtendedBlock hugeChunks = cluster.writeLocal(0, bytes(5000, 10), CRC32C_512);
    ReplicaCluster.flipBit(cluster.metaFile(hugeChunks), 3);
    assertThrows(ChecksumException.class, () -> open(hugeChunks, bad));

    ExtendedBlock shortMeta = cluster.writeLocal(0, bytes(5000, 11), CRC32C_512);
    truncate(cluster.metaFile(shortMeta), HEADER_BYTES + 6);
    try (LocalReplicaSource source = open(shortMeta, bad)) {
      assertThrows(ChecksumException.class, () -> ReplicaCluster.readAll(source));
    }

    ExtendedBlock noMeta = cluster.writeLocal(0, bytes(5000, 12), CRC32C_512);
    Files.delete(cluster.metaFile(noMeta).toPath());
    assertThrows(ChecksumException.class, () -> open(noMeta, bad));

    ExtendedBlock noData = cluster.writeLocal(0, bytes(5000, 13), CRC32C_512);
    Files.delete(cluster.dataFile(noData).toPath());
    assertThrows(ChecksumException.class, () -> open(noData, bad));

    ExtendedBlock shortData = cluster.writeLocal(0, bytes(5000, 14), CRC32C_512);
    truncate(cluster.dataFile(shortData), 4999);
    assertThrows(ChecksumException.class, () -> open(shortData, bad));

    bad.assertReports("local " + badHeader.getBlockId(), "local " + noHeader.getBlockId(),
        "local " + hugeChunks.getBlockId(), "local " + shortMeta.getBlockId(),
        "local " + noMeta.getBlockId(), "local " + noData.getBlockId(),
        "local " + shortData.getBlockId());
  }

  private static void truncate(File file, long length) throws IOException {
    try (RandomAccessFile raf = new RandomAccessFile(file, "rw")) {
      raf.setLength(length);
    }
  }

  @Test
  void theNameNodeHearsOfACorruptReplica() throws Exception {
    LocatedBlock located =
        cluster.writeFile("/corrupt", bytes(100_000, 15), 1, CRC32C_512);
    ReplicaCluster.flipBit(cluster.dataFile(located.getBlock()), 5000);
    try (LocalReplicaSource source = LocalReplicaSource.open(cluster.dn(0), located.getBlock())) {
      assertThrows(ChecksumException.class, () -> ReplicaCluster.readAll(source));
    }
    GenericTestUtils.waitFor(
        () -> cluster.cluster.getNamesystem().getCorruptReplicaBlocks() == 1, 200, 20_000);
  }

  @Test
  void closedTwiceAndNotReadAfterwards() throws IOException {
    ExtendedBlock block = cluster.writeLocal(0, bytes(1000, 16), CRC32C_512);
    LocalReplicaSource source = LocalReplicaSource.open(cluster.dn(0), block);
    source.read(0, ByteBuffer.allocateDirect(700));
    source.close();
    source.close();
    assertThrows(IOException.class, () -> source.read(0, ByteBuffer.allocateDirect(1)));
  }

  @Test
  void aSinkClosedWithoutCommitLeavesNothing() throws IOException {
    for (int written : new int[] {0, 1, 1000, 1 << 20}) {
      ExtendedBlock block = cluster.newBlock(1 << 20);
      LocalReplicaSink sink =
          LocalReplicaSink.open(cluster.dn(0), block, StorageType.DISK, "", CRC32C_512);
      assertEquals(2, cluster.filesOf(block).size());
      sink.write(direct(bytes(written, 17)));
      sink.close();
      sink.close();
      cluster.assertNoTrace(0, block);
      assertThrows(IOException.class, () -> sink.write(direct(new byte[1])));
      assertThrows(IOException.class, sink::commit);
      cluster.assertNoTrace(0, block);
    }
  }

  /** The reservation shrinks as the file grows, and not only at the end. */
  @Test
  void reservesWhatIsStillToBeWritten() throws IOException {
    ExtendedBlock block = cluster.newBlock(1 << 20);
    try (LocalReplicaSink sink =
        LocalReplicaSink.open(cluster.dn(0), block, StorageType.DISK, "", CRC32C_512)) {
      assertEquals(1 << 20, reserved());
      sink.write(direct(new byte[1 << 18]));
      assertEquals(3 << 18, reserved());
    }
  }

  private static long reserved() {
    long sum = 0;
    for (FsVolumeImpl volume : cluster.dn(0).getFSDataset().getVolumeList()) {
      sum += volume.getReservedForReplicas();
    }
    return sum;
  }

  @Test
  void acceptsExactlyTheLengthOfTheUnit() throws IOException {
    ExtendedBlock block = cluster.newBlock(1000);
    try (LocalReplicaSink sink =
        LocalReplicaSink.open(cluster.dn(0), block, StorageType.DISK, "", CRC32C_512)) {
      sink.write(direct(new byte[999]));
      assertThrows(IOException.class, () -> sink.write(direct(new byte[2])));
      assertThrows(IOException.class, sink::commit);
    }
    cluster.assertNoTrace(0, block);
  }

  @Test
  void aSecondWriterOfTheSameBlockIsRefused() throws IOException {
    ExtendedBlock block = cluster.newBlock(1000);
    try (LocalReplicaSink sink =
        LocalReplicaSink.open(cluster.dn(0), block, StorageType.DISK, "", CRC32C_512)) {
      assertThrows(ReplicaAlreadyExistsException.class, () -> LocalReplicaSink.open(
          cluster.dn(0), block, StorageType.DISK, "", CRC32C_512));
      sink.write(direct(bytes(1000, 18)));
      sink.commit();
    }
    assertThrows(ReplicaAlreadyExistsException.class, () -> LocalReplicaSink.open(
        cluster.dn(0), block, StorageType.DISK, "", CRC32C_512));
    try (LocalReplicaSource source = LocalReplicaSource.open(cluster.dn(0), block)) {
      assertArrayEquals(bytes(1000, 18), ReplicaCluster.readAll(source));
    }
  }

  @Test
  void aFullDiskIsAnErrorAndLeavesNothing() throws IOException {
    ExtendedBlock block = cluster.newBlock(1L << 60);
    assertThrows(DiskOutOfSpaceException.class, () -> LocalReplicaSink.open(
        cluster.dn(0), block, StorageType.DISK, "", CRC32C_512));
    cluster.assertNoTrace(0, block);
  }

  /** As when the DataNode removes a volume: Hadoop interrupts the thread that writes to it. */
  @Test
  void anInterruptedWriterLeavesNothing() throws IOException {
    ExtendedBlock block = cluster.newBlock(1000);
    LocalReplicaSink sink =
        LocalReplicaSink.open(cluster.dn(0), block, StorageType.DISK, "", CRC32C_512);
    Thread.currentThread().interrupt();
    assertThrows(ClosedChannelException.class, () -> sink.write(direct(new byte[1000])));
    sink.close();
    assertTrue(Thread.interrupted(), "the interrupt is kept");
    cluster.assertNoTrace(0, block);
  }

  @Test
  void anInterruptBeforeTheEndLeavesNothing() throws IOException {
    ExtendedBlock block = cluster.newBlock(1000);
    LocalReplicaSink sink =
        LocalReplicaSink.open(cluster.dn(0), block, StorageType.DISK, "", CRC32C_512);
    sink.write(direct(new byte[1000]));
    Thread.currentThread().interrupt();
    assertThrows(IOException.class, sink::commit);
    sink.close();
    Thread.interrupted();
    cluster.assertNoTrace(0, block);
  }

  /** An error of any kind after the DataNode has made the replica. */
  @Test
  void aFailureToOpenTheFilesLeavesNothing() throws IOException {
    ExtendedBlock block = cluster.newBlock(1000);
    assertThrows(NullPointerException.class, () -> LocalReplicaSink.open(
        cluster.dn(0), block, StorageType.DISK, "", null));
    cluster.assertNoTrace(0, block);
  }
}
