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
package org.hdfsppr.datanode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.LogSpace;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;

/** Tests of what a leader knows of the room in the logs of followers. */
class TestFollowerRooms {
  private static final String POOL = "BP-1";
  private static final NodeRef LEADER = node("a");
  private static final NodeRef FIRST = node("b");
  private static final NodeRef SECOND = node("c");

  private final AtomicLong now = new AtomicLong();
  private final FollowerRooms rooms = new FollowerRooms(now::get);
  private final UpdateTicket ticket = ticket(FIRST, SECOND);

  private static NodeRef node(String name) {
    return new NodeRef(name, "127.0.0.1", "localhost", 1, 2, "");
  }

  private static UpdateTicket ticket(NodeRef first, NodeRef second) {
    return new UpdateTicket(new UnitId(new UUID(1, 1), 0, 0), new BlockRef(POOL, 1, 1, 1000), 1, 0,
        1,
        Arrays.asList(LEADER, first, second));
  }

  private void note(NodeRef node, long bytes, int records) {
    rooms.note(POOL, node,
        UpdateAnswer.done(LogPosition.NOTHING).withRoom(new LogSpace(bytes, records)));
  }

  private static LogSpace space(long bytes, int records) {
    return new LogSpace(bytes, records);
  }

  @Test
  void allFollowersNeedRoom() {
    try (FollowerRooms.Claims claims = rooms.claims(ticket)) {
      assertFalse(claims.isCertain(space(1, 1)), "nothing is known");
      note(FIRST, 100, 10);
      assertFalse(claims.isCertain(space(1, 1)));
      assertEquals(Optional.of(SECOND), claims.claim(space(1, 1)));
      note(SECOND, 50, 5);
      assertTrue(claims.isCertain(space(50, 5)));
      assertFalse(claims.isCertain(space(51, 5)));
      assertFalse(claims.isCertain(space(50, 6)));
      assertEquals(Optional.of(SECOND), claims.claim(space(51, 1)));
      assertEquals(Optional.of(SECOND), claims.claim(space(1, 6)));
      assertEquals(Optional.empty(), claims.claim(space(50, 5)), "nothing was claimed before");
    }
  }

  @Test
  void unitsShareTheRoomOfALog() {
    note(FIRST, 100, 10);
    note(SECOND, 1000, 10);
    FollowerRooms.Claims claims = rooms.claims(ticket);
    FollowerRooms.Claims others = rooms.claims(ticket(SECOND, FIRST));
    assertEquals(Optional.empty(), claims.claim(space(60, 1)));
    assertFalse(others.isCertain(space(41, 1)));
    assertEquals(Optional.of(FIRST), others.claim(space(41, 1)));
    assertEquals(Optional.empty(), others.claim(space(40, 1)));
    claims.close();
    assertEquals(Optional.empty(), others.claim(space(60, 1)));
    // The answer has counted what was claimed.
    note(FIRST, 0, 10);
    assertEquals(Optional.of(FIRST), others.claim(space(1, 1)));
    others.close();
    note(FIRST, 100, 10);
    assertTrue(rooms.claims(ticket).isCertain(space(100, 10)), "all was given back");
  }

  @Test
  void otherLeadersMayFillALog() {
    note(FIRST, 1L << 30, 1 << 20);
    note(SECOND, 1L << 30, 1 << 20);
    FollowerRooms.Claims claims = rooms.claims(ticket);
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertTrue(claims.isCertain(space(512 << 20, 1)));
    assertFalse(claims.isCertain(space((512 << 20) + 1, 1)));
    assertFalse(claims.isCertain(space(1, 1 << 20)));
    now.addAndGet(TimeUnit.DAYS.toNanos(1000));
    assertFalse(claims.isCertain(space(1, 1)));
    note(FIRST, 1L << 30, 1 << 20);
    assertFalse(claims.isCertain(space(1, 1)));
    note(SECOND, 1L << 30, 1 << 20);
    assertTrue(claims.isCertain(space(1, 1)));
  }

  @Test
  void aFollowerOfAnOldVersionIsNotAsked() {
    rooms.note(POOL, FIRST, UpdateAnswer.done(LogPosition.NOTHING));
    rooms.note(POOL, SECOND, UpdateAnswer.done(LogPosition.NOTHING));
    now.addAndGet(TimeUnit.DAYS.toNanos(1000));
    FollowerRooms.Claims claims = rooms.claims(ticket);
    assertTrue(claims.isCertain(space(1 << 30, 1000)));
    assertEquals(Optional.empty(), claims.claim(space(1 << 30, 1000)));
    rooms.note(POOL, FIRST, UpdateAnswer.refused(UpdateStatus.LOG_FULL, "", null,
        LogPosition.NOTHING).withRoom(space(7, 7)));
    rooms.note(POOL, FIRST, UpdateAnswer.refused(UpdateStatus.OVERLOADED, "", null,
        LogPosition.NOTHING));
    assertEquals(Optional.of(FIRST), claims.claim(space(8, 1)), "a busy one does not say it");
    claims.close();
  }
}
