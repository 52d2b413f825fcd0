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
package org.hdfsppr.namenode.version;

import java.util.List;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.wire.FailureCause;

/**
 * The links of one group that one DataNode has to make. If the DataNode is overloaded, it is asked
 * again for some time, because any other node would have to copy each of these units. Used by one
 * thread at a time.
 */
final class NodeLinks {
  /** How long an overloaded DataNode gets no request, ms. A link takes it only milliseconds. */
  static final long REST_MS = 2_000;
  /**
   * For how long an overloaded DataNode is asked again before the units are copied, ms. A copy
   * takes minutes.
   */
  static final long MS_MAX = GroupCommands.LINK_MS_MAX;

  final String uuid;
  final List<UnitPlace> places;
  private final long sinceMs;
  private long dueMs;

  /** @param nowMs when the links are ordered for the first time, monotonic ms */
  NodeLinks(String uuid, List<UnitPlace> places, long nowMs) {
    this.uuid = uuid;
    this.places = places;
    this.sinceMs = nowMs;
  }

  /** Returns whether a node that has made none of the links is asked again. */
  boolean isAskedAgain(RepairResult result, long nowMs) {
    dueMs = nowMs + REST_MS;
    return result.outcome == RepairOutcome.REFUSED
        && result.cause == FailureCause.OVERLOADED && nowMs - sinceMs < MS_MAX;
  }

  /** Returns whether it is time to ask the node again. */
  boolean isDue(long nowMs) {
    return nowMs - dueMs >= 0;
  }
}
