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

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Describes a block group that has lost units, as the NameNode saw the group at one moment. The
 * description has all that a scheduler needs to know about the group. Immutable.
 */
@InterfaceAudience.Private
public final class LostGroup {
  /** The group's id */
  public final GroupId id;
  /** Length of the group's data, bytes */
  public final long groupBytes;
  /** Codec, units and cell size */
  public final GroupPolicy policy;
  /** The units that can be read, each with its node; a unit may occur more than once */
  public final List<UnitHolder> live;
  /** Indices of the units to rebuild */
  public final List<Integer> lost;
  /**
   * Null if these are the nodes of {@link #live}. That is so for most groups, and saves memory when
   * a million groups wait.
   */
  private final List<NodeRef> occupied;
  /** How many more units may be lost without loss of data; negative if too many are lost already */
  public final int spareUnits;
  /** When the NameNode first counted a unit as lost, monotonic, ms */
  public final long sinceMs;
  /** Id of the file's storage policy; 0 if unknown */
  public final byte storagePolicy;
  /** How CORE affects the repair of the lost units */
  public final CoreWork core;

  /**
   * Makes a description of a group whose readable units are on the only nodes that have a replica
   * of it, see {@link #occupying}.
   *
   * @param id the group's id
   * @param groupBytes length of the group's data, bytes
   * @param policy codec, units and cell size
   * @param live the units that can be read, each with its node, which need not be in service: it
   *     may also be leaving, or have been decommissioned. A unit may occur more than once
   * @param lost the units to rebuild, ascending: no node has a replica of such a unit, or only a
   *     node that is being decommissioned
   * @param spareUnits how many more units may be lost without loss of data; negative if too many
   *     are lost already
   * @param sinceMs when the NameNode first counted a unit as lost, monotonic, ms
   */
  public LostGroup(GroupId id, long groupBytes, GroupPolicy policy, List<UnitHolder> live,
      List<Integer> lost, int spareUnits, long sinceMs) {
    this.id = Objects.requireNonNull(id, "id");
    this.groupBytes = groupBytes;
    this.policy = Objects.requireNonNull(policy, "policy");
    this.live = List.copyOf(live);
    this.lost = UnitLists.of(lost);
    this.occupied = null;
    this.spareUnits = spareUnits;
    this.sinceMs = sinceMs;
    this.storagePolicy = 0;
    this.core = CoreWork.NONE;
  }

  private LostGroup(LostGroup from, List<UnitHolder> live, List<Integer> lost,
      List<NodeRef> occupied, byte storagePolicy, CoreWork core) {
    this.id = from.id;
    this.groupBytes = from.groupBytes;
    this.policy = from.policy;
    this.live = List.copyOf(live);
    this.lost = lost == from.lost ? lost : UnitLists.of(lost);
    this.occupied = HoldersNodes.areAll(occupied, this.live) ? null : List.copyOf(occupied);
    this.spareUnits = from.spareUnits;
    this.sinceMs = from.sinceMs;
    this.storagePolicy = storagePolicy;
    this.core = Objects.requireNonNull(core, "core");
  }

  /**
   * @param nodes the nodes that hold any replica of the group, live or not, or are to get one; no
   *     rebuilt unit may go to these nodes
   * @return a copy of this description with these nodes
   */
  public LostGroup occupying(List<NodeRef> nodes) {
    return occupying(nodes, storagePolicy);
  }

  /**
   * @param nodes as above
   * @param policyId id of the file's storage policy, which says on which storage types its blocks
   *     may be stored; 0 if unknown
   * @return a copy of this description with these nodes and this storage policy
   */
  public LostGroup occupying(List<NodeRef> nodes, byte policyId) {
    return new LostGroup(this, live, lost, nodes, policyId, core);
  }

  /**
   * @param work what CORE means for the lost units
   * @return a copy of this description with {@code work}
   */
  public LostGroup withCore(CoreWork work) {
    return new LostGroup(this, live, lost, occupied(), storagePolicy, work);
  }

  /**
   * @param readable the units that can be read, each with its node
   * @return a copy of this description with these units as its live units
   */
  public LostGroup withLive(List<UnitHolder> readable) {
    return new LostGroup(this, readable, lost, occupied(), storagePolicy, core);
  }

  /**
   * Returns the group as one part of its repair sees it. A part rebuilds some of the lost units;
   * other parts rebuild the rest before it or at the same time.
   *
   * @param units the units that this part rebuilds
   * @param readable units that other parts have rebuilt before, each with its node
   * @param taken the nodes that get other units
   * @return the group with {@code units} as its only lost units
   */
  public LostGroup part(Collection<Integer> units, List<UnitHolder> readable,
      List<NodeRef> taken) {
    List<UnitHolder> nowLive = new ArrayList<>(live);
    // The live units may include a lost unit, whose node is being decommissioned. A part does not
    // read it.
    nowLive.removeIf(holder -> lost.contains(holder.unit));
    nowLive.addAll(readable);
    List<NodeRef> nowOccupied = new ArrayList<>(occupied());
    nowOccupied.addAll(taken);
    List<Integer> nowLost = new ArrayList<>(units);
    Collections.sort(nowLost);
    return new LostGroup(this, nowLive, nowLost, nowOccupied, storagePolicy, core);
  }

  /**
   * Returns whether no repair may begin before something changes: the row alone cannot rebuild its
   * units and CORE cannot either, or other rows have to be repaired first.
   *
   * @return whether the group has to wait
   */
  public boolean isToWait() {
    return core.isToWait() || isUnrecoverable() && core.state != CoreWork.State.ORDERED;
  }

  /**
   * @param unit index of a unit
   * @return length of that unit, bytes; 0 if it is behind the end of the file
   */
  public long unitBytes(int unit) {
    return StripedBlockUtil.getInternalBlockLength(groupBytes, policy.cellBytes,
        policy.dataUnits, unit);
  }

  /** @return bytes of all lost units together */
  public long lostBytes() {
    long bytes = 0;
    for (int unit : lost) {
      bytes += unitBytes(unit);
    }
    return bytes;
  }

  /** @return the nodes that have a unit of the group, readable or not */
  public List<NodeRef> occupied() {
    return occupied == null ? new HoldersNodes(live) : occupied;
  }

  /**
   * Returns whether the row cannot rebuild its lost units by itself, so that data are lost at
   * present unless CORE can rebuild units. A unit that comes back may make the group recoverable
   * again.
   *
   * @return whether too many units are lost to compute the others
   */
  public boolean isUnrecoverable() {
    return spareUnits < 0;
  }

  /**
   * Returns a number of units that suffices to decode the group with any code. With one unit more,
   * the result can be checked.
   *
   * @return the number of units
   */
  public long unitsToDecode() {
    // Units behind the end of the file are all zeros and need not be read.
    return Math.min(policy.dataUnits, (groupBytes - 1) / policy.cellBytes + 1);
  }

  /**
   * @param other a view of the same group
   * @return true if both views are equal in all fields, so that a scheduler would make the same
   *     plan from each
   */
  public boolean isSameView(LostGroup other) {
    return id.equals(other.id) && groupBytes == other.groupBytes && policy.equals(other.policy)
        && lost.equals(other.lost) && spareUnits == other.spareUnits && sinceMs == other.sinceMs
        && storagePolicy == other.storagePolicy && core.isSameView(other.core)
        && SameView.all(occupied(), other.occupied(), SameView::node)
        && SameView.all(live, other.live, SameView::holder);
  }

  @Override
  public String toString() {
    return id + " of " + policy + ", lost " + lost;
  }

  /**
   * Shares equal lists of units between groups. When a node dies, a million groups may have lost a
   * unit, but only few different lists occur. There are at most 2^16 lists. Thread-safe.
   */
  static final class UnitLists {
    /** Groups have at most this many units. */
    private static final int UNITS_MAX = 16;
    private static final Map<Integer, List<Integer>> KNOWN = new ConcurrentHashMap<>();

    private UnitLists() {
    }

    /**
     * @param units indices of units
     * @return an unmodifiable list of them; the same object for equal lists that are ascending
     */
    static List<Integer> of(List<Integer> units) {
      int mask = 0;
      int last = -1;
      for (int unit : units) {
        if (unit <= last || unit >= UNITS_MAX) {
          return Collections.unmodifiableList(new ArrayList<>(units));
        }
        mask |= 1 << unit;
        last = unit;
      }
      return KNOWN.computeIfAbsent(mask, none ->
          Collections.unmodifiableList(new ArrayList<>(units)));
    }
  }

  /** The nodes of holders, as a list that takes no memory of its own. Immutable. */
  static final class HoldersNodes extends AbstractList<NodeRef> implements RandomAccess {
    private final List<UnitHolder> holders;

    /** @param holders a list that does not change */
    HoldersNodes(List<UnitHolder> holders) {
      this.holders = holders;
    }

    @Override
    public NodeRef get(int index) {
      return holders.get(index).node;
    }

    @Override
    public int size() {
      return holders.size();
    }

    /**
     * Returns whether a list names exactly the nodes of the holders, in the same order and as the
     * same objects.
     */
    static boolean areAll(List<NodeRef> nodes, List<UnitHolder> holders) {
      if (nodes.size() != holders.size()) {
        return false;
      }
      for (int i = 0; i < nodes.size(); i++) {
        if (nodes.get(i) != holders.get(i).node) {
          return false;
        }
      }
      return true;
    }
  }
}
