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
package org.hdfsppr.namenode.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.namenode.rpc.RepairManagerServer.HeartbeatAuthorizer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the order of the checks of a caller. */
class TestHeartbeatAuthorizer {
  private final List<String> looked = new ArrayList<>();
  private final LiveDataNodes one =
      (uuid, address) -> uuid.equals("dn") && address.equals("10.0.0.1");
  private HeartbeatAuthorizer callers;
  private String host = "host";
  private long nowMs = 1_000;

  @BeforeEach
  void secure() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, "dn/_HOST@EXAMPLE.COM");
    callers = new HeartbeatAuthorizer(conf, (pattern, address) -> {
      looked.add(address.getHostAddress());
      return pattern.replace("_HOST", host + address.getAddress()[3]);
    }, () -> nowMs);
    Configuration secure = new Configuration(false);
    secure.set("hadoop.security.authentication", "kerberos");
    secure.set("hadoop.security.auth_to_local", "DEFAULT");
    System.setProperty("java.security.krb5.realm", "EXAMPLE.COM");
    System.setProperty("java.security.krb5.kdc", "localhost:1");
    UserGroupInformation.setConfiguration(secure);
  }

  @AfterEach
  void reset() {
    System.clearProperty("java.security.krb5.realm");
    System.clearProperty("java.security.krb5.kdc");
    UserGroupInformation.setConfiguration(new Configuration(false));
  }

  private void check(String user, AuthMethod by, int from, String uuid) throws IOException {
    callers.check(UserGroupInformation.createRemoteUser(user, by),
        InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) from}), uuid, one);
  }

  /**
   * A look-up of a name may take seconds. An unknown caller must not be able to keep a handler busy
   * with it.
   */
  @Test
  void anAddressThatIsNotLiveCausesNoLookUp() throws IOException {
    String user = "dn/host2@EXAMPLE.COM";
    AccessControlException e = assertThrows(AccessControlException.class,
        () -> check(user, AuthMethod.KERBEROS, 2, "dn"));
    assertTrue(e.getMessage().contains("No live DataNode dn is registered from 10.0.0.2"),
        e.getMessage());
    assertThrows(AccessControlException.class,
        () -> check("dn/host1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "other"));
    assertThrows(AccessControlException.class,
        () -> check("dn/host1@EXAMPLE.COM", AuthMethod.TOKEN, 1, "dn"));
    assertEquals(List.of(), looked);
    check("dn/host1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn");
    check("dn/host1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn");
    assertEquals(List.of("10.0.0.1"), looked, "once");
  }

  /** Addresses go from host to host, in clouds for example. */
  @Test
  void aPrincipalThatDiffersIsLookedUpAnewAtMostOnceAMinute() throws IOException {
    check("dn/host1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn");
    host = "another";
    nowMs += 59_999;
    assertThrows(AccessControlException.class,
        () -> check("dn/another1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn"));
    check("dn/host1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn");
    assertEquals(1, looked.size());
    nowMs++;
    check("dn/another1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn");
    assertEquals(2, looked.size());
    assertThrows(AccessControlException.class,
        () -> check("dn/host1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn"));
    check("dn/another1@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn");
    assertEquals(2, looked.size());
  }

  @Test
  void theNameIsCheckedAllTheSame() {
    assertThrows(AccessControlException.class,
        () -> check("dn/host2@EXAMPLE.COM", AuthMethod.KERBEROS, 1, "dn"));
    assertEquals(List.of("10.0.0.1"), looked);
  }
}
