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
package org.hdfsppr.namenode.scrub;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.UnitHolder;

/** A block group that is to be checked, and the nodes of its units. Immutable. */
@InterfaceAudience.Private
public final class ScrubTarget {
  /** The offset of the group in its file, bytes. */
  final long start;
  /** Bytes of file data in the group */
  public final long bytes;
  private final StripedLayout layout;
  /** The code of the group */
  public final GroupPolicy policy;
  /** One node for each unit that has bytes and a known node, ascending by unit */
  public final List<UnitHolder> holders;
  /** Whether a writer may still write the group. */
  final boolean open;

  /**
   * @param start offset of the group in its file, bytes
   * @param id the group
   * @param bytes bytes of file data in the group, at least 1
   * @param policy the code of the file
   * @param holders one node for each unit that has bytes and a known node, ascending by unit
   * @param open whether a writer may still write the group
   * @throws IllegalArgumentException if a number is not positive
   */
  public ScrubTarget(long start, GroupId id, long bytes, GroupPolicy policy,
      List<UnitHolder> holders,
      boolean open) {
    this.start = start;
    this.bytes = bytes;
    this.layout = new StripedLayout(id, bytes, policy.dataUnits, policy.parityUnits,
        policy.cellBytes);
    this.policy = Objects.requireNonNull(policy, "policy");
    this.holders = Collections.unmodifiableList(new ArrayList<>(holders));
    this.open = open;
  }

  /** @return the group */
  public GroupId id() {
    return layout.id();
  }

  /**
   * Puts the holders into the order of a chain: the leader, the other nodes of its rack, and then
   * the other racks one after the other. So the sums leave each rack only once.
   *
   * @param leader the node that leads the check
   * @param repairPort from a DataNode's UUID to the port at which its plugin serves helpers
   * @return the {@link #holders} in this order, with these ports
   */
  public List<UnitHolder> chain(NodeRef leader, ToIntFunction<String> repairPort) {
    Comparator<UnitHolder> order = Comparator.comparing(holder -> !holder.node.equals(leader));
    return holders.stream()
        .sorted(order.thenComparing(holder -> !holder.node.rack.equals(leader.rack))
            .thenComparing(holder -> holder.node.rack)
            .thenComparing((UnitHolder holder) -> holder.unit))
        .map(holder -> new UnitHolder(holder.unit,
            holder.node.withRepairPort(repairPort.applyAsInt(holder.node.uuid))))
        .collect(Collectors.toList());
  }

  /** Returns whether each unit that has bytes has a node. */
  boolean isWhole() {
    Set<Integer> missing = new TreeSet<>();
    for (int unit = 0; unit < policy.dataUnits + policy.parityUnits; unit++) {
      if (layout.length(unit) > 0) {
        missing.add(unit);
      }
    }
    holders.forEach(holder -> missing.remove(holder.unit));
    return missing.isEmpty();
  }

  /** @return length of the longest unit, bytes */
  public long unitBytes() {
    long longest = 0;
    for (UnitHolder holder : holders) {
      longest = Math.max(longest, layout.length(holder.unit));
    }
    return longest;
  }

  /** Returns the bytes of all units that a check reads. */
  long checkedBytes() {
    return holders.stream().mapToLong(holder -> layout.length(holder.unit)).sum();
  }

  /** Returns the node of a unit; null if it is not known. */
  NodeRef nodeOf(int unit) {
    return holders.stream().filter(holder -> holder.unit == unit)
        .map(holder -> holder.node).findFirst()
        .orElse(null);
  }

  /**
   * Returns whether nothing has changed between two looks: the same group with the same generation
   * stamp and length, closed both times, and each unit on the same node. If so, the bytes that were
   * read in between are those of one state of the group.
   */
  boolean isSame(ScrubTarget later) {
    if (open || later.open || bytes != later.bytes || !id().equals(later.id())
        || holders.size() != later.holders.size()) {
      return false;
    }
    for (UnitHolder holder : holders) {
      if (!holder.node.equals(later.nodeOf(holder.unit))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return id().toString();
  }
}
