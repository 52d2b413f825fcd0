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
package org.hdfsppr.manage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.RpcGolden;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/** Heartbeats and repairs whose bytes tests record. */
@InterfaceAudience.Private
final class SampleHeartbeats {
  static final String POOL = "BP-1";
  static final int CELL = 1024;
  static final long DATA_BYTES = 3 * 2 * CELL + 100;
  static final GroupId GROUP = new GroupId(POOL, -1600, 1001);
  static final GroupId MADE = new GroupId(POOL, -3200, 1002);

  private final Golden golden;
  private final RpcGolden<RepairManagerProtocolPB> calls;

  /** @param file the golden file, such as {@code manager/orders} */
  SampleHeartbeats(String file) throws IOException {
    golden = Golden.of(file);
    calls = new RpcGolden<>(golden, RepairManagerProtocolPB.class,
        next -> server(new RepairManagerClientTranslator(next)));
  }

  void call(String sample, HeartbeatRequest request, HeartbeatResponse answer) throws Exception {
    calls.call(sample, answering(answer),
        proxy -> new RepairManagerClientTranslator(proxy).heartbeat(request));
  }

  void check() throws IOException {
    golden.check();
  }

  static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host-" + number, 9866, 9877,
        "/rack-" + number);
  }

  /** Answers always the same. */
  static RepairManagerServerTranslator server(RepairManagerProtocol plugin) {
    return new RepairManagerServerTranslator(new RepairManagerServerTranslator.Manager() {
      @Override
      public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
        return plugin.heartbeat(request);
      }

      @Override
      public void awaitOrders(String uuid, int waitMs) throws IOException {
        plugin.awaitOrders(uuid, waitMs);
      }
    });
  }

  private static RepairManagerServerTranslator answering(HeartbeatResponse answer) {
    return server(new RepairManagerProtocol() {
      @Override
      public HeartbeatResponse heartbeat(HeartbeatRequest request) {
        return answer;
      }

      @Override
      public boolean awaitOrders(String uuid, int waitMs) {
        throw new UnsupportedOperationException();
      }
    });
  }

  static HeartbeatRequest request(int version, NodeLoad load, List<RunningRepair> running,
      List<RepairResult> results, ResidentBlocks resident) {
    return new HeartbeatRequest(version, "0.3.0", node(1), 22, load, running, results)
        .withResident(resident);
  }

  static NodeLoad idle() {
    return new NodeLoad(0, 0, 4, 0, 0, 0);
  }

  static HeartbeatRequest least() {
    return request(HeartbeatRequest.PROTOCOL_VERSION, idle(), List.of(), List.of(),
        ResidentBlocks.unchanged());
  }

  static RepairCommand repair(String id, boolean all, List<BlockRef> blocks) {
    return new RepairCommand(RepairCommand.of(id, 5, GROUP, DATA_BYTES).setCodec("rs")
        .setDataUnits(3).setParityUnits(2).setCellBytes(CELL).setTopology("chain")
        .setByDecoding(all).setDoubted(all).setUrgent(all).setDeadlineMs(60_000), blocks,
        List.of(new UnitHolder(1, node(1)), new UnitHolder(2, node(2)), new UnitHolder(3, node(3))),
        List.of(new CommandTarget(0, node(4), "DS-1", StorageType.SSD),
            new CommandTarget(4, node(4), "", StorageType.DISK)));
  }

  static RepairCommand listed(String id) {
    List<BlockRef> blocks = new ArrayList<>();
    for (int unit = 0; unit < 5; unit++) {
      blocks.add((unit < 3 ? GROUP : MADE).block(unit, 2 * CELL));
    }
    return repair(id, false, blocks);
  }

  static HeartbeatResponse ordering(ManagerCommand... commands) {
    return new HeartbeatResponse(HeartbeatResponse.active(5, POOL), commands);
  }
}
