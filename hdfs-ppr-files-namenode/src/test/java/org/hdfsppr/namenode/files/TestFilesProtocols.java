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
package org.hdfsppr.namenode.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.OtherConnections;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.column.ColumnProtocolPB;
import org.hdfsppr.column.proto.ColumnProtos.ColumnRequestProto;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.RepairManagerProtocolPB;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersRequestProto;
import org.hdfsppr.namenode.column.ColumnRpcHandler;
import org.hdfsppr.namenode.convert.ClientCalls;
import org.hdfsppr.namenode.rpc.HeartbeatSender;
import org.hdfsppr.namenode.rpc.LiveDataNodes;
import org.hdfsppr.namenode.rpc.RepairManagerServer;
import org.hdfsppr.namenode.rpc.RepairManagerServer.RepairManagerPolicy;
import org.hdfsppr.namenode.rpc.ScriptedManager;
import org.hdfsppr.operate.PprClientProtocolPB;
import org.hdfsppr.operate.proto.ClientProtos.ConversionsRequestProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Tests which users may call which protocol of the repair manager's server. */
@InterfaceAudience.Private
@Timeout(120)
class TestFilesProtocols {
  private final ScriptedManager manager = new ScriptedManager();
  private final LiveDataNodes one =
      (uuid, address) -> uuid.equals(HeartbeatSender.NODE) && address.equals("127.0.0.1");

  private static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    return conf;
  }

  /**
   * Each list counts for the calls of its protocol, whichever protocol of the server a connection
   * was opened for.
   */
  @Test
  void serviceAuthorizationOfEachProtocolIsCheckedInItsCalls() throws Exception {
    Configuration conf = conf();
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set(RepairManagerPolicy.ACL_KEY, "hdfs");
    conf.set(FilesProtocols.CLIENT_ACL_KEY, "alice");
    conf.set(FilesProtocols.COLUMN_ACL_KEY, "eve,hdfs");
    Class<?>[] protocols =
        {RepairManagerProtocolPB.class, PprClientProtocolPB.class, ColumnProtocolPB.class};
    Map<String, Set<Class<?>>> allowed = Map.of("hdfs", Set.of(protocols[0], protocols[2]),
        "alice", Set.of(protocols[1]), "eve", Set.of(protocols[2]));
    ClientCalls users = new ClientCalls(8);
    ColumnRpcHandler columns = new ColumnRpcHandler(8);
    try (RepairManagerServer server =
        RepairManagerServer.start(conf, null, one, manager,
            List.of(FilesProtocols.users(users), FilesProtocols.columns(columns)))) {
      for (String name : allowed.keySet()) {
        for (Class<?> opened : protocols) {
          for (Class<?> called : protocols) {
            String what = name + " calls " + called + " over a connection for " + opened;
            boolean may = allowed.get(name).contains(opened) && allowed.get(name).contains(called);
            String answer = answer(server, conf, name, opened, called);
            // The desks are not open, and say so to those that are let in.
            assertEquals(may, !answer.contains("AuthorizationException"), what + ": " + answer);
          }
        }
      }
    }
  }

  /** A caller that loops over a call that it may not make does not fill the audit log. */
  @Test
  void theAuditLogHasOneLineOfAUserAndAProtocol() throws Exception {
    Configuration conf = conf();
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set(RepairManagerPolicy.ACL_KEY, "hdfs");
    conf.set(FilesProtocols.CLIENT_ACL_KEY, "hdfs");
    conf.set(FilesProtocols.COLUMN_ACL_KEY, "eve,mallory");
    LogCapturer audit = LogCapturer.captureLogs(LoggerFactory.getLogger(
        "SecurityLogger." + ServiceAuthorizationManager.class.getName()));
    try (RepairManagerServer server = RepairManagerServer.start(conf, null, one, manager,
        List.of(FilesProtocols.users(new ClientCalls(8)),
            FilesProtocols.columns(new ColumnRpcHandler(8))))) {
      for (int i = 0; i < 20; i++) {
        assertRefused(server, conf, "eve", PprClientProtocolPB.class);
      }
      assertRefused(server, conf, "eve", RepairManagerProtocolPB.class);
      assertRefused(server, conf, "mallory", PprClientProtocolPB.class);
    } finally {
      audit.stopCapturing();
    }
    assertEquals(List.of("eve PprClientProtocolPB", "eve RepairManagerProtocolPB",
        "mallory PprClientProtocolPB"), audit.getOutput().lines()
        .filter(line -> line.contains("Authorization failed for "))
        .map(line -> line.replaceAll(
            ".*failed for (\\w+) .*for protocol=interface [\\w.]+\\.(\\w+): denied.*", "$1 $2"))
        .collect(Collectors.toList()));
  }

  private static void assertRefused(RepairManagerServer server, Configuration conf, String name,
      Class<?> called) throws IOException {
    assertEquals(AuthorizationException.class.getName(),
        answer(server, conf, name, ColumnProtocolPB.class, called));
  }

  /** Returns the class of the answer, which is an exception unless a heartbeat is sent. */
  private static String answer(RepairManagerServer server, Configuration conf, String name,
      Class<?> opened, Class<?> called) throws IOException {
    Configuration own = new Configuration(conf);
    own.setInt("ipc.client.connect.max.retries", 1);
    Object proxy = OtherConnections.proxy(called, opened, server.address(),
        UserGroupInformation.createRemoteUser(name), own);
    try {
      if (called == PprClientProtocolPB.class) {
        ((PprClientProtocolPB) proxy).conversions(null,
            ConversionsRequestProto.getDefaultInstance());
      } else if (called == ColumnProtocolPB.class) {
        ((ColumnProtocolPB) proxy).column(null, ColumnRequestProto.newBuilder().setPoolId("BP")
            .setBlockGroup(-16).setGenerationStamp(1).setUnit(0).build());
      } else {
        ((RepairManagerProtocolPB) proxy).awaitOrders(null, AwaitOrdersRequestProto.newBuilder()
            .setUuid("none").setWaitMs(1).build());
      }
      return "answered";
    } catch (ServiceException e) {
      return e.getCause() instanceof RemoteException
          ? ((RemoteException) e.getCause()).getClassName() : e.toString();
    } finally {
      RPC.stopProxy(proxy);
    }
  }
}
