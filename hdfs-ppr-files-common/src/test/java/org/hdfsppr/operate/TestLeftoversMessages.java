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
package org.hdfsppr.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;
import org.hdfsppr.operate.proto.ClientProtos.LeftoversResponseProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.junit.jupiter.api.Test;

/** What is left comes over the wire as it was sent. */
class TestLeftoversMessages {
  @Test
  void allFieldsComeBack() throws Exception {
    Leftovers.Builder sent = new Leftovers.Builder();
    sent.cleared = 7;
    sent.unfinished = "too much";
    int number = 1;
    for (Kind kind : Kind.values()) {
      for (State state : State.values()) {
        sent.count(kind, state, number++);
        sent.name(new Item(kind, state, "/p" + number, "/f", "why", number,
            List.of("/a/.snapshot/s", "/b/.snapshot/t")));
      }
    }
    Leftovers read = Leftovers.parse(sent.build().toProto());
    assertEquals(7, read.cleared);
    assertEquals("too much", read.unfinished);
    assertEquals(30 * 31 / 2, read.count());
    assertEquals(30, read.count(Kind.UPDATE_RECORD, State.USED));
    Item last = read.named.get(29);
    assertEquals("UPDATE_RECORD USED /p31 /f why 31 [/a/.snapshot/s, /b/.snapshot/t]",
        last.kind + " " + last.state + " " + last.path + " " + last.file + " " + last.why
            + " " + last.untilMs + " " + last.snapshots);
  }

  @Test
  void whatIsNamedHasABound() {
    Leftovers.Builder many = new Leftovers.Builder();
    for (int i = 0; i <= Leftovers.NAMED_MAX; i++) {
      many.count(Kind.COMMIT, State.FREE, 1);
      many.name(new Item(Kind.COMMIT, State.FREE, "/" + i, "", "", 0, List.of()));
    }
    assertEquals(Leftovers.NAMED_MAX, many.build().named.size());
    assertEquals(Leftovers.NAMED_MAX + 1, many.build().count());
  }

  /** A command must not take what it does not know for nothing. */
  @Test
  void aWordOfALaterReleaseIsRefused() {
    LeftoversResponseProto.Builder proto =
        new Leftovers.Builder().count(Kind.COMMIT, State.FREE, 1).build().toProto()
            .toBuilder();
    proto.getCountsBuilder(0).setState("later");
    assertThrows(MalformedRequestException.class, () -> Leftovers.parse(proto.build()));
  }
}
