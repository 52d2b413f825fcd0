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
package org.hdfsppr.namenode.version;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/**
 * The node that is to hold a unit of the new group, and whether the unit is a link there.
 * Immutable.
 */
@InterfaceAudience.Private
public final class UnitPlace {
  /** Used in {@link #linkedFrom} for a unit that is not a link. */
  public static final int NONE = -1;

  /** Index of the unit in the new group */
  public final int unit;
  /** The node that is to hold it */
  public final NodeRef node;
  /** Index of the old unit to which this unit is a link; {@link #NONE} if this unit is made */
  public final int linkedFrom;

  UnitPlace(int unit, NodeRef node, int linkedFrom) {
    this.unit = unit;
    this.node = Objects.requireNonNull(node, "node");
    this.linkedFrom = linkedFrom;
  }

  /** @return whether the unit is a link to a block of the old group on the same node */
  public boolean isLink() {
    return linkedFrom != NONE;
  }

  @Override
  public String toString() {
    return unit + "@" + node + (isLink() ? " linked from " + linkedFrom : " made");
  }
}
