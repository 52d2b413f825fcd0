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

import org.apache.hadoop.classification.InterfaceAudience;

/** The kind of a slice. It determines which rows and coefficients the slice has. */
@InterfaceAudience.Private
public enum SliceKind {
  /** The slice has only lost rows: one for each sub-chunk of each lost unit. */
  PLAIN(false, false),
  /** The slice has the lost rows, one for each sub-chunk of each lost unit, and the check row. */
  CHECKED(true, false),
  /**
   * The slice is a tail: it has the bytes that remain at the end of a cell whose length is no
   * multiple of the number of sub-chunks. These bytes are coded byte by byte, so that each lost
   * unit has one row.
   */
  TAIL(false, true),
  /** The slice is a tail, and also has the check row. */
  CHECKED_TAIL(true, true);

  /** Whether the slice carries the check row */
  public final boolean checked;
  public final boolean tail;

  SliceKind(boolean checked, boolean tail) {
    this.checked = checked;
    this.tail = tail;
  }

  /**
   * @param checked whether the slice carries the check row
   * @param tail whether the slice is a tail
   * @return the kind
   */
  public static SliceKind of(boolean checked, boolean tail) {
    if (tail) {
      return checked ? CHECKED_TAIL : TAIL;
    }
    return checked ? CHECKED : PLAIN;
  }
}
