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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferTestCase;
import org.apache.hadoop.security.UserGroupInformation;

/** A KDC for the tests of a class, and configurations of clusters that use it. */
@InterfaceAudience.Private
final class Kerberos {
  private final Stock stock = new Stock();

  private Kerberos() {
  }

  /** What Hadoop's own tests of SASL use; its KDC is one for the JVM. */
  private static final class Stock extends SaslDataTransferTestCase {
    HdfsConfiguration secure(String protection) throws Exception {
      return createSecureConfig(protection);
    }
  }

  static Kerberos start() throws Exception {
    SaslDataTransferTestCase.initKdc();
    return new Kerberos();
  }

  /**
   * A cluster with Kerberos and block tokens.
   *
   * @param protection value of {@code dfs.data.transfer.protection}
   */
  Configuration configuration(String protection) throws Exception {
    return stock.secure(protection);
  }

  /** Stops the KDC and takes security back, which is one state for the whole JVM. */
  void stop() throws Exception {
    SaslDataTransferTestCase.shutdownKdc();
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }
}
