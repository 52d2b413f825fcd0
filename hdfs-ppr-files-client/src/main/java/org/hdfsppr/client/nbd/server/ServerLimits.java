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
 * The most connections, requests and bytes of a server, and how long it waits for clients.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ServerLimits {
  /** Clients open a few connections each, 16 at most by default. */
  private static final int CONNECTIONS = 64;
  /**
   * Connections in the handshake: fewer, because these clients have not shown a certificate yet.
   */
  private static final int HANDSHAKES = 16;
  /** The most requests that the device works on: twice those of one connection. */
  private static final int THREADS = 64;
  /**
   * The most requests of one connection that the device works on: the usual queue depth of clients.
   */
  private static final int RUNNING = 32;
  /** The most requests of one connection that wait, run, or have a reply to be sent. */
  private static final int REQUESTS = 128;
  /** The bytes in flight that each connection has of its own. */
  private static final int OWN_BYTES = 1 << 20;
  /** The most bytes in flight of one connection beyond its own. */
  private static final int SHARE_BYTES = 64 << 20;
  /**
   * The divisor of the shared bytes: one connection may have this part, if it is less than
   * {@link #SHARE_BYTES}.
   */
  private static final int SHARE_PART = 4;
  /** The most bytes in flight that connections share. */
  private static final long SHARED_MOST = 192L << 20;
  /**
   * The divisor of the heap: connections share this part, if it is less than {@link #SHARED_MOST}.
   */
  private static final int HEAP_PART = 4;

  private static final long HANDSHAKE_MS = 30_000;
  /** The time for a request that has begun to come; the longest one then needs 0.5 MiB/s. */
  private static final long REQUEST_MS = 60_000;
  private static final long REPLY_MS = 60_000;
  /** How long requests in flight have to end when the server stops. */
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
   * Returns the limits of a process.
   *
   * @param heapBytes the most heap that it may have
   * @return the limits
   */
  public static ServerLimits of(long heapBytes) {
    // The longest request has to fit in.
    long shared = Math.max(NbdExport.REQUEST_BYTES_MOST,
        Math.min(SHARED_MOST, heapBytes / HEAP_PART));
    return new ServerLimits(CONNECTIONS, shared, HANDSHAKE_MS, REQUEST_MS, REPLY_MS, STOP_MS);
  }

  /**
   * Returns the same limits with other times.
   *
   * @param handshake for the whole handshake, milliseconds
   * @param request for a request that has begun to come, milliseconds
   * @param reply for a reply, milliseconds
   * @param stop for requests in flight when the server stops, milliseconds
   * @return the limits
   */
  ServerLimits withTimes(long handshake, long request, long reply, long stop) {
    return new ServerLimits(connections, sharedBytes, handshake, request, reply, stop);
  }

  /** Returns the same limits with this number of connections and of bytes that they share. */
  ServerLimits with(int otherConnections, long otherBytes) {
    return new ServerLimits(otherConnections, otherBytes, handshakeMs, requestMs, replyMs, stopMs);
  }

  int handshakes() {
    return Math.min(HANDSHAKES, connections);
  }

  /** @return requests that a device works on at the same time */
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
    // The longest request has to fit in.
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
