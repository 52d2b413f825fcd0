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
package org.hdfsppr.client.files;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;

/** Three files of a directory that form a CORE group, and the steps of tests with them. */
final class MemberFiles {
  static final int FILES = 3;
  static final String FOLDER = "/warm";
  /** All that CORE keeps. */
  private static final Path KEPT = new Path("/.hdfs-ppr/core");
  private static final int UNITS = 9;

  private final ConvertCluster cluster;
  private final UserGroupInformation owner;
  private final List<Path> paths = new ArrayList<>();
  private final List<byte[]> contents = new ArrayList<>();

  /** @param owner owns the files, and protects them */
  MemberFiles(ConvertCluster cluster, UserGroupInformation owner) {
    this.cluster = cluster;
    this.owner = owner;
  }

  /** Returns keys and values with which a cluster forms CORE groups at once. */
  static String[] settings() {
    return new String[] {PprKeys.NAMENODE_CORE_SETTLE_KEY, "0"};
  }

  /** Writes the files, each one a little shorter than the one before. */
  void write() throws IOException {
    for (int i = 0; i < FILES; i++) {
      Path path = new Path(FOLDER, "f" + i);
      contents.add(cluster.write(path, ConvertCluster.RS,
          2 * ConvertCluster.GROUP - i * ConvertCluster.CELL, 11 + i));
      paths.add(path);
      for (Path own : List.of(path, path.getParent())) {
        cluster.hdfs().fs.setOwner(own, owner.getShortUserName(), "users");
      }
    }
  }

  /** Writes a file anew, with one block group. */
  void overwrite(int file, long seed) throws IOException {
    contents.set(file,
        cluster.write(paths.get(file), ConvertCluster.RS, ConvertCluster.GROUP, seed));
  }

  Path path(int file) {
    return paths.get(file);
  }

  void protect() throws Exception {
    run(owner, "-core", "-protect", FOLDER, "-t", String.valueOf(FILES));
  }

  void unprotect() throws Exception {
    run(owner, "-core", "-unprotect", FOLDER);
  }

  /** Runs a command of the superuser's. */
  void run(String... args) throws Exception {
    run(UserGroupInformation.getCurrentUser(), args);
  }

  private void run(UserGroupInformation user, String... args) throws Exception {
    assertEquals(0, cluster.run(user, args), cluster.out() + cluster.err());
  }

  /** Returns what the command says of all CORE groups. */
  JsonNode status() {
    try {
      run("-core", "-status", "-json");
      return cluster.last();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the files are a group, and no other one is made. */
  void awaitGroup() {
    await("the group is formed", () -> {
      JsonNode status = status();
      return status.path("groups").asInt() == 1 && status.path("members").asInt() == FILES
          && status.path("forming").asInt() == 0 && status.path("queued").asInt() == 0;
    });
  }

  /** Returns all files that CORE keeps: parity files, and what is being made. */
  List<Path> kept() throws IOException {
    List<Path> files = new ArrayList<>();
    if (cluster.hdfs().fs.exists(KEPT)) {
      RemoteIterator<LocatedFileStatus> all = cluster.hdfs().fs.listFiles(KEPT, true);
      while (all.hasNext()) {
        files.add(all.next().getPath());
      }
    }
    return files;
  }

  /** Returns the parity file, after nothing else of CORE's is left. */
  Path awaitOnlyParity() {
    List<Path> kept = new ArrayList<>();
    await("there is one parity file, and nothing unfinished", () -> {
      try {
        kept.clear();
        kept.addAll(kept());
        return kept.size() == 1 && cluster.hdfs().fs.getXAttrs(kept.get(0))
            .containsKey("trusted.hdfs-ppr.core-group");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    return kept.get(0);
  }

  /** Compares the parity file with the XOR of the files. */
  void assertParity() throws IOException {
    byte[] xor = new byte[contents.get(0).length];
    for (byte[] content : contents) {
      for (int i = 0; i < content.length; i++) {
        xor[i] ^= content[i];
      }
    }
    assertArrayEquals(xor, read(cluster.hdfs().fs, awaitOnlyParity(), xor.length));
  }

  /** Lets the owner check that the blocks of each column add up to zero. */
  void assertColumns() throws Exception {
    run(owner, "-core", "-check", FOLDER);
  }

  /** Loses units of all block groups of a file. */
  void lose(int file, int... units) throws Exception {
    // Another NameNode that has become active may not have all block reports yet.
    await("the units are located", () -> areLocated(paths.get(file), units));
    for (LocatedStripedBlock group : cluster.hdfs().groups(paths.get(file))) {
      Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
      for (int unit : units) {
        RepairCluster.drop(cluster.hdfs().datanode(holders.get(unit)),
            RepairCluster.internalBlock(group, unit));
      }
    }
  }

  private boolean areLocated(Path path, int... units) {
    try {
      for (LocatedStripedBlock group : cluster.hdfs().groups(path)) {
        Map<Integer, DatanodeInfo> holders = RepairCluster.holders(group);
        if (!IntStream.of(units).allMatch(holders::containsKey)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loses more units of two files than their code bears, and no two of a column. */
  void loseBeyondRows() throws Exception {
    lose(0, 0, 2, 5, 7);
    lose(1, 1, 3, 4, 6, 8);
  }

  /** Returns a client of the current user, which reads through columns. */
  PprFileSystem client() throws IOException {
    Configuration conf = readerConf();
    return (PprFileSystem) FileSystem.newInstance(conf);
  }

  Configuration readerConf() {
    Configuration conf = cluster.hdfs().clientConf();
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    return conf;
  }

  static byte[] read(FileSystem fs, Path path, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = fs.open(path)) {
      in.readFully(0, bytes);
      assertEquals(-1, in.read(length, new byte[1], 0, 1));
    }
    return bytes;
  }

  /** Reads all files, and sees that some of it went through columns. */
  void assertReadThroughColumns(PprFileSystem fs) throws IOException {
    long before = columns(fs);
    for (int i = 0; i < FILES; i++) {
      assertArrayEquals(contents.get(i), read(fs, paths.get(i), contents.get(i).length));
    }
    assertTrue(columns(fs) > before, "no column was read");
  }

  private static long columns(PprFileSystem fs) {
    return ((PprDFSClient) fs.getClient()).readContext().counters.columns();
  }

  /**
   * Waits until nothing is lost, and compares all contents. If the NameNode does not know yet that
   * units were lost, it says that they are there, and the read fails; then this method waits again.
   */
  void assertRepaired() {
    for (int i = 0; i < FILES; i++) {
      int file = i;
      RepairCluster.await(paths.get(i) + " can be read", () -> {
        cluster.hdfs().awaitUnits(paths.get(file), UNITS);
        try {
          assertTrue(cluster.hdfs().hasContent(paths.get(file), contents.get(file)),
              "content of " + file);
          return true;
        } catch (IOException e) {
          System.out.println(paths.get(file) + " cannot be read yet: " + e.getMessage());
          return false;
        }
      });
    }
  }
}
