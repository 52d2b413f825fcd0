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
package org.hdfsppr.datanode.metrics;

import org.apache.hadoop.classification.InterfaceAudience;

/** The phases of a repair, in order. */
@InterfaceAudience.Private
public enum RepairPhase {
  /** The time that the planner takes to make a plan. */
  PLAN("PlanTimeMs"),
  /** The time until all children have accepted their requests and all targets are open. */
  CONNECT("ConnectTimeMs"),
  /** The time from then on until the last slice is written. */
  TRANSFER("TransferTimeMs"),
  /** The time from the last slice until the replica is finalised and reported to the NameNode. */
  FINALISE("FinaliseTimeMs");

  final String metricName;

  RepairPhase(String metricName) {
    this.metricName = metricName;
  }
}
