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

/** What slices differ in, apart from their place and length. */
@InterfaceAudience.Private
public enum SliceKind {
  /** The lost rows of a place where the code splits units as it says. */
  PLAIN(false, false),
  /** The same, and the check row. */
  CHECKED(true, false),
  /**
   * The last few bytes of units whose length the code's sub-chunks do not divide: they are coded
   * byte by byte, so that each lost unit has one row.
   */
  TAIL(false, true),
  CHECKED_TAIL(true, true);

  private final boolean checked;
  private final boolean tail;

  SliceKind(boolean checked, boolean tail) {
    this.checked = checked;
    this.tail = tail;
  }

  public static SliceKind of(boolean checked, boolean tail) {
    if (tail) {
      return checked ? CHECKED_TAIL : TAIL;
    }
    return checked ? CHECKED : PLAIN;
  }

  public boolean isChecked() {
    return checked;
  }

  public boolean isTail() {
    return tail;
  }
}
