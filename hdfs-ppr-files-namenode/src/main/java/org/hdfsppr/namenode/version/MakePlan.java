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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** The plan for the units of a new group. Immutable. */
@InterfaceAudience.Private
public final class MakePlan {
  /** The place of each unit that has bytes, ascending by unit */
  public final List<UnitPlace> places;
  /** The orders that make all units that are not links, each unit in one of them */
  public final List<Make> makes;

  MakePlan(List<UnitPlace> places, List<Make> makes) {
    this.places = Collections.unmodifiableList(new ArrayList<>(places));
    this.makes = Collections.unmodifiableList(new ArrayList<>(makes));
  }

  /** @return how many units cross links in all, without those that only checks read */
  public double unitsMoved() {
    return makes.stream().mapToDouble(make -> make.unitsMoved).sum();
  }

  @Override
  public String toString() {
    return places + ", " + makes;
  }
}
