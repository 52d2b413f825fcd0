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

import java.util.Collections;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.charge.Charge;
import org.hdfsppr.namenode.manage.endings.DoubtKeeper;
import org.hdfsppr.namenode.manage.launch.WaitingGroups;
import org.hdfsppr.namenode.manage.nodes.ClusterWatch;
import org.hdfsppr.namenode.manage.operator.Operations;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.GroupState;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;

/** Carries out the operations that superusers ask for. Used by the manager's thread. */
@InterfaceAudience.Private
final class ByHand implements Operations {
  private final ReconstructionQueue books;
  private final ClusterWatch cluster;
  private final Charge charge;
  private final GroupBook groups;
  private final Doubts doubts;
  private final DoubtKeeper keptDoubts;
  private final FaultyNodes faulty;
  private final RetryPolicy retries;
  private final WaitingGroups waiting;
  private final LongSupplier clockMs;

  ByHand(ReconstructionQueue books, ClusterWatch cluster, Charge charge, GroupBook groups,
      Doubts doubts, DoubtKeeper keptDoubts, FaultyNodes faulty, RetryPolicy retries,
      WaitingGroups waiting, LongSupplier clockMs) {
    this.books = books;
    this.cluster = cluster;
    this.charge = charge;
    this.groups = groups;
    this.doubts = doubts;
    this.keptDoubts = keptDoubts;
    this.faulty = faulty;
    this.retries = retries;
    this.waiting = waiting;
    this.clockMs = clockMs;
  }

  @Override
  public boolean undoubt(long groupId) {
    // The NameNode may hold a group back although this manager has forgotten the doubt.
    boolean was = books.letGo(new GroupId(cluster.blockPoolId(), groupId, 0));
    for (GroupId group : doubts.find(groupId)) {
      was |= keptDoubts.end(group);
      retries.forget(group);
      if (charge.isActive() && groups.state(group) != GroupState.AT_WORK) {
        books.look(Collections.singleton(group)).forEach(anew ->
            waiting.put(anew, clockMs.getAsLong()));
      }
    }
    return was;
  }

  @Override
  public Optional<String> readmit(String name) {
    String uuid = cluster.uuidOf(name);
    boolean was = faulty.readmit(uuid) | retries.readmit(uuid);
    return was ? Optional.of(uuid) : Optional.empty();
  }
}
