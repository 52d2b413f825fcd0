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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.Connection;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.wire.ChannelInput;

/**
 * One request of a leader to a follower. {@link #send} and {@link #answer} are apart, so that a
 * leader sends to all followers before it waits for one of them. A follower takes a request twice
 * without harm. A call is therefore sent again, once if the connection fails or does not keep the
 * ticket that the request names, and until the time is up if the follower is too busy. Used by one
 * thread.
 */
@InterfaceAudience.Private
final class FollowerCall implements Closeable {
  /** What all calls of a node have in common. Thread-safe. */
  static final class Ways {
    private final Connector connector;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanoClock;
    final int timeoutMs;
    /** The parts of histories that may still be sent, in the order in which they come. */
    private final Semaphore copies = new Semaphore(COPIES_MOST, true);
    /** What is known of the room in the logs of followers. */
    final FollowerRooms rooms;

    /**
     * @param connector connects to followers
     * @param timer ends calls whose time is up
     * @param nanoClock a monotonic clock, ns
     * @param timeoutMs the longest time of a call, ms
     */
    Ways(Connector connector, ScheduledExecutorService timer, LongSupplier nanoClock,
        int timeoutMs) {
      this.connector = connector;
      this.timer = timer;
      this.nanoClock = nanoClock;
      this.timeoutMs = timeoutMs;
      this.rooms = new FollowerRooms(nanoClock);
    }

    /**
     * Waits until a part of a history may be in memory; returns whether it may in time. The caller
     * then calls {@link #copyEnds}.
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
   * The most parts of histories that a node sends to followers at a time. No client is charged for
   * the data in memory, which are 16 MiB for this number.
   */
  private static final int COPIES_MOST = 4;
  /** How long a call waits before it asks a busy follower the second time, ms. */
  private static final long PAUSE_MS_LEAST = 20;
  /**
   * How long it waits at most, ms. Each pause is twice as long as the one before, because each
   * request needs a new connection with a handshake of a node that is busy already.
   */
  private static final long PAUSE_MS_MOST = 320;

  private final Ways ways;
  private final NodeRef follower;
  private final ReplicateRequest request;
  private final byte[] data;
  private final long untilNanos;
  /** The open connection, or null. */
  private Connection connection;
  /** What the connection has shown; null before the request is sent. */
  private ShownTickets shown;
  private ScheduledFuture<?> deadline;
  /** Why there is no connection, or why not all was sent; null if all was. */
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
      // A follower that sends a byte now and then stays within the timeout of each read.
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
      // A follower that does not take the data may have said why.
      if (!connected) {
        drop();
      }
    }
  }

  private long leftMs() {
    return TimeUnit.NANOSECONDS.toMillis(untilNanos - ways.nanoClock.getAsLong());
  }

  /** Waits for the answer. It names the follower if it is not done. */
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

  /** Ends the call, also if it was not answered. */
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
