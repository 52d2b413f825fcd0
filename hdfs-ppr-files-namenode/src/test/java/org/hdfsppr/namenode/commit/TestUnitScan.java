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
package org.hdfsppr.namenode.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.namenode.commit.UpdateCollector.UnitScan;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;

/** What a commit takes of a log. */
class TestUnitScan {
  private static final int PAGE = 1_000;
  private static final SignedTicket TICKET = SignedTicket.of(new UpdateTicket(
      new UnitId(new UUID(1, 2), 0, 0), new GroupId("BP-1", -1_600, 1_001).block(0, 1 << 20), 9, 7,
      4, List.of(new NodeRef("n", "10.0.0.1", "host", 1, 2, "/r"))), new Token<>());

  private final List<NumberedUpdate> log = new ArrayList<>();
  private int lists;
  private final CommitLogs logs = new CommitLogs() {
    @Override
    public void begin(SignedTicket ticket) {
      throw new AssertionError("a scan changes nothing");
    }

    @Override
    public LogPage list(SignedTicket ticket, long after) {
      lists++;
      return new LogPage(log.stream().filter(update -> update.sequence > after).limit(PAGE)
          .collect(Collectors.toList()), log.isEmpty() ? 0 : log.get(log.size() - 1).sequence);
    }

    @Override
    public boolean hasBegun(SignedTicket ticket) {
      throw new AssertionError("a scan reads the list");
    }

    @Override
    public void trim(SignedTicket ticket, NodeRef node, long commit) {
      throw new AssertionError("a scan changes nothing");
    }
  };

  private UnitScan scan(long committed, long commit) throws IOException {
    return UnitScan.of(logs, TICKET, committed, commit, () -> { });
  }

  @Test
  void updatesOfOtherCommitsDoNotCount() throws IOException {
    log.add(new NumberedUpdate(5, 1, 0, 10));
    log.add(new NumberedUpdate(6, 2, 5, 10));
    log.add(new NumberedUpdate(7, 3, 15, 1));
    log.add(new NumberedUpdate(8, 4, 100, 10));
    UnitScan scan = scan(1, 3);
    assertEquals(6, scan.first());
    assertEquals(7, scan.last());
    assertEquals(2, scan.updates());
    assertEquals(11, scan.bytes());
    assertEquals(Map.of(5L, 16L), scan.ranges.ranges());
    assertEquals(0, scan(4, 9).updates());
  }

  @Test
  void theLeaderIsAskedNoMoreOftenThanItHasPages() throws IOException {
    assertEquals(0, scan(0, 1).updates());
    assertEquals(1, lists);
    for (int i = 0; i < 2 * PAGE; i++) {
      log.add(new NumberedUpdate(i + 1, 1, i, 1));
    }
    assertEquals(2 * PAGE, scan(0, 1).updates());
    assertEquals(3, lists);
    log.add(new NumberedUpdate(2 * PAGE + 1, 1, 0, 1));
    assertEquals(2 * PAGE + 1, scan(0, 1).updates());
    assertEquals(6, lists);
  }

  @Test
  void aNumberThatIsMissingIsAnError() {
    log.add(new NumberedUpdate(5, 2, 0, 10));
    log.add(new NumberedUpdate(7, 2, 0, 10));
    assertThrows(IOException.class, () -> scan(1, 2));
  }

  @Test
  void manySmallUpdatesTakeBoundedMemory() throws IOException {
    int updates = 20 * UnitScan.RANGES_MAX;
    for (int i = 0; i < updates; i++) {
      log.add(new NumberedUpdate(i + 1, 1, 4L * i, 1));
    }
    UnitScan scan = scan(0, 1);
    assertEquals(updates, scan.updates());
    assertTrue(scan.ranges.ranges().size() <= UnitScan.RANGES_MAX + PAGE,
        scan.ranges.ranges().size() + " ranges");
    for (NumberedUpdate update : log) {
      assertTrue(scan.ranges.ranges().floorEntry(update.offset).getValue()
          > update.offset, "byte " + update.offset);
    }
  }

  @Test
  void aScanThatTakesTooLongEnds() {
    for (int i = 0; i < 3 * PAGE; i++) {
      log.add(new NumberedUpdate(i + 1, 1, i, 1));
    }
    int[] pages = new int[1];
    assertThrows(IOException.class, () -> UnitScan.of(logs, TICKET, 0, 1, () -> {
      if (++pages[0] == 2) {
        throw new IOException("too long");
      }
    }));
    assertEquals(2, pages[0]);
  }
}
