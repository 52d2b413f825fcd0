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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The connections that are kept, the requests that get them, and the time until they are closed.
 */
class TestKeptConnections {
  private static final NodeRef NODE = node("dn1", 9877);
  private static final Token<BlockTokenIdentifier> TOKEN = new Token<>();

  private final List<Wire> wires = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong();
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final KeptConnections kept = new KeptConnections((node, block, token) -> {
    wires.add(new Wire());
    return wires.get(wires.size() - 1);
  }, timer, clock::get);

  @AfterEach
  void stop() {
    kept.close();
    timer.shutdownNow();
  }

  private static NodeRef node(String uuid, int port) {
    return new NodeRef(uuid, "10.0.0.1", uuid, 9866, port, "");
  }

  private static ExtendedBlock block(String pool) {
    return new ExtendedBlock(pool, 7);
  }

  private TransferConnection connect() throws IOException {
    return kept.connect(NODE, block("pool"), TOKEN);
  }

  /** Knows whether it is closed. */
  private static final class Wire implements TransferConnection {
    private final List<Object> memory = new ArrayList<>();
    private boolean closed;
    private boolean aborted;

    @Override
    public InputStream in() {
      return InputStream.nullInputStream();
    }

    @Override
    public OutputStream out() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public void setTimeout(int timeoutMs) {
      // Nothing is waited for.
    }

    @Override
    public <T> T memory(Class<T> kind, Supplier<T> make) {
      if (memory.isEmpty()) {
        memory.add(make.get());
      }
      return kind.cast(memory.get(0));
    }

    @Override
    public void abort() {
      aborted = true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** What was said over a connection counts for its next request, and for no other connection. */
  @Test
  void whatIsRememberedOfAConnectionStaysWithIt() throws IOException {
    TransferConnection first = connect();
    StringBuilder known = first.memory(StringBuilder.class, StringBuilder::new);
    first.keep();
    TransferConnection second = connect();
    assertSame(known, second.memory(StringBuilder.class, StringBuilder::new));
    assertNotSame(known, connect().memory(StringBuilder.class, StringBuilder::new));
    second.close();
    assertNotSame(known, connect().memory(StringBuilder.class, StringBuilder::new));
  }

  @Test
  void connectionRemembersEachKindByItself() {
    PeerConnection connection = new PeerConnection(null, null, null, null);
    StringBuilder known = connection.memory(StringBuilder.class, StringBuilder::new);
    assertEquals(List.of(), connection.memory(ArrayList.class, ArrayList::new));
    assertSame(known, connection.memory(StringBuilder.class, StringBuilder::new));
    assertNotSame(known, new PeerConnection(null, null, null, null)
        .memory(StringBuilder.class, StringBuilder::new));
  }

  @Test
  void whatIsKeptIsUsedAgain() throws IOException {
    TransferConnection first = connect();
    assertFalse(first.isReused());
    first.keep();
    assertEquals(1, kept.idle());
    TransferConnection second = connect();
    assertTrue(second.isReused());
    assertEquals(1, wires.size());
    assertEquals(0, kept.idle(), "one request at a time");
    assertFalse(connect().isReused(), "the only one is at work");
    second.close();
    assertTrue(wires.get(0).closed);
    assertFalse(connect().isReused(), "it was closed");
    assertEquals(1, kept.reused());
  }

  @Test
  void whatWasAbortedIsNotKept() throws IOException {
    TransferConnection first = connect();
    first.abort();
    assertTrue(wires.get(0).aborted);
    assertFalse(wires.get(0).closed, "the user of the connection closes it");
    first.keep();
    assertTrue(wires.get(0).closed);
    assertEquals(0, kept.idle());

    TransferConnection second = connect();
    second.keep();
    second.abort();
    TransferConnection third = connect();
    assertTrue(third.isReused());
    second.abort();
    assertFalse(wires.get(1).aborted, "it is somebody else's by now");
  }

  @Test
  void whoeverGaveItBackCannotTouchItAnyMore() throws IOException {
    TransferConnection first = connect();
    first.keep();
    first.close();
    first.keep();
    assertFalse(wires.get(0).closed);
    assertEquals(1, kept.idle());
    TransferConnection second = connect();
    first.close();
    assertFalse(wires.get(0).closed, "it is somebody else's now");
    second.close();
    second.keep();
    assertEquals(0, kept.idle(), "what is closed stays so");
  }

  @Test
  void onlyTheSamePlaceIsTheSame() throws IOException {
    connect().keep();
    assertFalse(kept.connect(node("dn2", 9877), block("pool"), TOKEN).isReused(), "a node");
    assertFalse(kept.connect(node("dn1", 9878), block("pool"), TOKEN).isReused(), "a port");
    assertFalse(kept.connect(NODE, block("other"), TOKEN).isReused(),
        "a pool, with keys of its own");
    assertFalse(kept.connectAnew(NODE, block("pool"), TOKEN).isReused());
    assertTrue(connect().isReused());
  }

  @Test
  void theyAreNotKeptForLong() throws Exception {
    connect().keep();
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(KeptConnections.SERVER_WAITS_MS));
    assertFalse(connect().isReused(), "the other end may have left");
    assertTrue(wires.get(0).closed);
  }

  /** A client that reads nothing more holds no sockets. */
  @Test
  void theyAreClosedWithoutAnybodyAsking() throws Exception {
    connect().keep();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (kept.idle() > 0 && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertEquals(0, kept.idle());
  }

  @Test
  void thereAreNotMany() throws IOException {
    List<TransferConnection> open = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      open.add(connect());
    }
    open.forEach(TransferConnection::keep);
    assertEquals(64, kept.idle());
    assertEquals(36, wires.stream().filter(wire -> wire.closed).count());
    assertTrue(wires.get(0).closed, "the oldest");
    assertFalse(wires.get(99).closed, "the newest");
  }

  @Test
  void nothingIsKeptWhenItIsOver() throws IOException {
    TransferConnection before = connect();
    TransferConnection idle = connect();
    idle.keep();
    kept.close();
    assertTrue(wires.get(1).closed);
    before.keep();
    assertTrue(wires.get(0).closed);
    assertEquals(0, kept.idle());
  }

  @Test
  void withoutATimerNothingIsKept() throws IOException {
    TransferConnection one = connect();
    timer.shutdownNow();
    one.keep();
    assertTrue(wires.get(0).closed);
    assertEquals(0, kept.idle());
  }
}
