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
package org.hdfsppr.datanode.update.log;

import java.util.Collections;
import java.util.NavigableMap;
import org.apache.hadoop.classification.InterfaceAudience;

/** How far a log has the history of a unit, as it was at one moment. Immutable. */
@InterfaceAudience.Private
public final class UnitState {
  /** The latest term that has begun */
  public final long term;
  /** The number of the last update that the history had when the latest term began */
  public final long base;
  /** The number of the last update; 0 if there is none */
  public final long last;
  private final long epoch;
  /** How many updates of the unit the log has; trimmed ones do not count */
  public final int pending;
  private final NavigableMap<Long, Long> bases;
  /** The number of the last update that readers see */
  public final long shown;
  /** The number of the last update that was dropped before those that the log has */
  public final long dropped;
  private final long droppedEpoch;
  /** Whether any of the updates in the log is a delta */
  public final boolean hasDeltas;

  /** @param epochLeast the first commit to which the next update may belong */
  UnitState(UnitLog of, long epochLeast) {
    this.term = of.term();
    this.base = of.base();
    this.last = of.last();
    this.epoch = epochLeast;
    this.pending = of.pending();
    this.bases = of.bases.copy();
    this.shown = of.shown();
    this.dropped = of.dropped();
    this.droppedEpoch = of.droppedEpoch();
    this.hasDeltas = of.hasDeltas();
  }

  /**
   * @param commit the last commit that a version of the file has
   * @return whether the version and the log together have all updates of the history. They do if
   *     the log has dropped no update that the version lacks
   */
  public boolean isWholeOver(long commit) {
    return droppedEpoch <= commit;
  }

  /** @return the first commit to which the next update may belong, from 1 */
  public long epochLeast() {
    return epoch;
  }

  /**
   * @return for each of the latest terms up to {@link #term}, the number of the last update that
   *     the history had when the term began. In each of these terms, the log went on with the
   *     history of the one before. Empty if no term has begun since the log was opened
   */
  public NavigableMap<Long, Long> bases() {
    return Collections.unmodifiableNavigableMap(bases);
  }

  /** @return whether the log has updates of its latest term, which may have been acknowledged */
  public boolean isWritten() {
    return last > base;
  }

  /**
   * @return whether the log has all updates up to where its latest term began, except those that
   *     were trimmed; if not, the log must not be used as the history
   */
  public boolean isComplete() {
    return last >= base;
  }
}
