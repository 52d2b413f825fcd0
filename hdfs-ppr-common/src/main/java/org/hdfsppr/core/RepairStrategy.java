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
package org.hdfsppr.core;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Chooses and orders the repairs of a CORE group (CORE paper, section V-C). A strategy has no
 * state, so that several threads may use it.
 */
@InterfaceAudience.Private
public interface RepairStrategy {
  /** @return the name in settings and results, such as {@code rgs} */
  String label();

  /**
   * Chooses repairs until no block is lost, or until no row and no column can be repaired. For a
   * single cluster, the result has the same repairs that the cluster gets in the schedule of the
   * whole matrix.
   *
   * @param matrix the group, or one of its clusters
   * @return the repairs; they rebuild all lost blocks except those of
   *     {@link FailureMatrix#remainder}
   */
  RepairSchedule schedule(FailureMatrix matrix);
}
