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
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests repairs on clusters with block tokens but without Kerberos, unencrypted and encrypted. */
class TestTokenRepair {
  @TempDir
  private File directory;

  @ParameterizedTest
  @CsvSource({
      "chain, 1, false",
      "ppr, 2, true"})
  void tokensAlone(String topology, int losses, boolean stockHelper) throws Exception {
    new ProtectedRepair(tokens(), directory, topology, losses, stockHelper).run();
  }

  @ParameterizedTest
  @CsvSource({
      "'', 3des, chain, 2, true",
      "AES/CTR/NoPadding, rc4, ppr, 1, false"})
  void tokensAndEncryption(String cipherSuites, String algorithm, String topology, int losses,
      boolean stockHelper) throws Exception {
    Configuration conf = tokens();
    conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, true);
    conf.set(DFSConfigKeys.DFS_DATA_ENCRYPTION_ALGORITHM_KEY, algorithm);
    conf.set(HdfsClientConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_CIPHER_SUITES_KEY, cipherSuites);
    new ProtectedRepair(conf, directory, topology, losses, stockHelper).run();
  }

  @ParameterizedTest
  @CsvSource({
      "false, '', true",
      "true, '', false",
      "true, AES/CTR/NoPadding, false"})
  void encryptedBytesAreNotSeen(boolean encrypted, String cipherSuites, boolean visible)
      throws Exception {
    Configuration conf = tokens();
    conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, encrypted);
    conf.set(HdfsClientConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_CIPHER_SUITES_KEY, cipherSuites);
    new RecordedRepair(conf, directory).run(visible, !encrypted);
  }

  private static Configuration tokens() {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    return conf;
  }
}
