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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.stream.UnitSink;
import org.hdfsppr.stream.UnitSource;

/** A MiniDFSCluster and the steps of replica tests. */
final class ReplicaCluster implements Closeable {
  static final DataChecksum CRC32C_512 =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
  static final long GENERATION_STAMP = 1234;

  private static final AtomicLong NEXT_BLOCK_ID = new AtomicLong(1L << 40);

  final MiniDFSCluster cluster;
  final DistributedFileSystem fs;
  private final Path dir;

  ReplicaCluster(Path dir, int dataNodes, Configuration conf) throws IOException {
    this.dir = dir;
    // The web server unpacks into this directory; the build names it, and the tests create it.
    Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    cluster = new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(dataNodes).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    // The NameNode would delete the blocks that these tests make up, as they belong to no file.
    conf.setLong("dfs.namenode.startup.delay.block.deletion.sec", 3600);
    return conf;
  }

  DataNode dn(int i) {
    return cluster.getDataNodes().get(i);
  }

  static DatanodeInfo info(DataNode dn) {
    return new DatanodeInfoBuilder().setNodeID(dn.getDatanodeId()).build();
  }

  /** Returns a block without replicas. */
  ExtendedBlock newBlock(long length) {
    return new ExtendedBlock(cluster.getNamesystem().getBlockPoolId(),
        NEXT_BLOCK_ID.getAndIncrement(), length, GENERATION_STAMP);
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static ByteBuffer direct(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
    buffer.put(bytes).flip();
    return buffer;
  }

  /** Writes {@code bytes} in random pieces, without committing. */
  static void writeAll(UnitSink sink, byte[] bytes, Random random) throws IOException {
    ByteBuffer data = direct(bytes);
    while (data.hasRemaining()) {
      data.limit(Math.min(bytes.length, data.position() + 1 + random.nextInt(300_000)));
      sink.write(data);
      assertEquals(data.limit(), data.position(), "consumed");
      data.limit(bytes.length);
    }
  }

  static byte[] readAll(UnitSource source) throws IOException {
    ByteBuffer all = ByteBuffer.allocateDirect((int) source.length());
    source.read(0, all);
    all.flip();
    byte[] bytes = new byte[all.remaining()];
    all.get(bytes);
    return bytes;
  }

  ExtendedBlock writeLocal(int dn, byte[] bytes, DataChecksum checksum) throws IOException {
    ExtendedBlock block = newBlock(bytes.length);
    try (LocalReplicaSink sink =
        LocalReplicaSink.open(dn(dn), block, StorageType.DISK, "", checksum)) {
      writeAll(sink, bytes, new Random(bytes.length));
      sink.commit();
    }
    return block;
  }

  /** Writes a file of one block that the NameNode knows. */
  LocatedBlock writeFile(String name, byte[] bytes, int replication, DataChecksum checksum)
      throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
    try (FSDataOutputStream out = fs.create(path, FsPermission.getFileDefault(),
        EnumSet.of(CreateFlag.CREATE), 4096, (short) replication, 64L << 20, null,
        new ChecksumOpt(checksum.getChecksumType(), checksum.getBytesPerChecksum()))) {
      out.write(bytes);
    }
    return DFSTestUtil.getAllBlocks(fs, path).get(0);
  }

  /** Every file below this cluster's DataNodes that belongs to {@code block}. */
  List<Path> filesOf(ExtendedBlock block) throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      return files.filter(f -> {
        String name = f.getFileName().toString();
        return name.equals(block.getBlockName()) || name.startsWith(block.getBlockName() + "_");
      }).collect(Collectors.toList());
    } catch (java.io.UncheckedIOException e) {
      // A directory vanished during the walk: look again.
      return filesOf(block);
    }
  }

  File dataFile(ExtendedBlock block) throws IOException {
    return only(block, f -> !f.endsWith(".meta"));
  }

  File metaFile(ExtendedBlock block) throws IOException {
    return only(block, f -> f.endsWith(".meta"));
  }

  private File only(ExtendedBlock block, java.util.function.Predicate<String> which)
      throws IOException {
    List<Path> found = filesOf(block).stream().filter(f -> which.test(f.toString()))
        .collect(Collectors.toCollection(ArrayList::new));
    assertEquals(1, found.size(), () -> "files of " + block + ": " + found);
    return found.get(0).toFile();
  }

  static void flipBit(File file, long at) throws IOException {
    try (java.io.RandomAccessFile raf = new java.io.RandomAccessFile(file, "rw")) {
      raf.seek(at);
      int b = raf.read();
      raf.seek(at);
      raf.write(b ^ 0x10);
    }
  }

  /** Asserts that there is no file, no entry in the DataNode's map, and no reserved space. */
  void assertNoTrace(int dn, ExtendedBlock block) throws IOException {
    assertEquals(Collections.emptyList(), filesOf(block), "files");
    assertEquals("null", dn(dn).getFSDataset().getReplicaString(
        block.getBlockPoolId(), block.getBlockId()), "volume map");
    assertNothingReserved(dn);
  }

  void assertNothingReserved(int dn) {
    for (FsVolumeImpl volume : dn(dn).getFSDataset().getVolumeList()) {
      assertEquals(0, volume.getReservedForReplicas(), "reserved on " + volume);
    }
  }

  /**
   * Waits until only the DataNode's own scanner holds the volumes, with one reference: a leaked
   * reference would keep a failed disk from being removed. The DataNode's deleter may hold one for
   * a moment.
   */
  void awaitVolumesFree(int dn) throws Exception {
    GenericTestUtils.waitFor(() -> {
      for (FsVolumeImpl volume : dn(dn).getFSDataset().getVolumeList()) {
        if (volume.getReferenceCount() > 1) {
          return false;
        }
      }
      return true;
    }, 50, 10_000);
  }

  /** Keeps reports, and does not send them to the NameNode. */
  static final class Recorded implements BadReplicas {
    final List<String> reports = new ArrayList<>();

    @Override
    public void local(ExtendedBlock block, IOException cause) {
      reports.add("local " + block.getBlockId());
    }

    @Override
    public void remote(DatanodeInfo source, ExtendedBlock block, IOException cause) {
      reports.add("remote " + block.getBlockId());
    }

    void assertReports(String... expected) {
      assertEquals(Arrays.asList(expected), reports);
    }
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
