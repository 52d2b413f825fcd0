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
package org.hdfsppr.datanode.update;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.wire.ChannelInput;

/**
 * One request of a leader to a follower. {@link #send} and {@link #answer} are separate, so that a
 * leader sends to all followers before it waits for any of them. A request that a follower gets
 * twice has the same effect as one. So a call may send it again: once if the connection fails or
 * the follower does not know the ticket that the request names, and repeatedly, until the call's
 * time is up, while the follower is too busy. Used by one thread.
 */
final class FollowerCall implements Closeable {
  /** Connections, timer and limits that all calls of a node share. Thread-safe. */
  static final class Ways {
    private final TransferConnector connector;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanoClock;
    final int timeoutMs;
    /**
     * One permit for each part of a unit's history that this node has in memory to send it. Threads
     * get permits in the order in which they ask.
     */
    private final Semaphore copies = new Semaphore(COPIES_MOST, true);
    /** How much room the logs of followers have for new updates, as far as this node knows. */
    final FollowerRooms rooms;

    /**
     * @param connector connects to followers
     * @param timer closes the connections of calls that take too long
     * @param nanoClock a monotonic clock, ns
     * @param timeoutMs how long a call may take, with all its tries, ms
     */
    Ways(TransferConnector connector, ScheduledExecutorService timer, LongSupplier nanoClock,
        int timeoutMs) {
      this.connector = connector;
      this.timer = timer;
      this.nanoClock = nanoClock;
      this.timeoutMs = timeoutMs;
      this.rooms = new FollowerRooms(nanoClock);
    }

    /**
     * Waits for a permit to have a part of a unit's history in memory; returns false if none is
     * free within the time of a call. The caller gives the permit back by {@link #copyEnds}.
     */
    boolean copyBegins() throws InterruptedIOException {
      try {
        return copies.tryAcquire(timeoutMs, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while a history was copied");
      }
    }

    void copyEnds() {
      copies.release();
    }
  }

  /**
   * How many parts of units' histories a node sends to followers at the same time at most. The data
   * of this many parts, 16 MiB, are not counted in any client's share of the memory.
   */
  private static final int COPIES_MOST = 4;
  /** The first pause before a call asks a busy follower again, ms. */
  private static final long PAUSE_MS_LEAST = 20;
  /**
   * The longest pause before a call asks a busy follower again, ms. Each pause is twice as long as
   * the one before, because each new try costs the busy follower a connection and a handshake.
   */
  private static final long PAUSE_MS_MOST = 320;

  private final Ways ways;
  private final NodeRef follower;
  private final ReplicateRequest request;
  private final byte[] data;
  private final long untilNanos;
  /** The open connection, or null. */
  private TransferConnection connection;
  /**
   * The tickets that this node has already sent on the connection, which need not be sent again;
   * null before the request is sent.
   */
  private ShownTickets shown;
  private ScheduledFuture<?> deadline;
  /** The failure to connect or to send; null if the whole request was sent. */
  private IOException failure;

  private FollowerCall(Ways ways, NodeRef follower, ReplicateRequest request, byte[] data) {
    this.ways = ways;
    this.follower = follower;
    this.request = request;
    this.data = data;
    this.untilNanos = ways.nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(ways.timeoutMs);
  }

  /**
   * Sends a request. If that fails, {@link #answer} says so.
   *
   * @param data the data of the request's updates
   */
  static FollowerCall send(Ways ways, NodeRef follower, ReplicateRequest request, byte[] data) {
    FollowerCall call = new FollowerCall(ways, follower, request, data);
    call.send(false);
    return call;
  }

  private void send(boolean anew) {
    boolean connected = false;
    failure = null;
    try {
      long leftMs = leftMs();
      if (leftMs <= 0) {
        throw new SocketTimeoutException("No answer within " + ways.timeoutMs + " ms");
      }
      SignedTicket signed = request.signed();
      connection = anew
          ? ways.connector.connectAnew(follower, signed.ticket.block.toExtendedBlock(),
              signed.token)
          : ways.connector.connect(follower, signed.ticket.block.toExtendedBlock(),
              signed.token);
      // The timeout of reads begins anew with each byte. So a timer closes the connection of a
      // follower that sends its answer too slowly.
      deadline = ways.timer.schedule(connection::abort, leftMs, TimeUnit.MILLISECONDS);
      connection.setTimeout((int) leftMs);
      connected = true;
      shown = connection.memory(ShownTickets.class, ShownTickets::new);
      UpdateFraming.write(connection.out(), request, data, shown);
    } catch (IOException e) {
      failure = e;
    } catch (RejectedExecutionException e) {
      failure = new IOException("This DataNode stops", e);
    } finally {
      // If only the sending failed, the follower may have refused the data and sent the reason. The
      // connection stays open, so that this reason can be read.
      if (!connected) {
        drop();
      }
    }
  }

  private long leftMs() {
    return TimeUnit.NANOSECONDS.toMillis(untilNanos - ways.nanoClock.getAsLong());
  }

  /**
   * Waits for the follower's answer. If the follower has not carried out the request, the answer
   * names the follower.
   */
  UpdateAnswer answer() {
    boolean again = false;
    long pauseMs = PAUSE_MS_LEAST;
    while (true) {
      try {
        UpdateAnswer answer = receive();
        if (answer.status != UpdateStatus.OVERLOADED || leftMs() <= pauseMs) {
          return answer.isDone() ? answer : named(answer.status, answer.message,
              answer.position);
        }
        TimeUnit.MILLISECONDS.sleep(pauseMs);
        pauseMs = Math.min(PAUSE_MS_MOST, 2 * pauseMs);
      } catch (IOException e) {
        if (again || e instanceof SocketTimeoutException || leftMs() <= 0) {
          return named(UpdateStatus.TERM_OVER, "no answer: " + e, LogPosition.NOTHING);
        }
        again = true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return named(UpdateStatus.TERM_OVER, "interrupted", LogPosition.NOTHING);
      }
      send(true);
    }
  }

  private UpdateAnswer receive() throws IOException {
    if (connection == null) {
      throw failure;
    }
    boolean keeps = false;
    try {
      ChannelInput in = new ChannelInput(connection.in());
      UpdateAnswer answer = UpdateFraming.readAnswer(in, request, shown);
      ways.rooms.note(request.ticket().poolId(), follower, answer);
      keeps = answer.isDone() && failure == null && in.isDrained();
      return answer;
    } finally {
      if (keeps) {
        deadline.cancel(false);
        connection.keep();
        connection = null;
      } else {
        drop();
      }
    }
  }

  private UpdateAnswer named(UpdateStatus status, String message, LogPosition position) {
    return UpdateAnswer.refused(status, message, follower, position);
  }

  /** Closes the connection, even if no answer has come. */
  @Override
  public void close() {
    drop();
  }

  private void drop() {
    if (deadline != null) {
      deadline.cancel(false);
    }
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
