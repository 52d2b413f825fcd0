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
package org.hdfsppr.plan;

import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The lost rows that a node sends to its parent, if it does not send all of them. The other lost
 * rows are linear combinations of these rows, and the parent derives them, see {@link NarrowLinks}.
 * Immutable.
 */
@InterfaceAudience.Private
public final class SentRows {
  private final int[] rows;
  private final int[] tailRows;

  /**
   * @param rows indices among the lost rows of a slice that is no tail, ascending; copied
   * @param tailRows indices among the lost rows of a tail, ascending; empty if the stream has no
   *     tail; copied
   * @throws IllegalArgumentException if indices are negative or not ascending
   */
  public SentRows(int[] rows, int[] tailRows) {
    this.rows = ascending(rows);
    this.tailRows = ascending(tailRows);
  }

  private static int[] ascending(int[] rows) {
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] < 0 || i > 0 && rows[i] <= rows[i - 1]) {
        throw new IllegalArgumentException("Rows " + Arrays.toString(rows)
            + " are not ascending from 0");
      }
    }
    return rows.clone();
  }

  /**
   * @param tail true for the rows of a tail, false for the rows of any other slice
   * @return indices among the lost rows of such slices, ascending, a copy
   */
  public int[] rows(boolean tail) {
    return tail ? tailRows.clone() : rows.clone();
  }

  /**
   * @param tail true for the rows of a tail, false for the rows of any other slice
   * @return number of lost rows that the node sends of such slices
   */
  public int count(boolean tail) {
    return tail ? tailRows.length : rows.length;
  }

  /**
   * @param tail true for the rows of a tail, false for the rows of any other slice
   * @param index index of a row among the rows that the node sends
   * @return index of that row among all lost rows
   */
  public int row(boolean tail, int index) {
    return tail ? tailRows[index] : rows[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SentRows && Arrays.equals(rows, ((SentRows) other).rows)
        && Arrays.equals(tailRows, ((SentRows) other).tailRows);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(rows), Arrays.hashCode(tailRows));
  }

  @Override
  public String toString() {
    return "sends " + Arrays.toString(rows)
        + (tailRows.length == 0 ? "" : " and of a tail " + Arrays.toString(tailRows));
  }
}
