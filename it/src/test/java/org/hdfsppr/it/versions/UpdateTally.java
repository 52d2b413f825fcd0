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
package org.hdfsppr.it.versions;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts of a run, and whether its only NameNode is away. Thread-safe. */
final class UpdateTally {
  private final boolean isPair;
  /** Odd while the active NameNode is being killed, until a NameNode is ready again. */
  private final AtomicInteger nameNodeState = new AtomicInteger();
  private final Map<String, Long> counts = new TreeMap<>();

  UpdateTally(boolean isPair) {
    this.isPair = isPair;
  }

  synchronized void add(String what, long count) {
    counts.merge(what, count, Long::sum);
  }

  /** Says something that may happen, and that a reader of the output wants to know. */
  void note(String what) {
    RandomRuns.say("  " + what);
  }

  int nameNodeState() {
    return nameNodeState.get();
  }

  void nameNodeChanges() {
    nameNodeState.incrementAndGet();
  }

  /** Returns whether there was a time without a NameNode since then. Of a pair one is there. */
  boolean wasAway(int stateBefore) {
    return !isPair && (stateBefore % 2 == 1 || stateBefore != nameNodeState.get());
  }

  @Override
  public synchronized String toString() {
    return counts.toString();
  }
}
