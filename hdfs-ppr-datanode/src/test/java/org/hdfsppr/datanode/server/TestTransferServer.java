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
package org.hdfsppr.datanode.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each opcode has its handler, and that the server's bounds hold for all handlers. */
@InterfaceAudience.Private
@Timeout(120)
class TestTransferServer {
  private static final int ADD_ONE = 201;
  private static final int ADD_TWO = 202;
  private static final int REFUSED = 99;
  private static final String NAME = "TestTransferServer";

  @TempDir
  static File directory;
  private static RepairCluster cluster;

  private final CountDownLatch slowIsServed = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger closed = new AtomicInteger();
  private RepairMetrics metrics;
  private ScheduledThreadPoolExecutor timer;
  private TransferServer server;

  /** Answers each byte with the byte plus one. The answer to 0 waits until the test releases it. */
  private final class Adder implements OpHandler {
    private final int opcode;

    Adder(int opcode) {
      this.opcode = opcode;
    }

    @Override
    public int opcode() {
      return opcode;
    }

    @Override
    public Op read(ChannelInput in, PeerConnection connection) throws IOException {
      int value = in.readByte();
      return new Op() {
        @Override
        public boolean serve(PeerConnection caller, String address) {
          try {
            if (value == 0) {
              slowIsServed.countDown();
              release.await();
            }
            caller.out().write(value + opcode - 200);
            caller.out().flush();
            return true;
          } catch (IOException | InterruptedException e) {
            return false;
          }
        }

        @Override
        public void refuse(PeerConnection caller, FailureCause cause, String message)
            throws IOException {
          caller.out().write(REFUSED);
          caller.out().flush();
        }
      };
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @BeforeAll
  static void startCluster() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    cluster = RepairCluster.start(conf, 1);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @BeforeEach
  void start() throws IOException {
    metrics = RepairMetrics.register(new Configuration(false), NAME);
    timer = TransferServer.timer();
    server = serve(Arrays.asList(new Adder(ADD_ONE), new Adder(ADD_TWO)));
  }

  private TransferServer serve(List<OpHandler> handlers) throws IOException {
    ServerSocketChannel listener = TransferServer.listen(new InetSocketAddress("127.0.0.1", 0));
    boolean started = false;
    try {
      TransferServer begun = TransferServer.start(cluster.mini().getDataNodes().get(0), listener,
          1, 10_000, metrics, handlers, timer);
      started = true;
      return begun;
    } finally {
      if (!started) {
        listener.close();
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    release.countDown();
    server.close();
    assertTrue(server.awaitEnd(10_000), "the server's threads end");
    assertEquals(2, closed.get(), "handlers are closed");
    assertTrue(timer.isShutdown());
    metrics.unregister();
    DefaultMetricsSystem.shutdown();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void send(Socket socket, int opcode, int value) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeShort(28);
    out.writeByte(opcode);
    out.writeByte(value);
    out.flush();
  }

  private static int ask(Socket socket, int opcode, int value) throws IOException {
    send(socket, opcode, value);
    return socket.getInputStream().read();
  }

  private static long rejected(String reason) {
    return MetricsAsserts.getLongCounter("HelperRequestsRejected" + reason,
        MetricsAsserts.getMetrics("PprDataNode-" + NAME));
  }

  @Test
  void eachOpcodeHasItsHandler() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(6, ask(socket, ADD_ONE, 5));
      assertEquals(7, ask(socket, ADD_TWO, 5), "the next request over the same connection");
    }
  }

  @Test
  void anUnknownOpcodeIsSentAway() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(-1, ask(socket, 203, 5));
    }
    RepairCluster.await("the malformed request is counted", () -> rejected("Malformed") == 1);
  }

  @Test
  void placesAreSharedByAllOpcodes() throws IOException {
    try (Socket slow = connect(); Socket second = connect()) {
      send(slow, ADD_ONE, 0);
      // The test waits for the slow request itself. A request that only tested for it could take
      // the place, and the server would then refuse the slow one.
      RepairCluster.await("the only place is taken", () -> slowIsServed.getCount() == 0);
      assertEquals(REFUSED, ask(second, ADD_TWO, 5));
      release.countDown();
      assertEquals(1, slow.getInputStream().read());
    }
  }

  @Test
  void noOpcodeHasTwoHandlers() {
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> serve(Collections.nCopies(2, new Adder(ADD_ONE)))).getMessage().contains("201"));
  }
}
