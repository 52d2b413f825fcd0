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
import static org.hdfsppr.datanode.replica.ReplicaCluster.info;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.datanode.replica.ReplicaCluster.Recorded;
import org.hdfsppr.datanode.replica.StockWriteSink.RemoteSums;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reads from and writes to a DataNode that knows only stock's operations, with any protection of
 * the transfer. DataNode 0 reads and writes, DataNode 1 is the other one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StockTransferSuite {
  static final int TIMEOUT_MS = 10_000;

  @TempDir
  static Path dir;
  ReplicaCluster cluster;

  /** How this cluster protects its transfers. */
  abstract Configuration conf();

  @BeforeAll
  void start() throws IOException {
    cluster = new ReplicaCluster(dir, 2, conf());
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private StockReadSource read(ExtendedBlock block, long startOffset, BadReplicas bad)
      throws IOException {
    return StockReadSource.open(
        cluster.dn(0), info(cluster.dn(1)), block, startOffset, TIMEOUT_MS, bad);
  }

  StockWriteSink write(ExtendedBlock block, DataChecksum checksum) throws IOException {
    return StockWriteSink.open(cluster.dn(0), info(cluster.dn(1)), block, StorageType.DISK,
        storageId(), checksum, new StockWriteSink.Timeouts(TIMEOUT_MS, TIMEOUT_MS), false);
  }

  String storageId() {
    return cluster.dn(1).getFSDataset().getVolumeList().get(0).getStorageID();
  }

  @ParameterizedTest
  @CsvSource({"CRC32C, 512", "CRC32, 512", "CRC32C, 4096", "CRC32C, 100"})
  void readsWhatTheOtherNodeHas(DataChecksum.Type type, int bytesPerChecksum)
      throws IOException {
    byte[] expected = bytes(1_000_003, bytesPerChecksum);
    ExtendedBlock block = cluster.writeLocal(
        1, expected, DataChecksum.newDataChecksum(type, bytesPerChecksum));
    Recorded bad = new Recorded();
    try (StockReadSource source = read(block, 0, bad)) {
      assertEquals(type, source.checksum.getChecksumType());
      assertEquals(bytesPerChecksum, source.checksum.getBytesPerChecksum());
      assertArrayEquals(expected, ReplicaCluster.readAll(source));
      assertEquals(expected.length, source.bytesRead());
    }
    try (StockReadSource source = read(block, 12_345, bad)) {
      ByteBuffer dst = ByteBuffer.allocateDirect(1000);
      assertRead(source, 12_345, dst, expected);
      assertRead(source, 13_345, dst, expected);
      assertRead(source, 600_001, dst, expected);
      assertRead(source, 999_003, dst, expected);
      assertThrows(IllegalArgumentException.class,
          () -> source.read(999_003, ByteBuffer.allocateDirect(1)));
      assertThrows(IllegalArgumentException.class,
          () -> source.read(1_000_003, ByteBuffer.allocateDirect(1)));
    }
    bad.assertReports();
  }

  private static void assertRead(StockReadSource source, int offset, ByteBuffer dst,
      byte[] expected) throws IOException {
    dst.clear();
    source.read(offset, dst);
    assertFalse(dst.hasRemaining());
    dst.flip();
    byte[] got = new byte[dst.remaining()];
    dst.get(got);
    assertArrayEquals(Arrays.copyOfRange(expected, offset, offset + got.length), got);
  }

  @Test
  void aReadThatIsGivenUpLeavesTheOtherNodeInOrder() throws IOException {
    ExtendedBlock block = cluster.writeLocal(1, bytes(8 << 20, 1), CRC32C_512);
    StockReadSource source = read(block, 0, new Recorded());
    source.read(0, ByteBuffer.allocateDirect(1000));
    source.close();
    source.close();
    assertThrows(IOException.class, () -> source.read(1000, ByteBuffer.allocateDirect(1)));
  }

  @Test
  void refusesWhatTheOtherNodeDoesNotHave() throws IOException {
    Recorded bad = new Recorded();
    ExtendedBlock block = cluster.writeLocal(1, bytes(1000, 2), CRC32C_512);
    assertThrows(IOException.class, () -> read(cluster.newBlock(1000), 0, bad));
    ExtendedBlock newer = new ExtendedBlock(block);
    newer.setGenerationStamp(block.getGenerationStamp() + 1);
    assertThrows(IOException.class, () -> read(newer, 0, bad));
    ExtendedBlock longer = new ExtendedBlock(block);
    longer.setNumBytes(1001);
    assertThrows(IOException.class, () -> read(longer, 0, bad));
    bad.assertReports();
  }

  @Test
  void aFlippedBitAtTheOtherNodeIsFoundAndReportedOnce() throws IOException {
    ExtendedBlock block = cluster.writeLocal(1, bytes(1_000_000, 3), CRC32C_512);
    ReplicaCluster.flipBit(cluster.dataFile(block), 700_000);
    Recorded bad = new Recorded();
    try (StockReadSource source = read(block, 0, bad)) {
      source.read(0, ByteBuffer.allocateDirect(1000));
      assertThrows(ChecksumException.class,
          () -> source.read(1000, ByteBuffer.allocateDirect(999_000)));
    }
    bad.assertReports("remote " + block.getBlockId());
  }

  @Test
  void theNameNodeHearsOfACorruptReplicaElsewhere() throws Exception {
    LocatedBlock located = null;
    for (int i = 0; located == null; i++) {
      LocatedBlock candidate =
          cluster.writeFile("/corrupt" + i, bytes(100_000, 4), 1, CRC32C_512);
      if (candidate.getLocations()[0].getDatanodeUuid()
          .equals(cluster.dn(1).getDatanodeUuid())) {
        located = candidate;
      }
    }
    ReplicaCluster.flipBit(cluster.dataFile(located.getBlock()), 5000);
    try (StockReadSource source = StockReadSource.open(
        cluster.dn(0), info(cluster.dn(1)), located.getBlock(), 0, TIMEOUT_MS)) {
      assertThrows(ChecksumException.class, () -> ReplicaCluster.readAll(source));
    }
    GenericTestUtils.waitFor(
        () -> cluster.cluster.getNamesystem().getCorruptReplicaBlocks() == 1, 200, 20_000);
  }

  @ParameterizedTest
  @CsvSource({"CRC32C, 512", "CRC32, 512", "CRC32C, 4096", "CRC32C, 100", "CRC32C, 100000",
      "NULL, 512"})
  void whatIsSentIsThere(DataChecksum.Type type, int bytesPerChecksum) throws IOException {
    DataChecksum checksum = DataChecksum.newDataChecksum(type, bytesPerChecksum);
    for (int length : new int[] {0, 1, 512, 64_511, 64_512, 64_513, 1_000_003}) {
      byte[] expected = bytes(length, length);
      ExtendedBlock block = cluster.newBlock(length);
      try (StockWriteSink sink = write(block, checksum)) {
        ReplicaCluster.writeAll(sink, expected, new Random(length));
        sink.commit();
        assertEquals(length, sink.bytesWritten());
        assertThrows(IOException.class, () -> sink.write(direct(new byte[1])));
        assertThrows(IOException.class, sink::commit);
      }
      try (LocalReplicaSource source = LocalReplicaSource.open(cluster.dn(1), block)) {
        assertEquals(type, source.checksum.getChecksumType());
        assertEquals(bytesPerChecksum, source.checksum.getBytesPerChecksum());
        assertArrayEquals(expected, ReplicaCluster.readAll(source));
      }
      cluster.assertNothingReserved(1);
    }
  }

  /** A repair of several losses has a sink for each and feeds them slice by slice. */
  @Test
  void oneThreadFeedsSeveralSinks() throws IOException {
    byte[][] contents = {bytes(300_000, 10), bytes(300_000, 11), bytes(200_001, 12)};
    ExtendedBlock[] blocks = new ExtendedBlock[contents.length];
    StockWriteSink[] sinks = new StockWriteSink[contents.length];
    for (int i = 0; i < sinks.length; i++) {
      blocks[i] = cluster.newBlock(contents[i].length);
      sinks[i] = write(blocks[i], CRC32C_512);
    }
    for (int pos = 0; pos < 300_000; pos += 50_000) {
      for (int i = 0; i < sinks.length; i++) {
        int from = Math.min(pos, contents[i].length);
        int to = Math.min(pos + 50_000, contents[i].length);
        sinks[i].write(direct(Arrays.copyOfRange(contents[i], from, to)));
      }
    }
    for (int i = 0; i < sinks.length; i++) {
      sinks[i].commit();
      sinks[i].close();
      try (LocalReplicaSource source = LocalReplicaSource.open(cluster.dn(1), blocks[i])) {
        assertArrayEquals(contents[i], ReplicaCluster.readAll(source));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "70000", "500000", "1000000"})
  void aSinkClosedWithoutCommitLeavesNothing(int written) throws Exception {
    ExtendedBlock block = cluster.newBlock(1_000_000);
    StockWriteSink sink = write(block, CRC32C_512);
    sink.write(direct(bytes(written, 5)));
    awaitThere(block);
    sink.close();
    sink.close();
    assertThrows(IOException.class, sink::commit);
    awaitNoTrace(block);
  }

  /** Waits until the other node has begun: from now on it could leave something behind. */
  private void awaitThere(ExtendedBlock block) throws Exception {
    GenericTestUtils.waitFor(() -> !cluster.dn(1).getFSDataset().getReplicaString(
        block.getBlockPoolId(), block.getBlockId()).equals("null"), 20, TIMEOUT_MS);
  }

  /** Waits until the other node finds out by itself that the connection is gone. */
  private void awaitNoTrace(ExtendedBlock block) throws Exception {
    GenericTestUtils.waitFor(() -> {
      try {
        cluster.assertNoTrace(1, block);
        return true;
      } catch (AssertionError e) {
        return false;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }, 50, TIMEOUT_MS);
    cluster.assertNoTrace(1, block);
    cluster.awaitVolumesFree(1);
  }

  @Test
  void acceptsExactlyTheLengthOfTheUnit() throws Exception {
    ExtendedBlock block = cluster.newBlock(1000);
    try (StockWriteSink sink = write(block, CRC32C_512)) {
      sink.write(direct(new byte[999]));
      assertThrows(IOException.class, () -> sink.write(direct(new byte[2])));
      awaitThere(block);
      assertThrows(IOException.class, sink::commit);
    }
    awaitNoTrace(block);
  }

  /** The refusal shows at the latest in commit, and the replica that exists stays. */
  @Test
  void doesNotReplaceAReplica() throws IOException {
    byte[] there = bytes(1_000_000, 6);
    ExtendedBlock block = cluster.writeLocal(1, there, CRC32C_512);
    assertThrows(IOException.class, () -> {
      try (StockWriteSink sink = write(block, CRC32C_512)) {
        sink.write(direct(bytes(1_000_000, 7)));
        sink.commit();
      }
    });
    try (LocalReplicaSource source = LocalReplicaSource.open(cluster.dn(1), block)) {
      assertArrayEquals(there, ReplicaCluster.readAll(source));
    }
  }

  @Test
  void aRemoteAndALocalWriterDoNotMeet() throws Exception {
    ExtendedBlock block = cluster.newBlock(1000);
    try (StockWriteSink sink = write(block, CRC32C_512)) {
      awaitThere(block);
      assertThrows(ReplicaAlreadyExistsException.class, () -> LocalReplicaSink.open(
          cluster.dn(1), block, StorageType.DISK, "", CRC32C_512));
      sink.write(direct(bytes(1000, 8)));
      sink.commit();
    }
  }

  @Test
  void aFullDiskAtTheOtherNodeIsAnError() throws Exception {
    ExtendedBlock block = cluster.newBlock(1L << 60);
    assertThrows(IOException.class, () -> {
      try (StockWriteSink sink = write(block, CRC32C_512)) {
        for (int i = 0; i < 1000; i++) {
          sink.write(direct(new byte[100_000]));
        }
      }
    });
    awaitNoTrace(block);
  }

  @Test
  void theStoredSumsAreComparedWithThoseSent() throws IOException {
    byte[] expected = bytes(10_000, 9);
    ExtendedBlock block = cluster.newBlock(expected.length);
    try (StockWriteSink sink = write(block, CRC32C_512)) {
      sink.write(direct(expected));
      sink.commit();
    }
    byte[] sums = new byte[80];
    CRC32C_512.calculateChunkedSums(expected, 0, expected.length, sums, 0);
    byte[] md5 = org.apache.hadoop.io.MD5Hash.digest(sums).getDigest();
    RemoteSums stored = ask(block);
    assertTrue(stored.matches(512, 20, md5));
    assertFalse(stored.matches(512, 19, md5));
    assertFalse(stored.matches(1024, 20, md5));
    ReplicaCluster.flipBit(cluster.metaFile(block), 7 + 79);
    assertFalse(ask(block).matches(512, 20, md5));
    assertThrows(IOException.class, () -> ask(cluster.newBlock(10_000)));
  }

  private RemoteSums ask(ExtendedBlock block) throws IOException {
    return RemoteSums.ask(cluster.dn(0),
        info(cluster.dn(1)), block, new StockWriteSink.Timeouts(TIMEOUT_MS, TIMEOUT_MS));
  }
}
