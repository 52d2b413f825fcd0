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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.Test;

/**
 * Fixes the bytes of a heartbeat and of its answer as version 0.1 sends them. During an upgrade,
 * DataNodes and NameNodes of different versions talk to each other, so these bytes must not change.
 */
@InterfaceAudience.Private
class TestHeartbeatBytes {
  private static final String POOL = "BP-1";
  private static final String REQUEST =
      "CAISAzAuMRogCgZ1dWlkLTESCDEwLjAuMC4xGgJoMSCKTSiVTTICL3IgFioaCAEQAhgDIAQoBTAGOAdA"
          + "CEgJUApYC2AMaA0yGAoEYnVzeRAWGOD//////////wEg6QcoKDo+CgRkb25lEBUYASAAIAgqBnV1aWQt"
          + "MjALOgx1bml0cyBkaWZmZXJAgIBASNkCUgZ1dWlkLTNYAWIDAQIDaAE6FAoDb2RkEBUYAzAOOgNuZXdA"
          + "AEgAQh4IABIQ4f/////////Q/////////xoIwP////////9KDAnw/////////xDqBw==";
  private static final String RESPONSE =
      "CAEQBRoEQlAtMSIEZG9uZSq5AQoFcGxhaW4QBSIEQlAtMSjw//////////8BMOkHOICAwAFCAnJzSAJQ"
          + "AViAgEBiJAgBEiAKBnV1aWQtMRIIMTAuMC4wLjEaAmgxIIpNKJVNMgIvcmIkCAISIAoGdXVpZC0yEggx"
          + "MC4wLjAuMhoCaDIgik0olU0yAi9yai8IABIgCgZ1dWlkLTMSCDEwLjAuMC4zGgJoMyCKTSiVTTICL3Ia"
          + "BERTLTEiA1NTRHIFY2hhaW544NQDgAEAKsABCgdkb3VidGVkEAUYASIEQlAtMSjw//////////8BMOkH"
          + "OICAwAFCAnJzSAJQAViAgEBiJAgBEiAKBnV1aWQtMRIIMTAuMC4wLjEaAmgxIIpNKJVNMgIvcmIkCAIS"
          + "IAoGdXVpZC0yEggxMC4wLjAuMhoCaDIgik0olU0yAi9yai8IABIgCgZ1dWlkLTMSCDEwLjAuMC4zGgJo"
          + "MyCKTSiVTTICL3IaBERTLTEiA1NTRHIFY2hhaW544NQDgAEBiAEBMhIKBGJ1c3kQBRoIdG9vIHNsb3c4"
          + "AQ==";

  private static final String SELF_REPORT =
      "YmcIgNCV/7wxElYKBTMuNC4zEgIxNxoEamF2YSIKbm8gbGlicmFyeSoWCg5kZnMucHByLmtlcm5lbBIEYXV0bzIS"
          + "CglsaWIvYS5qYXISBTAuMi4wMgsKCWxpYi9iLmphchoGdXVpZC05";

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private static HeartbeatRequest request() {
    NodeLoad load = new NodeLoad(1, 2, 3, 4, 5, 6).withMachine(7, 8, 9).withDisks(10, 11)
        .withLimits(12, 13);
    RepairResult rebuilt = new RepairResult("done", 21, RepairOutcome.REBUILT, Arrays.asList(0, 8),
        1 << 20, 345).withFailure("uuid-2", FailureCause.VERIFICATION, "units differ")
        .withLeftOut(Arrays.asList("uuid-3"), true)
        .withReadUnits(Arrays.asList(1, 2, 3))
        .asUndecided();
    RepairResult refused = RepairResult.notTried("odd", 21, RepairOutcome.REFUSED,
        FailureCause.UNSUPPORTED, "new");
    return new HeartbeatRequest(2, "0.1", node(1), 22, load, Arrays.asList(
        new RunningRepair("busy", 22, -32, 1001, 40)), Arrays.asList(rebuilt, refused))
        .withResident(ResidentBlocks.changed(Arrays.asList(-31L, -48L), Arrays.asList(-64L)))
        .withReadDegraded(Arrays.asList(new ReadGroup(-16, 1002)));
  }

  private static RepairCommand command(String id, boolean all) {
    return new RepairCommand(RepairCommand.of(id, 5, new GroupId(POOL, -16, 1001), 3 << 20)
        .setCodec("rs").setDataUnits(2).setParityUnits(1).setCellBytes(1 << 20)
        .setTopology("chain").setByDecoding(all).setDoubted(all).setDeadlineMs(60_000), List.of(),
        List.of(new UnitHolder(1, node(1)), new UnitHolder(2, node(2))),
        List.of(new CommandTarget(0, node(3), "DS-1", StorageType.SSD)));
  }

  private static HeartbeatResponse response() {
    return new HeartbeatResponse(HeartbeatResponse.active(5, POOL).addAcknowledged("done")
        .setWantsAllResident(true), command("plain", false), command("doubted", true),
        new CancelCommand("busy", 5, "too slow"));
  }

  private static String bytes(MessageLite message) {
    return Base64.getEncoder().encodeToString(message.toByteArray());
  }

  @Test
  void heartbeat() throws Exception {
    HeartbeatRequestProto proto = request().toProto();
    assertEquals(REQUEST, bytes(proto));
    assertEquals(REQUEST, bytes(HeartbeatRequest.parse(proto).toProto()));
  }

  /** The part that was added later is at the end, and says nothing that is unknown. */
  @Test
  void heartbeatWithWhatANodeSaysOfItself() throws Exception {
    SelfReport report = new SelfReport(1_700_000_000_000L, new NodeSelf("3.4.3", "17", "java",
        "no library", Map.of("dfs.ppr.kernel", "auto"),
        Arrays.asList(new OwnJar("lib/a.jar", "0.2.0"), new OwnJar("lib/b.jar", ""))),
        Arrays.asList("uuid-9"));
    HeartbeatRequestProto proto =
        request().withSelfReport(report).toProto();
    byte[] before = Base64.getDecoder().decode(REQUEST);
    byte[] all = proto.toByteArray();
    assertArrayEquals(before, Arrays.copyOf(all, before.length));
    assertEquals(SELF_REPORT, Base64.getEncoder().encodeToString(
        Arrays.copyOfRange(all, before.length, all.length)));
    assertArrayEquals(all, HeartbeatRequest.parse(proto).toProto()
        .toByteArray());
    assertEquals("SAE=", bytes(HeartbeatResponseProto.newBuilder().setWantsSelf(true)
        .buildPartial()));
  }

  @Test
  void answer() throws Exception {
    HeartbeatResponseProto proto = response().toProto();
    assertEquals(RESPONSE, bytes(proto));
    assertEquals(RESPONSE,
        bytes(HeartbeatResponse.parse(proto).toProto()));
  }
}
