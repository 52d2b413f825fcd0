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
package org.apache.hadoop.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.client.read.ReadCounters;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.stream.KeptConnections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads files with lost units through {@link PprFileSystem}. The cluster's DataNodes have the
 * plugin, and its NameNode starts no repair. Every read must return the bytes that were written.
 */
class TestDegradedStreams {
  private static final int CELL = 32 << 10;
  private static final int NODES = 16;
  private static final int READS = 60;

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static Configuration conf;

  @BeforeAll
  static void start() throws IOException {
    conf = RepairCluster.configuration(directory);
    // The NameNode starts no repair, so lost units stay lost.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    cluster = RepairCluster.start(conf, NODES);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Creates a client that shares no learnt times with other clients. */
  private static PprFileSystem client(String... settings) throws IOException {
    Configuration own = new Configuration(conf);
    own.set("fs.hdfs.impl", PprFileSystem.class.getName());
    // All reads use chains by racks, however fast this machine decodes.
    own.set(PprKeys.CLIENT_DEGRADED_READ_KEY, "rack");
    for (int i = 0; i < settings.length; i += 2) {
      own.set(settings[i], settings[i + 1]);
    }
    return (PprFileSystem) FileSystem.newInstance(cluster.fs.getUri(), own);
  }

  private static ReadCounters counters(PprFileSystem fs) {
    return ((PprDFSClient) fs.getClient()).readContext().counters;
  }

  private static LostFile lost(String spec, int bytes, long seed) throws IOException {
    return new LostFile(cluster, CELL, spec, bytes, seed);
  }

  static Stream<String> cases() {
    return Stream.of("rs-6-3:0", "rs-6-3:2,5", "rs-6-3:0,1,8", "rs-3-2:1", "xor-2-1:0",
        "lrc-l2-6-4:1", "lrc-l2-6-4:0,1,3,4", "hitchhiker-xor-6-3:0", "hitchhiker-xor-6-3:1,4",
        "hitchhiker-xorplus-10-4:3", "rotated-rs-r4-6-3:2", "rotated-rs-r4-6-3:0,3,7",
        "less-a2-6-3:1,7", "less-a3-6-3:0,4", "less-a4-10-4:3");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatIsLostIsReadAsItWasWritten(String spec) throws Exception {
    for (int bytes : new int[] {7 * CELL * 3 + 12345, CELL / 2 + 7, 40 * CELL}) {
      LostFile file = lost(spec, bytes, bytes);
      try (PprFileSystem fs = client(PprKeys.VERIFY_KEY, "full")) {
        readRandomly(fs, file.path, file.content, 4711 + bytes);
        assertEquals(0, counters(fs).stockReads(), "reads that went to stock");
        assertTrue(bytes < CELL || counters(fs).trees() > 0, "no bytes came from a tree");
      }
    }
  }

  /**
   * The client may choose trees or decoding for each read by the times that it learns. The bytes
   * must be right in both cases.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void whateverIsFasterIsRight(String spec) throws Exception {
    for (String mode : new String[] {"auto", "chain"}) {
      LostFile file = lost(spec, 30 * CELL + 777, mode.length());
      try (PprFileSystem fs = client(PprKeys.VERIFY_KEY, "full",
          PprKeys.CLIENT_DEGRADED_READ_KEY, mode)) {
        readRandomly(fs, file.path, file.content, 4712);
        assertEquals(0, counters(fs).stockReads(), "reads that went to stock");
        assertTrue(counters(fs).decodes() + counters(fs).trees() > 0, "no range was rebuilt");
      }
    }
  }

  /** On one machine the network takes no time, so ranges of a few KiB are decoded by the client. */
  @Test
  void smallRangesNeedNoTree() throws Exception {
    LostFile file = lost("rs-6-3:0", 24 * CELL, 13);
    try (PprFileSystem fs = client(PprKeys.CLIENT_DEGRADED_READ_KEY, "chain",
        PprKeys.CLIENT_CACHE_BYTES_KEY, "0"); FSDataInputStream in = fs.open(file.path)) {
      byte[] read = new byte[100];
      in.readFully(17, read);
      assertArrayEquals(Arrays.copyOfRange(file.content, 17, 117), read);
      assertEquals(0, counters(fs).trees(), "trees");
      assertEquals(1, counters(fs).decodes(), "decoded");
      assertEquals(6 * 100, counters(fs).unitBytesRead(), "bytes that were read of units");
      assertTrue(counters(fs).computeNanos() > 0, "decoding takes time");
    }
  }

  /** Decoding is expected to be faster, but now and then a tree is tried in its place. */
  @Test
  void oneDecodedRangeInManyIsATree() throws Exception {
    LostFile file = lost("rs-6-3:0", 24 * CELL, 15);
    try (PprFileSystem fs = client(PprKeys.CLIENT_DEGRADED_READ_KEY, "auto",
        PprKeys.CLIENT_CACHE_BYTES_KEY, "0"); FSDataInputStream in = fs.open(file.path)) {
      byte[] read = new byte[100];
      int reads = 0;
      while (counters(fs).trees() == 0) {
        assertTrue(reads++ < 20_000, "nothing is tried");
        in.readFully(17, read);
        assertArrayEquals(Arrays.copyOfRange(file.content, 17, 117), read);
      }
      assertTrue(counters(fs).decodes() > 0, "something was decoded before");
    }
    RepairCluster.await("helpers are done", () -> cluster.gauge("HelpersInFlight") == 0);
  }

  /** Later trees use the connections that earlier trees have opened. */
  @Test
  void readsInARowConnectOnce() throws Exception {
    LostFile file = lost("rs-6-3:0", 24 * CELL, 14);
    try (PprFileSystem fs = client(PprKeys.CLIENT_CACHE_BYTES_KEY, "0");
        FSDataInputStream in = fs.open(file.path)) {
      KeptConnections kept = ((PprDFSClient) fs.getClient()).readContext().connector;
      byte[] read = new byte[1000];
      for (int i = 0; i < 60; i++) {
        int from = 1000 * (i % 30);
        in.readFully(from, read);
        assertArrayEquals(Arrays.copyOfRange(file.content, from, from + read.length), read);
      }
      // On a busy machine a tree may be late, and the client then decodes.
      assertTrue(counters(fs).trees() >= 50, counters(fs).trees() + " trees");
      // Each tree begins at another node, so not every connection can be used again.
      assertTrue(kept.reused() >= 40, kept.reused() + " of 60 connections were kept");
    }
    RepairCluster.await("helpers are done", () -> cluster.gauge("HelpersInFlight") == 0);
  }

  /**
   * For a sequential reader, the client rebuilds the next stripe while the reader uses the present
   * one. The codes here are those that stock cannot read.
   */
  @ParameterizedTest
  @ValueSource(strings = {"hitchhiker-xor-6-3:0", "rotated-rs-r4-6-3:2", "lrc-l2-6-4:1",
    "less-a3-6-3:2"})
  void aSequentialReaderIsReadAheadFor(String spec) throws Exception {
    LostFile file = lost(spec, 70 * CELL + 777, 15);
    for (int chunk : new int[] {1000, 5 * CELL + 13, 100 * CELL}) {
      try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(file.path)) {
        byte[] read = new byte[file.content.length];
        int done = 0;
        while (done < read.length) {
          int some = in.read(read, done, Math.min(chunk, read.length - done));
          assertTrue(some > 0);
          done += some;
          if (chunk == 1000 && done == 13_000) {
            in.unbuffer();
          }
        }
        assertEquals(-1, in.read());
        assertArrayEquals(file.content, read);
        assertEquals(0, counters(fs).stockReads(), "reads that went to stock");
        // The reader seeks back and reads on from there. Bytes that were read ahead must not appear
        // at other offsets.
        in.seek(3 * CELL + 5);
        in.readFully(read, 0, 40 * CELL);
        assertArrayEquals(Arrays.copyOfRange(file.content, 3 * CELL + 5, 43 * CELL + 5),
            Arrays.copyOf(read, 40 * CELL));
      }
    }
  }

  /**
   * No process listens on the ports for repairs. The client finds this out once, and then decodes.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void aClientDecodesWithoutHelpers(String spec) throws Exception {
    LostFile file = lost(spec, 30 * CELL + 777, 99);
    try (PprFileSystem fs = client(PprKeys.CLIENT_CACHE_BYTES_KEY, "0")) {
      for (DataNode datanode : cluster.mini().getDataNodes()) {
        ((PprDFSClient) fs.getClient()).readContext().health
            .noteWithoutPort(datanode.getDatanodeUuid());
      }
      readRandomly(fs, file.path, file.content, 815);
      assertEquals(0, counters(fs).trees(), "trees");
      assertEquals(0, counters(fs).stockReads(), "reads that went to stock");
      assertTrue(counters(fs).decodes() > 0, "nothing was decoded");
    }
  }

  /**
   * For a reader that reads on within a lost unit, the client reads ahead. Few trees are needed,
   * and the bytes are right.
   */
  @Test
  void aReaderThatGoesOnNeedsFewTrees() throws Exception {
    LostFile file = lost("rs-6-3:0", 24 * CELL, 9);
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(file.path)) {
      byte[] read = new byte[1000];
      for (int from = 0; from + read.length <= CELL; from += read.length) {
        in.readFully(from, read);
        assertArrayEquals(Arrays.copyOfRange(file.content, from, from + read.length), read);
      }
      assertTrue(counters(fs).trees() <= 5, counters(fs).trees() + " trees");
      assertTrue(counters(fs).cachedRanges() > 20, "ranges that were kept");
    }
  }

  /** A DataNode is notified, once, of a group that stock's stateful reader decodes. */
  @Test
  void whatStockDecodesIsReported() throws Exception {
    LostFile file = lost("rs-6-3:2", 24 * CELL, 16);
    long before = cluster.counter("DegradedReadsServed");
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(file.path)) {
      byte[] read = new byte[file.content.length];
      in.readFully(read);
      assertArrayEquals(file.content, read);
      assertEquals(0, counters(fs).decodes() + counters(fs).trees(), "ranges not read by stock");
      RepairCluster.await("a DataNode has been notified", () -> counters(fs).notices() > 0);
      assertEquals(1, counters(fs).notices(), "stripes share a notice");
    }
    assertTrue(cluster.counter("DegradedReadsServed") > before, "DataNodes know of the read");
  }

  /**
   * A program that opens a stream, reads a little and abandons the stream leaves no thread and no
   * socket behind.
   */
  @Test
  void forgottenStreamsLeaveNothing() throws Exception {
    LostFile file = lost("rs-6-3:0", CELL * 6, 10);
    try (PprFileSystem fs = client()) {
      byte[] read = new byte[100];
      for (int i = 0; i < 300; i++) {
        FSDataInputStream forgotten = fs.open(file.path);
        forgotten.readFully(i % 2 * CELL, read);
      }
    }
    RepairCluster.await("helpers are done", () -> cluster.gauge("HelpersInFlight") == 0);
  }

  /**
   * A read of a whole unit is no repair, because a reader waits for its bytes. It is cut into
   * ranges like any other read.
   */
  @Test
  void aWholeUnitIsReadAsItsPartsAre() throws Exception {
    LostFile file = lost("rs-6-3:0", CELL * 6, 11);
    try (PprFileSystem fs = client(PprKeys.CLIENT_CACHE_BYTES_KEY, "0");
        FSDataInputStream in = fs.open(file.path)) {
      KeptConnections kept = ((PprDFSClient) fs.getClient()).readContext().connector;
      byte[] read = new byte[CELL];
      for (int i = 0; i < 40; i++) {
        in.readFully(0, read);
        assertArrayEquals(Arrays.copyOf(file.content, CELL), read);
      }
      assertTrue(counters(fs).trees() >= 30, counters(fs).trees() + " trees");
      assertTrue(kept.reused() >= 20, kept.reused() + " of 40 connections were kept");
    }
    RepairCluster.await("helpers are done", () -> cluster.gauge("HelpersInFlight") == 0);
  }

  /**
   * Stock's stream drops the interrupt of its thread. The fallback that reads in its place must not
   * do the same.
   */
  @Test
  void anInterruptEndsAStatefulRead() throws Exception {
    assumeFalse(VersionInfo.getVersion().startsWith("3.5"),
        "this Hadoop repeats the read itself, even after an interrupt");
    LostFile file = lost("rs-6-3:8", CELL * 24, 12);
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(file.path)) {
      byte[] read = new byte[CELL * 6];
      in.readFully(read);
      Thread.currentThread().interrupt();
      try {
        assertThrows(InterruptedIOException.class, () -> in.readFully(read));
      } finally {
        Thread.interrupted();
      }
      assertThrows(IOException.class, in::read, "stock closes the stream");
      assertEquals(0, counters(fs).decodes() + counters(fs).trees());
    }
  }

  /**
   * If another file has replaced the file at its path, the open stream must not return bytes of the
   * other file.
   */
  @Test
  void bytesOfAnotherFileOfThatNameAreNotGiven() throws Exception {
    LostFile file = lost("rs-6-3:1", CELL * 6, 13);
    try (PprFileSystem fs = client(PprKeys.CLIENT_CACHE_BYTES_KEY, "0");
        FSDataInputStream in = fs.open(file.path);
        FSDataInputStream stateful = fs.open(file.path)) {
      byte[] read = new byte[2 * CELL];
      in.readFully(0, read);
      byte[] other = new byte[file.content.length];
      new Random(14).nextBytes(other);
      try (FSDataOutputStream out = cluster.fs.create(file.path, true)) {
        out.write(other);
      }
      // Reads until the DataNodes have deleted the old replicas on the NameNode's order.
      AtomicReference<IOException> end = new AtomicReference<>();
      RepairCluster.await("the old file is gone", () -> {
        try {
          in.readFully(0, read);
          assertArrayEquals(Arrays.copyOf(file.content, read.length), read);
        } catch (IOException e) {
          end.set(e);
        }
        return end.get() != null;
      });
      assertTrue(end.get() instanceof UntrustedBytesException, end.get().toString());
      assertThrows(UntrustedBytesException.class, () -> in.readFully(0, read),
          "later reads fail too");
      assertThrows(UntrustedBytesException.class, () -> stateful.readFully(read));
      assertThrows(UntrustedBytesException.class, stateful::read, "and remains so");
      // Stock may close a stream in the middle of a read that fails.
      in.getWrappedStream().close();
      stateful.getWrappedStream().close();
      assertThrows(UntrustedBytesException.class, () -> in.readFully(0, read),
          "a closed stream says why, too");
      assertThrows(UntrustedBytesException.class, stateful::read, "a closed stream says why, too");
    }
  }

  /**
   * The path may belong to a replicated file before it belongs to a second striped file. The stream
   * must keep failing, even if the class that asks the NameNode still holds the first file's group.
   */
  @Test
  void bytesOfAStripedFileAfterAReplicatedOneAreNotGiven() throws Exception {
    LostFile file = lost("rs-6-3:1", CELL * 6, 16);
    byte[] other = new byte[file.content.length];
    new Random(17).nextBytes(other);
    try (PprFileSystem fs = client(PprKeys.CLIENT_CACHE_BYTES_KEY, "0");
        FSDataInputStream in = fs.open(file.path)) {
      PprStripedInputStream stream = (PprStripedInputStream) in.getWrappedStream();
      byte[] read = new byte[CELL];
      in.readFully(0, read);
      try (FSDataOutputStream out = cluster.fs.createFile(file.path).replicate()
          .overwrite(true).build()) {
        out.write(other);
      }
      assertThrows(UntrustedBytesException.class, () -> stream.fetchBlockAt(0));
      try (FSDataOutputStream out = cluster.fs.create(file.path, true)) {
        out.write(other);
      }
      assertThrows(UntrustedBytesException.class, () -> stream.fetchBlockAt(0));
      assertThrows(UntrustedBytesException.class, () -> in.readFully(0, read));
    }
  }

  /**
   * A file whose groups have different kinds of checksums has no common checksum, and stock says
   * so. This client must say the same.
   */
  @Test
  void aChecksumThatStockRefusesIsNotMadeUp() throws Exception {
    LostFile file = lost("rs-6-3:20", CELL * 6, 15);
    Configuration own = new Configuration(conf);
    own.setInt("dfs.bytes-per-checksum", 1024);
    try (DistributedFileSystem appender =
             (DistributedFileSystem) FileSystem.newInstance(cluster.fs.getUri(), own);
        FSDataOutputStream out = appender.append(file.path,
            EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(new byte[CELL]);
    }
    try (PprFileSystem fs = client("dfs.checksum.combine.mode", "MD5MD5CRC")) {
      assertThrows(IOException.class, () -> fs.getFileChecksum(file.path));
    }
  }

  /** The checksums must be those of the same files before they lost units. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3:2,5", "lrc-l2-6-4:0,1,3,4", "hitchhiker-xor-6-3:1,4",
    "rotated-rs-r4-6-3:2", "less-a2-6-3:1,7"})
  void checksumsAreThoseOfTheWholeFile(String spec) throws Exception {
    compareChecksums(spec);
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("cases")
  void checksumsOfAllCasesAreThoseOfTheWholeFile(String spec) throws Exception {
    compareChecksums(spec);
  }

  private static void compareChecksums(String spec) throws Exception {
    for (int bytes : new int[] {70 * CELL + 777, CELL / 2 + 7}) {
      LostFile whole = lost(spec.split(":")[0] + ":20", bytes, 3);
      LostFile file = lost(spec, bytes, 3);
      for (String mode : new String[] {"MD5MD5CRC", "COMPOSITE_CRC"}) {
        // The second round takes the checksum of a part of the file, which ends in the middle of a
        // chunk.
        for (long length : new long[] {Long.MAX_VALUE, bytes - bytes / 3}) {
          try (PprFileSystem fs = client("dfs.checksum.combine.mode", mode)) {
            FileChecksum expected = fs.getFileChecksum(whole.path, length);
            FileChecksum actual = fs.getFileChecksum(file.path, length);
            // DataNodes of Hadoop 3.3 give another value than the CRC for a part of a file.
            assertTrue(actual.equals(expected)
                || actual.toString().equals(crc(file.content, length)),
                () -> mode + " of " + length + " bytes: " + actual + ", not " + expected);
          }
        }
      }
    }
  }

  /**
   * Returns the CRC of the bytes in the format of a composite checksum. It does not depend on how
   * the bytes are stored.
   */
  private static String crc(byte[] content, long length) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, (int) Math.min(length, content.length));
    return String.format("COMPOSITE-CRC32C:0x%08x", crc.getValue());
  }

  @Test
  void aReadOfALostCellBringsNoMoreThanTheCell() throws Exception {
    LostFile file = lost("rs-6-3:2", 24 * CELL, 5);
    try (PprFileSystem fs = client(PprKeys.VERIFY_KEY, "off", PprKeys.CLIENT_CACHE_BYTES_KEY, "0");
        FSDataInputStream in = fs.open(file.path)) {
      byte[] read = new byte[CELL];
      for (int stripe = 0; stripe < 4; stripe++) {
        int from = (6 * stripe + 2) * CELL;
        in.readFully(from, read);
        assertArrayEquals(Arrays.copyOfRange(file.content, from, from + CELL), read);
      }
      assertTrue(counters(fs).treeBytes() < 4 * CELL * 11 / 10, counters(fs).treeBytes()
          + " bytes came for 4 cells");
    }
  }

  /** Units that one client has had read come from the DataNodes' memory for the next client. */
  @Test
  void hotReadsNeedNoDisk() throws Exception {
    LostFile file = lost("rs-6-3:2", 24 * CELL, 11);
    long[] disk = new long[3];
    long[] memory = new long[3];
    long[] hits = new long[3];
    long[] misses = new long[3];
    for (int round = 0; round < 3; round++) {
      RepairCluster.await("helpers are done", () -> cluster.gauge("HelpersInFlight") == 0);
      disk[round] = -cluster.counter("HelperDiskReadBytes");
      memory[round] = -cluster.counter("ChunkCacheHitBytes");
      hits[round] = -cluster.counter("ChunkCacheHits");
      misses[round] = -cluster.counter("ChunkCacheMisses");
      try (PprFileSystem fs = client(PprKeys.VERIFY_KEY, "off",
          PprKeys.CLIENT_CACHE_BYTES_KEY, "0"); FSDataInputStream in = fs.open(file.path)) {
        byte[] read = new byte[CELL];
        for (int stripe = 0; stripe < 4; stripe++) {
          int from = (6 * stripe + 2) * CELL;
          in.readFully(from, read);
          assertArrayEquals(Arrays.copyOfRange(file.content, from, from + CELL), read);
        }
        assertEquals(4, counters(fs).trees(), "trees");
      }
      RepairCluster.await("helpers are done", () -> cluster.gauge("HelpersInFlight") == 0);
      disk[round] += cluster.counter("HelperDiskReadBytes");
      memory[round] += cluster.counter("ChunkCacheHitBytes");
      hits[round] += cluster.counter("ChunkCacheHits");
      misses[round] += cluster.counter("ChunkCacheMisses");
    }
    assertTrue(misses[0] > 0, "chunks are loaded at first");
    assertTrue(disk[0] > 0, "from disks");
    // The plans of the clients may differ. After two clients, every unit has been read at least
    // once.
    assertEquals(4 * 6 * CELL, disk[2] + memory[2], "bytes of units for 4 cells");
    assertTrue(hits[2] > 0, "hits");
    assertTrue(memory[2] >= 3 * 6 * CELL, memory[2] + " bytes from memory");
  }

  @Test
  void aCorruptReplicaIsRebuiltAndReported() throws Exception {
    LostFile file = lost("rs-6-3:9", 24 * CELL, 6);
    LocatedStripedBlock group = cluster.groups(file.path).get(0);
    DatanodeInfo holder = RepairCluster.holders(group).get(1);
    BlockLocalPathInfo files = cluster.datanode(holder).getFSDataset()
        .getBlockLocalPathInfo(RepairCluster.internalBlock(group, 1));
    try (RandomAccessFile data = new RandomAccessFile(files.getBlockPath(), "rw")) {
      data.seek(CELL + 17);
      int old = data.read();
      data.seek(CELL + 17);
      data.write(old ^ 1);
    }
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(file.path)) {
      byte[] read = new byte[1000];
      int from = 7 * CELL;
      in.readFully(from, read);
      assertArrayEquals(Arrays.copyOfRange(file.content, from, from + 1000), read);
      assertEquals(1, counters(fs).trees());
      readRandomly(fs, file.path, file.content, 12);
      assertEquals(0, counters(fs).stockReads(), "reads that went to stock");
    }
    RepairCluster.await("the NameNode hears of the corrupt replica", () -> {
      try {
        return !RepairCluster.holders(cluster.groups(file.path).get(0)).containsKey(1);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Blocks reads of one block until the test releases them. */
  private static final class Stuck extends DataNodeFaultInjector {
    private final String block;
    private final CountDownLatch free = new CountDownLatch(1);

    Stuck(ExtendedBlock block) {
      this.block = block.getBlockName();
    }

    @Override
    public void throwTooManyOpenFiles() {
      if (Thread.currentThread().getName().contains(block)) {
        try {
          free.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "hitchhiker-xor-6-3", "lrc-l2-6-4"})
  void aStuckDataNodeHoldsUpNoRead(String spec) throws Exception {
    LostFile file = lost(spec + ":20", 24 * CELL, 7);
    LocatedStripedBlock group = cluster.groups(file.path).get(0);
    Stuck stuck = new Stuck(RepairCluster.internalBlock(group, 3));
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    DataNodeFaultInjector.set(stuck);
    try (PprFileSystem fs = client(PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "5");
        FSDataInputStream first = fs.open(file.path)) {
      // The stateful read comes first, while no times are learnt yet, because stock opens blocks
      // one after the other.
      byte[] read = new byte[6 * CELL];
      first.readFully(read);
      assertArrayEquals(Arrays.copyOf(file.content, read.length), read);
      // While that read is stuck, no read of this file may wait for it.
      readRandomly(fs, file.path, file.content, 13);
      assertTrue(counters(fs).hedged() > 0, "no DataNode was taken for slow");
    } finally {
      stuck.free.countDown();
      DataNodeFaultInjector.set(before);
    }
  }

  @Test
  void aStoppedDataNodeIsRebuiltBeforeTheNameNodeKnows() throws Exception {
    LostFile file = lost("rs-6-3:20", 24 * CELL, 8);
    LocatedStripedBlock group = cluster.groups(file.path).get(0);
    DatanodeInfo holder = RepairCluster.holders(group).get(4);
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(file.path)) {
      MiniDFSCluster.DataNodeProperties stopped =
          cluster.mini().stopDataNode(holder.getXferAddr());
      byte[] read = new byte[CELL];
      in.readFully(4 * CELL, read);
      assertArrayEquals(Arrays.copyOfRange(file.content, 4 * CELL, 5 * CELL), read);
      assertEquals(1, counters(fs).trees());
      readRandomly(fs, file.path, file.content, 14);
      assertEquals(0, counters(fs).stockReads(), "reads that went to stock");
      assertTrue(cluster.mini().restartDataNode(stopped, true));
    }
  }

  /** Reads with every kind of call at random offsets. The message of a failure has the seed. */
  /** Stock's own reads close the stream when they fail. A NameNode may have started just now. */
  @Test
  void aStreamReadsAgainWhenUnitsHaveComeBack() throws Exception {
    LostFile file = lost("rs-3-2:1", 7 * CELL, 12);
    Map<Integer, DatanodeInfo> holders =
        RepairCluster.holders(cluster.groups(file.path).get(0));
    try (PprFileSystem fs = client(); FSDataInputStream in = fs.open(file.path)) {
      List<MiniDFSCluster.DataNodeProperties> killed =
          List.of(cluster.kill(holders.get(3)), cluster.kill(holders.get(4)));
      try (FSDataInputStream late = fs.open(file.path);
          FSDataInputStream stateful = fs.open(file.path)) {
        assertReadsWhenTheyComeBack(killed, file, in, late, stateful);
      }
    }
  }

  /** Two positional readers, and a reader that opened the file when few units were known. */
  private static void assertReadsWhenTheyComeBack(
      List<MiniDFSCluster.DataNodeProperties> killed, LostFile file, FSDataInputStream in,
      FSDataInputStream late, FSDataInputStream stateful) throws IOException {
    byte[] cell = Arrays.copyOfRange(file.content, CELL, 2 * CELL);
    byte[] read = new byte[CELL];
    assertThrows(IOException.class, () -> in.readFully(CELL, read));
    assertThrows(IOException.class, () -> late.readFully(CELL, read));
    stateful.seek(CELL);
    assertThrows(IOException.class, () -> stateful.readFully(read));
    for (MiniDFSCluster.DataNodeProperties one : killed) {
      assertTrue(cluster.mini().restartDataNode(one, true));
    }
    cluster.mini().waitActive();
    cluster.awaitUnits(file.path, 4);
    for (FSDataInputStream positional : List.of(in, late)) {
      Arrays.fill(read, (byte) 0);
      positional.readFully(CELL, read);
      assertArrayEquals(cell, read);
    }
    Arrays.fill(read, (byte) 0);
    stateful.seek(CELL);
    stateful.readFully(read);
    assertArrayEquals(cell, read);
  }

  private static void readRandomly(FileSystem fs, Path path, byte[] content, long seed)
      throws IOException {
    Random random = new Random(seed);
    try (FSDataInputStream in = fs.open(path)) {
      for (int i = 0; i < READS; i++) {
        int kind = random.nextInt(6);
        int from = random.nextInt(content.length);
        int length = 1 + random.nextInt(random.nextBoolean() ? 5000
            : Math.min(content.length, 9 * CELL));
        int to = Math.min(content.length, from + length);
        byte[] wanted = Arrays.copyOfRange(content, from, to);
        byte[] read = new byte[to - from];
        switch (kind) {
          case 0:
            in.readFully(from, read);
            break;
          case 1:
            int got = in.read(from, read, 0, read.length);
            assertEquals(read.length, got);
            break;
          case 2:
            ByteBuffer direct = ByteBuffer.allocateDirect(read.length);
            in.readFully(from, direct);
            direct.flip();
            direct.get(read);
            break;
          case 3:
            in.seek(from);
            in.readFully(read);
            assertEquals(to, in.getPos());
            break;
          case 4:
            in.seek(from);
            ByteBuffer heap = ByteBuffer.allocate(read.length);
            while (heap.hasRemaining()) {
              if (in.read(heap) < 0) {
                throw new EOFException();
              }
            }
            heap.flip();
            heap.get(read);
            break;
          default:
            in.seek(from);
            int some = in.read(read, 0, read.length);
            assertTrue(some > 0);
            wanted = Arrays.copyOf(wanted, some);
            read = Arrays.copyOf(read, some);
            break;
        }
        assertArrayEquals(wanted, read, "seed " + seed + ", read " + i + " of kind " + kind
            + ": bytes " + from + " to " + to + " of " + path);
      }
    }
  }
}
