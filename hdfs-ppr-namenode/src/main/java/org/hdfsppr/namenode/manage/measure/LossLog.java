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
package org.hdfsppr.namenode.manage.measure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.LossStatus;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/**
 * Follows the losses of DataNodes. A loss begins when a node is not live any more and groups come
 * to the queue. It ends when none of these groups is left.
 *
 * <p>The NameNode does not say which node had a lost unit. Units that are lost after a node has
 * left therefore count for this node. If several nodes have left and no unit has been lost since,
 * these nodes are one loss, because it is not known which unit was on which. Used by the manager's
 * thread.
 */
@InterfaceAudience.Private
public final class LossLog {
  /** The greatest number of losses that are remembered; the oldest are forgotten. */
  public static final int LOSSES_MAX = 20;
  /**
   * Units that are lost for this time after a node has left count for the node, ms. By default, a
   * NameNode looks only every five minutes for nodes that have died.
   */
  static final long WINDOW_MS = 360_000;
  /**
   * After the queue has begun anew, a loss ends if none of its groups has come back for this time,
   * ms.
   */
  static final long SETTLED_MS = 10_000;

  /** One loss, which may have no groups yet. */
  private static final class OneLoss {
    private final Map<String, NodeRef> nodes = new LinkedHashMap<>();
    /**
     * The last time at which the nodes were live; {@code leftMs} is the first at which they were
     * not.
     */
    private final long liveMs;
    private long leftMs;
    private Long endedMs;
    private int groups;
    private int groupsLeft;
    private long bytes;
    private long bytesLeft;
    private long changedMs;
    /**
     * The part that was made last. Groups that have lost as many bytes share it, to save memory
     * when a million groups wait.
     */
    private Part lastPart;

    OneLoss(long liveMs) {
      this.liveMs = liveMs;
    }

    /** Returns the part of this loss in a group that has no part of any other loss. */
    private Part part(long ofBytes) {
      if (lastPart == null || lastPart.bytes != ofBytes) {
        lastPart = new Part(this, ofBytes, null);
      }
      return lastPart;
    }

    LossStatus status() {
      return new LossStatus(new ArrayList<>(nodes.values()), leftMs, endedMs, groups, groupsLeft,
          bytes, bytesLeft);
    }
  }

  /** The part of one loss in one group; the same group may have parts in several losses. */
  private static final class Part {
    private final OneLoss loss;
    private final long bytes;
    private final Part next;

    Part(OneLoss loss, long bytes, Part next) {
      this.loss = loss;
      this.bytes = bytes;
      this.next = next;
    }
  }

  private final LongSupplier clockMs;
  private final Deque<OneLoss> losses = new ArrayDeque<>();
  /** The groups of losses that are still to be repaired; the manager knows all of these. */
  private final Map<GroupId, Part> parts = new HashMap<>();
  private Map<String, NodeRef> live = Map.of();
  private long lookedMs;

  /** @param clockMs the time, monotonic, ms */
  public LossLog(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /**
   * Takes note of the live DataNodes.
   *
   * @param nodes all live DataNodes
   */
  public void look(Collection<NodeRef> nodes) {
    long now = clockMs.getAsLong();
    Map<String, NodeRef> present = new HashMap<>();
    nodes.forEach(node -> present.put(node.uuid, node));
    List<NodeRef> left = live.values().stream().filter(node -> !present.containsKey(node.uuid))
        .collect(Collectors.toList());
    forgetReturned(present.keySet());
    if (!left.isEmpty()) {
      OneLoss loss = new OneLoss(lookedMs);
      loss.leftMs = now;
      left.forEach(node -> loss.nodes.put(node.uuid, node));
      losses.addFirst(loss);
      if (losses.size() > LOSSES_MAX) {
        losses.removeLast();
      }
    }
    for (OneLoss loss : losses) {
      if (loss.groupsLeft == 0 && loss.groups > 0 && loss.endedMs == null
          && now - loss.changedMs >= SETTLED_MS) {
        loss.endedMs = now;
      }
    }
    live = present;
    lookedMs = now;
  }

  /** Forgets nodes that have come back before the NameNode counted any of their units as lost. */
  private void forgetReturned(Set<String> present) {
    for (Iterator<OneLoss> all = losses.iterator(); all.hasNext();) {
      OneLoss loss = all.next();
      if (loss.groups == 0) {
        loss.nodes.keySet().removeAll(present);
        if (loss.nodes.isEmpty()) {
          all.remove();
        }
      }
    }
  }

  /**
   * Takes note that the NameNode counts units of a group as lost.
   *
   * @param group the group, as the NameNode describes it
   * @param before the manager's view of the group until now, or null if it had none
   */
  public void lost(LostGroup group, LostGroup before) {
    boolean isKnown = parts.containsKey(group.id);
    if (losses.isEmpty() || before == null && isKnown) {
      return;
    }
    Set<Integer> units = new HashSet<>(group.lost);
    if (before != null) {
      units.removeAll(before.lost);
    }
    OneLoss loss = units.isEmpty() ? null
        : of(before == null ? group.sinceMs : clockMs.getAsLong());
    if (loss == null) {
      return;
    }
    long bytes = units.stream().mapToLong(group::unitBytes).sum();
    parts.merge(group.id, loss.part(bytes), (old, more) -> new Part(loss, bytes, old));
    loss.groups++;
    loss.groupsLeft++;
    loss.bytes += bytes;
    loss.bytesLeft += bytes;
    loss.endedMs = null;
    loss.changedMs = clockMs.getAsLong();
  }

  /** Returns the loss because of which a unit was lost at this time; null if there is none. */
  private OneLoss of(long atMs) {
    OneLoss found = null;
    for (Iterator<OneLoss> all = losses.iterator(); all.hasNext();) {
      OneLoss loss = all.next();
      boolean isPossible = loss.liveMs <= atMs && atMs <= loss.leftMs + WINDOW_MS;
      if (found == null && isPossible) {
        found = loss;
      } else if (found != null && isPossible && found.groups == 0 && loss.groups == 0) {
        // Units of all these nodes are counted as lost at the same time, so the losses become one.
        found.nodes.putAll(loss.nodes);
        found.leftMs = Math.min(found.leftMs, loss.leftMs);
        all.remove();
      }
    }
    return found;
  }

  /**
   * Takes note that a repair has rebuilt the lost units of a group.
   *
   * @param group the group, which may be in no loss
   */
  public void gone(GroupId group) {
    for (Part part = parts.remove(group); part != null; part = part.next) {
      OneLoss loss = part.loss;
      loss.groupsLeft--;
      loss.bytesLeft -= part.bytes;
      loss.changedMs = clockMs.getAsLong();
      if (loss.groupsLeft == 0) {
        loss.endedMs = loss.changedMs;
      }
    }
  }

  /**
   * Takes note that a group is not to be repaired any more although no repair has rebuilt its
   * units. They came back with their node, the group is deleted, or stock has got it, and the
   * NameNode does not say when stock has repaired it. The group does not count in its losses any
   * more. If its units are lost again, because their node comes and goes, it counts again. So each
   * group counts at most once.
   *
   * @param group the group, which may be in no loss
   */
  public void uncount(GroupId group) {
    for (Part part = parts.get(group); part != null; part = part.next) {
      part.loss.groups--;
      part.loss.bytes -= part.bytes;
    }
    gone(group);
  }

  /**
   * Takes note that the NameNode begins a new queue and reports all lost groups once more. These
   * groups count only once.
   */
  public void reset() {
    long now = clockMs.getAsLong();
    for (OneLoss loss : losses) {
      if (loss.groupsLeft > 0) {
        loss.groups -= loss.groupsLeft;
        loss.bytes -= loss.bytesLeft;
        loss.groupsLeft = 0;
        loss.bytesLeft = 0;
        loss.changedMs = now;
      }
    }
    parts.clear();
  }

  /** @return the losses that brought groups to the queue, the latest first */
  public List<LossStatus> status() {
    return losses.isEmpty() ? List.of() : losses.stream().filter(loss -> loss.groups > 0)
        .map(OneLoss::status).collect(Collectors.toList());
  }
}
