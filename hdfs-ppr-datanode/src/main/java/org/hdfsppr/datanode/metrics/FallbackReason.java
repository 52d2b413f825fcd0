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

/** The reasons why a repair goes back to stock's worker, or to the manager that ordered it. */
@InterfaceAudience.Private
public enum FallbackReason {
  /** Hadoop on this DataNode does not know the group's codec. */
  UNKNOWN_CODEC("UnknownCodec"),
  /** The probe of Hadoop's coder for the group's codec did not show a code that repairs can use. */
  PROBE_FAILED("ProbeFailed"),
  /**
   * Too few units can be read to rebuild, or to check the result if the settings demand a check.
   */
  TOO_FEW_HELPERS("TooFewHelpers"),
  /** Attempts have failed, and no further attempt is left or would help. */
  REPEATED_FAILURE("RepeatedFailure"),
  /** The queue of repairs is full. */
  QUEUE_FULL("QueueFull"),
  /** The DataNode has not registered with a NameNode yet. */
  NOT_READY("NotReady"),
  /** The plugin is stopping. */
  STOPPING("Stopping"),
  /** No rebuilt unit could be written, or Hadoop interrupted the repair as it removed a volume. */
  LOCAL_WRITE_FAILED("LocalWriteFailed"),
  /** Another cause, which the log names. */
  OTHER("Other");

  final String metricName;

  FallbackReason(String metricName) {
    this.metricName = metricName;
  }
}
