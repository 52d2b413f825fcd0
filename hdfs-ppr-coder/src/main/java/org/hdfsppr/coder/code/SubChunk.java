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
package org.hdfsppr.coder.code;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * One of the s equal, contiguous parts of a unit. With s = 1, sub-chunk 0 is the whole unit. Two
 * sub-chunks are equal if unit and part are equal. Sub-chunks are ordered by unit, then by part.
 */
@InterfaceAudience.Public
public final class SubChunk implements Comparable<SubChunk> {
  private final int unit;
  private final int sub;

  private SubChunk(int unit, int sub) {
    if (unit < 0 || sub < 0) {
      throw new IllegalArgumentException("there is no sub-chunk " + sub + " of unit " + unit);
    }
    this.unit = unit;
    this.sub = sub;
  }

  /**
   * {@return part {@code sub} of a unit, both counted from 0}
   *
   * @param unit index of the unit
   * @param sub index of the part
   */
  public static SubChunk of(int unit, int sub) {
    return new SubChunk(unit, sub);
  }

  /** {@return index of the unit in its block group: data units first, then parity units} */
  public int unit() {
    return unit;
  }

  /** {@return index of the part in its unit} */
  public int sub() {
    return sub;
  }

  @Override
  public int compareTo(SubChunk other) {
    int byUnit = Integer.compare(unit, other.unit);
    return byUnit != 0 ? byUnit : Integer.compare(sub, other.sub);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SubChunk && unit == ((SubChunk) other).unit
        && sub == ((SubChunk) other).sub;
  }

  @Override
  public int hashCode() {
    return 31 * unit + sub;
  }

  /** Returns unit and part, for example {@code 3.0} for part 0 of unit 3. */
  @Override
  public String toString() {
    return unit + "." + sub;
  }
}
