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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.datanode.server.DegradedReads;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Tests that one NameNode learns of each degraded read exactly once, even if heartbeats fail. */
class TestDegradedReport {
  private final DegradedReads reads = new DegradedReads(() -> 0);
  private final DegradedReport report = new DegradedReport(reads);

  private static ReadGroup group(int number) {
    return new ReadGroup(-16L * number, 1001);
  }

  private void read(String pool, int number) {
    reads.served(new GroupId(pool, -16L * number, 1001));
  }

  private void answer(long term) {
    report.answered(new HeartbeatResponse(HeartbeatResponse.active(term, "BP")));
  }

  @Test
  void eachNoteIsReportedOnce() {
    read("BP", 1);
    read("other", 2);
    assertEquals(List.of(), report.next(), "no NameNode has named the pool yet");
    answer(3);
    assertEquals(List.of(group(1)), report.next());
    read("BP", 3);
    answer(3);
    assertEquals(List.of(group(3)), report.next());
    answer(3);
    assertEquals(List.of(), report.next());
  }

  @Test
  void whatAFailedHeartbeatSaidIsSaidAgain() {
    answer(3);
    report.next();
    answer(3);
    read("BP", 1);
    assertEquals(List.of(group(1)), report.next());
    report.lost();
    assertEquals(List.of(), report.next(), "the NameNode may not schedule repairs");
    answer(3);
    assertEquals(List.of(group(1)), report.next());
    report.lost();
    report.next();
    report.lost();
    report.next();
    answer(3);
    assertEquals(List.of(group(1)), report.next());
    answer(3);
    assertEquals(List.of(), report.next());
  }

  /**
   * A NameNode that was restarted, or has become active again, has lost all reports, so it gets
   * them again.
   */
  @Test
  void anotherTermHearsAllOfIt() {
    answer(3);
    read("BP", 1);
    assertEquals(List.of(group(1)), report.next());
    answer(3);
    assertEquals(List.of(), report.next());
    answer(4);
    assertEquals(List.of(group(1)), report.next());
    answer(4);
    assertEquals(List.of(), report.next());
  }

  @Test
  void onlyWhoSchedulesHearsOfIt() {
    answer(3);
    read("BP", 1);
    report.next();
    report.answered(new HeartbeatResponse(HeartbeatResponse.inactive(3, "BP")));
    assertEquals(List.of(), report.next());
    answer(3);
    assertEquals(List.of(group(1)), report.next());
  }

  @Test
  void muchIsReportedInParts() {
    int groups = 2 * HeartbeatRequest.READ_DEGRADED_MAX + 1;
    List<ReadGroup> expected = new ArrayList<>();
    for (int i = 1; i <= groups; i++) {
      read("BP", i);
      expected.add(group(i));
    }
    answer(3);
    List<ReadGroup> groupsReported = new ArrayList<>();
    for (List<ReadGroup> next = report.next(); !next.isEmpty(); next = report.next()) {
      groupsReported.addAll(next);
      answer(3);
    }
    assertEquals(expected, groupsReported);
  }
}
