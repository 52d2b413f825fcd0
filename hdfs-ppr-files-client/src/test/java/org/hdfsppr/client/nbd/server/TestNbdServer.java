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
package org.hdfsppr.client.nbd.server;

import static org.hdfsppr.client.nbd.server.NbdClient.FAST;
import static org.hdfsppr.client.nbd.server.NbdClient.FLUSH;
import static org.hdfsppr.client.nbd.server.NbdClient.FUA;
import static org.hdfsppr.client.nbd.server.NbdClient.READ;
import static org.hdfsppr.client.nbd.server.NbdClient.TRIM;
import static org.hdfsppr.client.nbd.server.NbdClient.WRITE;
import static org.hdfsppr.client.nbd.server.NbdClient.WRITE_ZEROES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.client.device.DeviceFullException;
import org.hdfsppr.client.device.MemoryDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the server with a client that sends what the test wants. */
@Timeout(120)
class TestNbdServer {
  private static final int SIZE = 80 << 20;
  private static final int MOST = 32 << 20;
  private static final ServerLimits LIMITS = ServerLimits.of(1L << 30);

  private final List<NbdServer> servers = new ArrayList<>();
  /** The time of servers that use it, which only the test moves. */
  private final AtomicLong clock = new AtomicLong();
  private MemoryDevice device = new MemoryDevice(SIZE, false, false);

  private int start() throws IOException {
    return start(LIMITS);
  }

  private int start(ServerLimits limits) throws IOException {
    return start(limits, System::nanoTime);
  }

  private int start(ServerLimits limits, LongSupplier clock) throws IOException {
    TcpListener listener =
        TcpListener.open(new InetSocketAddress("127.0.0.1", 0), Optional.empty());
    NbdServer server = new NbdServer(device, "memory", listener, limits, clock);
    server.start();
    servers.add(server);
    return listener.port();
  }

  private NbdServer server() {
    return servers.get(0);
  }

  @AfterEach
  void stop() throws Exception {
    for (NbdServer server : servers) {
      server.stop();
    }
  }

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(1);
    }
  }

  /** Lets minutes pass until clients that are too slow have gone, and these are left. */
  private void awaitClients(int left) throws InterruptedException {
    await(() -> {
      clock.addAndGet(TimeUnit.SECONDS.toNanos(61));
      return server().clients() == left;
    });
  }

  @Test
  void bytesGoInAndOut() throws Exception {
    int port = start();
    for (boolean isStructured : new boolean[] {false, true}) {
      try (NbdClient client =
          isStructured ? NbdClient.openStructured(port) : NbdClient.open(port)) {
        byte[] data = new byte[MOST];
        new Random(1).nextBytes(data);
        client.write(0, 12_345, data);
        assertArrayEquals(data, client.read(12_345, MOST));
        assertArrayEquals(Arrays.copyOfRange(data, 5, 6), client.read(12_350, 1));
        assertEquals(0, client.call(0, TRIM, 12_345, 100).error);
        assertEquals(0, client.call(0, WRITE_ZEROES, 12_445, 100).error);
        assertArrayEquals(new byte[200], client.read(12_345, 200));
        assertEquals(data[200], client.read(12_545, 1)[0]);
        client.raw(new byte[0]);
        client.send(0, NbdClient.DISCONNECT, 0, 0);
        assertEquals(0, client.awaitEnd());
      }
    }
    await(() -> server().clients() == 0);
    assertEquals(LIMITS.sharedBytes, server().freeBytes());
  }

  @Test
  void flushesAndDurableWritesOutliveThePower() throws Exception {
    int port = start();
    try (NbdClient one = NbdClient.open(port); NbdClient other = NbdClient.openStructured(port)) {
      one.write(0, 0, filled(100, 1));
      device.losePower();
      assertArrayEquals(new byte[100], one.read(0, 100), "the device forgets");
      // A flush covers the writes of all connections.
      one.write(0, 0, filled(100, 1));
      other.flush();
      device.losePower();
      assertArrayEquals(filled(100, 1), other.read(0, 100));
      // FUA covers its own range.
      one.write(0, 1000, filled(100, 2));
      other.write(FUA, 2000, filled(100, 3));
      assertEquals(0, other.call(FUA, TRIM, 0, 50).error);
      device.losePower();
      assertArrayEquals(new byte[100], one.read(1000, 100));
      assertArrayEquals(filled(100, 3), one.read(2000, 100));
      assertArrayEquals(new byte[50], one.read(0, 50));
      other.call(0, WRITE_ZEROES, 50, 25);
      assertEquals(0, other.call(FUA, WRITE_ZEROES, 75, 25).error);
      device.losePower();
      assertArrayEquals(filled(25, 1), one.read(50, 25));
      assertArrayEquals(new byte[25], one.read(75, 25));
    }
  }

  @Test
  void wrongRequestsAreRefusedAndTheConnectionGoesOn() throws Exception {
    int port = start();
    for (boolean isStructured : new boolean[] {false, true}) {
      try (NbdClient client =
          isStructured ? NbdClient.openStructured(port) : NbdClient.open(port)) {
        assertEquals(22, client.call(0, READ, SIZE, 1).error);
        assertEquals(28, client.call(0, WRITE, SIZE - 1, 2, new byte[2]).error);
        assertEquals(22, client.call(0, TRIM, SIZE, 1).error);
        assertEquals(28, client.call(0, WRITE_ZEROES, SIZE, 1).error);
        assertEquals(22, client.call(0, READ, -1, 1).error);
        assertEquals(22, client.call(0, READ, 0, 0).error);
        assertEquals(22, client.call(0, 5, 0, 1).error);
        assertEquals(22, client.call(0, 99, 0, 1).error);
        assertEquals(22, client.call(1 << 9, WRITE, 0, 3, new byte[3]).error);
        assertEquals(22, client.call(0, FLUSH, 0, 1).error);
        assertEquals(22, client.call(0, WRITE, 0, MOST + 1, new byte[MOST + 1]).error);
        assertEquals(22, client.call(0, READ, 0, MOST + 1).error);
        assertEquals(95, client.call(FAST, WRITE_ZEROES, 0, 10).error);
        assertEquals(isStructured ? 75 : 22, client.call(1 << 2, READ, 0, MOST + 1).error);
        assertEquals(isStructured ? 0 : 22, client.call(1 << 2, READ, 0, 10).error);
        client.read(0, 1);
      }
    }
    device = new MemoryDevice(SIZE, true, false);
    try (NbdClient client = NbdClient.open(start())) {
      assertEquals(1, client.call(0, WRITE, 0, 3, new byte[3]).error);
      assertEquals(1, client.call(0, TRIM, 0, 3).error);
      assertEquals(1, client.call(FUA, WRITE_ZEROES, 0, 3).error);
      client.flush();
      client.read(0, 1);
    }
    device = new MemoryDevice(SIZE, false, true);
    try (NbdClient client = NbdClient.open(start())) {
      client.write(0, 0, filled(10, 1));
      assertEquals(0, client.call(FAST, WRITE_ZEROES, 0, 10).error);
      assertArrayEquals(new byte[10], client.read(0, 10));
    }
  }

  @Test
  void failuresOfTheDeviceHaveNumbers() throws Exception {
    int port = start();
    try (NbdClient client = NbdClient.openStructured(port)) {
      device.before((what, offset, length) -> {
        switch ((int) offset) {
          case 1:
            throw new IOException("gone");
          case 2:
            throw new DeviceFullException("full", null);
          case 3:
            throw new AccessControlException("not yours");
          case 4:
            throw new IllegalStateException("a mistake");
          case 5:
            throw new IOException("another thread: full", new DeviceFullException("full", null));
          case 6:
            throw new IOException(new IOException(new AccessControlException("not yours")));
          case 7:
            throw new StackOverflowError("a test");
          case 8:
            throw new OutOfMemoryError("a test");
          default:
        }
      });
      int[] errors = {0, 5, 28, 1, 5, 28, 1, 5, 5};
      for (int offset = 0; offset < errors.length; offset++) {
        assertEquals(errors[offset], client.call(0, READ, offset, 1).error);
        assertEquals(errors[offset], client.call(0, WRITE, offset, 1, (byte) 1).error);
        assertEquals(errors[offset], client.call(0, TRIM, offset, 1).error);
      }
    }
    await(() -> server().clients() == 0);
    assertEquals(LIMITS.sharedBytes, server().freeBytes());
  }

  /** A request that takes long holds up no other request of its connection. */
  @Test
  void repliesComeInAnyOrder() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    device.before((what, offset, length) -> {
      if (offset == 0 && what.equals("read")) {
        awaitQuietly(mayEnd);
      }
    });
    try (NbdClient client = NbdClient.open(start())) {
      long slow = client.send(0, READ, 0, 10);
      Set<Long> others = new HashSet<>();
      for (int i = 1; i <= 20; i++) {
        others.add(client.send(0, READ, i, 10));
      }
      for (int i = 1; i <= 20; i++) {
        assertTrue(others.remove(client.next().getKey()));
      }
      mayEnd.countDown();
      assertEquals(slow, client.next().getKey());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** A client that sends many requests gets its bound, and others are served beside it. */
  @Test
  void oneClientDoesNotHoldUpOthers() throws Exception {
    Semaphore mayEnd = new Semaphore(0);
    AtomicInteger running = new AtomicInteger();
    device.before((what, offset, length) -> {
      if (what.equals("read") && offset < 1000) {
        running.incrementAndGet();
        mayEnd.acquireUninterruptibly();
      }
    });
    int port = start();
    try (NbdClient greedy = NbdClient.open(port); NbdClient other = NbdClient.open(port)) {
      Thread sender = new Thread(() -> {
        try {
          for (int i = 0; i < 1000; i++) {
            greedy.send(0, READ, i, 1);
          }
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      sender.start();
      await(() -> running.get() == LIMITS.running());
      for (int i = 0; i < 200; i++) {
        other.write(0, 5000, filled(100, i));
        assertArrayEquals(filled(100, i), other.read(5000, 100));
      }
      assertEquals(LIMITS.running(), running.get());
      mayEnd.release(1000);
      for (int i = 0; i < 1000; i++) {
        greedy.next();
      }
      sender.join();
    }
  }

  /** Two clients with slow requests leave workers to a third one. */
  @Test
  void twoClientsDoNotHoldUpOthers() throws Exception {
    Semaphore mayEnd = new Semaphore(0);
    AtomicInteger running = new AtomicInteger();
    device.before((what, offset, length) -> {
      if (offset < 1000) {
        running.incrementAndGet();
        mayEnd.acquireUninterruptibly();
      }
    });
    int port = start();
    try (NbdClient one = NbdClient.open(port); NbdClient two = NbdClient.open(port);
        NbdClient other = NbdClient.open(port)) {
      int wanted = 0;
      for (NbdClient greedy : List.of(one, two)) {
        for (int i = 0; i < 100; i++) {
          greedy.send(0, READ, i, 1);
        }
        wanted += wanted == 0 ? LIMITS.running() : LIMITS.running() / 2;
        int now = wanted;
        await(() -> running.get() >= now);
      }
      other.write(0, 5000, filled(100, 1));
      assertArrayEquals(filled(100, 1), other.read(5000, 100));
      mayEnd.release(200);
      for (int i = 0; i < 100; i++) {
        one.next();
        two.next();
      }
    } finally {
      mayEnd.release(200);
    }
  }

  /** Others get their turn between the steps of a request that makes many bytes zero. */
  @Test
  void longZeroesAreDoneInSteps() throws Exception {
    List<List<Long>> steps = Collections.synchronizedList(new ArrayList<>());
    device.before((what, offset, length) -> {
      if (what.equals("zero")) {
        steps.add(List.of(offset, length));
      }
    });
    try (NbdClient client = NbdClient.open(start())) {
      client.write(0, 5, filled(20 << 20, 1));
      assertEquals(0, client.call(FUA, WRITE_ZEROES, 5, 20 << 20).error);
      long step = 8 << 20;
      assertEquals(List.of(List.of(5L, step), List.of(5 + step, step),
          List.of(5 + 2 * step, step / 2)), steps);
      assertArrayEquals(new byte[20 << 20], client.read(5, 20 << 20));
      device.before((what, offset, length) -> {
        if (offset > 10) {
          throw new IOException("gone");
        }
      });
      assertEquals(5, client.call(0, WRITE_ZEROES, 5, 20 << 20).error);
    }
  }

  /** Reads that wait for a worker are not done for a client that has gone. */
  @Test
  void readsOfClientsThatHaveGoneAreDropped() throws Exception {
    Semaphore mayEnd = new Semaphore(0);
    AtomicInteger running = new AtomicInteger();
    device.before((what, offset, length) -> {
      running.incrementAndGet();
      mayEnd.acquireUninterruptibly();
    });
    int port = start(LIMITS, clock::get);
    try (NbdClient client = NbdClient.open(port)) {
      for (int i = 0; i < 100; i++) {
        client.send(0, READ, i, 1);
      }
      client.raw((byte) 0x25);
      await(() -> running.get() == LIMITS.running());
      await(() -> {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(61));
        return hasEnded(client);
      });
      mayEnd.release(100);
      await(() -> server().clients() == 0);
      assertEquals(LIMITS.running(), running.get());
      assertEquals(LIMITS.sharedBytes, server().freeBytes());
    } finally {
      mayEnd.release(100);
    }
  }

  /** Whether the server has closed the connection, of a client that awaits no bytes. */
  private static boolean hasEnded(NbdClient client) {
    try {
      client.socket().setSoTimeout(1);
      return client.socket().getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** A client that takes no replies loses its connection when others wait for its room. */
  @Test
  void aSlowClientMakesRoomForOthers() throws Exception {
    int port = start(LIMITS.with(10, MOST).withTimes(36_000_000, 36_000_000, 36_000_000, 10_000),
        clock::get);
    try (NbdClient silent = NbdClient.open(port); NbdClient other = NbdClient.open(port)) {
      silent.send(0, READ, 0, MOST);
      await(() -> server().freeBytes() == 0);
      // As long as no one waits, it may stay.
      clock.addAndGet(TimeUnit.SECONDS.toNanos(61));
      other.read(0, 1 << 20);
      assertEquals(2, server().clients());
      long waits = other.send(0, READ, 0, 2 << 20);
      awaitClients(1);
      assertEquals(waits, other.next().getKey());
    }
  }

  /** Clients that do not end their handshake keep no others out. */
  @Test
  void theOldestHandshakeMakesRoom() throws Exception {
    int port = start();
    List<NbdClient> silent = new ArrayList<>();
    try (NbdClient early = NbdClient.open(port)) {
      for (int i = 0; i < 2 * LIMITS.connections; i++) {
        silent.add(NbdClient.connect(port));
      }
      try (NbdClient late = NbdClient.open(port)) {
        late.read(0, 1);
      }
      early.read(0, 1);
      assertEquals(0, silent.get(0).awaitEnd());
      // The newest ones are still welcome.
      silent.get(silent.size() - 1).flags().go().read(0, 1);
    } finally {
      for (NbdClient one : silent) {
        one.close();
      }
    }
  }

  /** Replies that a client does not read stay within its bound, and then it has to go. */
  @Test
  void aClientThatDoesNotReadHasToGo() throws Exception {
    int port = start(LIMITS, clock::get);
    try (NbdClient silent = NbdClient.open(port); NbdClient other = NbdClient.open(port)) {
      for (int i = 0; i < 10; i++) {
        silent.send(0, READ, 0, MOST);
      }
      await(() -> server().freeBytes() <= LIMITS.sharedBytes - MOST);
      assertTrue(server().freeBytes() >= LIMITS.sharedBytes - LIMITS.shareBytes());
      other.write(0, 0, filled(1 << 20, 1));
      assertArrayEquals(filled(1 << 20, 1), other.read(0, 1 << 20));
      awaitClients(1);
      other.read(0, 1);
      assertEquals(LIMITS.sharedBytes, server().freeBytes());
    }
  }

  /** Long requests wait for room that others have; short ones have their own. */
  @Test
  void shortRequestsDoNotWaitForRoom() throws Exception {
    int port = start(LIMITS.with(10, MOST));
    try (NbdClient big = NbdClient.open(port); NbdClient other = NbdClient.open(port)) {
      // The head of a write that takes all room, and whose bytes do not come.
      big.send(0, WRITE, 0, MOST);
      await(() -> server().freeBytes() == 0);
      other.write(0, 0, filled(1 << 20, 3));
      assertArrayEquals(filled(1 << 20, 3), other.read(0, 1 << 20));
      long waits = other.send(0, READ, 0, 2 << 20);
      big.raw(filled(MOST, 4));
      assertEquals(0, big.next().getValue().error);
      assertEquals(waits, other.next().getKey());
    }
    await(() -> server().clients() == 0);
    assertEquals(MOST, server().freeBytes());
  }

  @Test
  void slowClientsHaveToGoAndSilentOnesMayStay() throws Exception {
    int port = start(LIMITS, clock::get);
    try (NbdClient silent = NbdClient.open(port);
        NbdClient inHandshake = NbdClient.connect(port);
        NbdClient inOption = NbdClient.connect(port).flags();
        NbdClient inRequest = NbdClient.open(port);
        NbdClient inData = NbdClient.open(port)) {
      silent.read(0, 1);
      inOption.raw((byte) 'I', (byte) 'H');
      inRequest.raw((byte) 0x25, (byte) 0x60);
      inData.send(0, WRITE, 0, 100, filled(99, 1));
      awaitClients(1);
      assertEquals(0, inHandshake.awaitEnd());
      assertEquals(0, inOption.awaitEnd());
      assertEquals(0, inRequest.awaitEnd());
      assertEquals(0, inData.awaitEnd());
      silent.read(0, 10);
      assertArrayEquals(new byte[100], silent.read(0, 100), "half a write was not written");
    }
  }

  @Test
  void clientsBeyondTheBoundAreRefused() throws Exception {
    int port = start(LIMITS.with(2, MOST));
    try (NbdClient one = NbdClient.open(port); NbdClient two = NbdClient.open(port)) {
      try (NbdClient three = NbdClient.connect(port)) {
        assertEquals(0, three.awaitEnd());
      }
      one.read(0, 1);
      two.send(0, NbdClient.DISCONNECT, 0, 0);
      two.awaitEnd();
      await(() -> server().clients() == 1);
      try (NbdClient three = NbdClient.open(port)) {
        three.read(0, 1);
      }
    }
  }

  @Test
  void whatIsNoProtocolEndsTheConnection() throws Exception {
    int port = start();
    try (NbdClient good = NbdClient.open(port)) {
      try (NbdClient bad = NbdClient.open(port)) {
        bad.raw(new byte[28]);
        assertEquals(0, bad.awaitEnd());
      }
      try (NbdClient bad = NbdClient.connect(port).flags()) {
        bad.raw("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
        assertEquals(0, bad.awaitEnd());
      }
      try (NbdClient bad = NbdClient.open(port)) {
        bad.send(0, WRITE, 0, -1);
        assertEquals(0, bad.awaitEnd());
      }
      try (NbdClient half = NbdClient.open(port)) {
        half.send(0, WRITE, 0, 100, filled(50, 9));
      }
      assertArrayEquals(new byte[100], good.read(0, 100));
    }
  }

  /** Requests that were sent before the client went are still done. */
  @Test
  void writesOfAClientThatGoesAreDone() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    device.before((what, offset, length) -> awaitQuietly(mayEnd));
    int port = start();
    try (NbdClient client = NbdClient.open(port)) {
      for (int i = 0; i < 50; i++) {
        client.send(0, WRITE, i, 1, (byte) i);
      }
      client.send(0, NbdClient.DISCONNECT, 0, 0);
      mayEnd.countDown();
      assertEquals(50 * 16, client.awaitEnd());
    }
    for (int i = 0; i < 50; i++) {
      assertEquals(i, device.bytes()[i]);
    }
  }

  @Test
  void theServerEndsInOrder() throws Exception {
    CountDownLatch isRunning = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    device.before((what, offset, length) -> {
      if (what.equals("write") && offset == 7) {
        isRunning.countDown();
        awaitQuietly(mayEnd);
      }
    });
    int port = start();
    try (NbdClient client = NbdClient.open(port); NbdClient handshake = NbdClient.connect(port)) {
      long slow = client.send(0, WRITE, 7, 3, filled(3, 5));
      isRunning.await();
      List<Exception> failures = new ArrayList<>();
      Thread stopping = new Thread(() -> {
        try {
          server().stop();
        } catch (IOException | InterruptedException e) {
          failures.add(e);
        }
      });
      stopping.start();
      assertEquals(0, handshake.awaitEnd());
      // The write in flight goes on, and what comes later is refused.
      long late = client.send(0, WRITE, 100, 3, filled(3, 6));
      Map.Entry<Long, NbdClient.Reply> refused = client.next();
      assertEquals(late, refused.getKey());
      assertEquals(108, refused.getValue().error);
      assertThrows(IOException.class, () -> NbdClient.open(port));
      mayEnd.countDown();
      Map.Entry<Long, NbdClient.Reply> done = client.next();
      assertEquals(slow, done.getKey());
      assertEquals(0, done.getValue().error);
      assertEquals(0, client.awaitEnd());
      stopping.join();
      assertEquals(List.of(), failures);
    }
    device.losePower();
    assertEquals(5, device.bytes()[7], "the server flushes before it ends");
    assertEquals(0, device.bytes()[100]);
  }

  /** A write of which half has come does not keep the server from its end. */
  @Test
  void theServerEndsInTheMiddleOfAMessage() throws Exception {
    // The clock does not move, so that the end comes at once, or never.
    int port = start(LIMITS, clock::get);
    try (NbdClient client = NbdClient.open(port)) {
      client.read(0, 1);
      client.send(0, WRITE, 0, 2 << 20, filled(100, 1));
      await(() -> server().freeBytes() < LIMITS.sharedBytes);
      server().stop();
      assertEquals(0, client.awaitEnd());
    }
    assertEquals(0, device.bytes()[0]);
  }

  @Test
  void anEndThatIsNotInOrderIsSaid() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch isRunning = new CountDownLatch(1);
    device.before((what, offset, length) -> {
      if (what.equals("write")) {
        isRunning.countDown();
        awaitQuietly(mayEnd);
      }
    });
    int port = start(LIMITS.withTimes(1_000, 1_000, 1_000, 200));
    try (NbdClient client = NbdClient.open(port)) {
      client.send(0, WRITE, 7, 3, filled(3, 5));
      isRunning.await();
      for (int i = 0; i < 2; i++) {
        assertTrue(assertThrows(IOException.class, () -> server().stop()).getMessage()
            .startsWith("Some requests of clients did not end in "));
      }
      assertThrows(IOException.class, () -> server().awaitStop());
      assertEquals(1, device.flushes());
    } finally {
      mayEnd.countDown();
      servers.clear();
    }
    start();
    device.before((what, offset, length) -> {
      throw new IOException("no disk");
    });
    assertEquals("no disk",
        assertThrows(IOException.class, () -> server().stop()).getMessage());
    servers.clear();
  }

  @Test
  void otherHostsNeedTls() {
    for (String host : new String[] {"0.0.0.0", "::"}) {
      assertTrue(assertThrows(IOException.class, () -> TcpListener.open(
          new InetSocketAddress(host, 0), Optional.empty())).getMessage()
          .contains("only with TLS"));
    }
    assertEquals("There is no host 'no.such.host.invalid'", assertThrows(IOException.class,
        () -> TcpListener.open(InetSocketAddress.createUnresolved("no.such.host.invalid", 1),
            Optional.empty())).getMessage());
  }

  /** Clients that send anything harm neither the server nor a client that checks all it reads. */
  @Test
  void randomBytesHarmNoOne() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestNbdServer: -Dseed=" + seed);
    Random random = new Random(seed);
    int port = start(LIMITS.withTimes(10_000, 10_000, 10_000, 10_000));
    try (NbdClient good = NbdClient.open(port)) {
      for (int run = 0; run < 300; run++) {
        try (NbdClient bad = random.nextBoolean() ? NbdClient.connect(port)
            : random.nextBoolean() ? NbdClient.open(port) : NbdClient.openStructured(port)) {
          for (int i = random.nextInt(5); i >= 0; i--) {
            sendAnything(bad, random);
          }
        } catch (IOException e) {
          assertTrue(e.getMessage() == null || !e.getMessage().contains("timed out"), e::toString);
        }
        byte[] data = new byte[1 + random.nextInt(70_000)];
        random.nextBytes(data);
        long offset = (SIZE >> 1) + random.nextInt((SIZE >> 1) - data.length);
        good.write(random.nextInt(2), offset, data);
        assertArrayEquals(data, good.read(offset, data.length));
      }
      await(() -> server().clients() == 1);
      assertEquals(LIMITS.sharedBytes, server().freeBytes());
    }
  }

  /** Sends noise, or a message with random fields; writes stay in the first half of the device. */
  private static void sendAnything(NbdClient bad, Random random) throws IOException {
    byte[] noise = new byte[random.nextInt(200)];
    random.nextBytes(noise);
    switch (random.nextInt(4)) {
      case 0:
        bad.raw(noise);
        break;
      case 1:
        bad.option(random.nextInt(14), noise);
        break;
      case 2:
        bad.send(1 << random.nextInt(6), random.nextInt(9), random.nextLong(),
            random.nextInt(200), noise);
        break;
      default:
        bad.send(random.nextInt(2), random.nextInt(8), random.nextInt(SIZE >> 2),
            random.nextInt(SIZE >> 2), noise);
    }
  }

  @Test
  void limitsFitTheHeap() {
    assertEquals(192L << 20, ServerLimits.of(4L << 30).sharedBytes);
    assertEquals(64L << 20, ServerLimits.of(256L << 20).sharedBytes);
    assertEquals(MOST, ServerLimits.of(1).sharedBytes);
    // One client never has all, but for the smallest heap.
    assertEquals(48 << 20, ServerLimits.of(4L << 30).shareBytes());
    assertEquals(MOST, ServerLimits.of(256L << 20).shareBytes());
    assertEquals(MOST, ServerLimits.of(1).shareBytes());
    assertTrue(TimeUnit.NANOSECONDS.toSeconds(LIMITS.stopNanos()) < 60);
  }
}
