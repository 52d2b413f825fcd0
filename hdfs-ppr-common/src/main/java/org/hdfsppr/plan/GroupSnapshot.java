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
 * All that a planner may know of a block group, or of other blocks that satisfy relations together:
 * which blocks there are, which node holds which, and which are to be rebuilt where. Immutable.
 */
@InterfaceAudience.Private
public final class GroupSnapshot {
  private final BlockLayout layout;
  private final List<Holder> live;
  private final List<Holder> targets;
  private final NodeRef destination;

  /**
   * A striped group.
   *
   * @param id the group
   * @param groupBytes bytes of file data in the group
   * @param dataUnits k
   * @param parityUnits m
   * @param cellBytes bytes of a cell
   * @param live who holds what; one unit may have several holders
   * @param targets the units to rebuild and where, without repetition
   * @param destination the node that leads the repair and receives the sums; targets elsewhere
   *     receive theirs from it
   * @throws IllegalArgumentException naming what contradicts itself
   */
  public GroupSnapshot(GroupId id, long groupBytes, int dataUnits, int parityUnits, int cellBytes,
      List<Holder> live, List<Holder> targets, NodeRef destination) {
    this(new StripedLayout(id, groupBytes, dataUnits, parityUnits, cellBytes), live, targets,
        destination);
  }

  /**
   * Blocks of any layout.
   *
   * @param layout the blocks
   * @param live the nodes that hold them; one block may have several holders
   * @param targets the blocks to rebuild and where, without repetition
   * @param destination the node that leads the repair and receives the sums; targets elsewhere
   *     receive theirs from it
   * @throws IllegalArgumentException naming what contradicts itself
   */
  public GroupSnapshot(BlockLayout layout, List<Holder> live, List<Holder> targets,
      NodeRef destination) {
    this.layout = Objects.requireNonNull(layout, "layout");
    this.live = Collections.unmodifiableList(new ArrayList<>(live));
    List<Holder> ascending = new ArrayList<>(targets);
    ascending.sort(Comparator.comparingInt(Holder::unit));
    this.targets = Collections.unmodifiableList(ascending);
    this.destination = Objects.requireNonNull(destination, "destination");
    check();
  }

  private void check() {
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("Block group " + id() + " has nothing to rebuild");
    }
    Set<Integer> held = new HashSet<>();
    for (Holder holder : live) {
      checkUnit(holder.unit());
      held.add(holder.unit());
    }
    Set<Integer> wanted = new HashSet<>();
    for (Holder target : targets) {
      checkUnit(target.unit());
      if (held.contains(target.unit()) || !wanted.add(target.unit())) {
        throw new IllegalArgumentException("Unit " + target.unit() + " of block group " + id()
            + " is to be rebuilt, but it is held or named twice: live " + live + ", targets "
            + targets);
      }
      if (unitBytes(target.unit()) == 0) {
        throw new IllegalArgumentException("Unit " + target.unit() + " of block group " + id()
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

  public GroupId id() {
    return layout.id();
  }

  public int dataUnits() {
    return layout.dataUnits();
  }

  public int parityUnits() {
    return layout.parityUnits();
  }

  /** k + m. */
  public int units() {
    return dataUnits() + parityUnits();
  }

  public List<Holder> live() {
    return live;
  }

  /** The units to rebuild, ascending. */
  public List<Holder> targets() {
    return targets;
  }

  /** The node that leads the repair and receives the sums. */
  public NodeRef destination() {
    return destination;
  }

  /** The block of {@code unit}. */
  public BlockRef block(int unit) {
    return layout.block(unit);
  }

  /** Length of the block of {@code unit}, bytes; 0 where the file ended before it. */
  public long unitBytes(int unit) {
    return layout.length(unit);
  }

  public int cellBytes() {
    return layout.cellBytes();
  }

  /** Length of the longest block, bytes. */
  public long longestUnitBytes() {
    long longest = 0;
    for (int unit = 0; unit < units(); unit++) {
      longest = Math.max(longest, unitBytes(unit));
    }
    return longest;
  }

  /** Length of the longest unit to rebuild, bytes. */
  public long streamBytes() {
    long longest = 0;
    for (Holder target : targets) {
      longest = Math.max(longest, unitBytes(target.unit()));
    }
    return longest;
  }

  /** The same group, without the holders that {@code rejected} accepts. */
  public GroupSnapshot without(Predicate<NodeRef> rejected) {
    List<Holder> kept = new ArrayList<>(live);
    kept.removeIf(holder -> rejected.test(holder.node()));
    return withLive(kept);
  }

  /** The same group, with what one node holds named first. */
  public GroupSnapshot withFirst(NodeRef node) {
    List<Holder> sorted = new ArrayList<>(live);
    sorted.sort(Comparator.comparingInt(holder -> holder.node().equals(node) ? 0 : 1));
    return withLive(sorted);
  }

  /** The same group, with each holder replaced by what {@code change} makes of it. */
  public GroupSnapshot withLive(UnaryOperator<Holder> change) {
    List<Holder> changed = new ArrayList<>(live);
    changed.replaceAll(change);
    return withLive(changed);
  }

  private GroupSnapshot withLive(List<Holder> holders) {
    return new GroupSnapshot(layout, holders, targets, destination);
  }
}
