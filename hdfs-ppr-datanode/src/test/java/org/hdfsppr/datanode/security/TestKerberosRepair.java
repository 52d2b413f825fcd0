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
package org.hdfsppr.datanode.security;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DNConf;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests repairs on clusters with Kerberos, under every protection of data transfer that Hadoop has:
 * on the repair port, on stock reads from nodes without the extension, and on writes to further
 * targets.
 */
class TestKerberosRepair {
  private static Kerberos kerberos;

  @TempDir
  private File directory;

  @BeforeAll
  static void startKdc() throws Exception {
    kerberos = Kerberos.start(TestKerberosRepair.class);
  }

  @AfterAll
  static void stopKdc() throws Exception {
    kerberos.stop();
  }

  @ParameterizedTest
  @CsvSource({
      "authentication, chain, 1, false",
      "integrity, ppr, 2, false",
      "privacy, chain, 2, true",
      "privacy, ppr, 1, false"})
  void saslProtects(String protection, String topology, int losses, boolean stockHelper)
      throws Exception {
    Configuration conf = kerberos.configuration(protection);
    new ProtectedRepair(conf, directory, topology, losses, stockHelper).run();
  }

  @ParameterizedTest
  @CsvSource({
      "integrity, true",
      "privacy, false"})
  void privateBytesAreNotSeen(String protection, boolean visible) throws Exception {
    new RecordedRepair(kerberos.configuration(protection), directory).run(visible, false);
  }

  /**
   * The DataNode relies on privileged ports, which root has opened, but the repair port is not
   * privileged.
   */
  @Test
  void portWithoutProtectionIsRefused() throws Exception {
    Configuration conf = RepairCluster.configure(kerberos.configuration("privacy"), directory);
    conf.unset(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY);
    conf.setBoolean(DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_KEY, true);
    try (RepairCluster cluster = RepairCluster.start(conf, 1)) {
      DataNode datanode = cluster.mini().getDataNodes().get(0);
      RepairPort port = RepairPort.of(datanode);
      assertTrue(port.isRunning(), "the test setting allows every port");
      int number = port.port();
      port.plugin.stop();
      Field ignores = DNConf.class.getDeclaredField("ignoreSecurePortsForTesting");
      ignores.setAccessible(true);
      ignores.set(datanode.getDnConf(), false);
      conf.set(PprKeys.DATANODE_ADDRESS_KEY, "127.0.0.1:" + number);
      String said = port.startAndListen();
      assertFalse(port.isRunning(), "the plugin runs on a port that any user can open");
      assertTrue(said.contains("dfs.data.transfer.protection")
          && said.contains(PprKeys.DATANODE_ADDRESS_KEY) && said.contains("stock"), said);
      assertFalse(RepairPort.listens(number), "the port is open");
      assertFalse(port.isTakenOver(), "stock does the repairs");
    }
  }

  @ParameterizedTest
  @CsvSource({
      "'', chain, 1, false",
      "AES/CTR/NoPadding, ppr, 2, true"})
  void encryptionProtects(String cipherSuites, String topology, int losses, boolean stockHelper)
      throws Exception {
    Configuration conf = kerberos.configuration("authentication");
    conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, true);
    conf.set(HdfsClientConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_CIPHER_SUITES_KEY, cipherSuites);
    new ProtectedRepair(conf, directory, topology, losses, stockHelper).run();
  }
}
