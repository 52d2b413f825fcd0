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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.update.append.LogPosition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is cleared up when files are gone, and what stays while a file may be there. */
class TestRecordJanitor {
  private static final GroupPolicy POLICY = new GroupPolicy("rs", 2, 1, 1024);
  private static final long DIRECTORY = 50;
  private static final long FILE = 77;
  private static final long INTERVAL_MS = 10_000;
  private static final UUID FIRST = new UUID(5, 1);

  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final AtomicLong wallMs = new AtomicLong(1_700_000_000_000L);
  private final MemoryNamespace namespace = new MemoryNamespace();
  private final FakeLogs logs = new FakeLogs(3);
  private TicketKeeper keeper;
  private int uuids;

  @BeforeEach
  void write() throws IOException {
    keeper = new TicketKeeper(new TicketParts(
        TicketSettings.of(new Configuration(false), INTERVAL_MS), namespace, namespace, logs,
        logs, nowMs::get), () -> new UUID(5, ++uuids), wallMs::get);
    for (long file = FILE; file < FILE + 3; file++) {
      namespace.addFile(file, DIRECTORY, true, POLICY,
          Map.of(0, List.of("n0"), 1, List.of("n1"), 2, List.of("n2")));
    }
    pass(2_000);
    for (long file = FILE; file < FILE + 3; file++) {
      assertTrue(grant(file, 0).get(0).ticket().isPresent());
      grant(file, 1);
    }
  }

  private List<TicketDecision> grant(long file, int ordinal) throws IOException {
    return keeper.grant(namespace.file(file, ordinal), new TicketRequest("/dir/" + file,
        MemoryNamespace.group(ordinal), true, Map.of()), true);
  }

  /** Lets time pass, with all steps. */
  private void pass(long ms) {
    for (long left = ms; left > 0; left -= 250) {
      nowMs.addAndGet(250);
      wallMs.addAndGet(250);
      while (keeper.step()) {
        nowMs.addAndGet(1);
      }
    }
  }

  private void passes(int number) {
    pass(number * (INTERVAL_MS + 1_000));
  }

  @Test
  void recordsAndLogsOfAFileGoWhenItIsGone() {
    passes(3);
    assertEquals(List.of(0, 1), namespace.groups(FIRST));
    assertEquals(List.of(), logs.takeOrders());
    namespace.removeFile(FILE);
    pass(INTERVAL_MS);
    assertEquals(List.of(0, 1), namespace.groups(FIRST), "one pass may be wrong");
    passes(2);
    assertEquals(List.of(), namespace.groups(FIRST));
    assertEquals(List.of(FIRST + " n0", FIRST + " n1", FIRST + " n2"), logs.takeOrders());
    passes(2);
    assertEquals(List.of(), logs.takeOrders(), "all have done it");
    logs.add("n9");
    passes(1);
    assertEquals(List.of(FIRST + " n9"), logs.takeOrders(), "it was away");
    assertEquals(List.of(0, 1), namespace.groups(new UUID(5, 2)), "of another file");
    wallMs.addAndGet(RecordJanitor.KEPT_MS);
    passes(1);
    assertFalse(namespace.find(FIRST).isPresent());
    assertTrue(namespace.find(new UUID(5, 2)).isPresent());
  }

  @Test
  void aNodeThatDoesNotAnswerIsOrderedAgain() {
    namespace.removeFile(FILE);
    logs.silent(true);
    passes(3);
    assertTrue(logs.takeOrders().contains(FIRST + " n1"));
    logs.silent(false);
    passes(1);
    assertTrue(logs.takeOrders().contains(FIRST + " n1"));
    passes(1);
    assertEquals(List.of(), logs.takeOrders());
  }

  @Test
  void aFileThatComesBackIsNotGone() {
    namespace.removeFile(FILE);
    pass(INTERVAL_MS);
    namespace.addFile(FILE, DIRECTORY, true, POLICY, Map.of());
    passes(1);
    namespace.removeFile(FILE);
    pass(INTERVAL_MS);
    assertEquals(List.of(0, 1), namespace.groups(FIRST));
  }

  @Test
  void nothingIsClearedWhileNothingMayChange() {
    namespace.removeFile(FILE);
    pass(INTERVAL_MS);
    namespace.setMayChange(false);
    passes(3);
    namespace.setMayChange(true);
    pass(INTERVAL_MS);
    assertEquals(List.of(0, 1), namespace.groups(FIRST), "another NameNode was active");
    passes(2);
    assertEquals(List.of(), namespace.groups(FIRST));
  }

  @Test
  void updatesOfJoinedFilesStayAndReadersAreRefused() throws IOException {
    namespace.removeFile(FILE);
    namespace.own(MemoryNamespace.group(1).groupId, "/dir/78");
    for (String node : List.of("n0", "n1", "n2")) {
      logs.answer(node, new LogPosition(1, 4, 1, true, 4));
    }
    passes(3);
    assertEquals(List.of(0, 1), namespace.groups(FIRST));
    assertEquals(List.of(), logs.takeOrders());
    assertTrue(assertThrows(UpdateRefusedException.class, () -> grant(FILE + 1, 1)).getMessage()
        .contains("trusted.hdfs-ppr.gone-since"));
    assertTrue(grant(FILE + 1, 0).get(0).ticket().isPresent(), "another block group");
    // The operator gives them up.
    namespace.set(namespace.find(FIRST).orElseThrow(), FileRecords.GONE_XATTR, new byte[8]);
    passes(2);
    assertEquals(List.of(), namespace.groups(FIRST));
    assertEquals(3, logs.takeOrders().size());
    assertTrue(grant(FILE + 1, 1).get(0).ticket().isPresent());
    assertTrue(namespace.find(FIRST).isPresent(), "for nodes that are away");
  }

  @Test
  void aRecordThatCannotBeReadHoldsUpNoOtherFile() throws IOException {
    long unreadable = namespace.find(FIRST).orElseThrow();
    namespace.set(unreadable, UpdateNamespace.FILE_XATTR, new byte[3]);
    for (long file = FILE; file < FILE + 3; file++) {
      namespace.removeFile(file);
    }
    passes(4);
    assertEquals(List.of(0, 1), namespace.groups(FIRST));
    assertEquals(List.of(), namespace.groups(new UUID(5, 2)));
    assertEquals(List.of(), namespace.groups(new UUID(5, 3)));
  }

  @Test
  void aJoinedFileWhoseTermsBecomeUnreadableStaysJoined() throws IOException {
    namespace.removeFile(FILE);
    namespace.own(MemoryNamespace.group(1).groupId, "/dir/78");
    for (String node : List.of("n0", "n1", "n2")) {
      logs.answer(node, new LogPosition(1, 4, 1, true, 4));
    }
    passes(3);
    namespace.set(namespace.find(FIRST, 1).orElseThrow(), TermRecord.TERMS_XATTR, new byte[2]);
    passes(3);
    assertThrows(UpdateRefusedException.class, () -> grant(FILE + 1, 1));
  }

  @Test
  void aJoinedFileWithoutUpdatesIsGone() {
    namespace.removeFile(FILE);
    namespace.own(MemoryNamespace.group(0).groupId, "/dir/78");
    namespace.own(MemoryNamespace.group(1).groupId, "/dir/78");
    for (String node : List.of("n0", "n1", "n2")) {
      logs.answer(node, LogPosition.NOTHING);
    }
    int asked = logs.asked();
    passes(1);
    assertEquals(asked + 2, logs.asked(), "DataNodes are asked once about each group");
    passes(2);
    assertEquals(List.of(), namespace.groups(FIRST));
  }

  /** After a restart or a failover no client may ask for tickets of files with updates. */
  @Test
  void commitsHearOfAllFilesThatAreAtAPath() {
    List<String> heard = new ArrayList<>();
    keeper.whenRecorded((path, file) -> heard.add(path + " " + file));
    namespace.removeFile(FILE + 1);
    passes(1);
    assertEquals(List.of("/dir/77 " + FIRST, "/dir/79 " + new UUID(5, 3)), heard);
    heard.clear();
    namespace.setMayChange(false);
    passes(1);
    assertEquals(List.of(), heard, "another NameNode commits them");
    namespace.setMayChange(true);
    namespace.atOwnPath(FILE);
    passes(1);
    assertEquals(List.of("/dir/79 " + new UUID(5, 3)), heard, "the version from before is kept");
  }
}
