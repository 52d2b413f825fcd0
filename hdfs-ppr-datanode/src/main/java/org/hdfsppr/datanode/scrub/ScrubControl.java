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
package org.hdfsppr.datanode.scrub;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.Pace;
import org.hdfsppr.stream.SumRead;
import org.hdfsppr.verify.ReadWatch;

/**
 * Keeps a check to its rate, and ends it early: because a manager or the deadline says so, or
 * because a repair needs this node. Thread-safe.
 */
@InterfaceAudience.Private
final class ScrubControl implements ReadWatch {
  private static final String REPAIR = "a repair on this node goes first";

  private final Pace pace;
  private final BooleanSupplier hasRepairs;
  private SumRead reading;
  private String endedBecause;

  /**
   * @param bytesPerSecond the most bytes of a unit that each node of the tree reads in a second
   * @param hasRepairs whether this node has repairs to do
   * @param nanoClock a monotonic clock, nanoseconds
   */
  ScrubControl(long bytesPerSecond, BooleanSupplier hasRepairs, LongSupplier nanoClock) {
    this.pace = new Pace(bytesPerSecond, nanoClock);
    this.hasRepairs = hasRepairs;
  }

  @Override
  public synchronized void begin(SumRead read) throws IOException {
    requireGoing();
    reading = read;
  }

  @Override
  public synchronized void end() {
    reading = null;
  }

  /**
   * Waits as long as the rate demands, also after the last slice, so that one check after the other
   * keeps to the rate. A slice has at most the bytes of a second, so that no node takes the wait
   * for a failure. Each node of the tree keeps to the rate by itself. Nodes of older versions only
   * wait because their sums are not taken, and run ahead by what the buffers of the links hold.
   */
  @Override
  public void took(long bytes) throws IOException {
    if (hasRepairs.getAsBoolean()) {
      end(REPAIR);
    }
    synchronized (this) {
      pace.read(bytes);
      try {
        for (long nanos = pace.owedNanos(); nanos > 0 && endedBecause == null;
            nanos = pace.owedNanos()) {
          wait(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("the check was interrupted").initCause(e);
      }
      requireGoing();
    }
  }

  private void requireGoing() throws IOException {
    if (endedBecause != null) {
      throw new IOException(endedBecause);
    }
  }

  /** Makes the check end soon. Only the first reason counts. */
  synchronized void end(String reason) {
    if (endedBecause == null) {
      endedBecause = reason;
    }
    if (reading != null) {
      reading.abort();
    }
    notifyAll();
  }

  /** Returns whether the check ends early because a repair needs this node. */
  synchronized boolean hasGivenWay() {
    return REPAIR.equals(endedBecause);
  }

  /** Returns why the check has to end early; null if it goes on. */
  synchronized String endedBecause() {
    return endedBecause;
  }
}
