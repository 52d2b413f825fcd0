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
 * Says whether users move bytes at this very moment. Stock names the thread of each connection
 * after what it does: from the request to the reader's last word it sends a block, and then waits
 * for the next request. No counter of stock and no rate of the link shows a read that takes some
 * milliseconds in time. Hadoop 3.3 to 3.5 use the same names. Thread-safe.
 */
final class UserThreads {
  /** How the name of each thread that serves a connection begins. */
  static final String SERVES = "DataXceiver for client ";
  /** What the name of such a thread has while it waits for a request. */
  static final String WAITS = " [Waiting for operation #";
  /** What the name of such a thread has while it sends a block to a reader. */
  static final String SENDS = " [Sending block ";
  /**
   * Looks take at most this part of the time. A DataNode with thousands of connections takes some
   * hundred microseconds for a look.
   */
  private static final int TIMES_REST = 20;
  /** Threads may come while this object asks for them. */
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
   * @param group returns the group of stock's threads that serve connections; null if this Hadoop
   *     has none, or not yet. Users then count as if they moved bytes all the time
   * @param nanoClock a monotonic clock, ns
   */
  UserThreads(Supplier<ThreadGroup> group, LongSupplier nanoClock) {
    this.group = group;
    this.nanoClock = nanoClock;
  }

  /** Looks at the threads, unless the last look was just now. */
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
    // A writer's block comes in and may go on to the next DataNode. All other operations are rare,
    // and some move blocks both ways.
    receives |= !name.contains(SENDS);
  }

  /** Returns how many connections the threads served at the last look. */
  synchronized int serving() {
    return serving;
  }

  /** Returns whether a thread sent bytes to users at the last look, or may have. */
  synchronized boolean isSending() {
    return sends;
  }

  /** Returns whether a thread received bytes of users at the last look, or may have. */
  synchronized boolean isReceiving() {
    return receives;
  }
}
