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
package org.hdfsppr.bench.update.strategy;

import org.apache.hadoop.classification.InterfaceAudience;

/** A range of a data unit that a client writes. Immutable. */
@InterfaceAudience.Private
public final class WrittenRange {
  /** The data unit */
  public final int unit;
  /** The number of bytes */
  public final long length;
  /** How many of them are written for the first time */
  public final long fresh;

  /**
   * @param unit the data unit
   * @param length the number of bytes, at least 1
   * @param fresh how many of them are written for the first time, 0 to {@code length}
   * @throws IllegalArgumentException if a number is out of its range
   */
  public WrittenRange(int unit, long length, long fresh) {
    if (unit < 0 || length < 1 || fresh < 0 || fresh > length) {
      throw new IllegalArgumentException("No write: unit " + unit + ", " + length + " bytes, "
          + fresh + " of them for the first time");
    }
    this.unit = unit;
    this.length = length;
    this.fresh = fresh;
  }
}
