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
package org.hdfsppr.datanode.repair;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.SelfReport;

/**
 * Remembers the DataNodes to whose repair port this node has lately failed to connect, for the
 * heartbeats. The NameNode compares the reports of several nodes. Thread-safe.
 */
@InterfaceAudience.Private
final class UnreachablePeers {
  /**
   * How long a failure is remembered, ns. An operator who asks some minutes after a repair must
   * still find its cause.
   */
  static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final LongSupplier nanoClock;
  /** The time until which each failure is remembered, by UUID, the latest failure last. */
  private final Map<String, Long> untilNanos = new LinkedHashMap<>();

  UnreachablePeers(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Notes whether this node has reached the repair port of another node. */
  synchronized void note(String uuid, boolean reached) {
    untilNanos.remove(uuid);
    if (!reached) {
      untilNanos.put(uuid, nanoClock.getAsLong() + KEPT_NANOS);
      if (untilNanos.size() > SelfReport.UNREACHABLE_MAX) {
        Iterator<String> oldest = untilNanos.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
    }
  }

  /** Returns the UUIDs of the nodes that could not be reached, at most those of one heartbeat. */
  synchronized List<String> recent() {
    untilNanos.values().removeIf(until -> nanoClock.getAsLong() - until > 0);
    return new ArrayList<>(untilNanos.keySet());
  }
}
