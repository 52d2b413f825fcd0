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

import static org.hdfsppr.client.files.ConvertCluster.ALICE;
import static org.hdfsppr.client.files.ConvertCluster.CELL;
import static org.hdfsppr.client.files.ConvertCluster.GROUP;
import static org.hdfsppr.client.files.ConvertCluster.HITCHHIKER;
import static org.hdfsppr.client.files.ConvertCluster.RS;
import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams of {@link PprFileSystem} that were opened before their file was converted, with a code
 * whose parity units are all different: they read right bytes, or say why they read none.
 */
@Tag("slow")
@Timeout(300)
class TestStreamsOfConvertedFiles {
  private static final int GROUPS = 4;
  private static final Path FILE = new Path("/warm/f");

  @TempDir
  File directory;
  private ConvertCluster cluster;
  private byte[] content;

  @BeforeEach
  void start() throws IOException {
    cluster = new ConvertCluster(directory);
    cluster.awaitInCharge();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Opens files like a client that knows one group of a file when it has opened it. */
  private FileSystem client() throws IOException {
    return client(1);
  }

  /** @param prefetchBytes the bytes of a file whose groups the NameNode names at a time */
  private FileSystem client(long prefetchBytes) throws IOException {
    Configuration conf = new Configuration(cluster.hdfs().mini().getConfiguration(0));
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setLong(HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY, prefetchBytes);
    conf.setInt(HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY, 10);
    return FileSystem.newInstance(cluster.hdfs().mini().getURI(), conf);
  }

  private void write() throws IOException {
    content = cluster.write(FILE, RS, GROUPS * GROUP, 7);
  }

  private void convert(String grace) throws Exception {
    List<LocatedStripedBlock> old = cluster.hdfs().groups(FILE);
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", HITCHHIKER, "-idle", "0", "-grace",
        grace, "-wait", FILE.toString()), cluster.out() + cluster.err());
    if (grace.equals("0")) {
      await("the old replicas are deleted", () -> old.stream().allMatch(group ->
          RepairCluster.holders(group).entrySet().stream().noneMatch(one ->
              cluster.hdfs().datanode(one.getValue()).getFSDataset().contains(
                  RepairCluster.internalBlock(group, one.getKey())))));
    }
  }

  /** Ends the DataNode that has unit 0 of a group of the file. */
  private void loseFirstUnit(int group) throws IOException {
    cluster.hdfs().kill(RepairCluster.holders(cluster.hdfs().groups(FILE).get(group)).get(0));
  }

  private byte[] expected(int position, int length) {
    return Arrays.copyOfRange(content, position, position + length);
  }

  private static byte[] pread(FSDataInputStream in, long position, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(position, bytes);
    return bytes;
  }

  private static byte[] readOn(FSDataInputStream in, long position, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    in.seek(position);
    in.readFully(bytes);
    return bytes;
  }

  /** Groups that the stream does not know yet are asked for by path, and are of the new file. */
  @Test
  void groupsThatTheStreamDoesNotKnowAreNotDecodedWithTheOldCode() throws Exception {
    write();
    try (FileSystem fs = client(); FSDataInputStream in = fs.open(FILE);
        FSDataInputStream stateful = fs.open(FILE)) {
      assertArrayEquals(expected(0, CELL), pread(in, 0, CELL));
      assertArrayEquals(expected(0, CELL), readOn(stateful, 0, CELL));
      convert("0");
      loseFirstUnit(2);
      int third = 2 * GROUP;
      String why = assertThrows(UntrustedBytesException.class,
          () -> pread(in, third, 2 * CELL)).getMessage();
      assertTrue(why.contains(FILE + " had the policy " + RS + " when it was opened, and has "
          + HITCHHIKER + " now") && why.contains("open it anew"), why);
      assertThrows(UntrustedBytesException.class, () -> readOn(stateful, third, 2 * CELL));
      assertThrows(UntrustedBytesException.class, () -> pread(in, 0, CELL), "and remains so");
      try (FSDataInputStream anew = fs.open(FILE)) {
        assertArrayEquals(content, pread(anew, 0, content.length));
      }
    }
  }

  /** A stream of a long file asks no more often than stock's, and once more for each answer. */
  @Test
  void theGroupsOfOneAnswerAreComparedTogether() throws Exception {
    content = cluster.write(FILE, RS, 9 * GROUP, 7);
    try (FileSystem fs = client(3L * GROUP); FSDataInputStream in = fs.open(FILE)) {
      long before = questions();
      for (int group = 0; group < 9; group++) {
        assertArrayEquals(expected(group * GROUP, CELL), pread(in, group * GROUP, CELL));
      }
      // The NameNode counts a call shortly after it has answered it.
      await("all calls are counted", () -> questions() - before >= 4);
      assertEquals(4, questions() - before, "for two answers of three groups each");
    }
  }

  private long questions() {
    return MetricsAsserts.getLongCounter("GetBlockLocationsNumOps", MetricsAsserts.getMetrics(
        "RpcDetailedActivityForPort" + cluster.hdfs().mini().getNameNodePort()));
  }

  @Test
  void groupsThatAreDeletedAreNotReplacedByNewOnes() throws Exception {
    write();
    try (FileSystem fs = client(); FSDataInputStream in = fs.open(FILE);
        FSDataInputStream stateful = fs.open(FILE)) {
      assertArrayEquals(expected(0, CELL), pread(in, 0, CELL));
      assertArrayEquals(expected(0, CELL), readOn(stateful, 0, CELL));
      convert("0");
      loseFirstUnit(0);
      String why = assertThrows(UntrustedBytesException.class, () -> pread(in, CELL, CELL))
          .getMessage();
      assertTrue(why.contains("it was converted or replaced: open it anew"), why);
      assertThrows(UntrustedBytesException.class, () -> readOn(stateful, 7 * CELL, CELL));
    }
  }

  @Test
  void duringTheGraceAStreamReadsWhatItKnows() throws Exception {
    write();
    try (FileSystem fs = client(); FSDataInputStream in = fs.open(FILE);
        FSDataInputStream stateful = fs.open(FILE)) {
      convert("1h");
      assertArrayEquals(expected(0, GROUP), pread(in, 0, GROUP));
      loseFirstUnit(0);
      for (FSDataInputStream stream : new FSDataInputStream[] {in, stateful}) {
        try {
          assertArrayEquals(expected(0, GROUP), stream == in ? pread(in, 0, GROUP)
              : readOn(stateful, 0, GROUP));
        } catch (UntrustedBytesException e) {
          // The stream has asked for locations again, and has noticed.
          assertTrue(e.getMessage().contains("converted or replaced"), e.getMessage());
        }
        assertThrows(UntrustedBytesException.class, () -> pread(stream, 3 * GROUP, CELL));
        assertThrows(UntrustedBytesException.class, () -> pread(stream, CELL, CELL),
            "and remains so, although the replicas are there");
        assertThrows(UntrustedBytesException.class, () -> readOn(stream, CELL, CELL));
      }
    }
  }

  /** The first group tells, although the policy is the same. */
  @Test
  void groupsOfAnotherFileOfThePolicyAreNotGiven() throws Exception {
    write();
    try (FileSystem fs = client(); FSDataInputStream in = fs.open(FILE);
        FSDataInputStream stateful = fs.open(FILE)) {
      assertArrayEquals(expected(0, CELL), pread(in, 0, CELL));
      assertArrayEquals(expected(0, CELL), readOn(stateful, 0, CELL));
      cluster.write(FILE, RS, GROUPS * GROUP, 8);
      String why = assertThrows(UntrustedBytesException.class,
          () -> pread(in, 2 * GROUP, CELL)).getMessage();
      assertTrue(why.contains(FILE + " is another file than the one that was opened"), why);
      assertThrows(UntrustedBytesException.class, () -> readOn(stateful, 2 * GROUP, CELL));
    }
  }

  /** Stock alone reads the last group of a file that was open for writing when it was opened. */
  @Test
  void aStreamThatWasOpenedWhileTheFileWasWrittenNotices() throws Exception {
    write();
    content = expected(0, 2 * GROUP);
    cluster.hdfs().fs.delete(FILE, false);
    try (FileSystem fs = client()) {
      FSDataOutputStream out = cluster.hdfs().fs.create(FILE, true, CELL, (short) 1,
          (long) GROUP / 6);
      out.write(content, 0, GROUP + GROUP / 2);
      FSDataInputStream in = fs.open(FILE);
      out.write(content, GROUP + GROUP / 2, GROUP / 2);
      out.close();
      cluster.hdfs().fs.setOwner(FILE, "alice", "users");
      convert("0");
      loseFirstUnit(1);
      try {
        byte[] bytes = new byte[CELL];
        int read = in.read(GROUP, bytes, 0, CELL);
        if (read > 0) {
          assertArrayEquals(expected(GROUP, read), Arrays.copyOf(bytes, read));
        }
      } catch (UntrustedBytesException e) {
        assertTrue(e.getMessage().contains("open it anew"), e.getMessage());
      }
      assertThrows(UntrustedBytesException.class, () -> pread(in, 0, CELL));
      in.close();
    }
  }
}
