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
package org.hdfsppr.namenode.track;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.UnitPlaces;
import org.hdfsppr.plan.GroupId;

/** A doubt about the units of a group, as it is at one moment. Immutable. */
@InterfaceAudience.Private
public final class DoubtView {
  /** The group */
  public final GroupId group;
  /** When the doubt began, monotonic, ms */
  public final long sinceMs;
  /** Whether a unit is known to be wrong, and not only suspected */
  public final boolean certain;
  /** The units that may be wrong, each with its node */
  public final UnitPlaces suspects;

  public DoubtView(GroupId group, long sinceMs, boolean certain, UnitPlaces suspects) {
    this.group = Objects.requireNonNull(group, "group");
    this.sinceMs = sinceMs;
    this.certain = certain;
    this.suspects = Objects.requireNonNull(suspects, "suspects");
  }
}
