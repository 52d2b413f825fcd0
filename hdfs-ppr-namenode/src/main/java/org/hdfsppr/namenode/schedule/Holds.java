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

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Busy places that are kept free of new work for a group that has waited too often: they run dry
 * for it. A group of higher priority passes, so that two groups never wait for each other.
 */
@InterfaceAudience.Private
final class Holds {
  private final RepairQueue queue;
  private final Map<Integer, QueuedGroup> byPlace = new HashMap<>();

  Holds(RepairQueue queue) {
    this.queue = queue;
  }

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

  /** Gives up all that the group holds, and wakes who waits there. */
  void release(QueuedGroup queued) {
    byPlace.entrySet().removeIf(entry -> {
      if (entry.getValue() == queued) {
        queue.wake(entry.getKey());
        return true;
      }
      return false;
    });
  }
}
