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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.WrongSettingException;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerAddress;
import org.hdfsppr.namenode.rpc.RepairManagerServer.RepairManagerPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Tests the server without Kerberos: which callers get an answer, and how it reports wrong
 * settings.
 */
@Timeout(120)
class TestRepairManagerServer {
  private final ScriptedManager manager = new ScriptedManager();
  private final LiveDataNodes one =
      (uuid, address) -> uuid.equals(HeartbeatSender.NODE) && address.equals("127.0.0.1");

  private static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    return conf;
  }

  private static UserGroupInformation me() throws IOException {
    return UserGroupInformation.getCurrentUser();
  }

  @Test
  void onlyLiveDataNodesAreAnswered() throws Exception {
    Configuration conf = conf();
    manager.setTerm(77);
    manager.manage("BP-7");
    try (RepairManagerServer server = RepairManagerServer.start(conf, null, one, manager)) {
      HeartbeatResponse response = HeartbeatSender.send(server, conf, me(), HeartbeatSender.NODE);
      assertTrue(response.active);
      assertEquals(77, response.term);
      assertEquals("BP-7", response.blockPoolId);
      AccessControlException e = assertThrows(AccessControlException.class,
          () -> HeartbeatSender.send(server, conf, me(), "somebody"));
      assertTrue(e.getMessage().contains("No live DataNode somebody"), e.getMessage());
      assertEquals(1, manager.heartbeats());
    }
  }

  @Test
  void aHandlerThatFails() throws Exception {
    Configuration conf = conf();
    try (RepairManagerServer server = RepairManagerServer.start(conf, null, one,
        (caller, request) -> {
          throw new IOException("not now, " + caller.address.getHostAddress());
        })) {
      IOException e = assertThrows(IOException.class,
          () -> HeartbeatSender.send(server, conf, me(), HeartbeatSender.NODE));
      assertTrue(e.getMessage().contains("not now, 127.0.0.1"), e.getMessage());
    }
  }

  /** However often strangers call, the log has one line per minute about it. */
  @Test
  void refusalsDoNotFillALog() throws Exception {
    Configuration conf = conf();
    List<LogCapturer> logs = List.of(
        LogCapturer.captureLogs(LoggerFactory.getLogger("org.apache.hadoop.ipc.Server")),
        LogCapturer.captureLogs(LoggerFactory.getLogger(RepairManagerServer.class)));
    try (RepairManagerServer server = RepairManagerServer.start(conf, null, one, manager)) {
      for (int i = 0; i < 10; i++) {
        assertThrows(AccessControlException.class,
            () -> HeartbeatSender.send(server, conf, me(), "somebody"));
      }
    } finally {
      logs.forEach(LogCapturer::stopCapturing);
    }
    List<String> lines = logs.stream().flatMap(log -> log.getOutput().lines())
        .filter(line -> line.contains("No live DataNode") && !line.contains("DEBUG"))
        .collect(Collectors.toList());
    assertTrue(lines.size() <= 1, lines.size() + " lines: " + lines);
  }

  /** Keeps calls until the test answers them. */
  private static final class Keeper implements HeartbeatHandler {
    private final BlockingQueue<WaitingCall> kept = new LinkedBlockingQueue<>();
    private volatile boolean fails;

    @Override
    public HeartbeatResponse heartbeat(HeartbeatCaller caller, HeartbeatRequest request) {
      return new HeartbeatResponse(HeartbeatResponse.active(1, "BP-7").setOrderWaitMs(1_000));
    }

    @Override
    public void awaitOrders(String uuid, int waitMs, WaitingCall call) throws IOException {
      if (fails) {
        throw new IOException("no wait of " + waitMs + " ms");
      }
      kept.add(call);
    }
  }

  /** With one handler, which a call that is kept must not hold. */
  @Test
  void aCallIsKeptWithoutAHandler() throws Exception {
    Configuration conf = conf();
    Keeper keeper = new Keeper();
    ExecutorService waiter = Executors.newSingleThreadExecutor();
    try (RepairManagerServer server = RepairManagerServer.start(conf, null, one, keeper, 1)) {
      assertEquals(1_000,
          HeartbeatSender.send(server, conf, me(), HeartbeatSender.NODE).orderWaitMs);
      for (boolean hasOrders : new boolean[] {true, false}) {
        Future<Boolean> answer = waiter.submit(() ->
            HeartbeatSender.await(server, conf, me(), HeartbeatSender.NODE, 60_000));
        WaitingCall call = keeper.kept.take();
        assertTrue(HeartbeatSender.send(server, conf, me(), HeartbeatSender.NODE).active);
        assertFalse(answer.isDone());
        call.answer(hasOrders);
        call.answer(!hasOrders);
        assertEquals(hasOrders, answer.get());
      }
    } finally {
      waiter.shutdownNow();
    }
  }

  @Test
  void aCallThatIsNotKept() throws Exception {
    Configuration conf = conf();
    Keeper keeper = new Keeper();
    try (RepairManagerServer server = RepairManagerServer.start(conf, null, one, keeper, 1)) {
      assertThrows(AccessControlException.class,
          () -> HeartbeatSender.await(server, conf, me(), "somebody", 1_000));
      for (int waitMs : new int[] {0, -1, HeartbeatResponse.ORDER_WAIT_MS_MAX + 1}) {
        IOException e = assertThrows(IOException.class,
            () -> HeartbeatSender.await(server, conf, me(), HeartbeatSender.NODE, waitMs));
        assertTrue(e.getMessage().contains("wait_ms"), e.getMessage());
      }
      keeper.fails = true;
      IOException e = assertThrows(IOException.class,
          () -> HeartbeatSender.await(server, conf, me(), HeartbeatSender.NODE, 1_000));
      assertTrue(e.getMessage().contains("no wait of 1000 ms"), e.getMessage());
      // The thread of the call that has failed answers the next one.
      assertTrue(HeartbeatSender.send(server, conf, me(), HeartbeatSender.NODE).active);
      assertTrue(keeper.kept.isEmpty());
    }
  }

  @Test
  void serviceAuthorization() throws Exception {
    Configuration conf = conf();
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set(RepairManagerPolicy.ACL_KEY, "hdfs");
    UserGroupInformation hdfs = UserGroupInformation.createRemoteUser("hdfs");
    UserGroupInformation other = UserGroupInformation.createRemoteUser("other");
    try (RepairManagerServer server = RepairManagerServer.start(conf, null, one, manager)) {
      assertTrue(HeartbeatSender.send(server, conf, hdfs, HeartbeatSender.NODE).active);
      assertThrows(AuthorizationException.class,
          () -> HeartbeatSender.send(server, conf, other, HeartbeatSender.NODE));
    }
  }

  @Test
  void noCallIsAnsweredAfterItIsClosed() throws Exception {
    Configuration conf = conf();
    RepairManagerServer server = RepairManagerServer.start(conf, null, one, manager);
    InetSocketAddress address = server.address();
    server.close();
    // The call is refused, reset, or ends with a broken pipe, because Hadoop's listener frees its
    // port a little later.
    assertThrows(IOException.class,
        () -> HeartbeatSender.send(server, conf, me(), HeartbeatSender.NODE), address.toString());
    assertEquals(0, manager.heartbeats());
    while (isListening(address)) {
      Thread.sleep(10);
    }
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + address.getPort());
    try (RepairManagerServer again = RepairManagerServer.start(conf, null, one, manager)) {
      assertTrue(HeartbeatSender.send(again, conf, me(), HeartbeatSender.NODE).active);
      Configuration same = new Configuration(conf);
      WrongSettingException e = assertThrows(WrongSettingException.class,
          () -> RepairManagerServer.start(same, null, one, manager).close());
      assertTrue(e.getMessage().startsWith(PprKeys.NAMENODE_RPC_ADDRESS_KEY), e.getMessage());
    }
  }

  private static boolean isListening(InetSocketAddress address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(address, 10_000);
      return true;
    } catch (ConnectException e) {
      return false;
    }
  }

  @Test
  void wrongSettings() {
    for (String[] each : new String[][] {
        {PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1"},
        {PprKeys.NAMENODE_RPC_ADDRESS_KEY, "no.such.host.invalid:9878"}}) {
      Configuration conf = conf();
      conf.set(each[0], each[1]);
      IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
          () -> RepairManagerServer.start(conf, null, one, manager).close(), each[1]);
      assertTrue(e.getMessage().contains(each[0]) && e.getMessage().contains(each[1]),
          e.getMessage());
    }
  }

  /** More DataNodes send more heartbeats; an operator of many has raised stock's number. */
  @Test
  void handlersFollowStocksWhereThoseAreMore() {
    Configuration conf = new Configuration(false);
    assertEquals(8, RepairManagerServer.handlers(conf));
    for (int[] each : new int[][] {{5, 8}, {10, 8}, {11, 11}, {64, 64}, {200, 64}}) {
      conf.setInt("dfs.namenode.handler.count", each[0]);
      assertEquals(each[1], RepairManagerServer.handlers(conf));
    }
  }

  @Test
  void addresses() {
    Configuration conf = new Configuration(false);
    InetSocketAddress namenode = InetSocketAddress.createUnresolved("127.0.0.2", 8020);
    assertEquals("127.0.0.2:9878", text(ManagerAddress.of(conf, null, null, namenode)));
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "0.0.0.0:1000");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".ns", "127.0.0.3:2000");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".ns.nn2", "0.0.0.0:3000");
    assertEquals("127.0.0.2:1000", text(ManagerAddress.of(conf, null, null, namenode)));
    assertEquals("127.0.0.2:1000", text(ManagerAddress.of(conf, "other", "nn2", namenode)));
    assertEquals("127.0.0.3:2000", text(ManagerAddress.of(conf, "ns", "nn1", namenode)));
    assertEquals("127.0.0.2:3000", text(ManagerAddress.of(conf, "ns", "nn2", namenode)));
  }

  /** Each NameNode may listen on its own host by the plain key, and must not ask itself. */
  @Test
  void addressesOfOtherNameNodes() {
    Configuration conf = new Configuration(false);
    InetSocketAddress own = InetSocketAddress.createUnresolved("127.0.0.1", 8020);
    InetSocketAddress other = InetSocketAddress.createUnresolved("127.0.0.2", 8020);
    assertEquals("127.0.0.2:9878",
        text(ManagerAddress.ofOther(conf, "ns", "nn2", own, other)));
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".ns.nn1", "0.0.0.0:3000");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:1000");
    assertEquals("127.0.0.2:1000",
        text(ManagerAddress.ofOther(conf, "ns", "nn2", own, other)));
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".ns", "127.0.0.1:2000");
    assertEquals("127.0.0.2:2000",
        text(ManagerAddress.ofOther(conf, "ns", "nn2", own, other)));
    String why = assertThrows(IllegalArgumentException.class,
        () -> ManagerAddress.ofOther(conf, "ns", "nn2", own, own)).getMessage();
    assertTrue(why.contains("set dfs.namenode.ppr.rpc-address.ns.nn2"), why);
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".ns.nn2", "127.0.0.3:3000");
    assertEquals("127.0.0.3:3000",
        text(ManagerAddress.ofOther(conf, "ns", "nn2", own, other)));
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
