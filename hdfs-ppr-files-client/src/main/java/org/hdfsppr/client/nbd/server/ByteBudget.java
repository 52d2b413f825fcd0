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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Bounds how many bytes of requests a server has in memory. Each connection has some bytes of its
 * own, so that its short requests never wait for other clients. Requests that do not fit into these
 * take bytes that all connections share, in the order in which they came; one connection gets only
 * a part of the shared bytes. Thread-safe.
 */
final class ByteBudget {
  private final int ownBytes;
  private final int shareBytes;
  private final int requestsMost;
  private final LongSupplier nanoClock;
  /**
   * The connections with a request that waits for shared bytes, in the order in which these came.
   * Guarded by this, like all fields that change.
   */
  private final Deque<Share> waiting = new ArrayDeque<>();
  private long free;

  /**
   * @param sharedBytes how many bytes all connections share
   * @param ownBytes how many bytes each connection has for itself
   * @param shareBytes how many of the shared bytes one connection may have at most
   * @param requestsMost how many requests of one connection may have room at the same time
   * @param nanoClock a monotonic clock, ns
   */
  ByteBudget(long sharedBytes, int ownBytes, int shareBytes, int requestsMost,
      LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.free = sharedBytes;
    this.ownBytes = ownBytes;
    this.shareBytes = shareBytes;
    this.requestsMost = requestsMost;
  }

  Share share() {
    return new Share();
  }

  synchronized long free() {
    return free;
  }

  /**
   * Returns how long the request that came first has waited for shared bytes, ns; 0 if none waits.
   */
  synchronized long waitNanos() {
    return waiting.isEmpty() ? 0 : nanoClock.getAsLong() - waiting.peek().waitingSince;
  }

  /**
   * The room for the requests of one connection. One thread takes room, and any thread may give it
   * back.
   */
  final class Share {
    private int own = ownBytes;
    private int common = shareBytes;
    private int requests;
    /** How many requests under way the server has promised to carry out before it ends. */
    private int accepted;
    private boolean isStopping;
    private boolean isClosed;
    /** Since when the connection's request waits for shared bytes; valid only while it waits. */
    private long waitingSince;

    private Share() {
    }

    /**
     * Waits for room for a request.
     *
     * @param bytes how many bytes of data the request has; 0 if it has none
     * @return the room, which the caller has to close; null if this share is closed
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Grant take(int bytes) throws InterruptedException {
      synchronized (ByteBudget.this) {
        boolean isInLine = false;
        try {
          while (!isClosed) {
            if (requests < requestsMost && bytes <= own) {
              own -= bytes;
              requests++;
              return new Grant(this, bytes, true);
            }
            boolean mayShare = requests < requestsMost && bytes <= common;
            if (mayShare && !isInLine) {
              isInLine = true;
              waitingSince = nanoClock.getAsLong();
              waiting.add(this);
            }
            if (mayShare && waiting.peek() == this && bytes <= free) {
              free -= bytes;
              common -= bytes;
              requests++;
              return new Grant(this, bytes, false);
            }
            ByteBudget.this.wait();
          }
          return null;
        } finally {
          if (isInLine) {
            waiting.remove(this);
            ByteBudget.this.notifyAll();
          }
        }
      }
    }

    /** Waits until all requests of the connection have given back their room. */
    void awaitNone() throws InterruptedException {
      synchronized (ByteBudget.this) {
        while (requests > 0) {
          ByteBudget.this.wait();
        }
      }
    }

    boolean isNone() {
      synchronized (ByteBudget.this) {
        return requests == 0;
      }
    }

    /** Returns how many of the shared bytes the connection has at present. */
    int held() {
      synchronized (ByteBudget.this) {
        return shareBytes - common;
      }
    }

    /** From now on, {@link Grant#accept} refuses requests of this connection. */
    void stop() {
      synchronized (ByteBudget.this) {
        isStopping = true;
      }
    }

    /** Returns whether all requests that were accepted have given back their room. */
    boolean isIdle() {
      synchronized (ByteBudget.this) {
        return accepted == 0;
      }
    }

    /** Closes this share. A thread that waits for room gets none. */
    void close() {
      synchronized (ByteBudget.this) {
        isClosed = true;
        ByteBudget.this.notifyAll();
      }
    }
  }

  /** The room of one request. */
  final class Grant implements AutoCloseable {
    private final Share share;
    private final int bytes;
    private final boolean isOwn;
    private boolean isAccepted;
    private boolean isGivenBack;

    private Grant(Share share, int bytes, boolean isOwn) {
      this.share = share;
      this.bytes = bytes;
      this.isOwn = isOwn;
    }

    /**
     * Promises that the server carries out this request before it ends. Returns false, without a
     * promise, if the server is about to end already.
     */
    boolean accept() {
      synchronized (ByteBudget.this) {
        if (share.isStopping) {
          return false;
        }
        isAccepted = true;
        share.accepted++;
        return true;
      }
    }

    /** Gives the room back; a second call changes nothing. */
    @Override
    public void close() {
      synchronized (ByteBudget.this) {
        if (isGivenBack) {
          return;
        }
        isGivenBack = true;
        share.requests--;
        if (isAccepted) {
          share.accepted--;
        }
        if (isOwn) {
          share.own += bytes;
        } else {
          share.common += bytes;
          free += bytes;
        }
        ByteBudget.this.notifyAll();
      }
    }
  }
}
