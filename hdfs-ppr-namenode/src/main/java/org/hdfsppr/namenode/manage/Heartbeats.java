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

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.Command;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.namenode.manage.nodes.Agent;
import org.hdfsppr.namenode.manage.nodes.Agents;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.rpc.Caller;
import org.hdfsppr.namenode.rpc.HeartbeatHandler;
import org.hdfsppr.namenode.rpc.WaitingCall;
import org.hdfsppr.namenode.scrub.ScrubInbox;
import org.hdfsppr.namenode.scrub.ScrubReport;
import org.hdfsppr.namenode.version.VersionInbox;

/**
 * Answers the DataNodes' heartbeats: keeps their reports, and returns the commands that wait for
 * them. It plans nothing and waits for no other thread. Thread-safe.
 */
@InterfaceAudience.Private
final class Heartbeats implements HeartbeatHandler {
  private final ReconstructionQueue books;
  private final Agents agents;
  private final RepairManager manager;
  private final ScrubInbox scrubs;
  private final VersionInbox versions;
  private final Supplier<String> blockPoolId;
  private final boolean wantsResident;
  private final int orderWaitMs;

  /** Makes a handler that drops the reports of checks and of versions. */
  Heartbeats(RepairManager manager, Supplier<String> blockPoolId, boolean wantsResident) {
    this(manager, new ScrubInbox(), VersionInbox.NONE, blockPoolId, wantsResident, 0);
  }

  /**
   * @param orderWaitMs how long calls that wait for orders are kept, ms; 0 if there are to be none
   */
  Heartbeats(RepairManager manager, ScrubInbox scrubs, VersionInbox versions,
      Supplier<String> blockPoolId, boolean wantsResident, int orderWaitMs) {
    this.orderWaitMs = orderWaitMs;
    this.wantsResident = wantsResident;
    this.books = manager.known.books;
    this.agents = manager.known.agents;
    this.manager = manager;
    this.scrubs = scrubs;
    this.versions = versions;
    this.blockPoolId = blockPoolId;
  }

  @Override
  public HeartbeatResponse heartbeat(Caller caller, HeartbeatRequest request) {
    Agent agent = agents.hear(request, wantsResident);
    boolean wantsReads = versions.hear(request.node, request.oldReads);
    long term = books.term();
    if (!books.isActive()) {
      HeartbeatResponseProto.Builder inactive =
          HeartbeatResponse.inactive(term, blockPoolId.get());
      // This NameNode may acknowledge these results, because the active NameNode learns of the
      // rebuilt units by block reports.
      for (RepairResult result : request.results) {
        if (isOfCheck(result) || isOfVersion(result)
            || manager.tellLate(request.node.uuid, result)) {
          inactive.addAcknowledged(result.repairId);
        }
      }
      return new HeartbeatResponse(inactive.setWantsSelf(agent.lacksSelf())
          .setIgnoresResident(!wantsResident).setWantsAllOldReads(wantsReads));
    }
    HeartbeatResponseProto.Builder response =
        HeartbeatResponse.active(term, blockPoolId.get());
    List<Command> commands = new ArrayList<>();
    books.heardOfTerm(request.newestTerm);
    noteNamed(request);
    for (RunningRepair running : request.running) {
      if (leads(request, running.repairId, running.term)) {
        manager.tracker.running(running.repairId, running.donePercent);
      }
    }
    for (RepairResult result : request.results) {
      String uuid = request.node.uuid;
      boolean isTaken;
      if (isOfCheck(result)) {
        isTaken = scrubs.tell(ScrubReport.of(uuid, result));
      } else if (isOfVersion(result)) {
        isTaken = versions.tell(uuid, result);
      } else {
        isTaken = leads(request, result.repairId, result.term)
            ? manager.tell(uuid, result) : manager.tellLate(uuid, result);
      }
      if (isTaken) {
        response.addAcknowledged(result.repairId);
      }
    }
    for (RepairCommand command : agent.takeRepairs()) {
      if (command.term() == term && manager.tracker.sent(command.repairId)) {
        commands.add(command);
      }
    }
    for (ScrubCommand check : agent.takeScrubs()) {
      if (check.term() == term) {
        commands.add(check);
      }
    }
    for (Command version : agent.takeVersions()) {
      if (version.term() == term) {
        commands.add(version);
      }
    }
    commands.addAll(agent.takeCancels());
    return new HeartbeatResponse(response
        .setIgnoresResident(!wantsResident)
        .setWantsAllResident(wantsResident && !agent.isResidentComplete())
        .setWantsSelf(agent.lacksSelf())
        .setWantsAllOldReads(wantsReads)
        .setPressurePercent(manager.pressure()).setLinkBytesPerS(manager.setLinkRate())
        .setOrderWaitMs(orderWaitMs), commands);
  }

  @Override
  public void awaitOrders(String uuid, int waitMs, WaitingCall call) throws IOException {
    agents.awaitOrders(uuid, waitMs, call);
  }

  /** Returns whether this is the result of a check, or a refusal of its order. */
  private static boolean isOfCheck(RepairResult result) {
    return result.repairId.startsWith(ScrubInbox.ID_PREFIX);
  }

  /** Returns whether this is the result of a command for a version, or a refusal of it. */
  private static boolean isOfVersion(RepairResult result) {
    return result.version != null || result.repairId.startsWith(VersionInbox.ID_PREFIX);
  }

  private void noteNamed(HeartbeatRequest request) {
    Set<String> named = new HashSet<>();
    request.running.forEach(running -> named.add(running.repairId));
    request.results.forEach(result -> named.add(result.repairId));
    boolean isAll = request.running.size() < HeartbeatRequest.RUNNING_MAX
        && request.results.size() < HeartbeatRequest.RESULTS_MAX;
    manager.tracker.heard(request.node.uuid, named, isAll);
  }

  /**
   * Returns whether the sender of the heartbeat is the destination of the repair. Only this node
   * can report the repair's progress.
   */
  private boolean leads(HeartbeatRequest request, String repairId, long inTerm) {
    return manager.tracker.byId(repairId).filter(repair -> repair.term() == inTerm)
        .map(repair -> repair.destination().uuid.equals(request.node.uuid)).orElse(false);
  }
}
