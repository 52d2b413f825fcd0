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
 * leader sends to all followers before it waits for any of them. A follower may get a request twice
 * without harm. A call therefore sends it again: once if the connection fails or the follower does
 * not know the ticket that the request names, and until its time is up while the follower is too
 * busy. Used by one thread.
 */
final class FollowerCall implements Closeable {
  /** Connections, timer and limits that all calls of a node share. Thread-safe. */
  static final class Ways {
    private final TransferConnector connector;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanoClock;
    final int timeoutMs;
    /** Permits for parts of histories in memory, in the order of requests. */
    private final Semaphore copies = new Semaphore(COPIES_MOST, true);
    /** The room in the logs of followers, as far as this node knows it. */
    final FollowerRooms rooms;

    /**
     * @param connector connects to followers
     * @param timer ends calls that take too long
     * @param nanoClock a monotonic clock, ns
     * @param timeoutMs the longest time of a call, ms
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
     * Waits for a permit to have a part of a history in memory; returns false if none comes in
     * time. The caller gives the permit back by {@link #copyEnds}.
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
   * The most parts of histories that a node sends to followers at the same time. Their data, 16 MiB
   * for this number, are not counted in any client's share of the memory.
   */
  private static final int COPIES_MOST = 4;
  /** The first pause before a call asks a busy follower again, ms. */
  private static final long PAUSE_MS_LEAST = 20;
  /**
   * The longest pause, ms. Each pause is twice as long as the one before, because each new request
   * costs the busy node a connection and a handshake.
   */
  private static final long PAUSE_MS_MOST = 320;

  private final Ways ways;
  private final NodeRef follower;
  private final ReplicateRequest request;
  private final byte[] data;
  private final long untilNanos;
  /** The open connection, or null. */
  private TransferConnection connection;
  /** The tickets that the connection has shown; null before the request is sent. */
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
   * Sends a request. A failure shows in the {@link #answer}.
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
      // The timeout of reads does not catch a follower that sends single bytes slowly.
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
      // A follower that refuses the data may have sent the reason, so that the connection stays
      // open.
      if (!connected) {
        drop();
      }
    }
  }

  private long leftMs() {
    return TimeUnit.NANOSECONDS.toMillis(untilNanos - ways.nanoClock.getAsLong());
  }

  /** Waits for the answer. An answer other than done names the follower. */
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

  /** Ends the call, even if no answer has come. */
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
