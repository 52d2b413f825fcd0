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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The input of a planner for a block group, or for other blocks over which a code is calculated:
 * the blocks, the nodes that hold them, and the blocks to rebuild with their targets. Immutable.
 */
@InterfaceAudience.Private
public final class GroupSnapshot {
  /** The blocks, in the order of their code */
  public final BlockLayout layout;
  /**
   * The units that can be read and the nodes that hold them, in the order in which the NameNode
   * lists them
   */
  public final List<UnitHolder> live;
  /** The units to rebuild and the nodes that are to store them, ascending by unit */
  public final List<UnitHolder> targets;
  /** The node that leads the repair and receives the sums */
  public final NodeRef destination;

  /**
   * @param layout the blocks
   * @param live the blocks and the nodes that hold them; several nodes may hold one block
   * @param targets the blocks to rebuild, each once, and the nodes that are to store them
   * @param destination the node that leads the repair and receives the sums; it sends rebuilt units
   *     to the targets on other nodes
   * @throws IllegalArgumentException if the arguments contradict each other; the message names the
   *     contradiction
   */
  public GroupSnapshot(BlockLayout layout, List<UnitHolder> live, List<UnitHolder> targets,
      NodeRef destination) {
    this.layout = Objects.requireNonNull(layout, "layout");
    this.live = Collections.unmodifiableList(new ArrayList<>(live));
    List<UnitHolder> ascending = new ArrayList<>(targets);
    ascending.sort(Comparator.comparingInt((UnitHolder holder) -> holder.unit));
    this.targets = Collections.unmodifiableList(ascending);
    this.destination = Objects.requireNonNull(destination, "destination");
    check();
  }

  private void check() {
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("Block group " + id() + " has nothing to rebuild");
    }
    Set<Integer> held = new HashSet<>();
    for (UnitHolder holder : live) {
      checkUnit(holder.unit);
      held.add(holder.unit);
    }
    Set<Integer> wanted = new HashSet<>();
    for (UnitHolder target : targets) {
      checkUnit(target.unit);
      if (held.contains(target.unit) || !wanted.add(target.unit)) {
        throw new IllegalArgumentException("Unit " + target.unit + " of block group " + id()
            + " is to be rebuilt, but it is held or named twice: live " + live + ", targets "
            + targets);
      }
      if (unitBytes(target.unit) == 0) {
        throw new IllegalArgumentException("Unit " + target.unit + " of block group " + id()
            + " is to be rebuilt, but it is empty");
      }
    }
  }

  private void checkUnit(int unit) {
    if (unit < 0 || unit >= units()) {
      throw new IllegalArgumentException("Unit " + unit + " is not one of the " + units()
          + " units of block group " + id());
    }
  }

  /** @return the block group, as logs and requests name it */
  public GroupId id() {
    return layout.id();
  }

  /** @return k */
  public int dataUnits() {
    return layout.dataUnits();
  }

  /** @return m */
  public int parityUnits() {
    return layout.parityUnits();
  }

  /** @return k + m */
  public int units() {
    return dataUnits() + parityUnits();
  }

  /**
   * @param unit index of a unit
   * @return its block
   */
  public BlockRef block(int unit) {
    return layout.block(unit);
  }

  /**
   * @param unit index of a unit
   * @return length of its block, bytes; 0 if the file ends before it
   */
  public long unitBytes(int unit) {
    return layout.length(unit);
  }

  /** @return length of a cell, bytes */
  public int cellBytes() {
    return layout.cellBytes();
  }

  /** @return length of the longest block, bytes */
  public long longestUnitBytes() {
    long longest = 0;
    for (int unit = 0; unit < units(); unit++) {
      longest = Math.max(longest, unitBytes(unit));
    }
    return longest;
  }

  /** @return length of the longest unit to rebuild, bytes */
  public long streamBytes() {
    long longest = 0;
    for (UnitHolder target : targets) {
      longest = Math.max(longest, unitBytes(target.unit));
    }
    return longest;
  }

  /**
   * Makes a snapshot in which some nodes do not count as holders.
   *
   * @param rejected returns true for the nodes to leave out
   * @return the same group without these nodes as holders
   */
  public GroupSnapshot without(Predicate<NodeRef> rejected) {
    List<UnitHolder> kept = new ArrayList<>(live);
    kept.removeIf(holder -> rejected.test(holder.node));
    return withLive(kept);
  }

  /**
   * Makes a snapshot in which one node is preferred as a holder.
   *
   * @param node the node
   * @return the same group, in which the units that this node holds come first
   */
  public GroupSnapshot withFirst(NodeRef node) {
    List<UnitHolder> sorted = new ArrayList<>(live);
    sorted.sort(Comparator.comparingInt(holder -> holder.node.equals(node) ? 0 : 1));
    return withLive(sorted);
  }

  /**
   * Replaces holders.
   *
   * @param change returns, for each holder, the holder that takes its place
   * @return the same group with the replacements as holders
   */
  public GroupSnapshot withLive(UnaryOperator<UnitHolder> change) {
    List<UnitHolder> changed = new ArrayList<>(live);
    changed.replaceAll(change);
    return withLive(changed);
  }

  private GroupSnapshot withLive(List<UnitHolder> holders) {
    return new GroupSnapshot(layout, holders, targets, destination);
  }
}
