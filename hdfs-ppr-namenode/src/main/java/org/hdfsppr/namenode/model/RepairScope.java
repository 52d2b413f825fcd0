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

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.wire.RequestCodec;

/**
 * What an ordered repair may read and what it writes, as far as that decides what its end says of
 * the group's units. Immutable, and small enough to be remembered of many repairs.
 */
@InterfaceAudience.Private
public final class RepairScope {
  private static final List<Integer> ALL_UNITS = IntStream.range(0, RequestCodec.UNITS_MAX)
      .boxed().collect(Collectors.toList());

  private final UnitPlaces live;
  private final UnitPlaces rebuilt;
  private final UnitPlaces occupied;
  private final long streamBytes;
  private final boolean readsAll;

  private RepairScope(Assignment order) {
    LostGroup group = order.group();
    GroupPolicy policy = group.policy();
    // A unit that the file ended before has no bytes that could be wrong.
    List<Holder> withBytes = group.live().stream()
        .filter(holder -> bytes(group, holder.unit()) > 0).collect(Collectors.toList());
    live = UnitPlaces.of(withBytes);
    rebuilt = UnitPlaces.of(order.targets());
    occupied = UnitPlaces.of(group.occupied().stream().map(node -> new Holder(0, node))
        .collect(Collectors.toList()));
    streamBytes = order.targets().stream().mapToLong(target -> bytes(group, target.unit())).max()
        .orElse(0);
    // Codes of ours may be repaired, and checked, with less than k units, or with parts of them.
    readsAll = !PprCodec.byName(policy.codec()).isPresent()
        && withBytes.stream().map(Holder::unit).distinct().count() <= group.unitsToDecode() + 1;
  }

  /**
   * Notes which units a repair may read and write, and where.
   *
   * @param order the repair, as it was ordered
   * @return the scope
   */
  public static RepairScope of(Assignment order) {
    return new RepairScope(order);
  }

  private static long bytes(LostGroup group, int unit) {
    GroupPolicy policy = group.policy();
    return StripedBlockUtil.getInternalBlockLength(group.groupBytes(), policy.cellBytes(),
        policy.dataUnits(), unit);
  }

  /** @return the units that it may read, and where */
  public UnitPlaces live() {
    return live;
  }

  /** @return how many bytes of each unit a check covers */
  public long streamBytes() {
    return streamBytes;
  }

  /**
   * Places that it has read and found to agree with each other.
   *
   * @param units those that it names; if it names none, which an older DataNode does not, only what
   *     could not be checked without is known to have been read
   * @return the places
   */
  public UnitPlaces read(Collection<Integer> units) {
    return live.ofUnits(units.isEmpty() && readsAll ? ALL_UNITS : units);
  }

  /**
   * @param places places that were named before
   * @return what of some places is still there or may come back, once it has ended well: all but
   *     those that are gone for good because their units have been written elsewhere
   */
  public UnitPlaces stillThere(UnitPlaces places) {
    UnitPlaces others = places.without(live);
    // The group may have been ordered without a node that has failed, and that has its unit still.
    UnitPlaces replaced = others.ofUnitsIn(live).notOnNodesOf(occupied);
    return places.without(replaced).without(others.ofUnitsIn(rebuilt));
  }
}
