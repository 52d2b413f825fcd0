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

/** Where a unit of the new group comes to be, and whether it is a link. Immutable. */
@InterfaceAudience.Private
public final class UnitPlace {
  /** Stands for no unit. */
  public static final int NONE = -1;

  /** Index of the unit in the new group */
  public final int unit;
  /** The node that is to hold it */
  public final NodeRef node;
  /** That block's index in the old group; {@link #NONE} if the unit is made */
  public final int linkedFrom;

  /** @param linkedFrom the unit of the old group to which the unit is a link; NONE if it is made */
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
