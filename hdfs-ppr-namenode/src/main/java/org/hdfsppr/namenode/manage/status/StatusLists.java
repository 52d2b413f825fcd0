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
package org.hdfsppr.namenode.manage.status;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.DoubtView;
import org.hdfsppr.namenode.track.RepairProgress;

/**
 * The lists of a status: single groups, repairs, nodes and doubts. They cost more than the numbers,
 * so that they are made at most once a second, and only while something reads them. Each has at
 * most {@value #ENTRIES_MAX} entries; the counts next to them also include what they leave out.
 * Immutable.
 */
@InterfaceAudience.Private
public final class StatusLists {
  /** The greatest number of entries of a list; a page shows no more. */
  public static final int ENTRIES_MAX = 1_000;
  /** Empty lists, which have never been made. */
  public static final StatusLists NONE = new Builder().build();

  /** When the lists were made, or null if they have never been made */
  public final Moment made;
  /** Number of the cycle that made the lists; 0 if they have never been made */
  public final long cycle;
  /** Groups that wait, those that are stuck first, and then the oldest */
  public final List<WaitingGroup> groups;
  /** How many groups wait */
  public final int groupsTotal;
  /** How many groups wait for each reason; reasons without groups are left out */
  public final Map<WaitReason, Integer> reasons;
  /** The commands that began first */
  public final List<RepairProgress> repairs;
  /** How many commands are under way */
  public final int repairsTotal;
  /** The live DataNodes, with their repairs and loads */
  public final List<NodeStatus> nodes;
  /** How many DataNodes are live */
  public final int nodesTotal;
  /** The oldest doubts */
  public final List<DoubtView> doubts;
  /** How many groups are doubted or suspected */
  public final int doubtsTotal;

  private StatusLists(Builder all) {
    made = all.made;
    cycle = all.cycle;
    groups = all.groups;
    groupsTotal = all.groupsTotal;
    reasons = all.reasons;
    repairs = all.repairs;
    repairsTotal = all.repairsTotal;
    nodes = all.nodes;
    nodesTotal = all.nodesTotal;
    doubts = all.doubts;
    doubtsTotal = all.doubtsTotal;
  }

  /** Collects lists. Used by one thread, once. */
  public static final class Builder {
    private Moment made;
    private long cycle;
    private List<WaitingGroup> groups = List.of();
    private int groupsTotal;
    private Map<WaitReason, Integer> reasons = Map.of();
    private List<RepairProgress> repairs = List.of();
    private int repairsTotal;
    private List<NodeStatus> nodes = List.of();
    private int nodesTotal;
    private List<DoubtView> doubts = List.of();
    private int doubtsTotal;

    private static <T> List<T> checked(List<T> list) {
      if (list.size() > ENTRIES_MAX) {
        throw new IllegalArgumentException(list.size() + " entries, more than " + ENTRIES_MAX);
      }
      return List.copyOf(list);
    }

    /**
     * Sets when the lists are made.
     *
     * @param now the moment
     * @param inCycle number of the cycle that makes them
     * @return this
     */
    public Builder made(Moment now, long inCycle) {
      made = Objects.requireNonNull(now, "now");
      cycle = inCycle;
      return this;
    }

    /**
     * Sets the waiting groups.
     *
     * @param first some of them, at most {@value StatusLists#ENTRIES_MAX}
     * @param total how many there are
     * @param byReason how many wait for each reason
     * @return this
     * @throws IllegalArgumentException if the list is too long
     */
    public Builder groups(List<WaitingGroup> first, int total, Map<WaitReason, Integer> byReason) {
      groups = checked(first);
      groupsTotal = total;
      Map<WaitReason, Integer> copy = new EnumMap<>(WaitReason.class);
      copy.putAll(byReason);
      copy.values().removeIf(count -> count == 0);
      reasons = Collections.unmodifiableMap(copy);
      return this;
    }

    /**
     * Sets the commands under way.
     *
     * @param first some of them, at most {@value StatusLists#ENTRIES_MAX}
     * @param total how many there are
     * @return this
     * @throws IllegalArgumentException if the list is too long
     */
    public Builder repairs(List<RepairProgress> first, int total) {
      repairs = checked(first);
      repairsTotal = total;
      return this;
    }

    /**
     * Sets the live DataNodes.
     *
     * @param first some of them, at most {@value StatusLists#ENTRIES_MAX}
     * @param total how many there are
     * @return this
     * @throws IllegalArgumentException if the list is too long
     */
    public Builder nodes(List<NodeStatus> first, int total) {
      nodes = checked(first);
      nodesTotal = total;
      return this;
    }

    /**
     * Sets the doubts.
     *
     * @param first some of them, at most {@value StatusLists#ENTRIES_MAX}
     * @param total how many there are
     * @return this
     * @throws IllegalArgumentException if the list is too long
     */
    public Builder doubts(List<DoubtView> first, int total) {
      doubts = checked(first);
      doubtsTotal = total;
      return this;
    }

    /**
     * Makes the lists. The builder must not be used afterwards.
     *
     * @return the lists
     */
    public StatusLists build() {
      return new StatusLists(this);
    }
  }
}
