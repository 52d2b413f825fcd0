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
package org.hdfsppr.namenode.scrub;

import org.apache.hadoop.classification.InterfaceAudience;

/** How many groups were checked, and with which result. Immutable. */
@InterfaceAudience.Private
public final class ScrubCounts {
  /** Nothing has been looked at. */
  public static final ScrubCounts NONE = new ScrubCounts(0, 0, 0, 0, 0);

  /** Groups that were looked at */
  public final long groups;
  /** Groups that checks have read and compared whole */
  public final long checked;
  /** The checked groups with units that contradict each other */
  public final long contradictions;
  /** Groups that were not checked: open, not whole, doubted already, or unreadable */
  public final long notChecked;
  /** Bytes of the units that were checked */
  public final long bytes;

  public ScrubCounts(long groups, long checked, long contradictions, long notChecked,
      long bytes) {
    this.groups = groups;
    this.checked = checked;
    this.contradictions = contradictions;
    this.notChecked = notChecked;
    this.bytes = bytes;
  }

  static ScrubCounts agrees(long bytes) {
    return new ScrubCounts(1, 1, 0, 0, bytes);
  }

  static ScrubCounts contradiction(long bytes) {
    return new ScrubCounts(1, 1, 1, 0, bytes);
  }

  static ScrubCounts skipped() {
    return new ScrubCounts(1, 0, 0, 1, 0);
  }

  ScrubCounts plus(ScrubCounts more) {
    return new ScrubCounts(groups + more.groups, checked + more.checked,
        contradictions + more.contradictions, notChecked + more.notChecked, bytes + more.bytes);
  }

  @Override
  public String toString() {
    return groups + (groups == 1 ? " group, " : " groups, ") + checked + " checked, "
        + contradictions + (contradictions == 1 ? " contradiction, " : " contradictions, ")
        + notChecked + " not checked, " + bytes + " bytes";
  }
}
