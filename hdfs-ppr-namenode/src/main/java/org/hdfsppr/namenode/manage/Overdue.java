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
package org.hdfsppr.namenode.manage;

import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.endings.Endings;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.track.Concession;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.Repair;

/**
 * Ends repairs that cannot succeed any more: those that take too long, those that check only
 * samples although their group has become doubted, those that read a column with a block of a
 * doubted group, and those whose destination is kept out of repairs or sends no heartbeats. Used by
 * the manager's thread.
 */
@InterfaceAudience.Private
final class Overdue {
  private final ManagerKnowledge known;
  private final Endings endings;

  Overdue(ManagerKnowledge known, Endings endings) {
    this.known = known;
    this.endings = endings;
  }

  void endAll(long nowMs) {
    // No node is to blame: the network may be slower than the settings say.
    known.tracker.overdue().forEach((repair, why) -> stop(repair, EndReason.OVERDUE, why));
    // The late result of an earlier repair may begin a doubt about a group while another repair of
    // the group is running and checks only samples. The running repair is stopped. The units that
    // it has written stay, but do not end the doubt. It may run for a moment longer. Until it ends,
    // its destination refuses the next repair of the group.
    stopAll(repair -> !repair.assignment.doubted && !repair.isReported()
        && known.groups.isDoubtOpen(repair.assignment.group.id), EndReason.DOUBT,
        "units of its group contradict each other, and it does not check all");
    // The same for a doubt about a group of whose blocks a column consists: nothing can check what
    // the column gives. A repair that is reported already has written its units.
    stopAll(repair -> !repair.isReported() && !known.core.mayRead(repair.assignment),
        EndReason.DOUBT, "it reads a column of CORE with a block that may be wrong");
    if (!known.agents.distrusted().isEmpty()) {
      // The destination of such a repair has not committed its units yet, so that they are dropped.
      stopAll(this::isLedByDistrusted, EndReason.DESTINATION_DISTRUSTED,
          "its destination is kept out of repairs, as it seems to calculate wrongly");
    }
    if (known.charge.judgesSilence(nowMs)) {
      endSilent();
    }
  }

  private boolean isLedByDistrusted(Repair repair) {
    return known.agents.distrusted().contains(repair.destination().uuid) && !repair.isReported()
        && !known.groups.hasConceded(repair.assignment.group.id, Concession.BY_DISTRUSTED);
  }

  private void stopAll(Predicate<Repair> which, EndReason reason, String why) {
    known.tracker.all().stream().filter(which).forEach(repair -> stop(repair, reason, why));
  }

  private void stop(Repair repair, EndReason reason, String why) {
    endings.cancel(repair, why);
    endings.fail(repair, reason, why, repair.destination().uuid, false);
  }

  private void endSilent() {
    for (Repair repair : known.tracker.all()) {
      String destination = repair.destination().uuid;
      if (!known.agents.live(destination).isPresent()) {
        endings.fail(repair, EndReason.DESTINATION_SILENT,
            "its destination " + repair.destination() + " is silent", destination, false);
      }
    }
  }
}
