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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.datanode.security.Kerberos;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Conversions on a cluster with Kerberos, block tokens, and privacy on all wires. */
@Timeout(300)
class TestConvertUnderKerberos {
  @TempDir
  File directory;
  private Kerberos kerberos;
  private ConvertCluster cluster;

  @BeforeEach
  void start() throws Exception {
    kerberos = Kerberos.start(TestConvertUnderKerberos.class);
    cluster = ConvertCluster.withPrivacy(kerberos, directory);
  }

  @AfterEach
  void stop() throws Exception {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      kerberos.stop();
    }
  }

  /** A job of YARN has no ticket, but a token of the NameNode, whose port is another one. */
  @Test
  void conversionsAreReachedWithADelegationToken() throws Exception {
    UserGroupInformation own = UserGroupInformation.getCurrentUser();
    UserGroupInformation bearer =
        UserGroupInformation.createRemoteUser(own.getUserName(), AuthMethod.TOKEN);
    bearer.addToken(cluster.hdfs().fs.getDelegationToken("yarn"));
    assertEquals(0, cluster.run(bearer, "-convert", "-status"), cluster.out() + cluster.err());
    assertTrue(cluster.out().contains("There are no conversion jobs."), cluster.out());
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");
    assertEquals(1, cluster.run(nobody, "-convert", "-status"));
    assertEquals(0, cluster.run(own, "-convert", "-status"), cluster.err());
  }
}
