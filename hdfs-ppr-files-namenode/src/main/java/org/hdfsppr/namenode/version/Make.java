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
import org.hdfsppr.plan.UnitHolder;

/**
 * An order that makes units of a new group from units of an old one. It names a code of its own,
 * whose units are the old ones that are read and the new ones that are made: {@link #slots} says
 * which block each of them is. The node of the first target leads the making. Immutable.
 */
@InterfaceAudience.Private
public final class Make {
  /** Name of the codec, for {@code Codes.forCodec} */
  public final String codec;
  /** How many data units the code of this order has (k) */
  public final int dataUnits;
  /** Which block each unit of the code is, by the index of the unit */
  public final List<MakeSlot> slots;
  /** The units that are made, with their nodes; the leading node is first */
  public final List<UnitHolder> targets;
  /**
   * The units that can be read, with their nodes. First come those that the order is to use, in
   * their order in the tree of nodes, then the others. If {@link #byDecoding}, the order decodes
   * from the first of them that suffice
   */
  public final List<UnitHolder> helpers;
  /** Name of the shape of the tree of nodes */
  public final String topology;
  /**
   * Whether the order decodes from the first helpers that suffice. If false, it uses the first
   * recipe of the code for which all units can be read
   */
  public final boolean byDecoding;
  /** How many units cross network links; units that are read only for checks do not count */
  public final double unitsMoved;

  /** On which way the bytes of the helpers get to the targets. Immutable. */
  static final class Route {
    private final String topology;
    private final boolean byDecoding;
    private final double unitsMoved;

    Route(String topology, boolean byDecoding, double unitsMoved) {
      this.topology = topology;
      this.byDecoding = byDecoding;
      this.unitsMoved = unitsMoved;
    }
  }

  Make(String codec, int dataUnits, List<MakeSlot> slots, List<UnitHolder> targets,
      List<UnitHolder> helpers, Route route) {
    this.codec = codec;
    this.dataUnits = dataUnits;
    this.slots = copy(slots);
    this.targets = copy(targets);
    this.helpers = copy(helpers);
    this.topology = route.topology;
    this.byDecoding = route.byDecoding;
    this.unitsMoved = route.unitsMoved;
  }

  private static <T> List<T> copy(List<T> list) {
    return Collections.unmodifiableList(new ArrayList<>(list));
  }

  /** @return whether the only unit that is made has the bytes of the only unit that is read */
  boolean isCopy() {
    return dataUnits == 1;
  }

  /** @return how many parity units the code of this order has (m) */
  public int parityUnits() {
    return slots.size() - dataUnits;
  }

  @Override
  public String toString() {
    return "make " + targets + " under " + codec + " by " + topology + " from " + helpers + ", "
        + unitsMoved + " units moved";
  }
}
