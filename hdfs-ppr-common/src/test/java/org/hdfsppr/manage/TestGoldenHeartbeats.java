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

import static org.hdfsppr.manage.SampleHeartbeats.CELL;
import static org.hdfsppr.manage.SampleHeartbeats.DATA_BYTES;
import static org.hdfsppr.manage.SampleHeartbeats.GROUP;
import static org.hdfsppr.manage.SampleHeartbeats.POOL;
import static org.hdfsppr.manage.SampleHeartbeats.idle;
import static org.hdfsppr.manage.SampleHeartbeats.least;
import static org.hdfsppr.manage.SampleHeartbeats.listed;
import static org.hdfsppr.manage.SampleHeartbeats.node;
import static org.hdfsppr.manage.SampleHeartbeats.ordering;
import static org.hdfsppr.manage.SampleHeartbeats.repair;
import static org.hdfsppr.manage.SampleHeartbeats.request;
import static org.hdfsppr.manage.SampleHeartbeats.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.coder.code.CrossedCode;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.MessageFrame;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.Test;

/** The bytes of heartbeats, and of all orders in their answers. */
@InterfaceAudience.Private
class TestGoldenHeartbeats {
  private static List<RepairResult> results() {
    List<RepairResult> results = new ArrayList<>();
    results.add(new RepairResult("rebuilt", 21, RepairOutcome.REBUILT, List.of(0, 8), 1 << 20, 345)
        .withFailure("uuid-2", FailureCause.VERIFICATION, "units differ")
        .withLeftOut(List.of("uuid-3"), true).withReadUnits(List.of(1, 2, 3)).asUndecided());
    results.add(RepairResult.ofScrub("checked", 23, new ScrubFinding(ScrubOutcome.CONTRADICTION,
        4, List.of("uuid-5", "uuid-6"), 7_000), FailureCause.OVERLOADED, "unit 4 is wrong", 99));
    for (ScrubOutcome outcome : ScrubOutcome.values()) {
      results.add(RepairResult.ofScrub("check-" + outcome, 23,
          new ScrubFinding(outcome, ScrubFinding.NO_UNIT, List.of(), 0), "", 0));
    }
    results.add(new RepairResult("made", 24, RepairOutcome.REBUILT, List.of(27), 0, 0)
        .withVersion(new VersionReport(61, 62, 63, 64, 65)
            .withDigests(new TreeMap<>(Map.of(0, -1, 27, 0x12345678))).asDurable()));
    results.add(new RepairResult("linked", 24, RepairOutcome.REBUILT, List.of(), 0, 0)
        .withVersion(VersionReport.NOTHING));
    for (RepairOutcome outcome : RepairOutcome.values()) {
      results.add(RepairResult.notTried("not-" + outcome, 25, outcome, FailureCause.UNSUPPORTED,
          "new"));
    }
    for (FailureCause cause : FailureCause.values()) {
      results.add(new RepairResult("failed-" + cause, 25, RepairOutcome.FAILED, List.of(), 0, 0)
          .withFailure(null, cause, ""));
    }
    return results;
  }

  private static HeartbeatRequest full() {
    NodeSelf self = new NodeSelf("3.4.3", "17.0.9", "java", "no library",
        Map.of("dfs.ppr.kernel", "auto", "dfs.datanode.ppr.address", ""),
        List.of(new OwnJar("lib/a.jar", "0.2.0"), new OwnJar("lib/b.jar", "")));
    return request(HeartbeatRequest.PROTOCOL_VERSION,
        new NodeLoad(1, 2, 3, 4, 5, 6).withMachine(7, 8, 9).withDisks(10, 11).withLimits(12, 13)
            .withRepairRates(new RepairRates(14, 15, 16, 17)),
        List.of(new RunningRepair("busy", 22, -32, 1001, 40)), results(),
        ResidentBlocks.changed(Arrays.asList(-31L, -48L), Arrays.asList(-64L)))
        .withReadDegraded(List.of(new ReadGroup(-16, 1002)))
        .withFeatures(RequestFeatures.KNOWN, CommandFeatures.KNOWN)
        .withSelfReport(new SelfReport(1_700_000_000_000L, self, List.of("uuid-9")))
        .withOldReads(new OldReads(true, 5_000, false, true,
            List.of(new OldReads.Read(-31, 10), new OldReads.Read(-48, 0))));
  }

  private static HeartbeatResponse inactive() {
    return new HeartbeatResponse(HeartbeatResponse.inactive(5, POOL));
  }

  @Test
  void requests() throws Exception {
    SampleHeartbeats heartbeats = new SampleHeartbeats("manager/heartbeats");
    heartbeats.call("full", full(), new HeartbeatResponse(HeartbeatResponse.active(5, POOL)
        .addAcknowledged("done").setWantsAllResident(true).setIgnoresResident(true)
        .setWantsSelf(true).setWantsAllOldReads(true).setPressurePercent(Pressure.LEAST + 1)
        .setLinkBytesPerS(1 << 20).setOrderWaitMs(20_000)));
    heartbeats.call("plain", least(), inactive());
    heartbeats.call("first, and nothing known of itself", request(1, idle(), List.of(), List.of(),
        ResidentBlocks.all(List.of(-31L))).withSelfReport(
            new SelfReport(SelfReport.NO_CLOCK, new NodeSelf("3.3.6", "11", "java", "", Map.of(),
                List.of()), List.of()))
        .withOldReads(new OldReads(false, 0, true, false, List.of())), inactive());
    heartbeats.call("no block more", request(HeartbeatRequest.PROTOCOL_VERSION, idle(), List.of(),
        List.of(), ResidentBlocks.changed(List.of(), List.of(-31L))), inactive());
    heartbeats.call("no self", least().withSelfReport(new SelfReport(1, null, List.of())),
        inactive());
    heartbeats.check();
  }

  private static RepairCommand crossing() {
    List<BlockRef> blocks = new ArrayList<>();
    for (int unit = 0; unit < 7; unit++) {
      blocks.add(new BlockRef(POOL, -1600 - 16 * unit, 1001, 2 * CELL));
    }
    return new RepairCommand(RepairCommand.of("crossing", 5, GROUP, DATA_BYTES)
        .setCodec(CrossedCode.name("rs-3-2", 0, 2)).setDataUnits(4).setParityUnits(3)
        .setCellBytes(CELL).setTopology("star").setDeadlineMs(60_000), blocks,
        List.of(new UnitHolder(1, node(1)), new UnitHolder(3, node(3)), new UnitHolder(6, node(2))),
        List.of(new CommandTarget(0, node(4), "DS-1", StorageType.DISK)));
  }

  private static ScrubCommand scrub() {
    return new ScrubCommand("scrub", 5, ScrubCommand.of(GROUP, DATA_BYTES).setCodec("rs")
        .setDataUnits(3).setParityUnits(2).setCellBytes(CELL)
        .setBytesPerS(ScrubCommand.BYTES_PER_SECOND_MIN + 1).setDeadlineMs(2_000),
        List.of(new UnitHolder(0, node(1)), new UnitHolder(3, node(3)), new UnitHolder(4, node(4)),
            new UnitHolder(2, node(2)), new UnitHolder(1, node(5))));
  }

  @Test
  void orders() throws Exception {
    SampleHeartbeats heartbeats = new SampleHeartbeats("manager/orders");
    heartbeats.call("repairs", least(), ordering(repair("plain", false, List.of()),
        repair("all", true, List.of()), crossing(),
        listed("listed"), new CancelCommand("cancelled", 5, "too slow")));
    heartbeats.call("check", least(), ordering(scrub()));
    heartbeats.check();
  }

  /** A node answers an order of a kind that it does not know, and goes on with the next one. */
  @Test
  void ordersOfLaterVersions() throws Exception {
    HeartbeatResponseProto.Builder later = ordering(scrub(), repair("later", false, List.of()))
        .toProto().toBuilder();
    later.getCommandsBuilder(0).setKind("later").setMustUnderstand(1L << 40);
    later.getRepairsBuilder(0).setMustUnderstand(1L << 40);
    HeartbeatRequest answer = request(HeartbeatRequest.PROTOCOL_VERSION, idle(), List.of(),
        HeartbeatResponse.parse(later.build()).unreadable, ResidentBlocks.unchanged());
    SampleHeartbeats heartbeats = new SampleHeartbeats("manager/later");
    heartbeats.call("orders of later versions, refused", answer, inactive());
    heartbeats.check();
  }

  @Test
  void waitsForOrders() throws Exception {
    Golden golden = Golden.of("manager/await-orders");
    golden.written("request", MessageFrame.bare(AwaitOrdersRequestProto.getDefaultInstance()),
        AwaitOrdersRequestProto.newBuilder().setUuid("uuid-1").setWaitMs(20_000).build()
            .toByteArray(), bytes -> {
          AwaitOrdersRequestProto[] again = new AwaitOrdersRequestProto[1];
          try {
            server(new RepairManagerProtocol() {
              @Override
              public HeartbeatResponse heartbeat(HeartbeatRequest request) {
                throw new UnsupportedOperationException();
              }

              @Override
              public boolean awaitOrders(String uuid, int waitMs) {
                again[0] = AwaitOrdersRequestProto.newBuilder().setUuid(uuid).setWaitMs(waitMs)
                    .build();
                return false;
              }
            }).awaitOrders(null, AwaitOrdersRequestProto.parseFrom(bytes));
          } catch (ServiceException e) {
            throw (IOException) e.getCause();
          }
          return again[0].toByteArray();
        });
    for (boolean hasOrders : new boolean[] {true, false}) {
      golden.written("answer: " + hasOrders,
          MessageFrame.bare(AwaitOrdersResponseProto.getDefaultInstance()),
          RepairManagerServerTranslator.ordersAnswer(hasOrders).toByteArray(),
          bytes -> RepairManagerServerTranslator.ordersAnswer(
              AwaitOrdersResponseProto.parseFrom(bytes).getHasOrders()).toByteArray());
    }
    golden.check();
  }
}
