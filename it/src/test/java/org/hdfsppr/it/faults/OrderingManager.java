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
package org.hdfsppr.it.faults;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.namenode.rpc.HeartbeatCaller;
import org.hdfsppr.namenode.rpc.HeartbeatHandler;
import org.hdfsppr.namenode.rpc.RepairManagerServer;

/**
 * A repair manager in the test's own JVM. The DataNodes of a process cluster send their heartbeats
 * to it instead of to a NameNode, and it orders the repairs that the test wants.
 */
final class OrderingManager implements HeartbeatHandler, Closeable {
  private final Map<String, HeartbeatRequest> lastOf = new HashMap<>();
  private final Map<String, RepairCommand> orders = new HashMap<>();
  private final Map<String, RepairResult> results = new HashMap<>();
  private RepairManagerServer server;
  private String pool = "BP-unknown";

  static OrderingManager start() throws IOException {
    OrderingManager manager = new OrderingManager();
    Configuration conf = new Configuration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    manager.server = RepairManagerServer.start(conf, null, (uuid, address) -> true, manager);
    return manager;
  }

  /** Returns the address to which DataNodes send heartbeats. */
  String address() {
    return "127.0.0.1:" + server.address().getPort();
  }

  synchronized void manage(String blockPoolId) {
    pool = blockPoolId;
  }

  /** Returns the node's last heartbeat, or null. */
  synchronized HeartbeatRequest last(String uuid) {
    return lastOf.get(uuid);
  }

  synchronized int nodes() {
    return lastOf.size();
  }

  /** Forgets a node until its next heartbeat. */
  synchronized void forget(String uuid) {
    lastOf.remove(uuid);
  }

  /** Adds a command, which the answer to the next heartbeat of its destination will carry. */
  synchronized void order(RepairCommand command) {
    orders.put(command.destination().uuid, command);
  }

  /** Returns the result of a repair, or null while it has none. */
  synchronized RepairResult result(String repairId) {
    return results.get(repairId);
  }

  @Override
  public synchronized HeartbeatResponse heartbeat(HeartbeatCaller caller,
      HeartbeatRequest request) {
    lastOf.put(request.node.uuid, request);
    HeartbeatResponseProto.Builder response = HeartbeatResponse.active(1, pool);
    for (RepairResult result : request.results) {
      results.put(result.repairId, result);
      response.addAcknowledged(result.repairId);
    }
    RepairCommand order = pool.equals("BP-unknown") ? null : orders.remove(request.node.uuid);
    return order == null ? new HeartbeatResponse(response)
        : new HeartbeatResponse(response, order);
  }

  @Override
  public void close() {
    server.close();
  }
}
