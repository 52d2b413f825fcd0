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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.JarProto;
import org.hdfsppr.manage.proto.ManagerProtos.NodeSelfProto;
import org.hdfsppr.manage.proto.ManagerProtos.SelfReportProto;
import org.hdfsppr.manage.proto.ManagerProtos.SettingProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/**
 * Tests that the sender keeps a report within its bounds, that the receiver refuses what exceeds
 * them, and that an older node or NameNode is understood.
 */
@InterfaceAudience.Private
class TestSelfReport {
  private static final NodeSelf SELF = new NodeSelf("3.4.3", "17.0.9", "java", "no library",
      Map.of("dfs.datanode.ppr.address", "0.0.0.0:9877"),
      List.of(new OwnJar("lib/a.jar", "0.2.0")));

  private static HeartbeatRequest request() {
    return new RandomHeartbeats(new Random(3)).request()
        .withSelfReport(new SelfReport(1_700_000_000_000L, SELF, List.of("uuid-2")));
  }

  private static String refusal(SelfReportProto.Builder report) {
    HeartbeatRequestProto.Builder proto =
        request().toProto().toBuilder().setSelfReport(report);
    return assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(proto.build())).getMessage();
  }

  private static SelfReportProto.Builder report() {
    return request().toProto().getSelfReport().toBuilder();
  }

  private static String refusal(NodeSelfProto.Builder self) {
    return refusal(report().setSelf(self));
  }

  private static NodeSelfProto.Builder self() {
    return report().getSelf().toBuilder();
  }

  @Test
  void whatExceedsTheBoundsIsRefused() {
    assertTrue(refusal(report().setWallClockMs(-1)).contains("wall_clock_ms -1"));
    SelfReportProto.Builder many = report();
    for (int i = 0; i < SelfReport.UNREACHABLE_MAX; i++) {
      many.addUnreachable("u" + i);
    }
    assertTrue(refusal(many).contains("65 unreachable, at most 64"));
    assertTrue(refusal(report().addUnreachable("")).contains("unreachable is empty"));
    assertTrue(refusal(self().setKernel("")).contains("kernel is empty"));
    assertTrue(refusal(self().setKernelFallback("a\nb")).contains("kernel_fallback"));
    assertTrue(refusal(self().setJavaVersion("x".repeat(201)))
        .contains("java_version has 201 characters, at most 200"));
    SettingProto.Builder setting = SettingProto.newBuilder().setName("n").setValue("v");
    assertTrue(refusal(self().addSettings(setting).addSettings(setting))
        .contains("setting n is there twice"));
    assertTrue(refusal(self().addSettings(setting.clone().setValue("x".repeat(201))))
        .contains("setting value has 201"));
    assertTrue(refusal(self().addSettings(setting.clone().setName("")))
        .contains("setting name is empty"));
    NodeSelfProto.Builder settings = self();
    for (int i = 0; i < NodeSelf.SETTINGS_MAX; i++) {
      settings.addSettings(setting.clone().setName("n" + i));
    }
    assertTrue(refusal(settings).contains("65 settings, at most 64"));
    NodeSelfProto.Builder jars = self();
    for (int i = 0; i < NodeSelf.JARS_MAX; i++) {
      jars.addJars(JarProto.newBuilder().setFile("lib/" + i));
    }
    assertTrue(refusal(jars).contains("17 jars, at most 16"));
    assertTrue(refusal(self().addJars(JarProto.newBuilder().setFile("a\u0000")))
        .contains("jar file"));
  }

  @Test
  void ratesOutOfRangeAreRefused() {
    HeartbeatRequestProto.Builder proto = request().toProto().toBuilder();
    proto.getLoadBuilder().setRepairRates(new RepairRates(1, 2, 3, 4).toProto()
        .toBuilder().setBestUpBytesPerS(-5));
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(proto.build())).getMessage()
        .contains("best_up_bytes_per_s -5"));
  }

  /** A sender whose report does not fit cuts the report, so that its heartbeat still arrives. */
  @Test
  void theSenderCuts() throws Exception {
    Map<String, String> settings = new TreeMap<>();
    List<OwnJar> jars = new ArrayList<>();
    List<String> unreachable = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      settings.put("s" + i, "x".repeat(i * 10));
      jars.add(new OwnJar("lib/" + i, "\n".repeat(i * 10)));
      unreachable.add("u" + i);
    }
    NodeSelf large = new NodeSelf("h".repeat(1000), "j", "java", "a\nb".repeat(500), settings,
        jars);
    SelfReport back = HeartbeatRequest.parse(request().withSelfReport(
        new SelfReport(1, large, unreachable)).toProto()).selfReport;
    NodeSelf self = back.self().get();
    assertEquals(NodeSelf.SETTINGS_MAX, self.settings.size());
    assertEquals(NodeSelf.JARS_MAX, self.jars.size());
    assertEquals(unreachable.subList(0, SelfReport.UNREACHABLE_MAX), back.unreachable);
    assertEquals(NodeSelf.TEXT_MAX, self.hadoopVersion.length());
    assertEquals(NodeSelf.TEXT_MAX, self.kernelFallback.length());
  }

  @Test
  void anOlderNodeSaysNothing() throws Exception {
    HeartbeatRequestProto old =
        request().toProto().toBuilder().clearSelfReport().build();
    HeartbeatRequest heard = HeartbeatRequest.parse(old);
    assertEquals(SelfReport.NONE, heard.selfReport);
    assertFalse(heard.toProto().hasSelfReport());
    assertEquals(SelfReport.NO_CLOCK, heard.selfReport.wallClockMs);
  }

  @Test
  void anOlderNameNodeDoesNotAsk() throws Exception {
    HeartbeatResponse asks = new HeartbeatResponse(HeartbeatResponse.active(1, "BP-1")
        .setWantsSelf(true));
    HeartbeatResponseProto proto = asks.toProto();
    assertTrue(HeartbeatResponse.parse(proto).wantsSelf);
    assertFalse(HeartbeatResponse.parse(proto.toBuilder().clearWantsSelf().build())
        .wantsSelf);
  }
}
