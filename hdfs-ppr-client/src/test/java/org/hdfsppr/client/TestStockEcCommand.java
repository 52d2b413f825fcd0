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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.tools.ECAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.coder.code.PprCodec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's command {@code hdfs ec} knows our codecs and policies, on a NameNode without plugin. */
@Timeout(120)
class TestStockEcCommand {
  private static final String POLICY = "HITCHHIKER-XOR-6-3-1024k";

  @TempDir
  static Path directory;
  private static MiniDFSCluster cluster;
  private static Configuration conf;

  @BeforeAll
  static void start() throws Exception {
    conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build();
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  private static String ec(int code, String... args) throws Exception {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8);
    System.setOut(both);
    System.setErr(both);
    try {
      assertEquals(code, ToolRunner.run(new ECAdmin(cluster.getConfiguration(0)), args),
          said::toString);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void codecsArePolicyFilesAndSetupsAreKnown() throws Exception {
    String codecs = ec(0, "-listCodecs");
    for (PprCodec codec : PprCodec.values()) {
      assertTrue(codecs.contains(codec.codecName().toUpperCase(Locale.ROOT)), codecs);
    }
    String added = ec(0, "-addPolicies", "-policyFile",
        Path.of("..", "conf", "ec-policies.xml").toAbsolutePath().normalize().toString());
    assertTrue(!added.contains("failed"), added);
    for (String policy : new String[] {POLICY, "HITCHHIKER-XORPLUS-12-4-4096k"}) {
      assertTrue(added.contains(policy), added);
    }
    ec(0, "-enablePolicy", "-policy", POLICY);
    // Two DataNodes are too few for nine units, and the command says so.
    String verified = ec(2, "-verifyClusterSetup", "-policy", POLICY);
    assertTrue(verified.contains("number of DataNodes") && verified.contains(POLICY), verified);
    for (int i = 0; i < 7; i++) {
      cluster.startDataNodes(conf, 1, true, null, new String[] {"/rack" + i}, null);
    }
    cluster.waitActive();
    String enough = ec(0, "-verifyClusterSetup", "-policy", POLICY);
    assertTrue(enough.contains("support"), enough);
  }
}
