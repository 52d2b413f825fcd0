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
 * Makes the repairs that this DataNode helps with yield to its users. A timer samples how many
 * bytes users and repairs move over the node's link. One {@link LinkShare} for each direction
 * decides how many bytes per second repairs may move, and the threads of repairs wait in {@link
 * #await} until they may send. What the network interface has carried, without the bytes of
 * repairs, counts as the users'. Sockets over which repairs send hold at most {@link
 * LinkShare#socketBytes} unsent bytes each. This node decides within milliseconds and asks no other
 * node. Its parents and children in the trees of repairs only see that it moves fewer bytes.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class RepairThrottler implements SharedLink {
  private static final Logger LOG = LoggerFactory.getLogger(RepairThrottler.class);
  /**
   * A waiting thread asks for the allowed rate again after at most this time, ns. The rate changes
   * when users begin or cease to move bytes.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  /**
   * The size of a socket's send buffer when repairs do not hold back, bytes. It is more than
   * systems allow, so that a system sets its maximum. Linux then no longer adapts the size by
   * itself. That does little harm, because each attempt at a repair opens new sockets.
   */
  private static final int UNBOUNDED = 16 << 20;
  /**
   * While the counters of the network interface are not found, the timer searches for them at one
   * in this many samples.
   */
  private static final int FIND_EVERY_TICKS = 50;
  /**
   * The sockets get a new bound only if it is larger or smaller than the old one by this factor,
   * because each change needs a system call for each socket.
   */
  private static final double WORTH_A_CALL = 1.25;
  /**
   * How many bytes a link carries for a byte of a repair. Frames of 1,500 bytes have headers of 66
   * bytes for TCP, IP and Ethernet, less than a twentieth.
   */
  private static final double WITH_HEADERS = 1.05;
  /**
   * If this version of Hadoop does not count connections, users count as present when traffic other
   * than repairs takes more than this part of the link.
   */
  private static final double SEEN = 0.1;
  /**
   * How many bytes of acknowledgements a link carries in the other direction for a byte of a
   * repair: 66 bytes for each frame or for two frames.
   */
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
  private final RepairsFirst.Sleeper sleeper;
  private final RepairsFirst repairsFirst;
  /** The number of readers whose requests hdfs-ppr itself serves at the moment. */
  private final AtomicInteger readers = new AtomicInteger();
  /**
   * Only the thread that holds this lock waits for the rate. The other threads wait for the lock,
   * in the order in which they came.
   */
  private final ReentrantLock turn = new ReentrantLock(true);
  /**
   * The connections to parents over which this node sends for repairs that yield; one for each
   * request that it serves.
   */
  private final Set<PeerConnection> connections =
      Collections.newSetFromMap(new ConcurrentHashMap<>());
  /**
   * The last settings that NameNodes sent, by nameservice; operators configure few nameservices.
   */
  private final Map<String, Wish> wishes = new ConcurrentHashMap<>();
  /** The settings of this node. They hold until a NameNode sends its own. */
  private final Wish own;
  private final Supplier<InterfaceBytes> finder;
  /**
   * The counters of the network interface; null while the interface is not found. Used by the
   * timer.
   */
  private InterfaceBytes bytes;
  private int ticks;
  /**
   * The greatest sum so far of the bytes that users have read and written, by stock's counters.
   * Used by the timer.
   */
  private long stocks;
  private volatile int socketBytes;
  /**
   * Whether the configured rate of the link was wrong at the last sample; a line in the log says
   * so. Used by the timer.
   */
  private boolean saidWrong;

  /**
   * Makes an instance that holds no repair back until {@link #begin}.
   *
   * @param users counts the bytes of users; a counter that this version of Hadoop lacks counts as 0
   * @param repairs counts the bytes of repairs
   * @param pressure the percentage that repairs may take of what users leave free of the link; see
   *     {@link Pressure}
   * @param linkRate how much this node's link carries in each direction, bytes/s; 0 if it is not
   *     known, and repairs then do not yield
   * @param address returns the IP address at which other nodes reach this one; null while this node
   *     has not learned it from its NameNode
   */
  public RepairThrottler(UserBytes users, RepairTraffic repairs, int pressure, long linkRate,
      Supplier<String> address) {
    this(users, repairs, pressure, linkRate, () -> InterfaceBytes.of(address.get()).orElse(null),
        System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  /**
   * @param finder returns the counters of the network interface; null if the system has none, or
   *     not yet. Until then, the bytes in stock's counters count as the users'
   * @param nanoClock a monotonic clock, ns
   * @param sleeper lets a thread wait
   */
  RepairThrottler(UserBytes users, RepairTraffic repairs, int pressure, long linkRate,
      Supplier<InterfaceBytes> finder, LongSupplier nanoClock, RepairsFirst.Sleeper sleeper) {
    this.userRead = users.read == null ? () -> 0 : users.read;
    this.userWritten = users.written == null ? () -> 0 : users.written;
    this.clients = users.connections;
    this.threads = users.threads;
    this.repairs = repairs;
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.repairsFirst = new RepairsFirst(nanoClock, sleeper);
    this.up = new LinkShare(nanoClock);
    this.down = new LinkShare(nanoClock);
    this.finder = finder;
    this.own = new Wish(pressure, linkRate);
    up.set(pressure, linkRate);
    down.set(pressure, linkRate);
  }

  /** The pressure of repairs (percent) and the rate of the link (bytes/s) that settings ask for. */
  private static final class Wish {
    private final int pressure;
    private final long linkRate;

    Wish(int pressure, long linkRate) {
      this.pressure = pressure;
      this.linkRate = linkRate;
    }
  }

  /**
   * Begins to sample.
   *
   * @param timer takes the samples, which need microseconds; the caller shuts it down
   * @param services has an entry that shows whether samples are still taken
   */
  public void begin(ScheduledExecutorService timer, Services services) {
    // The steps catch exceptions. After an exception, the timer would never take a sample again,
    // and repairs would keep their last rate.
    ServiceSteps steps = services.open("ppr-users-first", e -> peerLog.warn(
        e.getClass().getName(), "What users do could not be sampled", e));
    timer.scheduleWithFixedDelay(steps.guarded(this::tick), LinkShare.TICK_MS, LinkShare.TICK_MS,
        TimeUnit.MILLISECONDS);
  }

  /**
   * Sets the pressure of repairs and the rate of the link, from now on. Several nameservices share
   * this node's link. If they send different values, the lowest pressure and the lowest link rate
   * count. If none sends a link rate, the rate in this node's own settings counts.
   *
   * @param nameservice the nameservice that has sent the values
   * @param pressure the percentage that repairs may take of what users leave free of the link; see
   *     {@link Pressure}
   * @param linkRate how much this node's link carries in each direction, bytes/s; 0 if the
   *     nameservice does not know it
   */
  public synchronized void press(String nameservice, int pressure, long linkRate) {
    Wish before = wishes.put(nameservice, new Wish(pressure, linkRate));
    if (before != null && before.pressure == pressure && before.linkRate == linkRate) {
      // Nearly every answer to a heartbeat repeats the same values.
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

  /**
   * Returns how many bytes the link has carried in one direction, without those of repairs and
   * their acknowledgements.
   */
  private static long others(long carried, long ofRepairs, long ofRepairsTheOtherWay) {
    return carried - (long) (WITH_HEADERS * ofRepairs)
        - (long) (ACKNOWLEDGEMENTS * ofRepairsTheOtherWay);
  }

  /** Reads the counters of the network interface; returns false if there are none. */
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
      // The samples now come from other counters. A difference between old and new ones would say
      // nothing.
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
   * If this version of Hadoop does not count connections, returns whether traffic other than
   * repairs is so large that it must be users'. Small values say nothing: repairs' bytes that are
   * counted but still wait in sockets make the result wrong by some percent.
   */
  private boolean isSeen() {
    return clients == null && bytes != null
        && Math.max(up.userRate(), down.userRate()) > SEEN * up.linkBytesPerSecond();
  }

  /**
   * Logs a line when the link turns out to be faster than its configured rate. That happens rarely,
   * because the best rates are remembered for half an hour.
   */
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
      // The connection is about to end, or the system refuses the bound. Without the bound, users
      // only wait longer behind this socket's bytes.
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
      // Something has interrupted the repair's thread to end it. The repair's next step sees the
      // interrupt.
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
    // A version of Hadoop that names its threads differently has connections, but no thread with a
    // known name. Users then count as moving bytes.
    boolean unknown = threads.serving() == 0 && isServed();
    boolean reader = readers.get() > 0;
    up.usersMove(unknown || reader || threads.isSending());
    down.usersMove(unknown || reader || threads.isReceiving());
  }

  @Override
  public void repairMoves() {
    repairsFirst.repairMoves();
  }

  @Override
  public void awaitRepairs(long nanosMost) {
    repairsFirst.await(nanosMost);
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
      // The timer may have lifted the bound of all connections between the two steps above. It
      // would then stay set on this connection.
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
   *   rest = rate of the link - rate of users (mean of the last second)
   *
   *   no user is present, or the rate of the link is not known: all
   *   the link carries clearly more than the settings say:      all
   *   a user moves bytes in this direction at this moment:      pressure * rest
   *   users are present, but none moves bytes at this moment:   BETWEEN * rest
   *   in the last two cases never less than LEAST * rate of the link
   * </pre>
   *
   * The decision looks at the present moment and not only at rates, because a single read is over
   * before a rate shows it. Users may be present for hours and read only a small part of that time.
   * In the gaps between their reads, repairs take the part BETWEEN. Thread-safe.
   */
  static final class LinkShare {
    /** The time between two samples, ms. */
    static final long TICK_MS = 100;
    /**
     * The longest wait before one slice is sent, ns. After it the slice is sent although users are
     * busy. The wait is far shorter than the time after which a silent helper counts as dead.
     */
    static final long WAIT_NANOS_MOST = TimeUnit.SECONDS.toNanos(1);
    /** The time over which the rate of users is measured, ns. */
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Users count as present for this time after the last sample in which one was present, ns. */
    static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(5);
    /**
     * Repairs always have at least this part of the link, even if users could fill it for days. The
     * NameNode's time limit for a repair is at least five times the time on idle links. With a
     * fifth of the link, a repair ends within that limit.
     */
    static final double LEAST = 0.2;
    /**
     * The part of the rest that repairs have while no user moves bytes. With all of the rest, bytes
     * of repairs would pile up in sockets and queues, and the next user would wait behind them:
     * some 4 % of a link's rate goes to headers.
     */
    static final double BETWEEN = 0.9;
    /**
     * If the link has carried more than this many times the configured rate, that rate is wrong,
     * and it is unknown how much of the link users leave. Repairs then do not yield. Otherwise a
     * setting of 1 Gbit/s could limit repairs on a link of 10 Gbit/s to a fifth of 1 Gbit/s.
     */
    static final double WRONG = 1.25;
    /**
     * After a pause, repairs may send at once what they could have sent in this time, ns. Anything
     * more that they did not send is lost to them, so that they send no long bursts.
     */
    static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /**
     * With the pressure {@code gentle}, a user's packet waits about this long, ns, behind bytes of
     * repairs that are in sockets. A disk's seek takes longer.
     */
    static final long QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
    /** A socket may always hold at least this many unsent bytes, a few packets. */
    static final int SOCKET_BYTES_LEAST = 16 << 10;
    /**
     * The time over which the rate that the link carries is measured, ns. It is long, because a
     * busy machine may read the counters some hundred milliseconds late.
     */
    static final long LEARN_NANOS = TimeUnit.SECONDS.toNanos(5);
    /**
     * The best rate that the link has carried is remembered for at least this time, ns, and at most
     * twice as long.
     */
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
    /**
     * Whether a user moves bytes in this direction at this moment; true while that is not known.
     */
    private boolean moving = true;
    /**
     * How many bytes repairs have moved beyond what the allowed rate gave them so far. Negative if
     * they may move this many bytes at once.
     */
    private double owedBytes;
    private long owedAtNanos;

    /** @param nanoClock a monotonic clock, ns */
    LinkShare(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
      this.owedAtNanos = nanoClock.getAsLong();
    }

    /**
     * Sets the pressure and the rate of the link for all later decisions.
     *
     * @param pressure the percentage that repairs may take of what users leave free of the link;
     *     see {@link Pressure}
     * @param linkRate how much the link carries in each direction, bytes/s; 0 if it is not known.
     *     Repairs then do not yield. This class does not guess the rate from the best rate so far:
     *     the link may have been idle in part then, and repairs that kept to a part of the guess
     *     would never show that the link carries more
     */
    synchronized void set(int pressure, long linkRate) {
      percent = pressure;
      linkBytesPerSecond = linkRate;
    }

    /**
     * Takes a sample.
     *
     * @param userBytes how many bytes users have moved so far, in this direction; may fall for a
     *     moment, because it may be a difference of two counters
     * @param carriedBytes how many bytes the link has carried so far, in this direction; those of
     *     repairs only, if the system has no counters of the network interface
     * @param isPresent whether a user is present, even if it is idle
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

    /** Forgets all samples, because the next samples come from other counters. */
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

    /** Returns the configured rate of the link, bytes/s; 0 if the settings have none. */
    synchronized long linkBytesPerSecond() {
      return linkBytesPerSecond;
    }

    /** Returns the rate of users in the last second, bytes/s. */
    synchronized double userRate() {
      return userRate;
    }

    /** Returns whether repairs hold back at present. */
    synchronized boolean isYielding() {
      return present && percent < Pressure.URGENT && linkBytesPerSecond > 0
          && !isRateWrong();
    }

    /** Returns whether the link has lately carried clearly more than its configured rate. */
    synchronized boolean isRateWrong() {
      return linkBytesPerSecond > 0 && bestRate() > WRONG * linkBytesPerSecond;
    }

    /** Returns the best rate that the link has carried and that is still remembered, bytes/s. */
    synchronized double bestRate() {
      return Math.max(best, bestOfLastPeriod);
    }

    /**
     * Notes whether a user moves bytes in this direction at this moment. The note holds until the
     * next call.
     */
    synchronized void usersMove(boolean atThisMoment) {
      moving = atThisMoment;
    }

    /**
     * Returns the rate that all repairs of this node may have together in this direction, bytes/s;
     * infinite if they do not yield.
     */
    synchronized double repairRate() {
      if (!isYielding()) {
        return Double.POSITIVE_INFINITY;
      }
      double part = percent / 100.0;
      return Math.max(LEAST * linkBytesPerSecond,
          (moving ? part : Math.max(part, BETWEEN)) * (linkBytesPerSecond - userRate));
    }

    /**
     * Returns how long a repair has to wait before its next bytes. The allowed rate may change in
     * the meantime, so a caller asks again every few milliseconds.
     *
     * @return the wait at the present rate, ns; 0 if the repair may send now
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
      // A slice is sent after the longest wait even if the rate does not allow it yet. The debt of
      // such slices is bounded, because it would otherwise grow, and all later slices would wait.
      owedBytes = Math.min(owedBytes, rate * WAIT_NANOS_MOST / NANOS_PER_SECOND);
      return owedBytes <= 0 ? 0 : (long) Math.ceil(owedBytes / rate * NANOS_PER_SECOND);
    }

    /** Notes that repairs move this many bytes in this direction now. */
    synchronized void moves(long bytes) {
      owedBytes += bytes;
    }

    /**
     * Returns how many unsent bytes the socket of each connection may hold.
     *
     * @param connections the number of connections over which repairs send
     * @return bytes; 0 if sockets have no bound at present
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
