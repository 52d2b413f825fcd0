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
package org.hdfsppr.update;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The rack of each unit of a stripe. Of the n units, 0 to k - 1 are the data units, and k to n - 1
 * the parity units. Immutable.
 */
@InterfaceAudience.Private
public final class StripeRacks {
  /** How many units a stripe has at most: a set of units is a bit mask in a long. */
  public static final int UNITS_MAX = 64;

  /** The number of data units, k */
  public final int dataUnits;
  /** The number of racks of the cluster */
  public final int racks;
  private final int[] rackOf;
  /** For each rack, the number of its parity units. */
  private final int[] parities;

  /**
   * @param dataUnits k, at least 1 and less than n
   * @param racks the number of racks of the cluster
   * @param rackOf for each of the n units its rack, from 0 to {@code racks} - 1
   * @throws IllegalArgumentException if a number is out of its range
   */
  public StripeRacks(int dataUnits, int racks, int... rackOf) {
    if (dataUnits < 1 || dataUnits >= rackOf.length || rackOf.length > UNITS_MAX) {
      throw new IllegalArgumentException("A stripe of " + rackOf.length + " units, " + dataUnits
          + " of them data: n is 2 to " + UNITS_MAX + ", and k is 1 to n - 1");
    }
    for (int unit = 0; unit < rackOf.length; unit++) {
      if (rackOf[unit] < 0 || rackOf[unit] >= racks) {
        throw new IllegalArgumentException("Unit " + unit + " is in rack " + rackOf[unit]
            + "; there are racks 0 to " + (racks - 1));
      }
    }
    this.dataUnits = dataUnits;
    this.racks = racks;
    this.rackOf = rackOf.clone();
    this.parities = new int[racks];
    for (int unit = dataUnits; unit < rackOf.length; unit++) {
      parities[rackOf[unit]]++;
    }
  }

  /** @return n, the number of all units */
  public int units() {
    return rackOf.length;
  }

  /**
   * @param unit a unit
   * @return its rack
   */
  public int rack(int unit) {
    return rackOf[unit];
  }

  /**
   * @param rack a rack
   * @return the number of its parity units
   */
  public int parities(int rack) {
    return parities[rack];
  }

  /**
   * @param rack a rack
   * @return the data units of the rack; bit i stands for unit i
   */
  public long dataUnitsIn(int rack) {
    long units = 0;
    for (int unit = 0; unit < dataUnits; unit++) {
      if (rackOf[unit] == rack) {
        units |= 1L << unit;
      }
    }
    return units;
  }

  /**
   * @param rack a rack
   * @return the parity units of the rack, in ascending order
   */
  public List<Integer> parityUnitsIn(int rack) {
    List<Integer> units = new ArrayList<>();
    for (int unit = dataUnits; unit < rackOf.length; unit++) {
      if (rackOf[unit] == rack) {
        units.add(unit);
      }
    }
    return units;
  }

  /**
   * @return all racks, those with the most parity units first; of equal ones, the lower index
   *     first. Strategies with logs beside parity units choose racks in this order: a change in a
   *     log beside a parity unit does not have to cross racks again at the commit.
   */
  public List<Integer> logRacks() {
    List<Integer> order = new ArrayList<>();
    for (int rack = 0; rack < racks; rack++) {
      order.add(rack);
    }
    order.sort(Comparator.comparingInt(rack -> -parities[rack]));
    return Collections.unmodifiableList(order);
  }

  /**
   * Exchanges the places of two data units.
   *
   * @param one a data unit
   * @param other another data unit
   * @return the racks after the exchange
   */
  public StripeRacks swapped(int one, int other) {
    int[] changed = rackOf.clone();
    changed[one] = rackOf[other];
    changed[other] = rackOf[one];
    return new StripeRacks(dataUnits, racks, changed);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof StripeRacks && dataUnits == ((StripeRacks) o).dataUnits
        && racks == ((StripeRacks) o).racks && Arrays.equals(rackOf, ((StripeRacks) o).rackOf);
  }

  @Override
  public int hashCode() {
    return 31 * dataUnits + Arrays.hashCode(rackOf);
  }

  @Override
  public String toString() {
    return "k " + dataUnits + ", racks of units " + Arrays.toString(rackOf);
  }
}
