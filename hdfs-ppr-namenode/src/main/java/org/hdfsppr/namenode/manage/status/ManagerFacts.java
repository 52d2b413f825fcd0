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
import org.apache.hadoop.classification.InterfaceAudience;

/** The facts that do not change while a repair manager runs. Immutable. */
@InterfaceAudience.Private
public final class ManagerFacts {
  /** The facts before a manager has begun. */
  public static final ManagerFacts NONE = new ManagerFacts("unknown", "unknown", 0, 0, 0);

  /** Version of this project's plugin on this NameNode; "unknown" if its jar does not say */
  public final String software;
  /** Name of the scheduler, lower case */
  public final String scheduler;
  /** How many repairs may be under way at a time */
  public final int inFlightMax;
  /** Configured rate of a node's link in each direction, bytes/s */
  public final double linkBytesPerSecond;
  /** When the manager began, wall clock, ms since 1970 */
  public final long startedMs;

  /**
   * @param software version of the extension on this NameNode
   * @param scheduler name of the scheduler, lower case
   * @param inFlightMax how many repairs may be under way at a time
   * @param linkBytesPerSecond configured rate of a node's link in each direction, bytes/s
   * @param startedMs when the manager began, wall clock, ms since 1970; with it, a reader
   *     distinguishes the cycles of two managers
   */
  public ManagerFacts(String software, String scheduler, int inFlightMax,
      double linkBytesPerSecond, long startedMs) {
    this.software = Objects.requireNonNull(software, "software");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.inFlightMax = inFlightMax;
    this.linkBytesPerSecond = linkBytesPerSecond;
    this.startedMs = startedMs;
  }
}
