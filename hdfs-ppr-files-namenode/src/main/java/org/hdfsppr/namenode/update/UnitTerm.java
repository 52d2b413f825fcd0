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

import java.util.List;

/** The latest term of a unit, as the namespace has it. Immutable. */
final class UnitTerm {
  final int unit;
  final long term;
  final long previous;
  final List<String> holders;
  final List<String> history;
  final List<String> heirs;
  final long epoch;

  /**
   * @param unit the unit
   * @param term the number of its latest term
   * @param previous the number of the term whose history this one continues; 0 if there is none
   * @param holders UUIDs of the DataNodes that hold the log in this term; the first one leads
   * @param history UUIDs of the DataNodes that had all of the history of {@code previous} when this
   *     term was made. When the NameNode makes the next term, it also asks these
   * @param heirs UUIDs of the holders that end all earlier terms when they begin a later one; the
   *     leader is one of them. If this term has not begun, only an heir may lead the next one; see
   *     {@link NextTerm}
   * @param epoch the number of the first commit to which updates of this term may belong. All
   *     tickets of the term have the same epoch
   */
  UnitTerm(int unit, long term, long previous, List<String> holders, List<String> history,
      List<String> heirs, long epoch) {
    this.epoch = epoch;
    if (term < 1 || previous < 0 || previous >= term || holders.isEmpty() || epoch < 1) {
      throw new IllegalArgumentException("unit " + unit + " in term " + term + " after " + previous
          + " at " + holders);
    }
    if (!heirs.contains(holders.get(0)) || !holders.containsAll(heirs)) {
      throw new IllegalArgumentException("unit " + unit + " in term " + term + " at " + holders
          + " has the heirs " + heirs);
    }
    this.heirs = List.copyOf(heirs);
    this.unit = unit;
    this.term = term;
    this.previous = previous;
    this.holders = List.copyOf(holders);
    this.history = List.copyOf(history);
  }

  @Override
  public String toString() {
    return "unit " + unit + " in term " + term + " after " + previous + " at " + holders;
  }
}
