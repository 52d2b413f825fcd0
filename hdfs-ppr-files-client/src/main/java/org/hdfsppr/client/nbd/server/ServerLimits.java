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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.nbd.NbdExport;

/**
 * How many connections, requests and bytes a server has at most, and how long it waits for clients.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ServerLimits {
  /** How many connections the server has at most. A client opens a few, by default 16 at most. */
  private static final int CONNECTIONS = 64;
  /**
   * How many connections may be in the handshake at the same time: fewer, because these clients
   * have not shown a certificate yet.
   */
  private static final int HANDSHAKES = 16;
  /**
   * How many requests the device carries out at the same time at most: twice as many as those of
   * one connection.
   */
  private static final int THREADS = 64;
  /**
   * How many requests of one connection the device carries out at the same time at most: the usual
   * queue depth of clients.
   */
  private static final int RUNNING = 32;
  /**
   * How many requests of one connection wait, run, or have a reply that is not sent yet, at most.
   */
  private static final int REQUESTS = 128;
  /** How many bytes of memory for requests each connection has of its own. */
  private static final int OWN_BYTES = 1 << 20;
  /** How many of the bytes that all connections share one connection gets at most. */
  private static final int SHARE_BYTES = 64 << 20;
  /**
   * One connection gets at most the shared bytes divided by this number, if that is less than
   * {@link #SHARE_BYTES}.
   */
  private static final int SHARE_PART = 4;
  /** How many bytes of memory for requests all connections share at most. */
  private static final long SHARED_MOST = 192L << 20;
  /**
   * Connections share at most the heap divided by this number, if that is less than
   * {@link #SHARED_MOST}.
   */
  private static final int HEAP_PART = 4;

  private static final long HANDSHAKE_MS = 30_000;
  /**
   * How long a request may take to arrive after its first byte, ms. So a client with the longest
   * request needs 0.5 MiB/s.
   */
  private static final long REQUEST_MS = 60_000;
  private static final long REPLY_MS = 60_000;
  /** How long the server waits for requests under way when it stops, ms. */
  private static final long STOP_MS = 30_000;

  final int connections;
  final long sharedBytes;
  private final long handshakeMs;
  private final long requestMs;
  private final long replyMs;
  private final long stopMs;

  private ServerLimits(int connections, long sharedBytes, long handshakeMs, long requestMs,
      long replyMs, long stopMs) {
    this.connections = connections;
    this.sharedBytes = sharedBytes;
    this.handshakeMs = handshakeMs;
    this.requestMs = requestMs;
    this.replyMs = replyMs;
    this.stopMs = stopMs;
  }

  /**
   * Returns the limits for a server in a process.
   *
   * @param heapBytes how large the heap of the process may become, bytes
   * @return the limits
   */
  public static ServerLimits of(long heapBytes) {
    // The longest request needs this many bytes.
    long shared = Math.max(NbdExport.REQUEST_BYTES_MOST,
        Math.min(SHARED_MOST, heapBytes / HEAP_PART));
    return new ServerLimits(CONNECTIONS, shared, HANDSHAKE_MS, REQUEST_MS, REPLY_MS, STOP_MS);
  }

  /**
   * Returns the same limits with other times.
   *
   * @param handshake how long the whole handshake may take, ms
   * @param request how long a request may take to arrive after its first byte, ms
   * @param reply how long the client may take for a reply, ms
   * @param stop how long the server waits for requests under way when it stops, ms
   * @return the limits
   */
  ServerLimits withTimes(long handshake, long request, long reply, long stop) {
    return new ServerLimits(connections, sharedBytes, handshake, request, reply, stop);
  }

  /** Returns the same limits with another number of connections and of bytes that they share. */
  ServerLimits with(int otherConnections, long otherBytes) {
    return new ServerLimits(otherConnections, otherBytes, handshakeMs, requestMs, replyMs, stopMs);
  }

  int handshakes() {
    return Math.min(HANDSHAKES, connections);
  }

  /** @return how many requests a device carries out at the same time at most */
  public static int threads() {
    return THREADS;
  }

  int running() {
    return RUNNING;
  }

  int requests() {
    return REQUESTS;
  }

  int ownBytes() {
    return OWN_BYTES;
  }

  int shareBytes() {
    // The longest request needs this many bytes.
    return (int) Math.max(NbdExport.REQUEST_BYTES_MOST,
        Math.min(SHARE_BYTES, sharedBytes / SHARE_PART));
  }

  long handshakeNanos() {
    return TimeUnit.MILLISECONDS.toNanos(handshakeMs);
  }

  long requestNanos() {
    return TimeUnit.MILLISECONDS.toNanos(requestMs);
  }

  long replyNanos() {
    return TimeUnit.MILLISECONDS.toNanos(replyMs);
  }

  long stopNanos() {
    return TimeUnit.MILLISECONDS.toNanos(stopMs);
  }
}
