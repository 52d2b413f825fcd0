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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that commands of unknown kinds are refused by name. */
@InterfaceAudience.Private
@Timeout(60)
class TestHeartbeatResponse {
  private static HeartbeatResponseProto.Builder answer() {
    return new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1"),
        new CancelCommand("r", 5, "why")).toProto().toBuilder();
  }

  private static CommandProto.Builder trim() {
    return CommandProto.newBuilder().setKind("trim").setCommandId("t").setTerm(4)
        .setBody(ByteString.copyFromUtf8("what a newer version knows"));
  }

  @Test
  void anUnknownCommandIsRefusedByNameAndTheOthersArrive() throws Exception {
    HeartbeatResponse response =
        HeartbeatResponse.parse(answer().addCommands(trim()).build());
    assertEquals("r", response.cancels().get(0).repairId);
    assertEquals(1, response.commands.size());
    RepairResult refused = response.unreadable.get(0);
    assertEquals("t", refused.repairId);
    assertEquals(4, refused.term);
    assertEquals(RepairOutcome.REFUSED, refused.outcome);
    assertEquals(FailureCause.UNSUPPORTED, refused.cause);
    assertTrue(refused.message.contains("'trim'"), refused.message);
  }

  @Test
  void aKindCannotForgeALineOfTheLog() throws Exception {
    String kind = "trim\nINFO all is well".repeat(100);
    String message = HeartbeatResponse.parse(
        answer().addCommands(trim().setKind(kind)).build()).unreadable.get(0).message;
    assertTrue(message.indexOf('\n') < 0 && message.length() < 1000, message);
  }

  @Test
  void aCommandWithoutAnIdCannotBeRefused() {
    assertTrue(assertThrows(MalformedRequestException.class, () -> HeartbeatResponse.parse(
        answer().addCommands(trim().setCommandId("")).build())).getMessage()
        .contains("repair_id is empty"));
  }

  @Test
  void boundsOfAnAnswer() {
    HeartbeatResponseProto.Builder many = answer();
    for (int i = 0; i <= HeartbeatResponse.COMMANDS_MAX; i++) {
      many.addCommands(trim().setCommandId("t" + i));
    }
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> HeartbeatResponse.parse(many.build())).getMessage()
        .contains("commands, at most"));
  }

  @Test
  void eachKindHasOneReader() throws IOException {
    CommandKind trims = new CommandKind("trim", "trims", (command, pool) -> null);
    assertEquals(List.of("scrub", "trim"), CommandKind.withScrub(List.of(trims)).stream()
        .map(kind -> kind.kind).collect(Collectors.toList()));
    assertTrue(assertThrows(IOException.class, () -> CommandKind.withScrub(List.of(trims, trims)))
        .getMessage().contains("'trim'"));
    CommandKind scrubs = new CommandKind(ScrubCommand.KIND, "scrubs", (command, pool) -> null);
    assertThrows(IOException.class, () -> CommandKind.withScrub(List.of(scrubs)));
  }

  @Test
  void aCommandWithoutACodecIsNotSent() {
    ManagerCommand unknown = new ManagerCommand() {
      @Override
      public String kind() {
        return "patch";
      }

      @Override
      public String id() {
        return "p";
      }

      @Override
      public long term() {
        return 5;
      }
    };
    HeartbeatResponse response =
        new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1"), unknown);
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> response.toProto()).getMessage().contains("'patch'"));
  }
}
