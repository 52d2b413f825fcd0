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
public final class RepairThrottler implements SharedLink {
  private static final Logger LOG = LoggerFactory.getLogger(RepairThrottler.class);
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
  public RepairThrottler(UserBytes users, RepairTraffic repairs, int pressure, long linkRate,
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
  RepairThrottler(UserBytes users, RepairTraffic repairs, int pressure, long linkRate,
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

  /**
   * Decides how much of this node's link, in one direction, repairs may have.
   *
   * <pre>
   *   rest = what the link carries - what users move (mean of the last second)
   *
   *   no user is there, or the rate of the link is not known: all
   *   the link carries clearly more than the settings say:    all
   *   a user moves bytes in this direction at this moment:    pressure * rest
   *   users are there, and none moves bytes at this moment:   BETWEEN * rest
   *   in both cases never less than LEAST * link
   * </pre>
   *
   * Single reads of users are over before any rate shows them. Most of the time no user of a node
   * reads, although users are there. Repairs take then what they leave while one reads.
   * Thread-safe.
   */
  static final class LinkShare {
    /** The time between two samples, ms. */
    static final long TICK_MS = 100;
    /**
     * The longest wait of one slice, ns: far below the time after which a helper counts as dead.
     * The slice then goes although users are busy.
     */
    static final long WAIT_NANOS_MOST = TimeUnit.SECONDS.toNanos(1);
    /** The time over which rates are measured, ns. Most single reads of users are shorter. */
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The time for which users count as present after they were last seen, ns. */
    static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(5);
    /**
     * The least part of the link that repairs have in any case. The NameNode gives a repair at
     * least five times of what it takes on idle links, so that a repair ends in time also over
     * links that users fill for days.
     */
    static final double LEAST = 0.2;
    /**
     * The part of the rest that repairs have while no user moves bytes. The remainder keeps sockets
     * and queues short for the next user: a link of a rate carries some 4 % less of repairs' bytes,
     * because of the headers.
     */
    static final double BETWEEN = 0.9;
    /**
     * If the link has carried more than the configured rate by this factor, the link is not
     * what the settings say, and there is no telling what is left of it. Repairs then do not yield.
     * A setting for links of 1 Gbit/s would otherwise hold repairs on links of 10 Gbit/s back to a
     * fifth of 1 Gbit/s.
     */
    static final double WRONG = 1.25;
    /** Repairs may catch up with what they have missed within this time, ns. */
    static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /**
     * The time for which a user's packet may wait behind repairs that are in sockets, ns, with the
     * gentlest pressure. A disk's seek takes longer.
     */
    static final long QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
    /** The fewest bytes of one connection that may wait in its socket: a few packets. */
    static final int SOCKET_BYTES_LEAST = 16 << 10;
    /**
     * The time over which is measured what the link carries, ns. A busy machine reads the counters
     * late by some hundred milliseconds.
     */
    static final long LEARN_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** The time for which the rate of the best {@link #LEARN_NANOS} is remembered, at least, ns. */
    private static final long BEST_KEPT_NANOS = TimeUnit.MINUTES.toNanos(30);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int SAMPLES =
        (int) (WINDOW_NANOS / TimeUnit.MILLISECONDS.toNanos(TICK_MS));

    private final LongSupplier nanoClock;
    private final long[] times = new long[SAMPLES];
    private final long[] users = new long[SAMPLES];
    private int samples;
    private int percent = Pressure.URGENT;
    private long linkBytesPerSecond;
    private double best;
    private double bestOfLastPeriod;
    private long periodBeganNanos;
    private long learntAtNanos;
    private long learntBytes;
    private double userRate;
    private long presentUntilNanos;
    private boolean present;
    /** Whether a user moves bytes at this moment; true as long as it is not known. */
    private boolean moving = true;
    /** The bytes that repairs have moved, and that the rate has not carried yet. */
    private double owedBytes;
    private long owedAtNanos;

    /** @param nanoClock a monotonic clock, ns */
    LinkShare(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
      this.owedAtNanos = nanoClock.getAsLong();
    }

    /**
     * Sets how much repairs press. Holds from the next call on.
     *
     * @param pressure percent, see {@link Pressure}
     * @param linkRate what the link carries each way, bytes/s; 0 if it is not known. Repairs then
     *     do not yield: the best second so far says only what was asked for, and repairs that kept
     *     to a part of it would never show that the link carries more
     */
    synchronized void set(int pressure, long linkRate) {
      percent = pressure;
      linkBytesPerSecond = linkRate;
    }

    /**
     * Takes a sample.
     *
     * @param userBytes bytes that users have moved so far, in this direction; may fall for a
     *     moment, because it may be a difference of two counters
     * @param carriedBytes bytes that the link is known to have carried so far, in this direction
     * @param isPresent whether a user is there, be it idle
     */
    synchronized void sample(long userBytes, long carriedBytes, boolean isPresent) {
      long now = nanoClock.getAsLong();
      int slot = samples % SAMPLES;
      int before = (samples + SAMPLES - 1) % SAMPLES;
      long usersSoFar = samples == 0 ? userBytes : Math.max(userBytes, users[before]);
      if (samples > 0) {
        // The slot that is about to be overwritten is the oldest.
        int oldest = samples < SAMPLES ? 0 : slot;
        double seconds = Math.max(1, now - times[oldest]) / NANOS_PER_SECOND;
        userRate = (usersSoFar - users[oldest]) / seconds;
        learn(now, carriedBytes);
      } else {
        periodBeganNanos = now;
        learntAtNanos = now;
        learntBytes = carriedBytes;
      }
      if (isPresent) {
        present = true;
        presentUntilNanos = now + PRESENT_NANOS;
      } else if (present && now - presentUntilNanos >= 0) {
        present = false;
      }
      times[slot] = now;
      users[slot] = usersSoFar;
      samples++;
      if (samples == 2 * SAMPLES) {
        samples = SAMPLES;
      }
    }

    /** Forgets all samples, before samples of other counters. */
    synchronized void restart() {
      samples = 0;
      userRate = 0;
      best = 0;
      bestOfLastPeriod = 0;
    }

    private void learn(long now, long carriedBytes) {
      if (now - periodBeganNanos >= BEST_KEPT_NANOS) {
        bestOfLastPeriod = best;
        best = 0;
        periodBeganNanos = now;
      }
      if (now - learntAtNanos >= LEARN_NANOS) {
        best = Math.max(best,
            (carriedBytes - learntBytes) / ((now - learntAtNanos) / NANOS_PER_SECOND));
        learntAtNanos = now;
        learntBytes = carriedBytes;
      }
    }

    /** Returns what the settings say that the link carries, bytes/s; 0 if they do not say it. */
    synchronized long linkBytesPerSecond() {
      return linkBytesPerSecond;
    }

    /** Returns the rate of users, bytes/s. */
    synchronized double userRate() {
      return userRate;
    }

    /** Returns whether repairs hold back at present. */
    synchronized boolean isYielding() {
      return present && percent < Pressure.URGENT && linkBytesPerSecond > 0
          && !isRateWrong();
    }

    /** Returns whether the link carries clearly more than the settings say. */
    synchronized boolean isRateWrong() {
      return linkBytesPerSecond > 0 && bestRate() > WRONG * linkBytesPerSecond;
    }

    /** Returns the best rate that the link is known to have had, bytes/s. */
    synchronized double bestRate() {
      return Math.max(best, bestOfLastPeriod);
    }

    /** Notes whether a user moves bytes in this direction at this moment. Holds until the next. */
    synchronized void usersMove(boolean atThisMoment) {
      moving = atThisMoment;
    }

    /** Returns the rate that all repairs of this node may have together, bytes/s. */
    synchronized double repairRate() {
      if (!isYielding()) {
        return Double.POSITIVE_INFINITY;
      }
      double part = percent / 100.0;
      return Math.max(LEAST * linkBytesPerSecond,
          (moving ? part : Math.max(part, BETWEEN)) * (linkBytesPerSecond - userRate));
    }

    /**
     * Says when repairs may send their next bytes. The rate may change while they wait, so that a
     * caller asks again after some milliseconds.
     *
     * @return nanoseconds to wait at this rate; 0 for no wait
     */
    synchronized long waitNanos() {
      long now = nanoClock.getAsLong();
      double rate = repairRate();
      double seconds = (now - owedAtNanos) / NANOS_PER_SECOND;
      owedAtNanos = now;
      if (Double.isInfinite(rate)) {
        owedBytes = 0;
        return 0;
      }
      owedBytes = Math.max(owedBytes - rate * seconds, -rate * CREDIT_NANOS / NANOS_PER_SECOND);
      // No slice waits longer than this, so that slices may have gone before their time. What is
      // owed for them must not hold others back for good.
      owedBytes = Math.min(owedBytes, rate * WAIT_NANOS_MOST / NANOS_PER_SECOND);
      return owedBytes <= 0 ? 0 : (long) Math.ceil(owedBytes / rate * NANOS_PER_SECOND);
    }

    /** Notes that repairs move bytes now. */
    synchronized void moves(long bytes) {
      owedBytes += bytes;
    }

    /**
     * Returns how many bytes of each connection may wait in its socket.
     *
     * @param connections the number of connections over which repairs send
     * @return bytes; 0 if there is no bound at present
     */
    synchronized int socketBytes(int connections) {
      if (!isYielding()) {
        return 0;
      }
      double all = (double) linkBytesPerSecond * QUEUE_NANOS / NANOS_PER_SECOND * percent
          / Pressure.GENTLE;
      return (int) Math.max(SOCKET_BYTES_LEAST,
          Math.min(Integer.MAX_VALUE, all / Math.max(1, connections)));
    }
  }
}
