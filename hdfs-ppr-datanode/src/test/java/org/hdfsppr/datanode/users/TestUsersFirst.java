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

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.stream.PeerConnection;
import org.junit.jupiter.api.Test;

/** Tests how long repairs wait for users, on a clock that only their waits move. */
class TestUsersFirst {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LINK = 25_000_000;
  private static final int SLICE = 64 << 10;

  private final AtomicLong nanos = new AtomicLong();
  private final RepairTraffic traffic = new RepairTraffic();
  private long read;
  private long written;
  private int reading;
  private int writing;
  private final UsersFirst users = new UsersFirst(
      new UserBytes(() -> read, () -> written, () -> reading, () -> writing), traffic,
      Pressure.GENTLE, 0, nanos::get, this::sleep);

  TestUsersFirst() {
    users.press("ns", Pressure.GENTLE, LINK);
    users.tick();
  }

  /** A NameNode without the plugin never says how fast links are. */
  @Test
  void withoutANameNodesWordTheNodesOwnSettingsCount() {
    for (long link : new long[] {0, LINK}) {
      UsersFirst own = new UsersFirst(
          new UserBytes(() -> read, () -> written, () -> reading, () -> writing), traffic,
          Pressure.GENTLE, link, nanos::get, this::sleep);
      own.tick();
      nanos.addAndGet(LinkShare.TICK_MS * MS);
      read += 5_000_000;
      own.tick();
      reading = 1;
      long began = nanos.get();
      own.await(SLICE);
      own.await(SLICE);
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

  /** Returns the bytes per second that repairs may send. */
  private double rate() {
    int slices = 500;
    long begin = nanos.get();
    for (int i = 0; i < slices; i++) {
      users.await(SLICE);
    }
    return slices * (double) SLICE * 1e9 / (nanos.get() - begin);
  }

  private void assertNoWait() {
    assertEquals(Double.POSITIVE_INFINITY, rate());
  }

  @Test
  void readsAndWritesOfUsers() {
    assertNoWait();
    busy(5_000_000, 0);
    reading = 1;
    assertEquals(0.6 * 20_000_000, rate(), 300_000);
    reading = 0;
    assertEquals(0.95 * LINK, rate(), 500_000);
    writing = 3;
    assertEquals(0.95 * LINK, rate(), 500_000, "no bytes were written yet");
    busy(0, 15_000_000);
    assertEquals(0.6 * 10_000_000, rate(), 300_000);
    users.press("ns", Pressure.URGENT, LINK);
    assertNoWait();
  }

  /** Degraded reads go through hdfs-ppr, and stock's gauge does not have them. */
  @Test
  void degradedReadsAreReads() {
    busy(5_000_000, 0);
    users.readerBegins();
    assertEquals(0.6 * 20_000_000, rate(), 300_000);
    users.readerEnds();
    assertEquals(0.95 * LINK, rate(), 500_000);
  }

  @Test
  void theGentlestNameserviceCounts() {
    busy(5_000_000, 0);
    reading = 1;
    users.press("other", 35, LINK);
    assertEquals(0.35 * 20_000_000, rate(), 300_000);
    users.press("other", Pressure.URGENT, LINK);
    assertEquals(0.6 * 20_000_000, rate(), 300_000);
  }

  @Test
  void noSliceWaitsForLong() {
    busy(LINK, 0);
    reading = 1;
    users.await(100 * SLICE);
    long begin = nanos.get();
    users.await(SLICE);
    long waited = nanos.get() - begin;
    assertTrue(waited >= LinkShare.WAIT_NANOS_MOST
        && waited <= LinkShare.WAIT_NANOS_MOST + 2 * MS, waited + " ns");
  }

  @Test
  void anInterruptEndsTheWait() {
    busy(LINK, 0);
    reading = 1;
    users.await(100 * SLICE);
    Thread.currentThread().interrupt();
    long begin = nanos.get();
    users.await(SLICE);
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
}
