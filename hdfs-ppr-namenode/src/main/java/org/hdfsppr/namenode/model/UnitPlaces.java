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
package org.hdfsppr.namenode.model;

import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.RequestCodec;

/**
 * Which node had which unit of a group at one moment, small enough to be remembered of many groups:
 * a number for each pair. Two pairs may have the same one, but rarely. Immutable.
 */
@InterfaceAudience.Private
public final class UnitPlaces {
  private final int[] places;

  private UnitPlaces(int[] places) {
    this.places = places;
  }

  /** Of all that can be read of a group. */
  public static UnitPlaces of(LostGroup group) {
    return new UnitPlaces(group.live().stream()
        .mapToInt(holder -> place(holder.unit(), holder.node().uuid())).sorted().toArray());
  }

  private static int place(int unit, String uuid) {
    return Objects.hash(unit, uuid);
  }

  private boolean has(int place) {
    return Arrays.binarySearch(places, place) >= 0;
  }

  /** Whether a node had any unit. */
  public boolean hasNode(String uuid) {
    for (int unit = 0; unit < RequestCodec.UNITS_MAX; unit++) {
      if (has(place(unit, uuid))) {
        return true;
      }
    }
    return false;
  }

  /** Whether each unit that was there in {@code others} is at the same node here. */
  public boolean hasAllOf(UnitPlaces others) {
    return Arrays.stream(others.places).allMatch(this::has);
  }
}
