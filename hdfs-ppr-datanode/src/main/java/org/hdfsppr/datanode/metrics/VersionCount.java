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

/** What a DataNode counts of the versions of files that managers order. */
@InterfaceAudience.Private
public enum VersionCount {
  /** Replicas that share their files with another block. */
  LINKED("ReplicasLinked", "Replicas that were linked to new blocks"),
  /** Bytes of these replicas. */
  LINKED_BYTES("ReplicasLinkedBytes", "Bytes of replicas that were linked to new blocks"),
  /** Replicas that had to be copied. */
  COPIED("ReplicasCopied", "Replicas that were copied, because their volume cannot link them"),
  /** Bytes of these replicas. */
  COPIED_BYTES("ReplicasCopiedBytes",
      "Bytes of replicas that were copied, because their volume cannot link them"),
  /** Links that failed. */
  LINKS_FAILED("ReplicaLinksFailed", "Replicas that could neither be linked nor copied"),
  /** Blocks that were made. */
  MADE("BlocksMade", "Blocks that were made for versions of files"),
  /** Bytes of these blocks. */
  MADE_BYTES("BlocksMadeBytes", "Bytes of blocks that were made for versions of files"),
  /** Commands that have not made all their blocks. */
  MAKINGS_FAILED("MakingsFailed", "Commands that did not make all their blocks"),
  /** Digests that commands wanted, and that could not be computed. */
  DIGESTS_FAILED("BlockDigestsFailed", "Digests of blocks that could not be computed, so that the"
      + " units of their groups are read over the network for full checks"),
  /** Units that were copied and changed for commits of updates in place. */
  PATCHED("UnitsPatched", "Units that were copied and changed for commits of updates in place"),
  /** Bytes of these units. */
  PATCHED_BYTES("UnitsPatchedBytes",
      "Bytes of units that were copied and changed for commits of updates in place"),
  /** Changes of data units that other nodes get from this one. */
  FORWARDED("UnitChangesForwarded",
      "Changes of data units that were got once and kept for other parity units of the rack"),
  /** Changes of data units that this node calculated from its own log. */
  CHANGES_KNOWN("UnitChangesFromLog",
      "Changes of data units that were calculated from the log of the parity unit's node"),
  /** Changes of data units that came from other nodes, as they are or in sums. */
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
