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
 * An order that makes units of a new group from units of an old one. The units have the indices of
 * the code that the order names: slot i says which block is unit i. The node of the first target
 * leads. Immutable.
 */
@InterfaceAudience.Private
public final class Make {
  /** The codec's name, for {@code Codes.forCodec} */
  public final String codec;
  /** K of that code */
  public final int dataUnits;
  /** The block of each unit of that code */
  public final List<MakeSlot> slots;
  /** The units to make and their nodes, the leading node first */
  public final List<UnitHolder> targets;
  /**
   * The units that can be read and their nodes: those that the order is to use, in the order of the
   * tree, then the others. The order must decode from the first ones that suffice
   */
  public final List<UnitHolder> helpers;
  /** Name of the tree's shape */
  public final String topology;
  /**
   * True to decode from the first helpers that suffice; false to use the code's first recipe that
   * works
   */
  public final boolean byDecoding;
  /** How many units cross links, without those that only checks read */
  public final double unitsMoved;

  /** How the bytes of the helpers come to the targets. Immutable. */
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

  /** @return m of that code */
  public int parityUnits() {
    return slots.size() - dataUnits;
  }

  @Override
  public String toString() {
    return "make " + targets + " under " + codec + " by " + topology + " from " + helpers + ", "
        + unitsMoved + " units moved";
  }
}
