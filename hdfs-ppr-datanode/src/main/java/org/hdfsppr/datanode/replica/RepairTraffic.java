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
package org.hdfsppr.datanode.replica;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Counts the bytes that repairs read from and write to this DataNode's replicas, and send and
 * receive over its link, so that they can be separated from the bytes that users move.
 *
 * <p>Stock's counters contain both kinds of bytes. A repair counts its bytes here first and in
 * stock's counters after that. A thread that wants the users' bytes reads stock's counters first
 * and these counters after that. The thread therefore never takes a byte of a repair for a user's,
 * in whatever order threads run. Bytes that clients read degraded are users' traffic. Stock's
 * counters lack the part of these bytes that comes from memory, so that the thread adds {@link
 * #bytesFromMemory}. Thread-safe.
 */
@InterfaceAudience.Private
public final class RepairTraffic {
  private final LongAdder read = new LongAdder();
  private final LongAdder written = new LongAdder();
  private final LongAdder fromMemory = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder toReaders = new LongAdder();
  private final LongAdder forReaders = new LongAdder();
  private final LongAdder pacedSent = new LongAdder();
  private final LongAdder pacedReceived = new LongAdder();

  /**
   * Counts bytes that a repair reads from a replica, before stock's counters have them.
   *
   * @param bytes the number of bytes
   */
  public void addRead(long bytes) {
    read.add(bytes);
  }

  /**
   * Counts bytes that a repair writes to a replica, before stock's counters have them.
   *
   * @param bytes the number of bytes
   */
  public void addWritten(long bytes) {
    written.add(bytes);
  }

  /**
   * Counts bytes of a replica that a client got from memory, without a read of a file.
   *
   * @param bytes the number of bytes
   */
  public void addFromMemory(long bytes) {
    fromMemory.add(bytes);
  }

  /**
   * Counts bytes of partial results that go to another node, as soon as they are sent.
   *
   * @param bytes the number of bytes
   * @param paced whether a limit other than the link may have slowed them down: the request has a
   *     rate limit, or repairs yielded to users
   */
  public void addSent(long bytes, boolean paced) {
    sent.add(bytes);
    if (paced) {
      pacedSent.add(bytes);
    }
  }

  /**
   * Counts bytes of partial results from another node, as soon as they have arrived.
   *
   * @param bytes the number of bytes
   * @param paced whether a limit other than the link may have slowed them down: the request has a
   *     rate limit, or repairs yielded to users
   */
  public void addReceived(long bytes, boolean paced) {
    received.add(bytes);
    if (paced) {
      pacedReceived.add(bytes);
    }
  }

  /**
   * Counts bytes that are for a client's degraded read. {@link #addSent} counts the same bytes,
   * too.
   *
   * @param bytes the number of bytes
   */
  public void addToReader(long bytes) {
    toReaders.add(bytes);
  }

  /**
   * Counts bytes that are for a client's degraded read. {@link #addReceived} counts the same bytes,
   * too.
   *
   * @param bytes the number of bytes
   */
  public void addForReader(long bytes) {
    forReaders.add(bytes);
  }

  /** @return the part of {@link #bytesSent} that is for clients' degraded reads */
  public long bytesToReaders() {
    return toReaders.sum();
  }

  /** @return the part of {@link #bytesReceived} that is for clients' degraded reads */
  public long bytesForReaders() {
    return forReaders.sum();
  }

  /** @return bytes of partial results that have been sent to other nodes */
  public long bytesSent() {
    return sent.sum();
  }

  /** @return bytes of partial results that have arrived from other nodes */
  public long bytesReceived() {
    return received.sum();
  }

  /** @return the part of {@link #bytesSent} that {@link #addSent} counted as {@code paced} */
  public long pacedBytesSent() {
    return pacedSent.sum();
  }

  /**
   * @return the part of {@link #bytesReceived} that {@link #addReceived} counted as {@code paced}
   */
  public long pacedBytesReceived() {
    return pacedReceived.sum();
  }

  /** @return bytes that repairs have read from replicas */
  public long bytesRead() {
    return read.sum();
  }

  /** @return bytes that repairs have written to replicas */
  public long bytesWritten() {
    return written.sum();
  }

  /** @return bytes of replicas that clients have got from memory, without a read of a file */
  public long bytesFromMemory() {
    return fromMemory.sum();
  }
}
