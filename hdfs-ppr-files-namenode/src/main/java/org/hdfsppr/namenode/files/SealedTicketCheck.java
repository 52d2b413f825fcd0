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
package org.hdfsppr.namenode.files;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.DoctorCheck;
import org.hdfsppr.namenode.doctor.Finding;
import org.hdfsppr.namenode.doctor.FindingCode;
import org.hdfsppr.namenode.doctor.NodeFacts;
import org.hdfsppr.namenode.doctor.Prose;

/**
 * Finds DataNodes with update logs that are too old for sealed tickets. HDFS also accepts the
 * tokens of tickets that are not sealed as tokens to write the blocks.
 */
@InterfaceAudience.Private
public final class SealedTicketCheck implements DoctorCheck {
  private final boolean givesOld;

  /**
   * @param givesOld whether writers get tickets that are not sealed if a DataNode is too old for
   *     sealed ones
   */
  public SealedTicketCheck(boolean givesOld) {
    this.givesOld = givesOld;
  }

  @Override
  public List<Finding> examine(ClusterFacts facts) {
    List<NodeFacts> logs = new ArrayList<>(facts.speaking());
    logs.removeIf(node -> !node.hasUpdateLog());
    List<NodeFacts> old = new ArrayList<>(logs);
    old.removeIf(NodeFacts::knowsSealedTickets);
    if (old.isEmpty()) {
      return List.of(Finding.ok(FindingCode.TICKETS_OLD, logs.isEmpty()
          ? "No DataNode keeps a log of updates."
          : Prose.count(logs.size()) + " with update logs, all of which understand tickets that"
              + " HDFS does not take for tokens of blocks." + (givesOld ? " So set "
              + PprKeys.NAMENODE_UPDATE_OLD_TICKETS_KEY + " to false." : "")));
    }
    return List.of(Finding.warning(FindingCode.TICKETS_OLD, Prose.names(old),
        Prose.count(old.size()) + " with update logs too old for tickets that HDFS does not take"
        + " for tokens of blocks: " + Prose.list(Prose.names(old)) + ". "
        + (givesOld ? "With the tickets that these get, a user that may write into an updatable"
            + " file can replace replicas of its blocks, also those that snapshots need."
            : "Their units take no updates, because " + PprKeys.NAMENODE_UPDATE_OLD_TICKETS_KEY
            + " is false.")));
  }
}
