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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.stream.PeerConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the repairs that this DataNode helps with yield to its users. A timer samples what users
 * and repairs move over the node's link, one {@link LinkShare} for each direction decides, and the
 * threads of repairs wait here before they send. The sockets of repairs get as few bytes as {@link
 * LinkShare#socketBytes} says. The node decides for itself, within milliseconds, and asks no other
 * node: the repairs' parents and children only see that it is held back. Thread-safe.
 */
@InterfaceAudience.Private
public final class UsersFirst implements SharedLink {
  private static final Logger LOG = LoggerFactory.getLogger(UsersFirst.class);
  /** The time between two looks at whether a user is being served, ns. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  /** More than systems grant a socket, bytes: they then grant what they allow at most. */
  private static final int UNBOUNDED = 16 << 20;
  /** A bound that is this much larger or smaller is worth a system call for each socket. */
  private static final double WORTH_A_CALL = 1.25;

  private final LinkShare up;
  private final LinkShare down;
  private final LongSupplier userRead;
  private final LongSupplier userWritten;
  private final IntSupplier reading;
  private final IntSupplier writing;
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
  /** How much repairs are to press, by nameservice; operators configure few nameservices. */
  private final Map<String, Integer> wishes = new ConcurrentHashMap<>();
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
   */
  public UsersFirst(UserBytes users, RepairTraffic repairs, int pressure, long linkRate) {
    this(users, repairs, pressure, linkRate, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  /**
   * @param nanoClock a monotonic clock, ns
   * @param sleeper lets a thread wait
   */
  UsersFirst(UserBytes users, RepairTraffic repairs, int pressure, long linkRate,
      LongSupplier nanoClock, Sleeper sleeper) {
    this.userRead = users.read() == null ? () -> 0 : users.read();
    this.userWritten = users.written() == null ? () -> 0 : users.written();
    this.reading = users.reading();
    this.writing = users.writing();
    this.repairs = repairs;
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.up = new LinkShare(nanoClock);
    this.down = new LinkShare(nanoClock);
    up.set(pressure, linkRate);
    down.set(pressure, linkRate);
  }

  /** Lets a thread wait for a number of nanoseconds. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  /**
   * Begins to sample.
   *
   * @param timer runs the samples, which take microseconds; the caller shuts it down
   */
  public void begin(ScheduledExecutorService timer) {
    timer.scheduleWithFixedDelay(this::tick, LinkShare.TICK_MS, LinkShare.TICK_MS,
        TimeUnit.MILLISECONDS);
  }

  /**
   * Sets how much repairs press, from now on. If the node serves several nameservices, the gentlest
   * of their wishes counts, because they share the link.
   *
   * @param nameservice the nameservice that wishes it
   * @param pressure percent, see {@link Pressure}
   * @param linkRate what this node's link carries each way, bytes/s; 0 if it is not known
   */
  public void press(String nameservice, int pressure, long linkRate) {
    Integer before = wishes.put(nameservice, pressure);
    int gentlest = Collections.min(wishes.values());
    up.set(gentlest, linkRate);
    down.set(gentlest, linkRate);
    if (before == null || before != pressure) {
      LOG.info("Repairs of {} press {} where users of this DataNode are busy", nameservice,
          Pressure.name(pressure));
    }
  }

  void tick() {
    try {
      up.sample(userRead.getAsLong(), repairs.bytesSent());
      down.sample(userWritten.getAsLong(), repairs.bytesReceived());
      bound();
      sayIfRateIsWrong();
    } catch (RuntimeException e) {
      // A timer that saw an exception would never tick again, and repairs would keep the last rate.
      LOG.warn("What users do could not be sampled", e);
    }
  }

  /** Logs a change; the best rates are kept for half an hour, so that changes are rare. */
  private void sayIfRateIsWrong() {
    boolean wrong = up.isRateWrong() || down.isRateWrong();
    if (wrong && !saidWrong) {
      LOG.warn("Users and repairs have moved more over this node's link than"
          + " dfs.namenode.ppr.link.bytes.per-second says, {} bytes/s: repairs do not yield to"
          + " users. Set it to the rate of the links", up.linkBytesPerSecond());
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
  public void await(long bytes) {
    if (!up.isYielding() && !down.isYielding()) {
      return;
    }
    long began = nanoClock.getAsLong();
    boolean hasTurn = false;
    try {
      hasTurn = turn.tryLock(LinkShare.WAIT_NANOS_MOST, TimeUnit.NANOSECONDS);
      long wait = waitNanos();
      while (hasTurn && wait > 0 && nanoClock.getAsLong() - began < LinkShare.WAIT_NANOS_MOST) {
        sleeper.sleep(Math.min(wait, LOOK_NANOS));
        wait = waitNanos();
      }
    } catch (InterruptedException e) {
      // The repair is about to end. Its next step sees the interrupt.
      Thread.currentThread().interrupt();
    } finally {
      up.sends(bytes);
      down.sends(bytes);
      if (hasTurn) {
        turn.unlock();
      }
    }
  }

  private long waitNanos() {
    return Math.max(up.waitNanos(served(reading, readers.get())),
        down.waitNanos(served(writing, 0)));
  }

  private static LinkShare.Served served(IntSupplier stocks, int own) {
    if (own > 0) {
      return LinkShare.Served.SOME;
    }
    return stocks == null ? LinkShare.Served.UNKNOWN
        : stocks.getAsInt() > 0 ? LinkShare.Served.SOME : LinkShare.Served.NONE;
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
    if (socketBytes != 0) {
      bound(connection, socketBytes);
    }
  }

  @Override
  public void remove(PeerConnection connection) {
    connections.remove(connection);
  }
}
