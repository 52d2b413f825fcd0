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

/** The objects that all calls for tickets use. Immutable. */
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
   * @param folder has the directories with the records of updates
   * @param nodes the DataNodes that keep logs
   * @param questions sends questions and orders to these DataNodes
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

  /** Returns how many DataNodes should follow the leader of a unit. */
  int replicas(int parityUnits) {
    return settings.replicas(parityUnits);
  }

  /**
   * Returns how many DataNodes must follow the leader of a unit; with fewer, a writer gets no
   * ticket.
   */
  int replicasLeast() {
    return settings.replicasLeast();
  }

  /** Returns the strategy of commits for files of which no directory sets one. */
  String strategy() {
    return settings.strategy;
  }

  /**
   * Bounds how often callers can make terms of a unit begin. A caller with the right READ may claim
   * that a term has failed, and the NameNode cannot check this claim. Each new term adds to the
   * edit log, and interrupts the writers of the unit. Used by one thread.
   */
  static final class TermRate {
    /**
     * How many terms of a unit may begin in a row: more than one for each holder that may fail in a
     * minute.
     */
    static final int BURST = 8;
    /** Each time this many ms have passed, one more term of a unit may begin. */
    static final long REFILL_MS = 5_000;
    /**
     * How many units are remembered at most, with about 100 bytes each. One more replaces the one
     * that was used least recently.
     */
    private static final int UNITS_MOST = 1 << 14;

    /** How many terms of one unit may begin now. */
    private static final class Left {
      private int terms = BURST;
      private long countedMs;

      Left(long nowMs) {
        countedMs = nowMs;
      }
    }

    private final LongSupplier clockMs;
    /** By unit; the unit that was used least recently comes first. */
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

    /**
     * A caller claims that the term of a unit has failed: returns whether a new one may begin, and
     * counts it.
     */
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
