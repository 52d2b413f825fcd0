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

/** The plan by which the units of a new group are linked and made. Immutable. */
@InterfaceAudience.Private
public final class MakePlan {
  /** Where each unit that has bytes goes, in ascending order of the units */
  public final List<UnitPlace> places;
  /** The orders that make the units that are not links; each of these units is in one order */
  public final List<Make> makes;

  MakePlan(List<UnitPlace> places, List<Make> makes) {
    this.places = Collections.unmodifiableList(new ArrayList<>(places));
    this.makes = Collections.unmodifiableList(new ArrayList<>(makes));
  }

  /**
   * @return how many units cross network links in all; units that are read only for checks do not
   *     count
   */
  public double unitsMoved() {
    return makes.stream().mapToDouble(make -> make.unitsMoved).sum();
  }

  @Override
  public String toString() {
    return places + ", " + makes;
  }
}
