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

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.service.Services;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the repairs that this DataNode helps with yield to its users. A timer samples what users
 * and repairs move over the node's link, one {@link LinkShare} for each direction decides, and the
 * threads of repairs wait here before they send. The system's counters of the network interface say
 * what others than repairs move. The sockets of repairs get as few bytes as {@link
 * LinkShare#socketBytes} says. The node decides for itself, within milliseconds, and asks no other
 * node: the repairs' parents and children only see that it is held back. Thread-safe.
 */
@InterfaceAudience.Private
public final class UsersFirst implements SharedLink {
  private static final Logger LOG = LoggerFactory.getLogger(UsersFirst.class);
  /** The time between two looks at the rate, which users may have changed, ns. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  /**
   * More than systems grant a socket, bytes: they then grant what they allow at most. Linux does
   * not size such a socket by itself any more, but each attempt at a repair opens new ones.
   */
  private static final int UNBOUNDED = 16 << 20;
  /** How many samples pass between two searches for the counters of the link. */
  private static final int FIND_EVERY_TICKS = 50;
  /** A bound that is this much larger or smaller is worth a system call for each socket. */
  private static final double WORTH_A_CALL = 1.25;
  /**
   * What a link carries for a byte of a repair: frames of 1,500 bytes have headers of 66 bytes for
   * TCP, IP and Ethernet, which is less than a twentieth.
   */
  private static final double WITH_HEADERS = 1.05;
  /** The part of the link from which on others than repairs are users, if nothing else shows it. */
  private static final double SEEN = 0.1;
  /** What a link carries the other way: an acknowledgement of 66 bytes for two frames or one. */
  private static final double ACKNOWLEDGEMENTS = 0.05;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final LinkShare up;
  private final LinkShare down;
  private final LongSupplier userRead;
  private final LongSupplier userWritten;
  private final IntSupplier clients;
  private final UserThreads threads;
  private final RepairTraffic repairs;
  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  /** The number of readers whose requests hdfs-ppr itself serves at the moment. */
  private final AtomicInteger readers = new AtomicInteger();
  /** Lets one repair after the other wait for the link, in the order in which they came. */
  private final ReentrantLock turn = new ReentrantLock(true);
  /** The connections over which repairs that yield send; one for each request that is served. */
  private final Set<PeerConnection> connections =
      Collections.newSetFromMap(new ConcurrentHashMap<>());
  /** What NameNodes wish, by nameservice; operators configure few nameservices. */
  private final Map<String, Wish> wishes = new ConcurrentHashMap<>();
  /** What the settings of this node say, which hold as long as no NameNode says anything. */
  private final Wish own;
  private final Supplier<InterfaceBytes> finder;
  /** What the link carries; null as long as it is not found. Used by the timer. */
  private InterfaceBytes bytes;
  private int ticks;
  /** What stock's counters said at the last sample. Used by the timer. */
  private long stocks;
  private volatile int socketBytes;
  /** Whether the log says that the link's rate in the settings is wrong. Used by the timer. */
  private boolean saidWrong;

  /**
   * Makes an instance that does nothing until {@link #begin}.
   *
   * @param users what users move; a counter that this Hadoop lacks counts as no users
   * @param repairs what repairs move
   * @param pressure percent, see {@link Pressure}
   * @param linkRate what this node's link carries each way, bytes/s; 0 if it is not known, and
   *     repairs then do not yield
   * @param address the address at which other nodes reach this one, which the node may learn only
   *     from its NameNode
   */
  public UsersFirst(UserBytes users, RepairTraffic repairs, int pressure, long linkRate,
      Supplier<String> address) {
    this(users, repairs, pressure, linkRate, () -> InterfaceBytes.of(address.get()).orElse(null),
        System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  /**
   * @param finder returns what the link carries; null if the system does not say it, or not yet.
   *     Stock's counters then say what users move
   * @param nanoClock a monotonic clock, ns
   * @param sleeper lets a thread wait
   */
  UsersFirst(UserBytes users, RepairTraffic repairs, int pressure, long linkRate,
      Supplier<InterfaceBytes> finder, LongSupplier nanoClock, Sleeper sleeper) {
    this.userRead = users.read == null ? () -> 0 : users.read;
    this.userWritten = users.written == null ? () -> 0 : users.written;
    this.clients = users.connections;
    this.threads = users.threads;
    this.repairs = repairs;
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.up = new LinkShare(nanoClock);
    this.down = new LinkShare(nanoClock);
    this.finder = finder;
    this.own = new Wish(pressure, linkRate);
    up.set(pressure, linkRate);
    down.set(pressure, linkRate);
  }

  /** How much repairs are to press, and over what link. */
  private static final class Wish {
    private final int pressure;
    private final long linkRate;

    Wish(int pressure, long linkRate) {
      this.pressure = pressure;
      this.linkRate = linkRate;
    }
  }

  /** Lets a thread wait for a number of nanoseconds. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  /**
   * Begins to sample.
   *
   * @param timer runs the samples, which take microseconds; the caller shuts it down
   * @param services shows whether samples are taken
   */
  public void begin(ScheduledExecutorService timer, Services services) {
    // A timer that saw an exception would never tick again, and repairs would keep the last rate.
    ServiceSteps steps = services.open("ppr-users-first", e -> peerLog.warn(
        e.getClass().getName(), "What users do could not be sampled", e));
    timer.scheduleWithFixedDelay(steps.guarded(this::tick), LinkShare.TICK_MS, LinkShare.TICK_MS,
        TimeUnit.MILLISECONDS);
  }

  /**
   * Sets how much repairs press, from now on. If the node serves several nameservices, the gentlest
   * of their wishes counts, and the lowest of the link rates that their operators have set, because
   * they share the link. Where none has set a link rate, that of this node's own settings counts.
   *
   * @param nameservice the nameservice that wishes it
   * @param pressure percent, see {@link Pressure}
   * @param linkRate what this node's link carries each way, bytes/s; 0 if it is not known
   */
  public synchronized void press(String nameservice, int pressure, long linkRate) {
    Wish before = wishes.put(nameservice, new Wish(pressure, linkRate));
    if (before != null && before.pressure == pressure && before.linkRate == linkRate) {
      // Nearly every answer to a heartbeat repeats the wish, and a commit takes dozens of them.
      return;
    }
    int gentlest = wishes.values().stream().mapToInt(wish -> wish.pressure).min().orElseThrow();
    long lowest = wishes.values().stream().mapToLong(wish -> wish.linkRate)
        .filter(rate -> rate > 0).min().orElse(own.linkRate);
    up.set(gentlest, lowest);
    down.set(gentlest, lowest);
    if (before == null || before.pressure != pressure) {
      LOG.info("Repairs of {} press {} where users of this DataNode are busy", nameservice,
          Pressure.name(pressure));
    }
  }

  void tick() {
    sample();
    bound();
    sayIfRateIsWrong();
  }

  private void sample() {
    long read = userRead.getAsLong();
    long written = userWritten.getAsLong();
    boolean present = readers.get() > 0 || isServed() || read + written > stocks || isSeen();
    stocks = Math.max(stocks, read + written);
    if (!readLink()) {
      up.sample(read, repairs.bytesSent(), present);
      down.sample(written, repairs.bytesReceived(), present);
      return;
    }
    long sent = repairs.bytesSent() - repairs.bytesToReaders();
    long received = repairs.bytesReceived() - repairs.bytesForReaders();
    up.sample(others(bytes.sent(), sent, received), bytes.sent(), present);
    down.sample(others(bytes.received(), received, sent), bytes.received(), present);
  }

  /** Returns what the link has carried for others than repairs, bytes. */
  private static long others(long carried, long ofRepairs, long ofRepairsTheOtherWay) {
    return carried - (long) (WITH_HEADERS * ofRepairs)
        - (long) (ACKNOWLEDGEMENTS * ofRepairsTheOtherWay);
  }

  /** Returns whether the system has said what the link has carried. */
  private boolean readLink() {
    boolean had = bytes != null;
    if (!had && ticks++ % FIND_EVERY_TICKS == 0) {
      bytes = finder.get();
    }
    try {
      if (bytes != null && !bytes.read()) {
        bytes = null;
      }
    } catch (IOException e) {
      LOG.debug("The counters of this node's link cannot be read", e);
      bytes = null;
    }
    if (had != (bytes != null)) {
      // Other counters begin at other numbers.
      up.restart();
      down.restart();
      LOG.info("What users move over this node's link is what {}", had ? "Hadoop counts"
          : "the system counts on the interface " + bytes.name);
    }
    return bytes != null;
  }

  /** Returns whether a client, or another DataNode, has a connection to stock's port. */
  private boolean isServed() {
    return clients != null && clients.getAsInt() > 0;
  }

  /**
   * Returns whether the link carries so much for others than repairs that they must be users, if
   * this Hadoop does not say it. Bytes that wait in sockets blur what is others' by some percent.
   */
  private boolean isSeen() {
    return clients == null && bytes != null
        && Math.max(up.userRate(), down.userRate()) > SEEN * up.linkBytesPerSecond();
  }

  /** Logs a change; the best rates are kept for half an hour, so that changes are rare. */
  private void sayIfRateIsWrong() {
    boolean wrong = up.isRateWrong() || down.isRateWrong();
    if (wrong && !saidWrong) {
      LOG.warn("This node's link has carried {} bytes/s, and"
          + " dfs.namenode.ppr.link.bytes.per-second says {} bytes/s: repairs do not yield to"
          + " users. Set it to the rate of the links",
          (long) Math.max(up.bestRate(), down.bestRate()), up.linkBytesPerSecond());
    }
    saidWrong = wrong;
  }

  private void bound() {
    int next = up.socketBytes(connections.size());
    int now = socketBytes;
    boolean isNear = next != 0 && now != 0
        && Math.max(next, now) < Math.min(next, now) * WORTH_A_CALL;
    if (next != now && !isNear) {
      socketBytes = next;
      connections.forEach(one -> bound(one, next));
    }
  }

  private static void bound(PeerConnection connection, int bytes) {
    try {
      connection.setUnsentMost(bytes == 0 ? UNBOUNDED : bytes);
    } catch (IOException e) {
      // The connection is about to end. A system that refuses the bound only delays users more.
      LOG.debug("{}: the socket takes no bound of {} bytes", connection, bytes, e);
    }
  }

  @Override
  public boolean isYielding() {
    return up.isYielding() || down.isYielding();
  }

  @Override
  public void await(long sent, long received, long nanosMost) {
    LinkShare[] links = {up.isYielding() && sent > 0 ? up : null,
        down.isYielding() && received > 0 ? down : null};
    if (links[0] == null && links[1] == null) {
      return;
    }
    long began = nanoClock.getAsLong();
    long most = Math.min(nanosMost, LinkShare.WAIT_NANOS_MOST);
    boolean hasTurn = false;
    try {
      hasTurn = turn.tryLock(most, TimeUnit.NANOSECONDS);
      long wait = waitNanos(links);
      while (hasTurn && wait > 0 && nanoClock.getAsLong() - began < most) {
        sleeper.sleep(Math.min(wait, LOOK_NANOS));
        wait = waitNanos(links);
      }
    } catch (InterruptedException e) {
      // The repair is about to end. Its next step sees the interrupt.
      Thread.currentThread().interrupt();
    } finally {
      up.moves(sent);
      down.moves(received);
      if (hasTurn) {
        turn.unlock();
      }
    }
  }

  private long waitNanos(LinkShare... links) {
    look();
    long most = 0;
    for (LinkShare link : links) {
      most = link == null ? most : Math.max(most, link.waitNanos());
    }
    return most;
  }

  /** Looks whether users move bytes at this moment. */
  private void look() {
    threads.look();
    // Another Hadoop may name its threads in another way.
    boolean unknown = threads.serving() == 0 && isServed();
    boolean reader = readers.get() > 0;
    up.usersMove(unknown || reader || threads.isSending());
    down.usersMove(unknown || reader || threads.isReceiving());
  }

  @Override
  public void readerBegins() {
    readers.incrementAndGet();
  }

  @Override
  public void readerEnds() {
    readers.decrementAndGet();
  }

  @Override
  public void add(PeerConnection connection) {
    connections.add(connection);
    int now = socketBytes;
    if (now != 0) {
      bound(connection, now);
      // The timer may have lifted the bound meanwhile, from this connection, too.
      if (socketBytes == 0) {
        bound(connection, 0);
      }
    }
  }

  @Override
  public void remove(PeerConnection connection) {
    connections.remove(connection);
  }
}
