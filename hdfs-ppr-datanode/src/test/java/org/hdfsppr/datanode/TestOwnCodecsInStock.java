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
package org.hdfsppr.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DebugAdmin;
import org.apache.hadoop.io.erasurecode.rawcoder.LinearCodeRawEncoder;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.gf.Kernels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Stock's handling of files under the project's codecs when units are lost and no node runs the
 * plugin: reads and reconstructions are right, or fail with an error. A client that decoded a
 * window of a code with sub-chunks as it decodes other codes would return wrong bytes without an
 * error.
 */
class TestOwnCodecsInStock {
  private static final int CELL = 16 << 10;
  private static final int NODES = 12;
  private static final int READS = 40;
  private static final long SEED = 20261120;
  private static final PprCodec[] SOME = {
      PprCodec.HITCHHIKER_XORPLUS, PprCodec.ROTATED_RS_R4};
  private static final String MISMATCH = "Status: ERROR, message: EC compute result not match.";

  @TempDir
  static File readDirectory;
  @TempDir
  static File repairDirectory;
  /** A cluster whose NameNode starts no repairs. */
  private static RepairCluster reads;
  private static RepairCluster repairs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = configuration(readDirectory);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    reads = RepairCluster.start(conf, NODES);
    repairs = RepairCluster.start(configuration(repairDirectory), NODES);
  }

  private static Configuration configuration(File dir) {
    Configuration conf = RepairCluster.configuration(dir);
    conf.unset("dfs.datanode.plugins");
    return conf;
  }

  @AfterAll
  static void stop() {
    reads.close();
    repairs.close();
  }

  static Stream<PprCodec> codecs() {
    // Rows of CORE differ by their names only.
    return Arrays.stream(PprCodec.values()).filter(codec ->
        codec == PprCodec.CORE_T3 || codec.filesPerGroup().isEmpty());
  }

  /**
   * Codecs for the runs that every change has to pass: one with sub-chunks, and one with rotated
   * windows. Stock could decode their files wrongly.
   */
  static Stream<PprCodec> someCodecs() {
    return Stream.of(SOME);
  }

  static Stream<PprCodec> otherCodecs() {
    return codecs().filter(codec -> !Arrays.asList(SOME).contains(codec));
  }

  private static LinearCode small(PprCodec codec) throws IOException {
    LinearCode shipped = codec.shippedCodes().get(0);
    LinearCode code = shipped.units() < NODES ? shipped : codec.code(6, 4);
    assertTrue(code.units() < NODES, code::name);
    return code;
  }

  /**
   * Says whether any window of a lost data unit can be decoded from the other data units and the
   * first parity unit. LESS has no such parity unit.
   */
  private static boolean hasCleanParity(LinearCode code) {
    return code.isPositionWise(code.dataUnits());
  }

  private static Path directory(RepairCluster cluster, PprCodec codec) throws IOException {
    return cluster.directory(codec, small(codec), CELL);
  }

  private static void lose(RepairCluster cluster, Path file, int... units) throws IOException {
    LocatedStripedBlock group = cluster.groups(file).get(0);
    Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
    for (int unit : units) {
      RepairCluster.drop(cluster.datanode(holders.get(unit)),
          RepairCluster.internalBlock(group, unit));
    }
  }

  @ParameterizedTest
  @MethodSource("someCodecs")
  void degradedReadsAreRightOrRefused(PprCodec codec) throws IOException {
    readDegraded(codec);
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("otherCodecs")
  void degradedReadsOfOtherCodecsAreRightOrRefused(PprCodec codec) throws IOException {
    readDegraded(codec);
  }

  private static void readDegraded(PprCodec codec) throws IOException {
    LinearCode code = small(codec);
    Path dir = directory(reads, codec);
    Random random = new Random(SEED);
    int refused = 0;
    int right = 0;
    for (int i = 0; i < 2 * code.units(); i++) {
      Path file = new Path(dir, "file" + i);
      int bytes = CELL * code.dataUnits() + random.nextInt(2 * CELL * code.dataUnits());
      byte[] data = reads.write(file, bytes, 1L << 20, i);
      reads.awaitUnits(file, code.units());
      int[] lost = i < code.units() ? new int[] {i}
          : new int[] {i % code.units(), (i + 1 + random.nextInt(2)) % code.units()};
      lose(reads, file, lost);
      for (int read = 0; read < READS; read++) {
        int from = random.nextInt(bytes);
        int length = 1 + random.nextInt(Math.min(bytes - from, 3 * CELL));
        byte[] got = new byte[length];
        try (FSDataInputStream in = reads.fs.open(file)) {
          if (random.nextBoolean()) {
            in.readFully(from, got);
          } else {
            in.seek(from);
            in.readFully(got);
          }
        } catch (IOException e) {
          assertTrue(lost.length > 1 || !hasCleanParity(code),
              "one lost unit could not be read: " + e);
          refused++;
          continue;
        }
        right++;
        assertArrayEquals(Arrays.copyOfRange(data, from, from + length), got,
            () -> "lost " + Arrays.toString(lost) + " of " + file + ", " + length + " bytes at "
                + from);
      }
    }
    assertTrue(right > refused, right + " right, " + refused + " refused");
    if (!hasCleanParity(code)) {
      assertTrue(refused > 0, "no range of a lost unit can be decoded");
    }
    if (code.subChunks() == 1) {
      assertEquals(0, refused, "a code without sub-chunks refuses no range");
    }
  }

  /** DataNodes compute the checksums of lost units by decoding the units. */
  @ParameterizedTest
  @MethodSource("someCodecs")
  void fileChecksumsAreRightOrRefused(PprCodec codec) throws IOException {
    sum(codec);
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("otherCodecs")
  void fileChecksumsOfOtherCodecsAreRightOrRefused(PprCodec codec) throws IOException {
    sum(codec);
  }

  private static void sum(PprCodec codec) throws IOException {
    LinearCode code = small(codec);
    Path dir = new Path(directory(reads, codec), "sums");
    for (int unit = 0; unit < code.units(); unit++) {
      Path file = new Path(dir, "file" + unit);
      reads.write(file, CELL * code.dataUnits() + 2 * CELL + CELL / 2 + 1, 1L << 20, unit);
      reads.awaitUnits(file, code.units());
      FileChecksum right = reads.fs.getFileChecksum(file);
      lose(reads, file, unit);
      FileChecksum found;
      try {
        found = reads.fs.getFileChecksum(file);
      } catch (IOException e) {
        assertTrue(code.subChunks() > 1, "unit " + unit + " can be decoded from any window: " + e);
        continue;
      }
      assertEquals(right, found, "checksum of " + file);
    }
  }

  /**
   * Stock's check of a whole file encodes windows of its own read buffer. If these windows are not
   * the file's cells, the check reports errors in healthy files of codes with sub-chunks. This
   * project's encoder warns of this.
   */
  @ParameterizedTest
  @MethodSource("codecs")
  void verifyEcFindsHealthyFilesHealthyIfItReadsWholeCells(PprCodec codec) throws Exception {
    LinearCode code = small(codec);
    Path file = new Path(directory(reads, codec), "verified");
    byte[] data = reads.write(
        file, 5 * CELL * code.dataUnits() + 3 * CELL + CELL / 2 + 1, 2 * CELL, SEED);
    reads.awaitUnits(file, code.units());
    assertEquals("", verifyEc(file, CELL), "a healthy file, read by cells");
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(LinearCodeRawEncoder.class));
    try {
      assertEquals(code.subChunks() > 1 ? MISMATCH : "", verifyEc(file, CELL / 2),
          "a healthy file, read by halves of cells");
    } finally {
      log.stopCapturing();
    }
    // The kernel in plain Java also accepts the heap buffers of this command and of writers.
    boolean warns = code.subChunks() > 1 && !Kernels.select(Kernels.AUTO).name().equals("java");
    assertEquals(warns, log.getOutput().contains(
        "-D dfs.datanode.ec.reconstruction.stripedread.buffer.size="), log.getOutput());

    // The check must still find errors. The test replaces a parity unit and its checksums by those
    // of a file whose first byte differs. It changes the first byte, because a DataNode keeps only
    // the last checksum of a replica in memory.
    Path other = new Path(file.getParent(), "other");
    data[0]++;
    try (OutputStream out = reads.fs.create(other, true, 4096, (short) 1, 2 * CELL)) {
      out.write(data);
    }
    reads.awaitUnits(other, code.units());
    int parity = code.dataUnits();
    Files.copy(replica(other, parity, false), replica(file, parity, false),
        StandardCopyOption.REPLACE_EXISTING);
    Files.copy(replica(other, parity, true), replica(file, parity, true),
        StandardCopyOption.REPLACE_EXISTING);
    assertEquals(MISMATCH, verifyEc(file, CELL), "a file with a wrong parity unit");
  }

  /** Runs the check and returns its complaints. */
  private static String verifyEc(Path file, int bufferBytes) throws Exception {
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    int status;
    try {
      status = ToolRunner.run(new DebugAdmin(new Configuration(reads.fs.getConf())),
          new String[] {"-D", DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_BUFFER_SIZE_KEY
              + "=" + bufferBytes, "verifyEC", "-file", file.toString()});
    } finally {
      System.setErr(err);
    }
    String complaint = said.toString(StandardCharsets.UTF_8).trim();
    assertEquals(complaint.isEmpty() ? 0 : 1, status, complaint);
    return complaint;
  }

  /** Returns a file of the first group: a unit's bytes, or their checksums. */
  private static java.nio.file.Path replica(Path file, int unit, boolean checksums)
      throws IOException {
    LocatedStripedBlock group = reads.groups(file).get(0);
    ExtendedBlock block = RepairCluster.internalBlock(group, unit);
    BlockLocalPathInfo paths = reads.datanode(RepairCluster.holders(group).get(unit))
        .getFSDataset().getBlockLocalPathInfo(block);
    return Paths.get(checksums ? paths.getMetaPath() : paths.getBlockPath());
  }

  @ParameterizedTest
  @MethodSource("someCodecs")
  void reconstructionsAreRightOrRefused(PprCodec codec) throws IOException {
    reconstruct(codec);
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("otherCodecs")
  void reconstructionsOfOtherCodecsAreRightOrRefused(PprCodec codec) throws IOException {
    reconstruct(codec);
  }

  private static void reconstruct(PprCodec codec) throws IOException {
    LinearCode code = small(codec);
    Path dir = directory(repairs, codec);
    int bytes = CELL * code.dataUnits() + 2 * CELL + CELL / 2 + 1;
    List<Integer> refused = new ArrayList<>();
    for (int unit = 0; unit < code.units(); unit++) {
      Path file = new Path(dir, "file" + unit);
      repairs.write(file, bytes, 1L << 20, unit);
      repairs.awaitUnits(file, code.units());
      LocatedStripedBlock group = repairs.groups(file).get(0);
      byte[] before = replica(group, unit);
      repairs.awaitQuiet();
      long failedBefore = failedTasks();
      lose(repairs, file, unit);
      int lost = unit;
      RepairCluster.await("unit " + unit + " of " + file + " is rebuilt or refused",
          () -> failedTasks() > failedBefore || repairs.holds(file, lost));
      if (repairs.holds(file, unit)) {
        assertArrayEquals(before, replica(repairs.groups(file).get(0), unit),
            "unit " + unit + " of " + file);
      } else {
        refused.add(unit);
      }
      // The refused groups must not count for the next unit.
      assertTrue(repairs.fs.delete(file, false));
      RepairCluster.await("the NameNode has nothing left to rebuild",
          () -> repairs.mini().getNamesystem().getLowRedundancyBlocks() == 0);
    }
    if (!hasCleanParity(code)) {
      assertEquals(code.units(), refused.size(), "no window of a unit can be rebuilt");
    }
    for (int unit : refused) {
      assertTrue(code.subChunks() > 1 && (unit > code.dataUnits() || !hasCleanParity(code)),
          "unit " + unit + " can be rebuilt from any window");
    }
  }

  private static byte[] replica(LocatedStripedBlock group, int unit) throws IOException {
    DataNode holder = repairs.datanode(RepairCluster.holders(group).get(unit));
    return Files.readAllBytes(Paths.get(holder.getFSDataset()
        .getBlockLocalPathInfo(RepairCluster.internalBlock(group, unit)).getBlockPath()));
  }

  private static long failedTasks() {
    long sum = 0;
    for (DataNode datanode : repairs.mini().getDataNodes()) {
      sum += MetricsAsserts.getLongCounter("EcFailedReconstructionTasks",
          MetricsAsserts.getMetrics(datanode.getMetrics().name()));
    }
    return sum;
  }
}
