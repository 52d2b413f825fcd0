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

import java.io.File;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenSecretManager;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the server with Kerberos: DataNodes and superusers are let in with a ticket, and no other
 * callers.
 */
@Timeout(120)
class TestSecureRepairManager {
  @TempDir
  private static File directory;
  private static final ScriptedManager MANAGER = new ScriptedManager();
  private static final Secrets SECRETS = new Secrets();
  private static MiniKdc kdc;
  private static File keytab;
  private static Configuration conf;
  private static RepairManagerServer server;

  /** A secret manager that gives out delegation tokens as the namesystem does. */
  private static final class Secrets
      extends AbstractDelegationTokenSecretManager<DelegationTokenIdentifier> {
    Secrets() {
      super(3_600_000, 3_600_000, 3_600_000, 3_600_000);
    }

    @Override
    public DelegationTokenIdentifier createIdentifier() {
      return new DelegationTokenIdentifier();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), directory);
    kdc.start();
    keytab = new File(directory, "all.keytab");
    kdc.createPrincipal(keytab, "nn/localhost", "dn/localhost", "dn/elsewhere", "root/localhost",
        "user/localhost");
    conf = new HdfsConfiguration();
    SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
    conf.set("hadoop.security.auth_to_local", "RULE:[2:$1](.*)s/$//\nDEFAULT");
    conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, principal("nn"));
    conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, "dn/_HOST@" + kdc.getRealm());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    conf.set("hadoop.rpc.protection", "privacy");
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(principal("nn"), keytab.getPath());
    SECRETS.startThreads();
    server = RepairManagerServer.start(conf, SECRETS,
        (uuid, address) -> uuid.equals(HeartbeatSender.NODE), MANAGER);
  }

  private static String principal(String name) {
    return name + "/localhost@" + kdc.getRealm();
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
    SECRETS.stopThreads();
    kdc.stop();
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static UserGroupInformation login(String principal) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, keytab.getPath());
  }

  private static String refusal(UserGroupInformation user) {
    int before = MANAGER.heartbeats();
    AccessControlException e = assertThrows(AccessControlException.class,
        () -> HeartbeatSender.send(server, conf, user, HeartbeatSender.NODE));
    assertEquals(before, MANAGER.heartbeats(), "no heartbeat gets through");
    return e.getMessage();
  }

  @Test
  void dataNodesAndTheOwnerAreLetIn() throws Exception {
    assertTrue(HeartbeatSender.send(server, conf, login(principal("dn")), HeartbeatSender.NODE)
        .active);
    assertTrue(HeartbeatSender.send(server, conf, UserGroupInformation.getLoginUser(),
        HeartbeatSender.NODE)
        .active);
  }

  /** The answer that comes later goes through the caller's security layer, too. */
  @Test
  void aDataNodeWaitsForOrders() throws Exception {
    UserGroupInformation datanode = login(principal("dn"));
    ExecutorService waiter = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> answer = waiter.submit(() ->
          HeartbeatSender.await(server, conf, datanode, HeartbeatSender.NODE, 60_000));
      WaitingCall call = MANAGER.nextWait();
      assertTrue(HeartbeatSender.send(server, conf, datanode, HeartbeatSender.NODE).active);
      call.answer(true);
      assertTrue(answer.get());
    } finally {
      waiter.shutdownNow();
    }
    UserGroupInformation user = login(principal("user"));
    assertThrows(AccessControlException.class,
        () -> HeartbeatSender.await(server, conf, user, HeartbeatSender.NODE, 1_000));
  }

  /** A ticket does not make a caller a DataNode if the NameNode does not know it. */
  @Test
  void anUnknownDataNodeIsRefused() throws Exception {
    UserGroupInformation datanode = login(principal("dn"));
    assertTrue(assertThrows(AccessControlException.class,
        () -> HeartbeatSender.send(server, conf, datanode, "somebody"))
        .getMessage().contains("No live DataNode"));
  }

  @Test
  void usersAndDataNodesOfOtherHostsAreRefused() throws Exception {
    assertTrue(refusal(login(principal("user"))).contains("neither"));
    assertTrue(refusal(login("dn/elsewhere@" + kdc.getRealm())).contains("neither"));
  }

  /** The server knows the token, so the failure is not one of authentication. */
  @Test
  void delegationTokensAreRefused() throws Exception {
    for (String owner : new String[] {"user", "nn"}) {
      Token<DelegationTokenIdentifier> token = new Token<>(
          new DelegationTokenIdentifier(new Text(owner), new Text("yarn"), new Text()), SECRETS);
      SecurityUtil.setTokenService(token, server.address());
      UserGroupInformation user = UserGroupInformation.createRemoteUser(owner, AuthMethod.TOKEN);
      user.addToken(token);
      assertTrue(refusal(user).contains("ticket of their own"), owner);
    }
  }

  @Test
  void impersonationIsRefused() throws Exception {
    UserGroupInformation proxy =
        UserGroupInformation.createProxyUser("user", login(principal("dn")));
    assertThrows(IOException.class,
        () -> HeartbeatSender.send(server, conf, proxy, HeartbeatSender.NODE));
  }
}
