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
package org.hdfsppr.namenode.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Keeps busy nodes and racks free for groups that have waited for them too often. A held node or
 * rack takes no new repairs of groups with lower priority, so that its pending work runs out. A
 * group of higher priority may still use a held node or rack, so that two groups never wait for
 * each other. Only a few groups, those of the highest priority, hold nodes at a time. If all groups
 * held nodes, most links would only stay idle.
 */
@InterfaceAudience.Private
final class Holds {
  private final RepairQueue queue;
  private final Map<Integer, QueuedGroup> byPlace = new HashMap<>();
  private final TreeSet<QueuedGroup> holders = new TreeSet<>();

  Holds(RepairQueue queue) {
    this.queue = queue;
  }

  /**
   * Releases the nodes and racks that are held for groups that have left the queue. At each of
   * them, the first group that waits is tried again.
   */
  void releaseGone() {
    List<QueuedGroup> gone = new ArrayList<>(holders);
    gone.removeIf(queue::isQueued);
    gone.forEach(this::release);
  }

  /**
   * Returns whether the group may hold nodes and racks. If too many groups hold some already, the
   * group of the lowest priority among them releases its nodes and racks, provided that this group
   * has a higher priority.
   *
   * @param holdersMax how many groups may hold nodes and racks at a time
   */
  boolean admit(QueuedGroup queued, int holdersMax) {
    holders.removeIf(holder -> !queue.isQueued(holder));
    if (!holders.contains(queued)) {
      if (holders.size() >= holdersMax) {
        QueuedGroup last = holders.last();
        if (last.compareTo(queued) < 0) {
          return false;
        }
        release(last);
      }
      holders.add(queued);
    }
    return true;
  }

  /** Holds a node or rack for a group that {@link #admit} has accepted. */
  void hold(int place, QueuedGroup queued) {
    QueuedGroup holder = holder(place);
    if (holder == null || queued.compareTo(holder) < 0) {
      byPlace.put(place, queued);
    }
  }

  private QueuedGroup holder(int place) {
    QueuedGroup holder = byPlace.get(place);
    if (holder != null && !queue.isQueued(holder)) {
      byPlace.remove(place);
      return null;
    }
    return holder;
  }

  /**
   * Returns a node or rack of the load that another group of higher priority holds, or {@link
   * Admission#NONE}.
   */
  int blocker(RepairLoad load, QueuedGroup queued) {
    if (byPlace.isEmpty()) {
      return Admission.NONE;
    }
    for (int i = 0; i < load.size(); i++) {
      int place = Resource.place(load.resource(i));
      QueuedGroup holder = holder(place);
      if (holder != null && holder != queued && holder.compareTo(queued) < 0) {
        return place;
      }
    }
    return Admission.NONE;
  }

  /** Returns whether any group holds a node or rack of the load. */
  boolean isAnyHeld(RepairLoad load) {
    for (int i = 0; i < load.size() && !byPlace.isEmpty(); i++) {
      if (holder(Resource.place(load.resource(i))) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Releases all nodes and racks that are held for the group. At each of them, the first group that
   * waits is tried again.
   */
  void release(QueuedGroup queued) {
    if (!holders.remove(queued)) {
      return;
    }
    byPlace.entrySet().removeIf(entry -> {
      if (entry.getValue() == queued) {
        queue.wake(entry.getKey(), 1);
        return true;
      }
      return false;
    });
  }
}
