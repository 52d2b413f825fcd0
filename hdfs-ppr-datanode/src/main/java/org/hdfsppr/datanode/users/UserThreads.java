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

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Finds out whether users move bytes at this moment, from the names of stock's threads. Stock has a
 * thread for each connection, and puts into its name what the thread does: it sends a block from
 * the request until the reader confirms the read, and then waits for the next request. A read may
 * take only some milliseconds. Stock's counters and the rate of the link would show it too late.
 * Hadoop 3.3 to 3.5 use the same names. Thread-safe.
 */
final class UserThreads {
  /** The name of each thread that serves a connection begins with this text. */
  static final String SERVES = "DataXceiver for client ";
  /** The name of such a thread contains this text while the thread waits for a request. */
  static final String WAITS = " [Waiting for operation #";
  /** The name of such a thread contains this text while the thread sends a block to a reader. */
  static final String SENDS = " [Sending block ";
  /**
   * After a look, this class does not look again for this many times as long as the look took: with
   * 20, looks take less than 5 % of the time. A look takes some hundred microseconds on a DataNode
   * with thousands of connections.
   */
  private static final int TIMES_REST = 20;
  /**
   * The array for the threads has this much more room than there are threads, because further
   * threads may start before it is filled.
   */
  private static final int SPARE = 16;

  private final Supplier<ThreadGroup> group;
  private final LongSupplier nanoClock;
  private long endedNanos;
  private long restNanos;
  private boolean looked;
  private boolean sends = true;
  private boolean receives = true;
  private int serving;

  /**
   * @param group returns the group of stock's threads that serve connections; null if this version
   *     of Hadoop has none, or the DataNode has none yet. This class then assumes that users move
   *     bytes both ways
   * @param nanoClock a monotonic clock, ns
   */
  UserThreads(Supplier<ThreadGroup> group, LongSupplier nanoClock) {
    this.group = group;
    this.nanoClock = nanoClock;
  }

  /** Looks at the threads, unless the rest after the last look has not ended yet. */
  synchronized void look() {
    long began = nanoClock.getAsLong();
    if (looked && began - endedNanos < restNanos) {
      return;
    }
    looked = true;
    sends = false;
    receives = false;
    serving = 0;
    ThreadGroup served = group.get();
    if (served == null) {
      sends = true;
      receives = true;
    } else {
      Thread[] threads = new Thread[served.activeCount() + SPARE];
      int found = served.enumerate(threads, false);
      for (int i = 0; i < found; i++) {
        note(threads[i].getName());
      }
    }
    endedNanos = nanoClock.getAsLong();
    restNanos = TIMES_REST * (endedNanos - began);
  }

  private void note(String name) {
    if (!name.startsWith(SERVES)) {
      return;
    }
    serving++;
    if (name.contains(WAITS)) {
      return;
    }
    sends = true;
    // All that is not a read counts as traffic both ways: a writer's block comes in, and may go on
    // to the next DataNode of the pipeline. Other operations are rare, and some move blocks both
    // ways.
    receives |= !name.contains(SENDS);
  }

  /**
   * Returns how many threads served connections at the last look, idle connections included. 0 also
   * if no thread has a name that this class knows.
   */
  synchronized int serving() {
    return serving;
  }

  /** Returns whether, at the last look, a thread sent bytes to users or possibly did so. */
  synchronized boolean isSending() {
    return sends;
  }

  /** Returns whether, at the last look, a thread received bytes of users or possibly did so. */
  synchronized boolean isReceiving() {
    return receives;
  }
}
