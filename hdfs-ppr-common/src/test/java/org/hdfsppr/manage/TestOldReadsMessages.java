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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.OldReadsProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** Tests what goes over the wire about readers of old blocks. */
@InterfaceAudience.Private
class TestOldReadsMessages {
  private static final OldReads.Read READ = new OldReads.Read(Long.MIN_VALUE + 3, 12_345);

  private static HeartbeatRequest heartbeat() {
    return new RandomHeartbeats(new Random(4)).request();
  }

  private static HeartbeatRequestProto with(OldReadsProto.Builder reads) {
    return heartbeat().toProto().toBuilder().setOldReads(reads).build();
  }

  private static OldReadsProto.Builder proto() {
    return new OldReads(true, 7, true, false, List.of(READ)).toProto().toBuilder();
  }

  @Test
  void readsArriveAsTheyWereSent() throws Exception {
    OldReads sent = new OldReads(true, 99, false, true, List.of(READ, new OldReads.Read(16, 0)));
    HeartbeatRequest back = HeartbeatRequest.parse(
        heartbeat().withOldReads(sent).toProto());
    assertEquals(sent.toString(), back.oldReads.toString());
    assertEquals(READ.blockId, back.oldReads.reads.get(0).blockId);
    assertEquals(12_345, back.oldReads.reads.get(0).agoMs);
    assertEquals(99, back.oldReads.wholeForMs);
    assertTrue(back.oldReads.seesAll && back.oldReads.hasMore);
    assertFalse(back.oldReads.fromStart);
  }

  @Test
  void anOlderNodeSaysNothing() throws Exception {
    assertSame(OldReads.UNSAID, HeartbeatRequest.parse(
        heartbeat().toProto()).oldReads);
  }

  @Test
  void bounds() {
    OldReadsProto.Builder many = proto();
    for (int i = 0; i <= OldReads.BLOCKS_MAX; i++) {
      many.addBlocks(i).addAgoMs(i);
    }
    assertWrong("old blocks read, at most", many);
    assertWrong("1 old blocks were read at 2 times", proto().addAgoMs(3));
    assertWrong("is -1 ms", proto().setAgoMs(0, -1));
    assertWrong("is -1 ms", proto().setWholeForMs(-1));
    OldReads tooMany = new OldReads(true, 0, true, false,
        Collections.nCopies(OldReads.BLOCKS_MAX + 1, READ));
    assertThrows(IllegalArgumentException.class, () -> tooMany.toProto());
  }

  private static void assertWrong(String text, OldReadsProto.Builder reads) {
    String message = assertThrows(MalformedRequestException.class,
        () -> HeartbeatRequest.parse(with(reads))).getMessage();
    assertTrue(message.contains(text), message);
  }

  @Test
  void aNameNodeAsksForAllReads() throws Exception {
    assertTrue(HeartbeatResponse.parse(new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1")
        .setWantsAllOldReads(true)).toProto()).wantsAllOldReads);
    assertFalse(HeartbeatResponse.parse(new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1"))
        .toProto()).wantsAllOldReads);
  }
}
