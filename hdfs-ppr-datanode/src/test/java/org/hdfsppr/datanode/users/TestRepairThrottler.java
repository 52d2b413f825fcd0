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
package org.hdfsppr.datanode.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.users.RepairThrottler.LinkShare;
import org.hdfsppr.stream.PeerConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how long repairs wait for users, on a clock that only their waits move. */
class TestRepairThrottler {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LINK = 25_000_000;
  private static final int SLICE = 64 << 10;
  private static final long LONG = TimeUnit.MINUTES.toNanos(1);

  private final AtomicLong nanos = new AtomicLong();
  private final RepairTraffic traffic = new RepairTraffic();
  private long read;
  private long written;
  private int clients;
  /** Stock's threads; as long as there are none, users may move bytes at any moment. */
  private UserThreads threads = new UserThreads(() -> null, nanos::get);
  private final RepairThrottler users = new RepairThrottler(
      new UserBytes(() -> read, () -> written, () -> clients, threads), traffic,
      Pressure.GENTLE, 0, () -> null, nanos::get, this::sleep);

  TestRepairThrottler() {
    users.press("ns", Pressure.GENTLE, LINK);
    users.tick();
  }

  /** A NameNode without the plugin never says how fast links are. */
  @Test
  void withoutANameNodesWordTheNodesOwnSettingsCount() {
    for (long link : new long[] {0, LINK}) {
      RepairThrottler own = new RepairThrottler(
          new UserBytes(() -> read, () -> written, () -> clients, threads), traffic,
          Pressure.GENTLE, link, () -> null, nanos::get, this::sleep);
      own.tick();
      nanos.addAndGet(LinkShare.TICK_MS * MS);
      read += 5_000_000;
      own.tick();
      long began = nanos.get();
      own.await(SLICE, 0, LONG);
      own.await(SLICE, 0, LONG);
      assertEquals(link > 0, nanos.get() > began, "with a link of " + link + " bytes/s");
    }
  }

  private void sleep(long wait) {
    assertTrue(wait > 0 && wait <= 2 * MS, wait + " ns, without a look at users");
    nanos.addAndGet(wait);
  }

  /** Lets users move bytes for two seconds. */
  private void busy(long readRate, long writeRate) {
    for (int i = 0; i < 20; i++) {
      nanos.addAndGet(LinkShare.TICK_MS * MS);
      read += readRate / 10;
      written += writeRate / 10;
      users.tick();
    }
  }

  /** Returns the bytes per second that repairs may move, with slices that move this much. */
  private double rate(long sent, long received) {
    return rate(users, sent, received);
  }

  private double rate(RepairThrottler of, long sent, long received) {
    int slices = 500;
    long begin = nanos.get();
    for (int i = 0; i < slices; i++) {
      of.await(sent, received, LONG);
    }
    return slices * (double) SLICE * 1e9 / (nanos.get() - begin);
  }

  private void assertNoWait() {
    assertEquals(Double.POSITIVE_INFINITY, rate(SLICE, SLICE));
  }

  @Test
  void readsAndWritesOfUsers() {
    assertNoWait();
    busy(5_000_000, 0);
    assertEquals(0.6 * 20_000_000, rate(SLICE, 0), 300_000);
    assertEquals(0.6 * LINK, rate(0, SLICE), 300_000);
    busy(0, 15_000_000);
    assertEquals(0.6 * LINK, rate(SLICE, 0), 300_000);
    assertEquals(0.6 * 10_000_000, rate(0, SLICE), 300_000);
    assertEquals(0.6 * 10_000_000, rate(SLICE, SLICE), 300_000);
    users.press("ns", Pressure.URGENT, LINK);
    assertNoWait();
  }

  /** A user that has a connection is being served, or is about to ask again. */
  @Test
  void usersWithAConnectionArePresent() {
    clients = 2;
    users.tick();
    assertEquals(0.6 * LINK, rate(SLICE, 0), 300_000);
    clients = 0;
    busy(0, 0);
    busy(0, 0);
    busy(0, 0);
    assertNoWait();
    users.readerBegins();
    users.tick();
    assertEquals(0.6 * LINK, rate(SLICE, 0), 300_000);
    users.readerEnds();
    busy(0, 0);
    busy(0, 0);
    busy(0, 0);
    assertNoWait();
  }

  /** Looks at stock's threads follow each read of users, and each direction by itself. */
  @Test
  void repairsYieldMoreWhileAUserMovesBytes() throws InterruptedException {
    ThreadGroup group = new ThreadGroup("served");
    CountDownLatch end = new CountDownLatch(1);
    Thread served = new Thread(group, () -> {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    threads = new UserThreads(() -> group, nanos::get);
    RepairThrottler own = new RepairThrottler(
        new UserBytes(() -> read, () -> written, () -> clients, threads), traffic,
        Pressure.GENTLE, LINK, () -> null, nanos::get, this::sleep);
    clients = 1;
    own.tick();
    assertEquals(0.6 * LINK, rate(own, SLICE, 0), 300_000, "no thread serves the connection");
    served.start();
    try {
      served.setName(UserThreads.SERVES + "/10.0.0.1:4711" + UserThreads.WAITS + "2]");
      assertEquals(0.9 * LINK, rate(own, SLICE, 0), 400_000);
      served.setName(UserThreads.SERVES + "/10.0.0.1:4711" + UserThreads.SENDS + "BP-1:blk_7]");
      assertEquals(0.6 * LINK, rate(own, SLICE, 0), 300_000);
      assertEquals(0.9 * LINK, rate(own, 0, SLICE), 400_000);
      served.setName(UserThreads.SERVES + "/10.0.0.1:4711 [Receiving block BP-1:blk_7]");
      assertEquals(0.6 * LINK, rate(own, SLICE, 0), 300_000);
      assertEquals(0.6 * LINK, rate(own, 0, SLICE), 300_000);
      served.setName(UserThreads.SERVES + "/10.0.0.1:4711" + UserThreads.WAITS + "3]");
      own.readerBegins();
      assertEquals(0.6 * LINK, rate(own, SLICE, SLICE), 300_000, "hdfs-ppr serves a reader");
      own.readerEnds();
      assertEquals(0.9 * LINK, rate(own, SLICE, SLICE), 400_000);
    } finally {
      end.countDown();
      served.join();
    }
  }

  /** Stock counts a read when it ends. The link carries it before. */
  @Test
  void theLinkSaysWhatUsersMove(@TempDir Path folder) throws Exception {
    Path counters = folder.resolve("dev");
    carry(counters, 1L << 40, 1L << 41);
    InterfaceBytes link = new InterfaceBytes(counters, "eth0");
    RepairThrottler own = new RepairThrottler(
        new UserBytes(() -> 0, () -> 0, () -> 1, threads), traffic, Pressure.GENTLE, LINK,
        () -> link, nanos::get, this::sleep);
    long sent = 1L << 41;
    for (int i = 0; i < 20; i++) {
      nanos.addAndGet(LinkShare.TICK_MS * MS);
      // In a tenth of a second: a user reads 500,000 bytes, and a repair sends 1,000,000 with
      // headers. A client that reads degraded gets 100,000.
      sent += 500_000 + 1_050_000 + 100_000;
      traffic.addSent(1_000_000, false);
      traffic.addSent(100_000, false);
      traffic.addToReader(100_000);
      carry(counters, 1L << 40, sent);
      own.tick();
    }
    assertEquals(0.6 * (LINK - 6_000_000), rate(own, SLICE, 0), 300_000);
    assertEquals(0.6 * LINK, rate(own, 0, SLICE), 300_000);
  }

  /** Another Hadoop may lack the gauge, and counts a long read only when it ends. */
  @Test
  void whatTheLinkCarriesShowsUsers(@TempDir Path folder) throws Exception {
    Path counters = folder.resolve("dev");
    carry(counters, 0, 0);
    InterfaceBytes link = new InterfaceBytes(counters, "eth0");
    RepairThrottler own = new RepairThrottler(new UserBytes(() -> 0, () -> 0, null, threads),
        traffic,
        Pressure.GENTLE, LINK, () -> link, nanos::get, this::sleep);
    for (int i = 1; i <= 40; i++) {
      nanos.addAndGet(LinkShare.TICK_MS * MS);
      carry(counters, 0, i * (i <= 20 ? 200_000L : 300_000L));
      own.tick();
      assertEquals(i > 21, own.isYielding(), "after " + i + " samples");
    }
  }

  /** The rate is not the one of stock's counters plus that of a whole life of the link. */
  @Test
  void countersOfTheLinkThatComeAndGoAreNoRate(@TempDir Path folder) throws Exception {
    Path counters = folder.resolve("dev");
    InterfaceBytes link = new InterfaceBytes(counters, "eth0");
    InterfaceBytes[] found = {null};
    RepairThrottler own = new RepairThrottler(
        new UserBytes(() -> 0, () -> 0, () -> 1, threads), traffic, Pressure.GENTLE, LINK,
        () -> found[0], nanos::get, this::sleep);
    for (int i = 0; i < 200; i++) {
      found[0] = i < 60 ? null : link;
      if (i >= 40 && i < 120) {
        carry(counters, 1L << 40, 1L << 41);
      } else {
        Files.deleteIfExists(counters);
      }
      nanos.addAndGet(LinkShare.TICK_MS * MS);
      own.tick();
      assertTrue(own.isYielding(), "the link is not faster than its setting");
    }
    assertEquals(0.6 * LINK, rate(own, SLICE, 0), 300_000);
  }

  private static void carry(Path counters, long received, long sent) throws IOException {
    Files.writeString(counters, "Inter-|   Receive        |  Transmit\n"
        + " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n"
        + "    lo: 7777 1 0 0 0 0 0 0 7777 1 0 0 0 0 0 0\n"
        + "xeth0: 8888 1 0 0 0 0 0 0 8888 1 0 0 0 0 0 0\n"
        + "  eth0:" + received + " 1 0 0 0 0 0 0 " + sent + " 1 0 0 0 0 0 0\n");
  }

  @Test
  void theGentlestNameserviceCounts() {
    busy(5_000_000, 0);
    users.press("other", 35, LINK);
    assertEquals(0.35 * 20_000_000, rate(SLICE, 0), 300_000);
    users.press("other", Pressure.URGENT, LINK);
    assertEquals(0.6 * 20_000_000, rate(SLICE, 0), 300_000);
  }

  /** The operators of one nameservice need not have set what those of another one have. */
  @Test
  void theLowestRateThatIsSetCounts() {
    busy(5_000_000, 0);
    users.press("other", Pressure.GENTLE, 0);
    assertEquals(0.6 * 20_000_000, rate(SLICE, 0), 300_000);
    users.press("third", Pressure.GENTLE, LINK - 10_000_000);
    assertEquals(0.6 * 10_000_000, rate(SLICE, 0), 300_000);
    users.press("ns", Pressure.GENTLE, 0);
    users.press("third", Pressure.GENTLE, 0);
    assertNoWait();
  }

  @Test
  void noSliceWaitsForLong() {
    busy(LINK, 0);
    users.await(100 * SLICE, 0, LONG);
    long begin = nanos.get();
    users.await(SLICE, 0, LONG);
    long waited = nanos.get() - begin;
    assertTrue(waited >= LinkShare.WAIT_NANOS_MOST
        && waited <= LinkShare.WAIT_NANOS_MOST + 2 * MS, waited + " ns");
    users.await(100 * SLICE, 0, LONG);
    begin = nanos.get();
    users.await(SLICE, 0, 20 * MS);
    waited = nanos.get() - begin;
    assertTrue(waited >= 20 * MS && waited <= 22 * MS, waited + " ns, more than the repair allows");
  }

  @Test
  void anInterruptEndsTheWait() {
    busy(LINK, 0);
    users.await(100 * SLICE, 0, LONG);
    Thread.currentThread().interrupt();
    long begin = nanos.get();
    users.await(SLICE, 0, LONG);
    assertTrue(Thread.interrupted(), "the repair sees it");
    assertEquals(begin, nanos.get());
  }

  @Test
  void socketsAreBoundedWhileUsersAreBusy() throws Exception {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel early = SocketChannel.open(listener.getLocalAddress());
          SocketChannel late = SocketChannel.open(listener.getLocalAddress())) {
        PeerConnection one = new PeerConnection(null, early.socket(), null, null);
        PeerConnection two = new PeerConnection(null, late.socket(), null, null);
        users.add(one);
        users.tick();
        final int before = early.socket().getSendBufferSize();
        busy(5_000_000, 0);
        int bound = early.socket().getSendBufferSize();
        assertTrue(bound <= 4 * 75_000 && bound < before, bound + " bytes, before " + before);
        users.add(two);
        assertEquals(bound, late.socket().getSendBufferSize());
        users.remove(two);
        busy(0, 0);
        busy(0, 0);
        busy(0, 0);
        assertTrue(early.socket().getSendBufferSize() > bound, "users are quiet again");
        assertEquals(bound, late.socket().getSendBufferSize(), "it serves something else now");
      }
    }
  }

  @Test
  void workThatIsLessUrgentWaitsForRepairs() {
    RepairThrottler link = new RepairThrottler(
        new UserBytes(() -> read, () -> written, () -> clients, threads), traffic,
        Pressure.GENTLE, 0, () -> null, nanos::get, nanos::addAndGet);
    long began = nanos.get();
    link.awaitRepairs(500 * MS);
    assertEquals(0, nanos.get() - began);
    link.repairMoves();
    link.awaitRepairs(500 * MS);
    assertEquals(500 * MS, nanos.get() - began);
  }
}
