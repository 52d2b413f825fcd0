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
 * Busy places that take no new work because a group has waited for them too often: they run dry for
 * it. A group of higher priority passes, so that two groups never wait for each other. Few groups
 * hold places at a time, the first by priority: where all wait for all, holding only keeps links
 * idle.
 */
@InterfaceAudience.Private
final class Holds {
  private final RepairQueue queue;
  private final Map<Integer, QueuedGroup> byPlace = new HashMap<>();
  private final TreeSet<QueuedGroup> holders = new TreeSet<>();

  Holds(RepairQueue queue) {
    this.queue = queue;
  }

  /** Gives up the places of groups that left the queue, and wakes the groups that wait there. */
  void releaseGone() {
    List<QueuedGroup> gone = new ArrayList<>(holders);
    gone.removeIf(queue::isQueued);
    gone.forEach(this::release);
  }

  /**
   * Whether the group may hold places. A holder of lower priority gives its places up for it.
   *
   * @param holdersMax how many groups may at a time
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

  /** For a group that was admitted. */
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

  /** A place of that load that another group of higher priority holds, or none. */
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

  /** Whether any group holds a place of that load. */
  boolean isAnyHeld(RepairLoad load) {
    for (int i = 0; i < load.size() && !byPlace.isEmpty(); i++) {
      if (holder(Resource.place(load.resource(i))) != null) {
        return true;
      }
    }
    return false;
  }

  /** Gives up all places of the group, and wakes the groups that wait there. */
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
