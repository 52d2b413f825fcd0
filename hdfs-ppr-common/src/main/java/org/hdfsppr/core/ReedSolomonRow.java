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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A row with a maximum distance separable (MDS) code such as Reed-Solomon: any k of its n units
 * determine the others.
 */
@InterfaceAudience.Private
public final class ReedSolomonRow implements RowCode {
  private final int units;
  /** The number of data units, k */
  public final int dataUnits;
  private final long all;

  /**
   * @param units n, 2 to {@link #UNITS_MAX}
   * @param dataUnits k, at least 1 and less than n
   * @throws IllegalArgumentException if a number is out of its range
   */
  public ReedSolomonRow(int units, int dataUnits) {
    if (units < 2 || units > UNITS_MAX || dataUnits < 1 || dataUnits >= units) {
      throw new IllegalArgumentException("A row of " + units + " units, " + dataUnits
          + " of them data: n is 2 to " + UNITS_MAX + ", and k is 1 to n - 1");
    }
    this.units = units;
    this.dataUnits = dataUnits;
    this.all = -1L >>> Long.SIZE - units;
  }

  @Override
  public int units() {
    return units;
  }

  @Override
  public boolean recovers(long lost) {
    return Long.bitCount(lost) <= units - dataUnits;
  }

  @Override
  public int surplus(long lost) {
    return Math.max(0, Long.bitCount(lost) - (units - dataUnits));
  }

  /**
   * {@inheritDoc}
   *
   * <p>A unit that is known to be zeros counts as one of the k units that a repair needs.
   */
  @Override
  public long reads(long lost, long zeros, long preferred) {
    long readable = all & ~lost & ~zeros;
    int needed = Math.max(0, dataUnits - Long.bitCount(zeros & all & ~lost));
    if (!recovers(lost) || Long.bitCount(readable) < needed) {
      throw new IllegalArgumentException("A row of " + units + " units, " + dataUnits
          + " of them data, has lost " + Long.bitCount(lost) + " and cannot rebuild them");
    }
    long first = lowest(readable & preferred, needed);
    return first | lowest(readable & ~preferred, needed - Long.bitCount(first));
  }

  /** Returns the lowest bits of a mask, at most {@code count} of them. */
  private static long lowest(long mask, int count) {
    long rest = mask;
    for (int i = Math.min(count, Long.bitCount(mask)); i > 0; i--) {
      rest &= rest - 1;
    }
    return mask & ~rest;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ReedSolomonRow && units == ((ReedSolomonRow) o).units
        && dataUnits == ((ReedSolomonRow) o).dataUnits;
  }

  @Override
  public int hashCode() {
    return Objects.hash(units, dataUnits);
  }

  @Override
  public String toString() {
    return "(" + units + "," + dataUnits + ")";
  }
}
