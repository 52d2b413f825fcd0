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
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.DoctorCheck;
import org.hdfsppr.namenode.doctor.Finding;
import org.hdfsppr.namenode.doctor.FindingCode;
import org.hdfsppr.namenode.doctor.NodeFacts;
import org.hdfsppr.namenode.doctor.Prose;

/**
 * Finds DataNodes that cannot tell whether clients still read the old versions of converted files.
 */
@InterfaceAudience.Private
public final class OldReadsCheck implements DoctorCheck {
  @Override
  public List<Finding> examine(ClusterFacts facts) {
    List<NodeFacts> speaking = facts.speaking();
    List<NodeFacts> blind = new ArrayList<>(speaking);
    blind.removeIf(node -> node.seesReads().orElse(true));
    return List.of(blind.isEmpty()
        ? Finding.ok(FindingCode.READS_UNSEEN, Prose.count((int) speaking.stream()
            .filter(node -> node.seesReads().isPresent()).count()) + " can tell whether clients"
            + " read old versions of files that are converted."
            + Prose.tooOld(speaking, node -> node.seesReads().isPresent()))
        : Finding.warning(FindingCode.READS_UNSEEN, Prose.names(blind), Prose.count(blind.size())
            + " of " + speaking.size() + " cannot tell whether clients read old versions of files"
            + " that are converted: " + Prose.list(Prose.names(blind)) + "."));
  }
}
