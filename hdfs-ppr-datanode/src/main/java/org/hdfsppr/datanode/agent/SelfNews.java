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
package org.hdfsppr.datanode.agent;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.SelfReport;

/**
 * Reports facts about this node to one NameNode. Facts that change only with a restart are sent
 * with the first heartbeat, after a change, and when the NameNode asks for them. Used by one
 * thread.
 */
@InterfaceAudience.Private
final class SelfNews {
  private final Supplier<NodeSelf> about;
  private final LongSupplier wallClockMs;
  private final Supplier<List<String>> unreachable;
  /** The facts that the NameNode has confirmed; null if the next heartbeat must send all. */
  private NodeSelf heard;
  /** The facts that the NameNode will know once it answers the heartbeat under way. */
  private NodeSelf telling;

  /**
   * @param about the facts that change only with a restart; null if there are none to report
   * @param wallClockMs this node's wall clock, ms since 1970 (UTC)
   * @param unreachable UUIDs of the DataNodes whose repair port this node lately failed to reach
   */
  SelfNews(Supplier<NodeSelf> about, LongSupplier wallClockMs,
      Supplier<List<String>> unreachable) {
    this.about = about;
    this.wallClockMs = wallClockMs;
    this.unreachable = unreachable;
  }

  /** Returns the report for the next heartbeat. */
  SelfReport next() {
    NodeSelf now = about.get();
    telling = now;
    return new SelfReport(wallClockMs.getAsLong(),
        now == null || now.equals(heard) ? null : now, unreachable.get());
  }

  /** Notes that the NameNode has received the last report, and whether it asks for all facts. */
  void answered(HeartbeatResponse response) {
    heard = response.wantsSelf ? null : telling;
  }

  /** Notes that the NameNode did not answer, so that the next report has all facts. */
  void lost() {
    heard = null;
  }
}
