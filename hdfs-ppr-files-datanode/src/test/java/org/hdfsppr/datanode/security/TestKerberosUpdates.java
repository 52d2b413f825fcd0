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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests updates on clusters with Kerberos, as {@link TestKerberosRepair} does repairs. */
class TestKerberosUpdates {
  private static Kerberos kerberos;

  @TempDir
  private File directory;

  @BeforeAll
  static void startKdc() throws Exception {
    kerberos = Kerberos.start(TestKerberosUpdates.class);
  }

  @AfterAll
  static void stopKdc() throws Exception {
    kerberos.stop();
  }

  @ParameterizedTest
  @CsvSource({
      "authentication, false",
      "integrity, false",
      "privacy, false",
      "privacy, true"})
  void saslProtectsUpdates(String protection, boolean encrypt) throws Exception {
    Configuration conf = kerberos.configuration(protection);
    conf.setBoolean(DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, encrypt);
    new ProtectedUpdates(conf, directory).run();
  }
}
