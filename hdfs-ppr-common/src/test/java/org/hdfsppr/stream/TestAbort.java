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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.net.NetUtils;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A read that another thread ends. An encrypting connection frees its buffers when it is closed, so
 * that only the thread that uses the connection may close it.
 */
@InterfaceAudience.Private
@Timeout(120)
class TestAbort {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Wire> wires = new CopyOnWriteArrayList<>();

  @AfterEach
  void allThreadsEnd() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
  }

  /** Delivers nothing until it is aborted, and records the thread that closed it. */
  private static final class Wire implements TransferConnection {
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch aborted = new CountDownLatch(1);
    private volatile Thread closedBy;

    @Override
    public InputStream in() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          waiting.countDown();
          try {
            aborted.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          throw new IOException("Socket closed");
        }
      };
    }

    @Override
    public OutputStream out() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public void setTimeout(int timeoutMs) {
      // The abort comes in time.
    }

    @Override
    public void abort() {
      aborted.countDown();
    }

    @Override
    public void close() {
      closedBy = Thread.currentThread();
    }
  }

  private TransferConnection connect() {
    Wire wire = new Wire();
    wires.add(wire);
    return wire;
  }

  @Test
  void onlyTheReaderCloses() throws Exception {
    SimRepair repair = new SimRepair().topology("star");
    RangeRead read = repair.prepareRange(threads, 0, 1000);
    Future<Thread> reader = threads.submit(() -> {
      try (RangeRead mine = read) {
        assertThrows(RepairException.class,
            () -> mine.run((node, block, token) -> connect(), repair.lost().length,
                (offset, bytes) -> { }));
      }
      return Thread.currentThread();
    });
    while (wires.isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    wires.get(0).waiting.await();
    for (Wire wire : wires) {
      assertNull(wire.closedBy);
    }
    read.abort();
    Thread by = reader.get();
    assertFalse(wires.isEmpty());
    for (Wire wire : wires) {
      assertEquals(0, wire.aborted.getCount());
      assertEquals(by, wire.closedBy);
    }
  }

  /**
   * A thread waits for a peer that sends nothing, or takes nothing, in Hadoop's streams and in
   * Java's.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoWaitsIsWokenUp(boolean channels) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = channels ? SocketChannel.open().socket() : new Socket()) {
      socket.connect(server.getLocalSocketAddress());
      try (Socket silent = server.accept()) {
        long never = TimeUnit.HOURS.toMillis(1);
        InputStream in = NetUtils.getInputStream(socket, never);
        OutputStream out = NetUtils.getOutputStream(socket, never);
        AtomicReference<Thread> reading = new AtomicReference<>();
        AtomicReference<Thread> writing = new AtomicReference<>();
        Future<Boolean> reader = threads.submit(() -> {
          reading.set(Thread.currentThread());
          try {
            return in.read() < 0;
          } catch (IOException e) {
            return true;
          }
        });
        Future<Boolean> writer = threads.submit(() -> {
          writing.set(Thread.currentThread());
          try {
            while (true) {
              out.write(new byte[1 << 20]);
            }
          } catch (IOException e) {
            return true;
          }
        });
        awaitSystemCall(reading);
        awaitSystemCall(writing);
        assertFalse(reader.isDone() || writer.isDone());
        PeerConnection.abort(socket);
        PeerConnection.abort(socket);
        assertTrue(reader.get());
        assertTrue(writer.get());
        assertFalse(socket.isClosed(), "the user of the socket closes it");
        silent.shutdownOutput();
      }
    }
  }

  /** Waits until a thread waits for its peer in the system, or has just begun to write to it. */
  private static void awaitSystemCall(AtomicReference<Thread> thread) throws InterruptedException {
    boolean isThere = false;
    while (!isThere) {
      TimeUnit.MILLISECONDS.sleep(1);
      StackTraceElement[] trace =
          thread.get() == null ? new StackTraceElement[0] : thread.get().getStackTrace();
      isThere = trace.length > 0 && trace[0].isNativeMethod();
    }
  }

  /** A connection that is made after the abort is closed at once. */
  @Test
  void nothingIsAskedAfterwards() throws Exception {
    SimRepair repair = new SimRepair().topology("star");
    try (RangeRead read = repair.prepareRange(threads, 0, 1000)) {
      read.abort();
      assertThrows(RepairException.class, () -> read.run((node, block, token) -> connect(),
          repair.lost().length, (offset, bytes) -> { }));
    }
    assertEquals(1, wires.size());
    assertEquals(Thread.currentThread(), wires.get(0).closedBy);
  }
}
