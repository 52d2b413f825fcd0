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
package org.hdfsppr.namenode.manage;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.wire.FailureCause;

/**
 * Results of repairs that wait for the manager's next cycle. Heartbeats put them in, the manager's
 * thread takes them out. Thread-safe.
 */
@InterfaceAudience.Private
final class ResultInbox {
  /** Results beyond this bound are not acknowledged, so that their DataNodes repeat them. */
  private static final int RESULTS_MAX = 100_000;

  /** A DataNode's report of the end of a repair. */
  static final class Report {
    private final String uuid;
    private final RepairResult result;

    private Report(String uuid, RepairResult result) {
      this.uuid = uuid;
      this.result = result;
    }

    /** The node that reports it. */
    String uuid() {
      return uuid;
    }

    RepairResult result() {
      return result;
    }
  }

  private final RepairTracker tracker;
  private final ConcurrentLinkedQueue<Report> results = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  ResultInbox(RepairTracker tracker) {
    this.tracker = tracker;
  }

  /**
   * Keeps the result of a repair for the next cycle.
   *
   * @param uuid the node that says so, which leads the repair
   * @return false if the inbox is full; the node has to report it again later
   */
  boolean tell(String uuid, RepairResult result) {
    // The tracker learns of it first: from then on the destination need not name the repair.
    return put(uuid, result, () -> tracker.told(result.repairId()));
  }

  /**
   * Keeps the result of a repair that is not under way here. Its findings about the group's units
   * still count if that node led the repair. It may be late because units contradict each other and
   * the node left out each in turn, or because the block report was faster than the result.
   */
  boolean tellLate(String uuid, RepairResult result) {
    boolean counts = tracker.ended(result.repairId(), uuid).filter(ended ->
        result.cause() == FailureCause.VERIFICATION || ended.isDoneAsDoubted(result)).isPresent();
    return !counts || put(uuid, result, () -> { });
  }

  private boolean put(String uuid, RepairResult result, Runnable before) {
    if (waiting.get() >= RESULTS_MAX) {
      return false;
    }
    waiting.incrementAndGet();
    before.run();
    results.add(new Report(uuid, result));
    return true;
  }

  /** The next result, or null. */
  Report poll() {
    Report report = results.poll();
    if (report != null) {
      waiting.decrementAndGet();
    }
    return report;
  }
}
