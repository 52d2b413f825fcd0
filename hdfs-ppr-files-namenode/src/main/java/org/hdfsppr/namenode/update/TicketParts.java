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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.update.append.UnitId;

/** What all calls for tickets have in common. Immutable. */
@InterfaceAudience.Private
public final class TicketParts {
  final TicketSettings settings;
  final UpdateNamespace namespace;
  final UpdateFolder folder;
  final LogNodes nodes;
  final LogQuestions questions;
  final TermRate rate;
  final NoLogLeases leases;
  final LongSupplier clockMs;

  /**
   * @param settings the settings
   * @param namespace reads and changes attributes
   * @param folder has the records
   * @param nodes the DataNodes that keep logs
   * @param questions asks them
   * @param clockMs the time, monotonic, ms
   */
  public TicketParts(TicketSettings settings, UpdateNamespace namespace, UpdateFolder folder,
      LogNodes nodes, LogQuestions questions, LongSupplier clockMs) {
    this.leases = new NoLogLeases(clockMs);
    this.settings = settings;
    this.namespace = namespace;
    this.folder = folder;
    this.nodes = nodes;
    this.questions = questions;
    this.rate = new TermRate(clockMs);
    this.clockMs = clockMs;
  }

  /** Returns how many nodes should follow the leader of a unit, by its code. */
  int replicas(int parityUnits) {
    return settings.replicas(parityUnits);
  }

  /** Returns how many nodes have to follow the leader of a unit before a writer gets a ticket. */
  int replicasLeast() {
    return settings.replicasLeast();
  }

  /** Returns the strategy that a file has if no directory above it names another one. */
  String strategy() {
    return settings.strategy;
  }

  /**
   * Bounds how often callers can make terms of a unit begin. A caller with READ may say that a term
   * has failed, and the NameNode cannot check that. Each term is a line of the edit log, and ends
   * what writers have under way. Used by one thread.
   */
  static final class TermRate {
    /** How many terms of a unit may begin at once: more than the holders that fail in a minute. */
    static final int BURST = 8;
    /** After this time one more term may begin, ms. */
    static final long REFILL_MS = 5_000;
    /**
     * The most units in memory, in about 100 bytes each. Beyond that, the least recently used one
     * goes.
     */
    private static final int UNITS_MOST = 1 << 14;

    /** How many more terms of one unit may begin. */
    private static final class Left {
      private int terms = BURST;
      private long countedMs;

      Left(long nowMs) {
        countedMs = nowMs;
      }
    }

    private final LongSupplier clockMs;
    /** In the order of their last use. */
    private final Map<UnitId, Left> units = new LinkedHashMap<UnitId, Left>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<UnitId, Left> eldest) {
        return size() > UNITS_MOST;
      }
    };

    /** @param clockMs the time, monotonic, ms */
    TermRate(LongSupplier clockMs) {
      this.clockMs = clockMs;
    }

    /** Returns whether a caller's word may begin a term of a unit now, and counts the term. */
    boolean take(UnitId unit) {
      long now = clockMs.getAsLong();
      Left left = units.computeIfAbsent(unit, id -> new Left(now));
      long refills = (now - left.countedMs) / REFILL_MS;
      left.terms = (int) Math.min(BURST, left.terms + refills);
      left.countedMs += refills * REFILL_MS;
      if (left.terms == 0) {
        return false;
      }
      left.terms--;
      return true;
    }
  }
}
