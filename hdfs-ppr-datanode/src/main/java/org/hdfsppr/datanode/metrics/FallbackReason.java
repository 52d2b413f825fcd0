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

/** The reasons why a repair is left to stock. */
@InterfaceAudience.Private
public enum FallbackReason {
  /** The project has no coder for the group's codec. */
  UNKNOWN_CODEC("UnknownCodec"),
  /** The coder's self-check against stock's coder did not pass. */
  PROBE_FAILED("ProbeFailed"),
  /** The code needs more units than are readable. */
  TOO_FEW_HELPERS("TooFewHelpers"),
  /** The attempts at the group failed too often on this DataNode. */
  REPEATED_FAILURE("RepeatedFailure"),
  /** The queue of repairs is full. */
  QUEUE_FULL("QueueFull"),
  /** The plugin is still starting. */
  NOT_READY("NotReady"),
  /** The plugin is stopping. */
  STOPPING("Stopping"),
  /** The replica could not be written on this DataNode. */
  LOCAL_WRITE_FAILED("LocalWriteFailed"),
  /** Another cause, which the log names. */
  OTHER("Other");

  final String metricName;

  FallbackReason(String metricName) {
    this.metricName = metricName;
  }
}
