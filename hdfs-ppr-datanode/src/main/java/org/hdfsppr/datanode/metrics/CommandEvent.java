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

/** An event between a DataNode and repair managers. Each event has a counter. */
@InterfaceAudience.Private
public enum CommandEvent {
  /** A repair manager answered a heartbeat. */
  HEARTBEAT_ANSWERED("HeartbeatsAnswered", "Heartbeats that a repair manager answered"),
  /** A heartbeat got no answer. */
  HEARTBEAT_FAILED("HeartbeatsFailed", "Heartbeats that no repair manager answered"),
  /** A new command arrived. */
  RECEIVED("CommandsReceived", "Repairs that a manager ordered, repetitions not counted"),
  /** A command arrived that the DataNode knows already. */
  REPEATED("CommandsRepeated", "Repairs that a manager ordered once more"),
  /** The DataNode refused a command. */
  REFUSED("CommandsRefused", "Commands that could not be tried"),
  /** A command was out of date. */
  STALE("CommandsStale", "Commands of an older term or for an older generation stamp"),
  /** A manager cancelled a job that this DataNode had not ended yet. */
  CANCELLED("CommandsCancelled", "Repairs that a manager cancelled"),
  /** A commanded repair rebuilt its units. */
  REBUILT("CommandsRebuilt", "Commanded repairs that are done"),
  /** A commanded repair failed. */
  FAILED("CommandsFailed", "Commanded repairs that failed"),
  /** A commanded check of a group ended, with any result. */
  CHECKED("CommandsChecked", "Commanded checks of groups that ended, whatever they have found"),
  /** A command for a version of a file ended, with any result. */
  OF_VERSION("CommandsForVersions",
      "Commanded links and makings of blocks that ended, whatever came of them"),
  /** A manager confirmed a result. */
  ACKNOWLEDGED("ResultsAcknowledged", "Results that a manager has taken note of"),
  /** The DataNode forgot a result before a manager confirmed it. */
  DROPPED("ResultsDropped", "Results that no manager took note of while others came");

  final String metricName;
  final String description;

  CommandEvent(String metricName, String description) {
    this.metricName = metricName;
    this.description = description;
  }
}
