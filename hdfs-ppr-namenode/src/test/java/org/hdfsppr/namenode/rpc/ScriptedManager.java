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
package org.hdfsppr.namenode.rpc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;

/** A manager that gives the answers that a test sets, and records the heartbeats. */
@InterfaceAudience.Private
public final class ScriptedManager implements HeartbeatHandler {
  private final Map<String, HeartbeatRequest> lastOf = new HashMap<>();
  private final Map<String, List<RepairCommand>> repairs = new HashMap<>();
  private final Map<String, List<CancelCommand>> cancels = new HashMap<>();
  private final Map<String, Set<Long>> resident = new HashMap<>();
  private final Map<String, RepairResult> results = new LinkedHashMap<>();
  private final BlockingQueue<WaitingCall> waits = new LinkedBlockingQueue<>();
  private String pool = "BP-unknown";
  private boolean active = true;
  private boolean acknowledges = true;
  private long term = 1;
  private int heartbeats;

  synchronized void manage(String blockPoolId) {
    pool = blockPoolId;
  }

  synchronized void setActive(boolean isActive) {
    active = isActive;
  }

  synchronized void setAcknowledges(boolean does) {
    acknowledges = does;
  }

  synchronized void setTerm(long newTerm) {
    term = newTerm;
  }

  synchronized long term() {
    return term;
  }

  /** Adds a command for the answer to the node's next heartbeat. */
  synchronized void order(String uuid, RepairCommand command) {
    repairs.computeIfAbsent(uuid, key -> new ArrayList<>()).add(command);
  }

  synchronized void order(String uuid, CancelCommand command) {
    cancels.computeIfAbsent(uuid, key -> new ArrayList<>()).add(command);
  }

  /** Returns whether no command waits for a heartbeat. */
  synchronized boolean hasSent() {
    return repairs.isEmpty() && cancels.isEmpty();
  }

  synchronized HeartbeatRequest last(String uuid) {
    return lastOf.get(uuid);
  }

  /** Returns the blocks that the node has in memory, put together from its reports. */
  synchronized Set<Long> resident(String uuid) {
    return new HashSet<>(resident.getOrDefault(uuid, new HashSet<>()));
  }

  synchronized int nodes() {
    return lastOf.size();
  }

  synchronized int heartbeats() {
    return heartbeats;
  }

  synchronized RepairResult result(String repairId) {
    return results.get(repairId);
  }

  /** Returns the next call that waits for orders. */
  WaitingCall nextWait() throws InterruptedException {
    return waits.take();
  }

  @Override
  public void awaitOrders(String uuid, int waitMs, WaitingCall call) {
    waits.add(call);
  }

  @Override
  public synchronized HeartbeatResponse heartbeat(HeartbeatCaller caller,
      HeartbeatRequest request) {
    heartbeats++;
    String uuid = request.node.uuid;
    lastOf.put(uuid, request);
    HeartbeatResponseProto.Builder response = active ? HeartbeatResponse.active(term, pool)
        : HeartbeatResponse.inactive(term, pool);
    Set<Long> known = resident.computeIfAbsent(uuid, key -> new HashSet<>());
    if (request.resident.complete) {
      known.clear();
    }
    known.addAll(request.resident.added);
    known.removeAll(request.resident.removed);
    for (RepairResult result : request.results) {
      results.put(result.repairId, result);
      if (acknowledges) {
        response.addAcknowledged(result.repairId);
      }
    }
    List<ManagerCommand> commands = new ArrayList<>();
    if (repairs.containsKey(uuid)) {
      commands.addAll(repairs.remove(uuid));
    }
    if (cancels.containsKey(uuid)) {
      commands.addAll(cancels.remove(uuid));
    }
    return new HeartbeatResponse(response, commands);
  }
}
