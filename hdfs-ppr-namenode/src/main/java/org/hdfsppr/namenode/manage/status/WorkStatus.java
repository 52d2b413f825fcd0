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
import java.util.OptionalDouble;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.RepairWork;

/** How far all repairs together are, how fast they go, and when they will be done. Immutable. */
@InterfaceAudience.Private
public final class WorkStatus {
  /** No work at all. */
  public static final WorkStatus NONE = new WorkStatus(RepairWork.NONE, 0, 0, 0,
      OptionalDouble.empty(), OptionalDouble.empty());

  private final RepairWork work;
  /** How many repairs have failed since the start */
  public final long failed;
  private final long bytesWaiting;
  /**
   * Rebuilt bytes per second over the last minute, or since there is something to do, if that is
   * shorter
   */
  public final double bytesPerSecond;
  /**
   * When all is rebuilt at the present rate, seconds from now; empty if that is not known, if
   * nothing is rebuilt now, or if nothing is left
   */
  public final OptionalDouble etaSeconds;
  /**
   * When all can be rebuilt at best, if links and disks run at their configured and reported rates,
   * seconds from now; empty if that is not known or nothing is left
   */
  public final OptionalDouble etaBoundSeconds;

  /**
   * @param work the repairs under way and those that are done
   * @param failed how many repairs have failed since the start
   * @param bytesWaiting bytes of the lost units of the groups that wait and can be repaired
   * @param bytesPerSecond rebuilt bytes per second over the last minute, or since the loss
   * @param etaSeconds when all is rebuilt at the present rate, seconds from now
   * @param etaBoundSeconds when all can be rebuilt at best, seconds from now
   */
  public WorkStatus(RepairWork work, long failed, long bytesWaiting, double bytesPerSecond,
      OptionalDouble etaSeconds, OptionalDouble etaBoundSeconds) {
    this.work = Objects.requireNonNull(work, "work");
    this.failed = failed;
    this.bytesWaiting = bytesWaiting;
    this.bytesPerSecond = bytesPerSecond;
    this.etaSeconds = Objects.requireNonNull(etaSeconds, "etaSeconds");
    this.etaBoundSeconds = Objects.requireNonNull(etaBoundSeconds, "etaBoundSeconds");
  }

  /** @return how many repairs are done since the start */
  public long done() {
    return work.done();
  }

  /** @return bytes of the units that repairs have rebuilt since the start, whole units only */
  public long bytesRebuilt() {
    return work.bytesDone();
  }

  /** @return bytes that repairs under way have rebuilt so far, as their destinations report */
  public long bytesInProgress() {
    return work.bytesInProgress();
  }

  /**
   * @return bytes that are still to be rebuilt, in groups that wait and in those under way. Groups
   *     that have lost too many units do not count, because they cannot be rebuilt now
   */
  public long bytesLeft() {
    return bytesWaiting + work.bytesLeft();
  }
}
