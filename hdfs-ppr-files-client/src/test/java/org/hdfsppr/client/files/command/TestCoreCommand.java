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
package org.hdfsppr.client.files.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hdfsppr.client.command.ToolRun;
import org.hdfsppr.client.spread.SpreadMoves;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.ReasonCounts;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.operate.UnusedGroup;
import org.junit.jupiter.api.Test;

/** Tests {@code hdfs ppr -core} with NameNodes that a test controls. */
class TestCoreCommand extends OnCannedPlugins {
  @Test
  void directoriesAreProtectedAndUnprotected() {
    assertEquals(0, tool.run("-core", "-protect", "hdfs://ns/a b", "-recursive", "-t", "7"),
        tool.err());
    assertTrue(tool.out().contains("/a b and all below it is protected"), tool.out());
    assertEquals(0, tool.run("-core", "-protect", "/c"), tool.err());
    assertEquals(0, tool.run("-core", "-unprotect", "/c"), tool.err());
    assertTrue(tool.out().contains("/c is not protected any more"), tool.out());
    assertEquals(List.of("protect /a b recursive 7", "protect /c 0", "unprotect /c"),
        plugins.actions);
    assertEquals(1, tool.run("-core", "-unprotect", "/d"));
    assertEquals("/d is not protected" + System.lineSeparator(), tool.err());
  }

  @Test
  void theStatusNamesWhatWaitsAndWhy() {
    plugins.core = CoreDirectory.of("/warm", 5, true).with(d -> d.setUser("alice").setGroups(2)
        .setMembers(10).setMemberBytes(1000).setParitySpaceBytes(280).setQueued(3).setStale(1)
        .addAllWaiting(ReasonCounts.toProtos(Map.of("open", 1L, "no_like_files", 4L, "later", 2L)))
        .setFailure("nodes are busy").setWalkedMs(ToolRun.NOW.toEpochMilli() - 5_000));
    assertEquals(0, tool.run("-core", "-status"), tool.err());
    for (String part : List.of("/warm and all below it, protected by alice",
        "2, 0 being made, 3 waiting", "10 files, 1000 B", "280 B on disks, 28 %",
        "1 file: it is being written", "4 files: too few other files", "2 files: later",
        "nodes are busy", "5.0 s ago", "7 groups formed", "1 tries failed",
        "2 dissolved: a member was deleted", "1 block groups of members")) {
      assertTrue(tool.out().contains(part), part + " in " + tool.out());
    }
    assertEquals(0, tool.run("-core", "-status", "/warm", "-json"), tool.err());
    for (String part : List.of("\"groups\":2", "\"path\":\"/warm\"", "\"files_per_group\":5",
        "\"open\":1", "\"dissolved\":{\"member_gone\":2}", "\"last_failure\":\"nodes are busy\"",
        "\"walked\":\"2026-01-31T12:04:55Z\"")) {
      assertTrue(tool.out().contains(part), part + " in " + tool.out());
    }
    plugins.unused = List.of(new UnusedGroup(17_001, "its format is 2", "upgrade"));
    plugins.unusedGroups = 3;
    assertEquals(0, tool.run("-core", "-status"), tool.err());
    for (String part : List.of("3 groups, whose parity files are kept",
        "- CORE group 17001: its format is 2. Remedy: upgrade", "- 2 more",
        "By CORE    3 block groups recoverable through CORE", "Lost       1 block group not"
        + " recoverable unless", "Kept       2 parity files of no group")) {
      assertTrue(tool.out().contains(part), part + " in " + tool.out());
    }
    assertTrue(tool.out().replaceAll("\\s+", " ").contains("'hdfs ppr -clear' names snapshots"),
        tool.out());
    assertEquals(0, tool.run("-core", "-status", "-json"), tool.err());
    for (String part : List.of("\"groups_not_used\":3", "\"parities_kept\":2",
        "\"recoverable_through_core\":3", "\"unrecoverable\":1",
        "\"core_group\":17001", "\"remedy\":\"upgrade\"")) {
      assertTrue(tool.out().contains(part), part + " in " + tool.out());
    }
    plugins.unused = List.of();
    assertEquals(0, tool.run("-core", "-status"), tool.err());
    assertTrue(tool.out().replaceAll("\\s+", " ").contains("Superusers see the reasons"),
        tool.out());
    plugins.core = null;
    assertEquals(0, tool.run("-core", "-status"), tool.err());
    assertTrue(tool.out().contains("No directory is protected that you may list"), tool.out());
  }

  @Test
  void whatIsNotUnderstoodIsSaid() {
    String[][] all = {{"use one of"}, {"use one of", "-status", "-protect", "/a"},
        {"use one of", "-spread", "-check"},
        {"belong to -protect", "-spread", "/a", "-recursive"},
        {"belong to -protect", "-status", "-recursive"},
        {"belong to -protect", "-unprotect", "/a", "-mapreduce"},
        {"-t is 16", "-protect", "/a", "-t", "16"},
        {"-t is 1", "-protect", "/a", "-t", "1"},
        {"is no HDFS", "-protect", "file:///a"}};
    for (String[] each : all) {
      List<String> args = new ArrayList<>(List.of("-core"));
      args.addAll(List.of(each).subList(1, each.length));
      assertEquals(2, tool.run(args.toArray(new String[0])), each[0]);
      assertTrue(tool.err().contains(each[0]), tool.err());
    }
    assertEquals(List.of(), plugins.actions);
  }

  @Test
  void blocksAreMovedUntilAllColumnsWereSeen() {
    SpreadPlace next = new SpreadPlace(20, 3);
    plugins.spreads.add(new SpreadAnswer(List.of(), 900, 0, Map.of(), next));
    plugins.spreads.add(new SpreadAnswer(List.of(), 90, 1, Map.of("leaving", 1L), null));
    assertEquals(0, tool.run("-core", "-spread"), tool.err());
    assertEquals(List.of("spread null from 0, 0", "spread null from 20, 3"), plugins.actions);
    for (String part : List.of("990 columns: 1 with two blocks on one DataNode; 0 blocks moved",
        "1 column stays: a block has moved, and its old replica is about to be deleted")) {
      assertTrue(tool.out().contains(part), part + " in " + tool.out());
    }
    // Nothing listens at the DataNode's port.
    plugins.spreads.add(new SpreadAnswer(List.of(SpreadMoves.of(5, "a", "b")), 9, 1, Map.of(),
        null));
    assertEquals(1, tool.run("-core", "-spread", "/warm"));
    assertEquals("spread /warm from 0, 0", plugins.actions.get(2));
    assertTrue(tool.out().contains("CORE group 17, block group 5, unit 3: NOT MOVED: "),
        tool.out());
    plugins.spreads.add(new SpreadAnswer(List.of(SpreadMoves.of(5, "a", "b")), 9, 2,
        Map.of("no_node", 1L), null));
    assertEquals(1, tool.run("-core", "-spread", "/warm", "-json"));
    for (String part : List.of("\"core_group\":17", "\"unit\":3", "\"to\":\"127.0.0.1:1\"",
        "\"done\":false", "\"columns_together\":2", "\"blocks_moved\":0", "\"blocks_failed\":1",
        "\"columns_staying\":{\"no_node\":1}")) {
      assertTrue(tool.out().contains(part), part + " in " + tool.out());
    }
  }

  /** This class path has no MapReduce. Nothing is protected then. */
  @Test
  void aMissingJarIsNamedBeforeAnythingIsProtected() {
    assertEquals(1, tool.run("-core", "-protect", "/a", "-mapreduce"));
    assertTrue(tool.err().contains("share/hadoop/mapreduce"), tool.err());
    assertTrue(tool.err().contains("HADOOP_CLASSPATH"), tool.err());
    assertEquals(List.of(), plugins.actions);
  }
}
