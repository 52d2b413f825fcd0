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
package org.hdfsppr.client;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that were protected by {@code hdfs ppr -core} survive more losses than their own code
 * bears: clients read them, and repairs bring all units back.
 */
class TestCoreFiles {
  private static final int UNITS = 9;
  private static final int FILES = 3;

  @TempDir
  File directory;
  private ConvertCluster cluster;
  private final List<Path> paths = new ArrayList<>();
  private final List<byte[]> contents = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    cluster = new ConvertCluster(directory, PprKeys.NAMENODE_CORE_SETTLE_KEY, "0",
        PprKeys.NAMENODE_CORE_WALK_KEY, "200", PprKeys.NAMENODE_CORE_CHECK_KEY, "200");
    cluster.awaitInCharge();
    for (int i = 0; i < FILES; i++) {
      Path path = new Path("/warm/f" + i);
      contents.add(cluster.write(path, ConvertCluster.RS,
          2 * ConvertCluster.GROUP - i * ConvertCluster.CELL, 11 + i));
      paths.add(path);
    }
    run(ConvertCluster.ALICE, "-core", "-protect", "/warm", "-t", String.valueOf(FILES));
    await("the group is formed", () -> cluster.document("core").path("groups").asInt() == 1
        && cluster.document("core").path("forming").asInt() == 0);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void run(UserGroupInformation user, String... args) throws Exception {
    assertEquals(0, cluster.run(user, args), cluster.out() + cluster.err());
  }

  private void lose(Path path, int... units) throws IOException {
    for (LocatedStripedBlock group : cluster.hdfs().groups(path)) {
      for (int unit : units) {
        RepairCluster.drop(
            cluster.hdfs().datanode(RepairCluster.holders(group).get(unit)),
            RepairCluster.internalBlock(group, unit));
      }
    }
  }

  private static byte[] read(FileSystem fs, Path path, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = fs.open(path)) {
      in.readFully(0, bytes);
      assertEquals(-1, in.read(length, new byte[1], 0, 1));
    }
    return bytes;
  }

  @Test
  void rowsBeyondTheirCodeAreReadAndRepaired() throws Exception {
    run(UserGroupInformation.getCurrentUser(), "-pause");
    // Four and five lost units: each row has lost more than three, and no column two.
    lose(paths.get(0), 0, 2, 5, 7);
    lose(paths.get(1), 1, 3, 4, 6, 8);
    Configuration conf = new Configuration(cluster.hdfs().mini().getConfiguration(0));
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    try (PprFileSystem fs = (PprFileSystem) FileSystem.newInstance(
        cluster.hdfs().mini().getURI(), conf)) {
      for (int i = 0; i < FILES; i++) {
        assertArrayEquals(contents.get(i), read(fs, paths.get(i), contents.get(i).length));
      }
      assertTrue(((PprDFSClient) fs.getClient()).readContext().counters().columns() > 0);
    }
    run(UserGroupInformation.getCurrentUser(), "-resume");
    for (int i = 0; i < FILES; i++) {
      cluster.hdfs().awaitUnits(paths.get(i), UNITS);
      assertTrue(cluster.hdfs().hasContent(paths.get(i), contents.get(i)), "content of " + i);
    }
  }

  /** After a change of a member, nothing is read or repaired through its old group. */
  @Test
  void aChangedMemberLeavesItsGroup() throws Exception {
    byte[] other = cluster.write(paths.get(2), ConvertCluster.RS, ConvertCluster.GROUP, 99);
    await("the group is formed anew", () ->
        cluster.document("core").path("formed").asInt() >= 2
            && cluster.document("core").path("groups").asInt() == 1
            && cluster.document("core").path("forming").asInt() == 0);
    lose(paths.get(0), 1);
    cluster.hdfs().awaitUnits(paths.get(0), UNITS);
    assertTrue(cluster.hdfs().hasContent(paths.get(0), contents.get(0)));
    assertTrue(cluster.hdfs().hasContent(paths.get(2), other));
    run(ConvertCluster.ALICE, "-core", "-unprotect", "/warm");
    await("nothing is protected", () -> cluster.document("core").path("groups").asInt() == 0);
  }
}
