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
package org.hdfsppr.namenode.update;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Keeps writers of a file from getting tickets while a commit of it begins. If the commit never
 * ends its fence, the writers wait for a bounded time only. Used by one thread.
 */
@InterfaceAudience.Private
final class WriterFence {
  /** In this time all terms of a file have to begin, ms. A writer waits longer for a ticket. */
  static final long MS_MAX = 50_000;

  private final LongSupplier clockMs;
  /** The end of each file's fence, monotonic ms, by UUID. A file has one commit at a time. */
  private final Map<UUID, Long> untilMs = new HashMap<>();

  /** @param clockMs the time, monotonic, ms */
  WriterFence(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  void raise(UUID file) {
    // A commit that was given up has left its fence.
    untilMs.values().removeIf(until -> until <= clockMs.getAsLong());
    untilMs.put(file, clockMs.getAsLong() + MS_MAX);
  }

  boolean isUp(UUID file) {
    return clockMs.getAsLong() < untilMs.getOrDefault(file, Long.MIN_VALUE);
  }

  /** Returns how many files are remembered. */
  int size() {
    return untilMs.size();
  }

  /** Ends a fence; returns whether it was still up. */
  boolean lower(UUID file) {
    boolean isUp = isUp(file);
    untilMs.remove(file);
    return isUp;
  }
}
