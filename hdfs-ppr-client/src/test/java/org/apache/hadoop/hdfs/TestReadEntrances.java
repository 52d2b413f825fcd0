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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PprHdfs;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that users can read lost units through {@code hdfs dfs} and through FileContext. */
@Timeout(300)
class TestReadEntrances {
  private static final int CELL = 32 << 10;
  private static final int NODES = 12;
  private static final int BYTES = 40 * CELL + 777;
  private static final int TAIL_BYTES = 1024;

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static Configuration conf;

  @BeforeAll
  static void start() throws IOException {
    Configuration daemons = RepairCluster.configuration(directory);
    daemons.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    daemons.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    cluster = RepairCluster.start(daemons, NODES);
    conf = new Configuration(daemons);
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", PprHdfs.class.getName());
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    FileSystem.setDefaultUri(conf, cluster.fs.getUri());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static LostFile lost(String spec) throws IOException {
    return new LostFile(cluster, CELL, spec, BYTES, 1);
  }

  /** Runs {@code hdfs dfs} and returns its output. */
  private static byte[] shell(String... arguments) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, "UTF-8")) {
      System.setOut(out);
      assertEquals(0, ToolRunner.run(new Configuration(conf), new FsShell(), arguments),
          Arrays.toString(arguments));
    } finally {
      System.setOut(before);
    }
    return bytes.toByteArray();
  }

  /** Returns the algorithm and the value of the file's checksum. */
  private static String checksum(Path path) throws Exception {
    String line = new String(shell("-checksum", path.toString()), StandardCharsets.UTF_8);
    assertTrue(line.startsWith(path + "\t"), line);
    return line.substring(line.indexOf('\t'));
  }

  // Stock's client can read none of these files.
  @ParameterizedTest
  @ValueSource(strings = {"lrc-l2-6-4:0,1,3,4", "hitchhiker-xor-6-3:1,4", "rotated-rs-r4-6-3:2"})
  void commandsReadWhatIsLost(String spec) throws Exception {
    LostFile file = lost(spec);
    String path = file.path.toString();
    assertArrayEquals(file.content, shell("-cat", path));
    assertArrayEquals(Arrays.copyOfRange(file.content, BYTES - TAIL_BYTES, BYTES),
        shell("-tail", path));
    assertArrayEquals(Arrays.copyOf(file.content, TAIL_BYTES), shell("-head", path));
    File local = new File(directory, spec.replaceAll("[:,]", "-"));
    shell("-get", path, local.toString());
    assertArrayEquals(file.content, Files.readAllBytes(local.toPath()));
    shell("-cp", path, path + ".copy");
    assertArrayEquals(file.content, shell("-cat", path + ".copy"));
    assertEquals(checksum(lost(spec.split(":")[0] + ":20").path), checksum(file.path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3:0,1,8", "lrc-l2-6-4:0,1,3,4", "hitchhiker-xor-6-3:1,4"})
  void fileContextReadsWhatIsLost(String spec) throws Exception {
    LostFile file = lost(spec);
    FileContext files = FileContext.getFileContext(cluster.fs.getUri(), conf);
    assertEquals(PprHdfs.class, files.getDefaultFileSystem().getClass());
    byte[] read = new byte[BYTES];
    try (FSDataInputStream in = files.open(file.path)) {
      assertEquals(PprStripedInputStream.class, in.getWrappedStream().getClass());
      in.readFully(read);
      assertArrayEquals(file.content, read);
      in.readFully(CELL - 5, read, 0, 3 * CELL);
      assertArrayEquals(Arrays.copyOfRange(file.content, CELL - 5, 4 * CELL - 5),
          Arrays.copyOf(read, 3 * CELL));
    }
    LostFile whole = lost(spec.split(":")[0] + ":20");
    assertEquals(files.getFileChecksum(whole.path), files.getFileChecksum(file.path));
  }
}
