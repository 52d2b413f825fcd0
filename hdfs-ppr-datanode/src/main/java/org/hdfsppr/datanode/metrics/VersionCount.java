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

/** The counters of what a DataNode has done for new versions of files. */
@InterfaceAudience.Private
public enum VersionCount {
  /** Replicas of new blocks that are hard links of an old block's files. */
  LINKED("ReplicasLinked", "Replicas that were linked to new blocks"),
  /** Bytes of the replicas that {@link #LINKED} counts. */
  LINKED_BYTES("ReplicasLinkedBytes", "Bytes of replicas that were linked to new blocks"),
  /** Replicas of new blocks that had to be copied, because their volume cannot link them. */
  COPIED("ReplicasCopied", "Replicas that were copied, because their volume cannot link them"),
  /** Bytes of the replicas that {@link #COPIED} counts. */
  COPIED_BYTES("ReplicasCopiedBytes",
      "Bytes of replicas that were copied, because their volume cannot link them"),
  /** Replicas of new blocks that could neither be linked nor copied. */
  LINKS_FAILED("ReplicaLinksFailed", "Replicas that could neither be linked nor copied"),
  /** Blocks of new versions that this DataNode calculated from units. */
  MADE("BlocksMade", "Blocks that were made for versions of files"),
  /** Bytes of the blocks that {@link #MADE} counts. */
  MADE_BYTES("BlocksMadeBytes", "Bytes of blocks that were made for versions of files"),
  /** Commands to make blocks that did not make all of them. */
  MAKINGS_FAILED("MakingsFailed", "Commands that did not make all their blocks"),
  /** Digests of blocks that a command asked for, and that could not be computed. */
  DIGESTS_FAILED("BlockDigestsFailed", "Digests of blocks that could not be computed, so that the"
      + " units of their groups are read over the network for full checks"),
  /** Units that were copied and changed for commits of updates in place. */
  PATCHED("UnitsPatched", "Units that were copied and changed for commits of updates in place"),
  /** Bytes of the units that {@link #PATCHED} counts. */
  PATCHED_BYTES("UnitsPatchedBytes",
      "Bytes of units that were copied and changed for commits of updates in place"),
  /**
   * Changes of data units that this node got once, and keeps for other parity units of its rack.
   */
  FORWARDED("UnitChangesForwarded",
      "Changes of data units that were got once and kept for other parity units of the rack"),
  /** Changes of data units that this node calculated from its own log. */
  CHANGES_KNOWN("UnitChangesFromLog",
      "Changes of data units that were calculated from the log of the parity unit's node"),
  /** Changes of data units that this node got from other nodes, singly or as parts of sums. */
  CHANGES_ASKED("UnitChangesAsked",
      "Changes of data units that parity units got from other nodes, as they are or in sums"),
  /** Changes of data units that this node calculated wrong from its own log, and did not use. */
  CHANGES_WRONG("UnitChangesWrong",
      "Changes of data units that were calculated wrong from the log of the parity unit's node,"
          + " and not used"),
  /** Units that could not be copied and changed. */
  PATCHES_FAILED("UnitPatchesFailed", "Units that could not be copied and changed for commits");

  final String metricName;
  final String description;

  VersionCount(String metricName, String description) {
    this.metricName = metricName;
    this.description = description;
  }
}
