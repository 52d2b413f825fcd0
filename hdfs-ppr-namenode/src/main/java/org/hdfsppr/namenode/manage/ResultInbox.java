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
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.wire.FailureCause;

/**
 * Keeps the results of repairs for the manager's next cycle. Heartbeats add results, and the
 * manager's thread takes them out. Thread-safe.
 */
final class ResultInbox {
  /**
   * The greatest number of results that wait. Further results are not acknowledged, so that their
   * DataNodes repeat them.
   */
  private static final int RESULTS_MAX = 100_000;

  /** A DataNode's report of the end of a repair. */
  static final class Report {
    /** The UUID of the node that reports the result. */
    final String uuid;
    final RepairResult result;

    private Report(String uuid, RepairResult result) {
      this.uuid = uuid;
      this.result = result;
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
   * @param uuid UUID of the repair's destination, which reports the result
   * @return false if the inbox is full; the node has to report it again later
   */
  boolean tell(String uuid, RepairResult result) {
    // The tracker is informed before the result is queued: from that moment on, the destination
    // need not name the repair in its heartbeats any more.
    return put(uuid, result, () -> tracker.noteResult(result.repairId));
  }

  /**
   * Keeps, for the next cycle, the result of a repair that this manager has ended already. The
   * findings about the group's units still count if the reporting node was the repair's
   * destination. A result is late if the block report was faster, or if units contradict each other
   * and the destination has tried to do without each of them in turn.
   *
   * @return false if the inbox is full; the node has to report the result again later
   */
  boolean tellLate(String uuid, RepairResult result) {
    boolean counts = tracker.ended(result.repairId, uuid).filter(ended ->
        result.cause == FailureCause.VERIFICATION || ended.isDoneAsDoubted(result)).isPresent();
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

  /** Removes and returns the next result; null if there is none. */
  Report poll() {
    Report report = results.poll();
    if (report != null) {
      waiting.decrementAndGet();
    }
    return report;
  }
}
