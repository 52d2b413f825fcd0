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
package org.hdfsppr.namenode.manage.status;

import java.util.Objects;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;

/** A group that waits for a repair, and why. Immutable. */
@InterfaceAudience.Private
public final class WaitingGroup {
  /** The group, as the NameNode describes it */
  public final LostGroup group;
  /** Why it waits */
  public final WaitReason reason;
  /** How many of its repairs have failed in a row */
  public final int failures;
  private final long nextTryMs;
  /** Whether clients that read it have to rebuild lost units */
  public final boolean readDegraded;
  /** Whether an operator wants it before all others */
  public final boolean prioritized;

  /**
   * @param group the group, as the NameNode describes it
   * @param reason why it waits
   * @param failures how many of its repairs have failed in a row
   * @param nextTryMs when it is tried next, monotonic, ms; {@link Long#MIN_VALUE} if no time is set
   *     for that
   * @param readDegraded whether clients that read it have to rebuild lost units
   * @param prioritized whether an operator wants it before all others
   */
  public WaitingGroup(LostGroup group, WaitReason reason, int failures, long nextTryMs,
      boolean readDegraded, boolean prioritized) {
    this.group = Objects.requireNonNull(group, "group");
    this.reason = Objects.requireNonNull(reason, "reason");
    this.failures = failures;
    this.nextTryMs = nextTryMs;
    this.readDegraded = readDegraded;
    this.prioritized = prioritized;
  }

  /**
   * @param some how many of the group's repairs have failed in a row
   * @return a copy with this number of failures
   */
  public WaitingGroup withFailures(int some) {
    return new WaitingGroup(group, reason, some, nextTryMs, readDegraded, prioritized);
  }

  /** @return when it is tried next, monotonic, ms; empty if no time is set for that */
  public OptionalLong nextTryMs() {
    return nextTryMs == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(nextTryMs);
  }
}
