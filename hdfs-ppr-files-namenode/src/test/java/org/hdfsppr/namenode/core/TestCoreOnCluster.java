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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.PprClientTranslator;
import org.hdfsppr.operate.UnusedGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** CORE groups on a cluster with both plugins. */
@Timeout(600)
class TestCoreOnCluster {
  private static final long SEED = 20261125;

  @TempDir
  File directory;
  private CoreCluster cluster;

  @BeforeEach
  void start() throws Exception {
    System.out.println("seed " + SEED);
    cluster = CoreCluster.start(directory);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static byte[] xor(List<byte[]> contents) {
    byte[] sum = new byte[contents.stream().mapToInt(data -> data.length).max().getAsInt()];
    for (byte[] data : contents) {
      for (int i = 0; i < data.length; i++) {
        sum[i] ^= data[i];
      }
    }
    return sum;
  }

  private static long stale(CoreRows rows) {
    return rows.rows.stream().filter(row -> row != null && row.stale).count();
  }

  @Test
  void filesUnderReedSolomonGetAParityFileThatARestartFinds() throws Exception {
    cluster.directory("/ec", CoreCluster.RS);
    List<byte[]> data = new ArrayList<>();
    // The longest has two groups and a piece of a cell; the shortest one group and some cells.
    int[] lengths = {2 * CoreCluster.GROUP + 5_000, 2 * CoreCluster.GROUP + 100,
        2 * CoreCluster.GROUP, CoreCluster.GROUP + 70_001, 2 * CoreCluster.GROUP - 1};
    for (int i = 0; i < lengths.length; i++) {
      data.add(cluster.write("/ec/f" + i, lengths[i], SEED + i));
    }
    cluster.fs().create(new Path("/ec/empty")).close();
    cluster.write("/ec/alone", 1_000, SEED);
    CoreDirectory before = cluster.protect("/ec", false, 5);
    assertEquals(5, before.files);
    cluster.awaitGroups(1);
    byte[] parity = cluster.content(cluster.parity());
    assertArrayEquals(xor(data), parity);
    assertEquals(0600, cluster.fs().getFileStatus(cluster.parity()).getPermission().toShort());
    assertPlaces();
    CoreDirectory now = cluster.status().directories.get(0);
    assertEquals(5, now.get(Number.MEMBERS));
    assertEquals(data.stream().mapToLong(one -> one.length).sum(), now.get(Number.MEMBER_BYTES));
    assertEquals(parity.length, now.get(Number.PARITY_BYTES));
    RepairCluster.await("the files in no group are named", () -> cluster.status().waiting()
        .equals(Map.of("empty", 1L, "no_like_files", 1L)));
    assertRows();

    cluster.restartNameNode();
    cluster.awaitGroups(1);
    assertRows();
    assertArrayEquals(parity, cluster.content(cluster.parity()));

    assertEquals(1, cluster.unprotect("/ec").get(Number.GROUPS));
    RepairCluster.await("nothing is left", () -> {
      try {
        return cluster.kept().isEmpty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    assertNull(cluster.rows("/ec/f0", 0));
    assertTrue(cluster.fs().getXAttrs(new Path("/ec")).keySet().stream()
        .noneMatch(name -> name.contains("ppr")));
    assertEquals(0, cluster.fs().listStatus(new Path("/.hdfs-ppr/core/directories")).length);
    assertTrue(cluster.kept().isEmpty());
    RepairCluster.await("the status says why", () ->
        cluster.status().dissolved.equals(Map.of("unprotected", 1L)));
  }

  /** No node has two blocks of a column. */
  private void assertPlaces() throws Exception {
    for (int index = 0; index < 3; index++) {
      for (int unit = 0; unit < CoreCluster.UNITS; unit++) {
        Set<String> seen = new HashSet<>();
        for (String path : List.of("/ec/f0", "/ec/f1", "/ec/f2", "/ec/f3", "/ec/f4")) {
          seen.addAll(cluster.nodes(path, index).getOrDefault(unit, Set.of()));
        }
        for (String node : cluster.nodes(cluster.parity().toUri().getPath(), index)
            .getOrDefault(unit, Set.of())) {
          assertFalse(seen.contains(node), "two blocks of column " + unit + " on " + node);
        }
      }
    }
  }

  private void assertRows() throws Exception {
    String parity = cluster.parity().toUri().getPath();
    for (String path : List.of("/ec/f0", "/ec/f1", "/ec/f2", "/ec/f3", "/ec/f4", parity)) {
      for (int index = 0; index < cluster.groups(path).size(); index++) {
        CoreRows rows = cluster.rows(path, index);
        assertNotNull(rows, path);
        assertEquals(index, rows.index);
        assertEquals(6, rows.rows.size());
        assertEquals(0, stale(rows));
        assertEquals("rs", rows.policy.codec);
        CoreRows.Row last = rows.rows.get(5);
        assertEquals(cluster.groups(parity).get(index).getBlock().getBlockId(),
            last.id.groupId);
        long longest = rows.rows.stream().filter(row -> row != null)
            .mapToLong(row -> row.bytes).max().getAsLong();
        assertEquals(longest, last.bytes);
      }
    }
    // Only the longest two files have a third group.
    assertEquals(3, cluster.rows(parity, 2).rows.stream().filter(row -> row == null).count());
    assertNull(cluster.rows("/ec/alone", 0));
  }

  @Test
  void changesOfMembersDissolveTheirGroupsAndFormNewOnes() throws Exception {
    cluster.directory("/core", CoreCluster.CORE);
    List<byte[]> data = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      data.add(cluster.write("/core/f" + i, CoreCluster.GROUP + i, SEED + i));
    }
    // The codec says three, and the option does not count.
    cluster.protect("/core", true, null);
    cluster.awaitGroups(1);
    assertArrayEquals(xor(data), cluster.content(cluster.parity()));
    Path first = cluster.parity();

    // Renamed within the tree: the group stays.
    cluster.fs().mkdirs(new Path("/core/below"));
    assertTrue(cluster.fs().rename(new Path("/core/f2"), new Path("/core/below/g")));
    assertEquals(0, stale(cluster.rows("/core/below/g", 0)));

    // Deleted: the row is stale from that moment on.
    CoreRows before = cluster.rows("/core/f0", 0);
    assertEquals(0, stale(before));
    cluster.fs().delete(new Path("/core/f1"), false);
    CoreRows after = cluster.rows("/core/f0", 0);
    assertTrue(after == null || stale(after) == 1);
    cluster.awaitGroups(0);
    assertNull(cluster.rows("/core/f0", 0));
    assertFalse(cluster.fs().exists(first));

    // Groups are of one directory. With two more files of it there is a new one.
    byte[] third = cluster.write("/core/f3", CoreCluster.GROUP, SEED + 3);
    byte[] fourth = cluster.write("/core/f4", CoreCluster.GROUP, SEED + 4);
    cluster.awaitGroups(1);
    assertArrayEquals(xor(List.of(data.get(0), third, fourth)),
        cluster.content(cluster.parity()));

    // Overwritten: another inode and other blocks.
    Path second = cluster.parity();
    byte[] other = cluster.write("/core/f3", CoreCluster.GROUP - 100, SEED + 5);
    RepairCluster.await("the group is formed anew", () -> isNew(second));
    assertArrayEquals(xor(List.of(data.get(0), other, fourth)),
        cluster.content(cluster.parity()));

    // Appended: what it had before stays protected until the group is formed anew.
    Path beforeAppend = cluster.parity();
    try (FSDataOutputStream out = cluster.fs().append(new Path("/core/f4"),
        EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(new byte[] {1, 2, 3});
    }
    RepairCluster.await("the group is formed anew", () -> isNew(beforeAppend)
        || isDissolved("member_grew"));
    cluster.fs().delete(new Path("/core/f4"), false);
    byte[] fifth = cluster.write("/core/f5", CoreCluster.GROUP, SEED + 6);
    RepairCluster.await("the new file is in a group", () -> isInGroup("/core/f5"));
    cluster.awaitGroups(1);
    assertArrayEquals(xor(List.of(data.get(0), other, fifth)), cluster.content(cluster.parity()));

    // Moved out of the tree, while its blocks live on.
    cluster.fs().mkdirs(new Path("/elsewhere"));
    assertTrue(cluster.fs().rename(new Path("/core/f5"), new Path("/elsewhere/f5")));
    cluster.awaitGroups(0);
    assertNull(cluster.rows("/elsewhere/f5", 0));
    assertTrue(cluster.kept().isEmpty(), cluster.kept().toString());
  }

  /** The parity file without a member in the trash is that of the others. */
  @Test
  void aMemberInTheTrashIsTakenOut() throws Exception {
    cluster.directory("/ec", CoreCluster.RS);
    List<byte[]> data = new ArrayList<>();
    int[] lengths = {2 * CoreCluster.GROUP, CoreCluster.GROUP + 40_000, 2 * CoreCluster.GROUP,
        2 * CoreCluster.GROUP - 70_001};
    for (int i = 0; i < lengths.length; i++) {
      data.add(cluster.write("/ec/f" + i, lengths[i], SEED + i));
    }
    cluster.protect("/ec", false, lengths.length);
    cluster.awaitGroups(1);
    Path before = cluster.parity();
    assertArrayEquals(xor(data), cluster.content(before));
    Path trash = new Path("/user/alice/.Trash/Current/ec");
    cluster.fs().mkdirs(trash);
    assertTrue(cluster.fs().rename(new Path("/ec/f1"), trash));
    RepairCluster.await("the group has ended", () ->
        isDissolved("taken_out") || isDissolved("member_gone"));
    assertEquals(Map.of("taken_out", 1L), cluster.status().dissolved);
    assertTrue(isNew(before));
    byte[] left = data.remove(1);
    assertArrayEquals(xor(data), cluster.content(cluster.parity()));
    for (int restarts = 0; restarts < 2; restarts++) {
      cluster.awaitGroups(1);
      assertEquals(3, cluster.status().sum(Number.MEMBERS));
      String parity = cluster.parity().toUri().getPath();
      for (int index = 0; index < 2; index++) {
        CoreRows rows = cluster.rows("/ec/f0", index);
        assertEquals(4, rows.rows.size());
        assertEquals(0, stale(rows));
        assertEquals(cluster.groups(parity).get(index).getBlock().getBlockId(),
            rows.rows.get(3).id.groupId);
        for (int unit = 0; unit < CoreCluster.UNITS; unit++) {
          for (String member : List.of("/ec/f0", "/ec/f2", "/ec/f3")) {
            Set<String> nodes =
                new HashSet<>(cluster.nodes(member, index).getOrDefault(unit, Set.of()));
            nodes.retainAll(cluster.nodes(parity, index).getOrDefault(unit, Set.of()));
            assertEquals(Set.of(), nodes, "column " + unit);
          }
        }
      }
      assertNull(cluster.rows(trash + "/f1", 0));
      assertArrayEquals(left, cluster.content(new Path(trash, "f1")));
      if (restarts == 0) {
        cluster.restartNameNode();
      }
    }
    // The parity file would be longer than the members that are left.
    cluster.fs().delete(new Path("/ec/f0"), false);
    cluster.awaitGroups(0);
    RepairCluster.await("the status says why", () -> isDissolved("member_gone"));
  }

  private Path parityBeside(Path other) throws Exception {
    List<Path> files = new ArrayList<>(cluster.kept());
    files.removeIf(file -> file.getName().equals(other.getName()));
    assertEquals(1, files.size());
    return files.get(0);
  }

  private boolean isInGroup(String path) {
    try {
      return cluster.rows(path, 0) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isDissolved(String reason) {
    return cluster.status().dissolved.containsKey(reason);
  }

  /** Returns whether there is one group, with another parity file. */
  private boolean isNew(Path before) {
    try {
      List<Path> kept = cluster.kept();
      return kept.size() == 1 && !kept.get(0).equals(before)
          && kept.get(0).toString().contains("/groups/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatACrashLeavesIsClearedUpAndOnlyOwnersProtect() throws Exception {
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"users"});
    cluster.directory("/core", CoreCluster.CORE);
    cluster.fs().setOwner(new Path("/core"), "alice", "users");
    cluster.fs().setPermission(new Path("/core"), new FsPermission((short) 0750));
    for (int i = 0; i < 3; i++) {
      cluster.write("/core/f" + i, 100_000, SEED + i);
    }
    cluster.awaitEngine();
    try (PprClientTranslator client =
        cluster.client(UserGroupInformation.getCurrentUser())) {
      assertThrows(CoreRefusedException.class, () ->
          client.protectDirectory("/core/f0", false, OptionalInt.empty()));
    }
    try (PprClientTranslator client = cluster.client(bob)) {
      assertThrows(AccessControlException.class, () ->
          client.protectDirectory("/core", false, OptionalInt.empty()));
      assertEquals(List.of(), client.coreStatus(null).directories);
    }
    try (PprClientTranslator client = cluster.client(alice)) {
      assertThrows(CoreRefusedException.class, () -> client.coreStatus("/core"));
      assertThrows(CoreRefusedException.class, () -> client.unprotectDirectory("/core"));
      assertThrows(AccessControlException.class, () ->
          client.protectDirectory("/core/f0", false, OptionalInt.empty()));
      assertThrows(FileNotFoundException.class, () ->
          client.protectDirectory("/nothing", false, OptionalInt.empty()));
      assertEquals("alice",
          client.protectDirectory("/core", false, OptionalInt.empty()).user);
      cluster.awaitGroups(1);
      assertEquals(1, client.coreStatus("/core").directories.size());
    }
    // A crash in the middle of a making, and a record that a fault has spoiled.
    Path left = new Path(CoreFolder.WORK, "left");
    cluster.fs().create(left).close();
    Path parity = parityBeside(left);
    cluster.fs().setXAttr(parity, "trusted." + CoreFolder.XATTR, new byte[40]);
    cluster.restartNameNode();
    RepairCluster.await("the group is not used", () -> cluster.status().unusedGroups == 1);
    cluster.awaitGroups(1);
    assertFalse(cluster.fs().exists(left));
    assertTrue(cluster.fs().exists(parity));
    assertEquals(2, cluster.kept().size());
    CoreStatus seen = cluster.status(alice);
    assertEquals(1, seen.unusedGroups);
    assertEquals(List.of(), seen.unused);
    UnusedGroup group = cluster.status(UserGroupInformation.getCurrentUser()).unused.get(0);
    assertEquals(parity.getName(), String.valueOf(group.groupId));
    assertTrue(group.remedy.contains(parity.toUri().getPath()), group.remedy);
    cluster.fs().removeXAttr(parity, "trusted." + CoreFolder.XATTR);
    RepairCluster.await("the status says that it is gone", () ->
        cluster.status().unusedGroups == 0);
    assertEquals(1, cluster.status().sum(Number.GROUPS));
    assertEquals(1, cluster.unprotect("/core").get(Number.GROUPS));
    cluster.awaitGroups(0);
  }

  /** In a directory of all users, WRITE on it is not the right to other users' parity. */
  @Test
  void onlyOwnersAndSuperusersDecideAboutOtherUsersFiles() throws Exception {
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"users"});
    cluster.directory("/all", CoreCluster.CORE);
    cluster.fs().setOwner(new Path("/all"), "alice", "users");
    cluster.fs().setPermission(new Path("/all"), new FsPermission((short) 01777));
    for (int i = 0; i < 3; i++) {
      cluster.write("/all/f" + i, 100_000, SEED + i);
    }
    cluster.awaitEngine();
    try (PprClientTranslator client = cluster.client(bob)) {
      for (boolean isMapReduce : new boolean[] {false, true}) {
        AccessControlException refused = assertThrows(AccessControlException.class, () -> {
          if (isMapReduce) {
            client.beginSubmission("/all", true, OptionalInt.empty());
          } else {
            client.protectDirectory("/all", true, OptionalInt.empty());
          }
        });
        assertTrue(refused.getMessage().contains("neither the owner of /all"),
            refused.getMessage());
      }
      assertEquals("bob", client.protectDirectory("/all", false, OptionalInt.empty()).user);
      cluster.awaitGroups(1);
      assertThrows(AccessControlException.class, () -> client.unprotectDirectory("/all"));
      assertThrows(AccessControlException.class, () ->
          client.protectDirectory("/all", false, OptionalInt.of(7)));
    }
    try (PprClientTranslator client = cluster.client(alice)) {
      client.protectDirectory("/all", true, OptionalInt.empty());
      // A file that superusers must not read is in no parity file that they could read.
      cluster.fs().setXAttr(new Path("/all/f1"), "security.hdfs.unreadable.by.superuser", null);
      RepairCluster.await("the group is dissolved", () -> isDissolved("member_unreadable"));
      RepairCluster.await("the status says why", () ->
          cluster.status().waiting().getOrDefault("unreadable", 0L) == 1);
      RepairCluster.await("its parity file is deleted", () -> {
        try {
          return cluster.kept().isEmpty();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      assertEquals("/all", client.unprotectDirectory("/all").path);
    }
    cluster.protect("/all", false, 3);
    assertEquals("/all", cluster.unprotect("/all").path);
  }
}
