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
package org.hdfsppr.core;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The code of a row of a CORE group. It says which lost units a row can repair from its own units.
 * All sets of units are bit masks, in which bit i stands for unit i. Implementations are immutable.
 * Their methods must take only fractions of a microsecond, because a strategy calls them several
 * times for each of its steps.
 */
@InterfaceAudience.Private
public interface RowCode {
  /** The greatest number of units of a row: a long has this many bits. */
  int UNITS_MAX = 64;

  /** @return n, the number of units of a row, 2 to {@link #UNITS_MAX} */
  int units();

  /**
   * Says whether a row can rebuild all its lost units. If a row can rebuild a set of units, it can
   * rebuild each subset, too.
   *
   * @param lost lost units
   * @return whether the other units of the row determine the lost units; true if no unit is lost
   */
  boolean recovers(long lost);

  /**
   * Counts the lost units that vertical repairs, by their columns, have to rebuild before the row
   * can repair the others. The CORE paper calls this number minV (section V-C).
   *
   * @param lost lost units
   * @return the least number of lost units that have to be repaired before {@link #recovers} holds
   *     for the rest; 0 if it already holds
   */
  int surplus(long lost);

  /**
   * Chooses the units that a row reads to rebuild all its lost units.
   *
   * @param lost lost units, for which {@link #recovers} holds
   * @param zeros units that are known to be zeros, and are not read; none of them is lost
   * @param preferred units to prefer, because they can be read at once, without waiting for another
   *     repair
   * @return the units to read, without lost units and zeros
   * @throws IllegalArgumentException if the row cannot rebuild these units
   */
  long reads(long lost, long zeros, long preferred);
}
