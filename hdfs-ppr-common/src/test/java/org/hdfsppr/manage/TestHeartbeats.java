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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.Mutator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that messages arrive as they were sent. The codecs refuse messages that no sender would
 * send, and the error names the field.
 */
@InterfaceAudience.Private
@Timeout(60)
class TestHeartbeats {
  private static final int FUZZED = 10_000;

  private static HeartbeatRequestProto request(long seed) {
    return new RandomHeartbeats(new Random(seed)).request().toProto();
  }

  private static HeartbeatResponseProto response(long seed) {
    return new RandomHeartbeats(new Random(seed)).response().toProto();
  }

  @Test
  void roundTrip() throws Exception {
    for (long seed = 0; seed < 2000; seed++) {
      HeartbeatRequest request = new RandomHeartbeats(new Random(seed)).request();
      HeartbeatRequest back = HeartbeatRequest.parse(request.toProto());
      assertEquals(request.toString(), back.toString());
      assertEquals(request.node.uuid, back.node.uuid);
      assertEquals(request.node.repairPort, back.node.repairPort);
      assertEquals(request.resident.added, back.resident.added);
      assertEquals(request.resident.removed, back.resident.removed);
      assertEquals(request.readDegraded, back.readDegraded);
      assertEquals(request.selfReport.self(), back.selfReport.self());
      assertEquals(request.selfReport.wallClockMs, back.selfReport.wallClockMs);
      assertEquals(request.selfReport.unreachable, back.selfReport.unreachable);
      assertEquals(request.toProto(), back.toProto());

      HeartbeatResponse response = new RandomHeartbeats(new Random(seed)).response();
      HeartbeatResponse same =
          HeartbeatResponse.parse(response.toProto());
      assertEquals(response.toString(), same.toString());
      assertEquals(Collections.emptyList(), same.unreadable);
      assertEquals(response.wantsAllResident, same.wantsAllResident);
      assertEquals(response.ignoresResident, same.ignoresResident);
      assertEquals(response.wantsSelf, same.wantsSelf);
      assertEquals(response.saysPressure(), same.saysPressure());
      assertEquals(response.pressure, same.pressure);
      assertEquals(response.linkBytesPerSecond, same.linkBytesPerSecond);
      for (int i = 0; i < response.repairs().size(); i++) {
        RepairCommand command = response.repairs().get(i);
        RepairCommand other = same.repairs().get(i);
        assertEquals(command.destination(), other.destination());
        assertEquals(command.groupBytes, other.groupBytes);
        assertEquals(command.urgent, other.urgent);
        assertEquals(command.deadlineMs, other.deadlineMs);
        assertEquals(command.targets.get(0).storageId, other.targets.get(0).storageId);
        for (int h = 0; h < command.group.live.size(); h++) {
          UnitHolder holder = command.group.live.get(h);
          assertEquals(holder.unit, other.group.live.get(h).unit);
          assertEquals(holder.node, other.group.live.get(h).node);
        }
      }
      for (int i = 0; i < response.scrubs().size(); i++) {
        assertEquals(response.scrubs().get(i).holders.get(0).node,
            same.scrubs().get(i).holders.get(0).node);
      }
      assertEquals(response.toProto(), same.toProto());
    }
  }

  /** Any bytes give either a valid object or a short error. */
  @Test
  void fuzz() {
    int accepted = 0;
    for (int i = 0; i < FUZZED; i++) {
      Random random = new Random(i);
      Mutator mutator = new Mutator(random);
      try {
        if (random.nextBoolean()) {
          HeartbeatRequestProto.Builder message = request(i).toBuilder();
          mutator.change(message);
          byte[] bytes = message.buildPartial().toByteArray();
          HeartbeatRequestProto proto = HeartbeatRequestProto.parseFrom(
              random.nextInt(3) == 0 ? mutator.change(bytes) : bytes);
          HeartbeatRequest.parse(proto).toProto();
        } else {
          HeartbeatResponseProto.Builder message = response(i).toBuilder();
          mutator.change(message);
          byte[] bytes = message.buildPartial().toByteArray();
          HeartbeatResponseProto proto = HeartbeatResponseProto.parseFrom(
              random.nextInt(3) == 0 ? mutator.change(bytes) : bytes);
          HeartbeatResponse parsed = HeartbeatResponse.parse(proto);
          parsed.toProto();
          parsed.unreadable.forEach(result ->
              assertTrue(result.message.length() < 1000, result.message));
        }
        accepted++;
      } catch (MalformedRequestException e) {
        assertTrue(e.getMessage().length() < 3000, "an error of " + e.getMessage().length());
        assertTrue(e.getMessage().indexOf('\n') < 0, e.getMessage());
      } catch (InvalidProtocolBufferException e) {
        // The bytes are not even a Protobuf message. Hadoop's RPC never passes such bytes on.
        assertTrue(e.getMessage() != null, e.toString());
      }
    }
    assertTrue(accepted > FUZZED / 20 && accepted < FUZZED, accepted + " accepted");
  }

  /** Another version may allow other pressures. Its orders count all the same. */
  @Test
  void pressuresOfOtherVersionsAreBroughtIntoRange() throws Exception {
    for (int[] pair : new int[][] {{0, Pressure.LEAST}, {10, Pressure.LEAST}, {55, 55},
        {200, Pressure.URGENT}}) {
      HeartbeatResponse parsed = HeartbeatResponse.parse(response(1).toBuilder()
          .setPressurePercent(pair[0]).setLinkBytesPerS(-1).build());
      assertEquals(pair[1], parsed.pressure);
      assertEquals(0, parsed.linkBytesPerSecond);
    }
  }
}
