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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups that could not be looked at because of an error. They are looked at again after
 * {@link #AGAIN_MS}: a passing error delays a group by seconds only, and a group that always fails
 * causes no more than one look in that time. Has at most as many groups as the queue. Used by the
 * thread that polls.
 */
final class FailedInspections {
  private static final Logger LOG = LoggerFactory.getLogger(FailedInspections.class);
  /**
   * The time from the first failed look until all groups whose look failed are looked at again, ms.
   */
  static final long AGAIN_MS = 10_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final Consumer<BlockInfo> retouch;
  private final Runnable count;
  private final LongSupplier clockMs;
  private final Set<BlockInfo> groups = new LinkedHashSet<>();
  private long againMs;

  /**
   * @param retouch asks for another look at a group
   * @param count counts a look that has failed
   * @param clockMs monotonic, ms
   */
  FailedInspections(Consumer<BlockInfo> retouch, Runnable count, LongSupplier clockMs) {
    this.retouch = retouch;
    this.count = count;
    this.clockMs = clockMs;
  }

  /** Notes that a look at a group has failed. */
  void add(BlockInfo group, Throwable e) {
    if (groups.isEmpty()) {
      againMs = clockMs.getAsLong() + AGAIN_MS;
    }
    groups.add(group);
    count.run();
    peerLog.error(e.getClass().getName(), "{} could not be looked at, and is looked at again in {}"
        + " s", group, AGAIN_MS / 1_000, e);
  }

  /** Asks for another look at all noted groups, if {@link #AGAIN_MS} has passed. */
  void retryDue() {
    if (groups.isEmpty() || clockMs.getAsLong() < againMs) {
      return;
    }
    List<BlockInfo> due = new ArrayList<>(groups);
    groups.clear();
    due.forEach(retouch);
  }
}
