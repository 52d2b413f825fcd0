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
package org.hdfsppr.datanode.repair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.wire.RepairException;

/** The units that a successful attempt has written to their targets. Immutable. */
final class RebuiltUnits {
  final List<Integer> units;
  final TaskOutcome outcome;
  /** The failure of a target that could not be written, or null if all targets were written. */
  final RepairException missing;
  /** The attempt's times and bytes, as text for the log. */
  final String summary;

  /**
   * @param units the units that are on their targets
   * @param outcome the bytes that the attempt moved
   * @param missing the failure of a target that could not be written, or null
   * @param summary the attempt's times and bytes, as text for the log
   */
  RebuiltUnits(List<Integer> units, TaskOutcome outcome, RepairException missing,
      String summary) {
    this.units = Collections.unmodifiableList(new ArrayList<>(units));
    this.outcome = outcome;
    this.missing = missing;
    this.summary = summary;
  }
}
