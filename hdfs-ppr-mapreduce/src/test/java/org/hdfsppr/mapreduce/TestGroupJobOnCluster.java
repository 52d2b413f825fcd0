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
package org.hdfsppr.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.PprClientTranslator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The job, by the local job runner, on a cluster with both plugins. */
@Timeout(600)
class TestGroupJobOnCluster {
  private static final long SEED = 20261126;
  private static final int GROUP = GroupJobCluster.GROUP;
  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
  private static final UserGroupInformation BOB =
      UserGroupInformation.createUserForTesting("bob", new String[] {"users"});

  @TempDir
  File directory;
  private GroupJobCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = GroupJobCluster.start(directory, SEED);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Some directories; those of one file or of unlike files have no group. */
  private void writeTree() throws IOException {
    for (int i = 0; i < 7; i++) {
      cluster.write("/warm/a/f" + i, 2 * GROUP - i * 1_000);
      cluster.write("/warm/a/deep/er/f" + i, i < 4 ? GROUP + i : 5_000 + i);
    }
    for (int i = 0; i < 3; i++) {
      cluster.write("/warm/b/large" + i, 3 * GROUP);
      cluster.write("/warm/b/small" + i, 10_000);
      cluster.write("/warm/c/unlike" + i, 1_000 << 3 * i);
      cluster.write("/warm/.Trash/f" + i, GROUP);
      cluster.write("/warm/top" + i, GROUP);
      cluster.write("/warm/single/below/f" + i, GROUP);
    }
    cluster.write("/warm/single/f0", GROUP);
    cluster.write("/warm/single/f1", GROUP);
    cluster.fs().create(new Path("/warm/b/empty")).close();
    for (int i = 0; i < 4; i++) {
      cluster.write("/warm/inner/below/f" + i, GROUP);
    }
  }

  @Test
  void theJobFormsTheGroupsThatTheNameNodeWouldForm() throws Exception {
    writeTree();
    cluster.own("alice");
    assertEquals(0, cluster.run(UserGroupInformation.getCurrentUser(), "-core", "-protect",
        "/warm/inner", "-recursive", "-t", "2"), cluster.err());
    assertEquals(0, cluster.run(UserGroupInformation.getCurrentUser(), "-core", "-protect",
        "/warm/single", "-t", "2"), cluster.err());
    cluster.awaitGroups(3);
    assertEquals(0, cluster.run(ALICE, "-core", "-protect", "/warm", "-recursive", "-t", "3",
        "-mapreduce", "-json"), cluster.err());
    JsonNode job = cluster.job();
    // a: 2 of 7; a/deep/er: 1 of 4 and 1 of 3; b: 2; top: 1; single/below: 1.
    assertEquals(8, job.path("taken").asLong(), cluster.out());
    assertEquals(0, job.path("left").asLong(), cluster.out());
    assertEquals(0, job.path("unlisted").asLong(), cluster.out());
    assertEquals(8, job.path("directories").asLong(), cluster.out());
    assertEquals(30, job.path("files").asLong(), cluster.out());
    assertEquals(1 + 1 + 3, job.path("files_in_no_group").path("no_like_files").asLong(),
        cluster.out());
    assertEquals(1, job.path("files_in_no_group").path("empty").asLong(), cluster.out());
    cluster.awaitGroups(3 + 8);
    Set<Set<String>> ofJob = cluster.members();

    // What is in groups already is named, and the rest changes nothing.
    assertEquals(0, cluster.run(ALICE, "-core", "-protect", "/warm", "-recursive", "-t", "3",
        "-mapreduce"), cluster.err());
    assertTrue(cluster.out().contains("Submitted  0 groups"), cluster.out());
    assertTrue(cluster.out().contains("24 files: in a group already"), cluster.out());
    assertEquals(ofJob, cluster.members());

    assertEquals(0, cluster.run(ALICE, "-core", "-unprotect", "/warm"), cluster.err());
    cluster.awaitGroups(3);
    assertEquals(0, cluster.run(ALICE, "-core", "-protect", "/warm", "-recursive", "-t", "3"),
        cluster.err());
    cluster.awaitGroups(3 + 8);
    assertEquals(cluster.members(), ofJob);
    ofJob.forEach(group -> assertFalse(group.contains(null), ofJob.toString()));
  }

  @Test
  void anotherUserSubmitsNothing() throws Exception {
    cluster.write("/warm/f0", GROUP);
    cluster.write("/warm/f1", GROUP);
    cluster.own("alice");
    assertEquals(1, cluster.run(BOB, "-core", "-protect", "/warm", "-t", "2", "-mapreduce"),
        cluster.out());
    assertTrue(cluster.err().contains("Permission denied"), cluster.err());
    assertEquals(List.of(), cluster.status().directories);
    try (PprClientTranslator alice = cluster.client(ALICE);
        PprClientTranslator bob = cluster.client(BOB)) {
      GroupSubmission both = new GroupSubmission("/warm",
          List.of(List.of(cluster.id("/warm/f0"), cluster.id("/warm/f1"))));
      assertThrows(CoreRefusedException.class, () -> alice.submitGroups(both));
      alice.beginSubmission("/warm", false, OptionalInt.of(2));
      assertThrows(AccessControlException.class, () -> bob.submitGroups(both));
      assertEquals(0, cluster.status().sum(Number.QUEUED) + cluster.status().sum(Number.GROUPS));
      assertTrue(alice.submitGroups(both).get(0).isTaken());
      cluster.awaitGroups(1);
    }
  }

  private static String word(GroupAnswer answer, long file) {
    return answer.unfit.get(file);
  }

  @Test
  void theNameNodeChecksEachFile() throws Exception {
    cluster.write("/warm/f0", GROUP);
    cluster.write("/warm/f1", GROUP);
    cluster.write("/warm/f2", GROUP);
    cluster.write("/warm/f3", GROUP);
    cluster.write("/warm/short", 1_000);
    cluster.write("/warm/below/f", GROUP);
    cluster.write("/other/f", GROUP);
    cluster.own("alice");
    try (FSDataOutputStream open = cluster.fs().create(new Path("/warm/open"));
        PprClientTranslator alice = cluster.client(ALICE)) {
      open.write(new byte[3 * GROUP]);
      open.hflush();
      alice.beginSubmission("/warm", true, OptionalInt.of(2));
      long f0 = cluster.id("/warm/f0");
      long f1 = cluster.id("/warm/f1");
      long f2 = cluster.id("/warm/f2");
      long missing = 1L << 40;
      List<GroupAnswer> answers = alice.submitGroups(new GroupSubmission("/warm/", List.of(
          List.of(f0, missing), List.of(cluster.id("/warm/open"), f0),
          List.of(f0, cluster.id("/other/f")),
          List.of(f0, cluster.id("/warm/short")), List.of(f0, cluster.id("/warm/below/f")),
          List.of(f0, f1, f2), List.of(f0, f1), List.of(f1, f2))));
      assertEquals("gone", word(answers.get(0), missing));
      assertEquals("open", word(answers.get(1), cluster.id("/warm/open")));
      assertEquals("other_directory", word(answers.get(2), cluster.id("/other/f")));
      for (int i = 0; i < 3; i++) {
        assertEquals(1, answers.get(i).unfit.size(), answers.toString());
      }
      assertEquals("no_like_files", answers.get(3).reason);
      assertEquals("no_like_files", answers.get(4).reason);
      assertEquals("other_rules", answers.get(5).reason);
      assertTrue(answers.get(6).isTaken(), answers.toString());
      assertEquals(Map.of(f1, "being_formed"), answers.get(7).unfit);
      cluster.awaitGroups(1);
      answers = alice.submitGroups(
          new GroupSubmission("/warm", List.of(List.of(f0, cluster.id("/warm/f3")))));
      assertEquals(Map.of(f0, "in_group"), answers.get(0).unfit);
    }
    assertEquals(Set.of(Set.of("/warm/f0", "/warm/f1")), cluster.members());
  }
}
