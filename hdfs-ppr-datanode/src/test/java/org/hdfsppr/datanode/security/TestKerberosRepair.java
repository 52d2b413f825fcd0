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

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Repairs on clusters with Kerberos, under every protection of data transfer that Hadoop knows: on
 * the repair port, on stock reads from nodes without the extension, and on writes to further
 * targets.
 */
class TestKerberosRepair {
  private static Kerberos kerberos;

  @TempDir
  private File directory;

  @BeforeAll
  static void startKdc() throws Exception {
    kerberos = Kerberos.start();
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
