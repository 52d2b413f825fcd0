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
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.command.ToolCommands;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.core.membership.MembershipCodec;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.PprClientTranslator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The job, by the local job runner, on a cluster with both plugins. */
@Timeout(600)
class TestGroupJobOnCluster {
  private static final long SEED = 20261126;
  private static final int NODES = 10;
  private static final int CELL = 16 << 10;
  private static final int K = 3;
  private static final long BLOCK = 2L * CELL;
  /** Bytes of file data in a full block group. */
  private static final int GROUP = (int) BLOCK * K;
  private static final String RS = "RS-3-2-16k";
  private static final int TIMEOUT_MS = 30_000;
  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
  private static final UserGroupInformation BOB =
      UserGroupInformation.createUserForTesting("bob", new String[] {"users"});

  @TempDir
  File directory;
  private RepairCluster cluster;
  private int port;
  private String out;
  private String err;

  @Command(name = "hdfs ppr")
  private static final class Tool {
  }

  @BeforeEach
  void start() throws Exception {
    System.out.println("seed " + SEED);
    Configuration conf = RepairCluster.configure(new HdfsConfiguration(), directory);
    port = FreePort.choose();
    conf.set("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + port);
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 100);
    conf.setLong(PprKeys.NAMENODE_CORE_SETTLE_KEY, 0);
    // The NameNode looks at the files once, when the directory is protected, and then not again.
    conf.setLong(PprKeys.NAMENODE_CORE_WALK_KEY, 3_600_000);
    conf.setLong(PprKeys.NAMENODE_CORE_CHECK_KEY, 200);
    conf.setInt("dfs.ls.limit", 2);
    cluster = RepairCluster.start(conf, NODES);
    String name = fs().addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, 2), CELL)})[0].getPolicy().getName();
    fs().enableErasureCodingPolicy(name);
    fs().mkdirs(new Path("/warm"));
    fs().setErasureCodingPolicy(new Path("/warm"), RS);
    RepairCluster.await("groups can be formed", () -> status().why().isEmpty());
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private DistributedFileSystem fs() {
    return cluster.fs();
  }

  private PprClientTranslator client(UserGroupInformation user) throws IOException {
    return PprClientTranslator.of(new InetSocketAddress("127.0.0.1", port), user,
        cluster.mini().getConfiguration(0), TIMEOUT_MS);
  }

  private CoreStatus status() {
    try (PprClientTranslator client = client(UserGroupInformation.getCurrentUser())) {
      return client.coreStatus(null);
    } catch (IOException e) {
      return new CoreStatus("no answer: " + e, List.of(), 0, Map.of(), 0);
    }
  }

  private void write(String path, int bytes) throws IOException {
    cluster.write(new Path(path), bytes, BLOCK, SEED + path.hashCode());
  }

  /** Gives the tree to alice. */
  private void own() throws IOException {
    fs().setOwner(new Path("/warm"), "alice", "users");
    fs().setPermission(new Path("/warm"), new FsPermission((short) 0750));
  }

  private int run(UserGroupInformation user, String... args) throws Exception {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
    conf.set("fs.defaultFS", cluster.mini().getURI().toString());
    conf.set("hadoop.tmp.dir", new File(directory, "tmp").getAbsolutePath());
    conf.setInt("mapreduce.client.completion.pollinterval", 100);
    CommandLine line = new CommandLine(new Tool());
    ToolCommands.addTo(line, () -> conf);
    line.setOut(new PrintWriter(outText)).setErr(new PrintWriter(errText));
    int code = user.doAs((PrivilegedExceptionAction<Integer>) () -> line.execute(args));
    out = outText.toString();
    err = errText.toString();
    return code;
  }

  private void awaitGroups(long groups) {
    RepairCluster.await("there are " + groups + " groups", () -> {
      CoreStatus now = status();
      return now.sum(Number.GROUPS) == groups && now.sum(Number.FORMING) == 0
          && now.sum(Number.QUEUED) == 0;
    });
  }

  private List<LocatedFileStatus> files(String path) throws IOException {
    List<LocatedFileStatus> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fs().listFiles(new Path(path), true);
    while (all.hasNext()) {
      files.add(all.next());
    }
    return files;
  }

  private static long id(FileStatus file) {
    return ((HdfsFileStatus) file).getFileId();
  }

  private long id(String path) throws IOException {
    return id(fs().getFileStatus(new Path(path)));
  }

  /** Returns the paths of the members of all groups that there are. */
  private Set<Set<String>> members() throws IOException {
    Map<Long, String> paths = new HashMap<>();
    files("/warm").forEach(file -> paths.put(id(file), file.getPath().toUri().getPath()));
    Set<Set<String>> groups = new HashSet<>();
    for (LocatedFileStatus parity : files("/.hdfs-ppr/core/groups")) {
      Set<String> group = new HashSet<>();
      MembershipCodec.decode(fs().getXAttr(parity.getPath(), "trusted.hdfs-ppr.core-group"))
          .files().forEach(row -> group.add(paths.get(row.fileId())));
      groups.add(group);
    }
    return groups;
  }

  /** Some directories; those of one file or of unlike files have no group. */
  private void writeTree() throws IOException {
    for (int i = 0; i < 7; i++) {
      write("/warm/a/f" + i, 2 * GROUP - i * 1_000);
      write("/warm/a/deep/er/f" + i, i < 4 ? GROUP + i : 5_000 + i);
    }
    for (int i = 0; i < 3; i++) {
      write("/warm/b/large" + i, 3 * GROUP);
      write("/warm/b/small" + i, 10_000);
      write("/warm/c/unlike" + i, 1_000 << 3 * i);
      write("/warm/.Trash/f" + i, GROUP);
      write("/warm/top" + i, GROUP);
      write("/warm/single/below/f" + i, GROUP);
    }
    write("/warm/single/f0", GROUP);
    write("/warm/single/f1", GROUP);
    fs().create(new Path("/warm/b/empty")).close();
    for (int i = 0; i < 4; i++) {
      write("/warm/inner/below/f" + i, GROUP);
    }
  }

  @Test
  void theJobFormsTheGroupsThatTheNameNodeWouldForm() throws Exception {
    writeTree();
    own();
    assertEquals(0, run(UserGroupInformation.getCurrentUser(), "-core", "-protect",
        "/warm/inner", "-recursive", "-t", "2"), err);
    assertEquals(0, run(UserGroupInformation.getCurrentUser(), "-core", "-protect",
        "/warm/single", "-t", "2"), err);
    awaitGroups(3);
    assertEquals(0, run(ALICE, "-core", "-protect", "/warm", "-recursive", "-t", "3",
        "-mapreduce", "-json"), err);
    JsonNode job = new ObjectMapper().readTree(out).path("job");
    // a: 2 of 7; a/deep/er: 1 of 4 and 1 of 3; b: 2; top: 1; single/below: 1.
    assertEquals(8, job.path("taken").asLong(), out);
    assertEquals(0, job.path("left").asLong(), out);
    assertEquals(0, job.path("unlisted").asLong(), out);
    assertEquals(8, job.path("directories").asLong(), out);
    assertEquals(30, job.path("files").asLong(), out);
    assertEquals(1 + 1 + 3, job.path("files_in_no_group").path("no_like_files").asLong(), out);
    assertEquals(1, job.path("files_in_no_group").path("empty").asLong(), out);
    awaitGroups(3 + 8);
    Set<Set<String>> ofJob = members();

    // What is in groups already is named, and the rest changes nothing.
    assertEquals(0, run(ALICE, "-core", "-protect", "/warm", "-recursive", "-t", "3",
        "-mapreduce"), err);
    assertTrue(out.contains("Submitted  0 groups"), out);
    assertTrue(out.contains("24 files: in a group already"), out);
    assertEquals(ofJob, members());

    assertEquals(0, run(ALICE, "-core", "-unprotect", "/warm"), err);
    awaitGroups(3);
    assertEquals(0, run(ALICE, "-core", "-protect", "/warm", "-recursive", "-t", "3"), err);
    awaitGroups(3 + 8);
    assertEquals(members(), ofJob);
    ofJob.forEach(group -> assertFalse(group.contains(null), ofJob.toString()));
  }

  @Test
  void anotherUserSubmitsNothing() throws Exception {
    write("/warm/f0", GROUP);
    write("/warm/f1", GROUP);
    own();
    assertEquals(1, run(BOB, "-core", "-protect", "/warm", "-t", "2", "-mapreduce"), out);
    assertTrue(err.contains("Permission denied"), err);
    assertEquals(List.of(), status().directories());
    try (PprClientTranslator alice = client(ALICE); PprClientTranslator bob = client(BOB)) {
      GroupSubmission both =
          new GroupSubmission("/warm", List.of(List.of(id("/warm/f0"), id("/warm/f1"))));
      assertThrows(CoreRefusedException.class, () -> alice.submitGroups(both));
      alice.beginSubmission("/warm", false, OptionalInt.of(2));
      assertThrows(AccessControlException.class, () -> bob.submitGroups(both));
      assertEquals(0, status().sum(Number.QUEUED) + status().sum(Number.GROUPS));
      assertTrue(alice.submitGroups(both).get(0).isTaken());
      awaitGroups(1);
    }
  }

  private static String word(GroupAnswer answer, long file) {
    return answer.unfit().get(file);
  }

  @Test
  void theNameNodeChecksEachFile() throws Exception {
    write("/warm/f0", GROUP);
    write("/warm/f1", GROUP);
    write("/warm/f2", GROUP);
    write("/warm/f3", GROUP);
    write("/warm/short", 1_000);
    write("/warm/below/f", GROUP);
    write("/other/f", GROUP);
    own();
    try (FSDataOutputStream open = fs().create(new Path("/warm/open"));
        PprClientTranslator alice = client(ALICE)) {
      open.write(new byte[3 * GROUP]);
      open.hflush();
      alice.beginSubmission("/warm", true, OptionalInt.of(2));
      long f0 = id("/warm/f0");
      long f1 = id("/warm/f1");
      long f2 = id("/warm/f2");
      long missing = 1L << 40;
      List<GroupAnswer> answers = alice.submitGroups(new GroupSubmission("/warm/", List.of(
          List.of(f0, missing), List.of(id("/warm/open"), f0), List.of(f0, id("/other/f")),
          List.of(f0, id("/warm/short")), List.of(f0, id("/warm/below/f")),
          List.of(f0, f1, f2), List.of(f0, f1), List.of(f1, f2))));
      assertEquals("gone", word(answers.get(0), missing));
      assertEquals("open", word(answers.get(1), id("/warm/open")));
      assertEquals("other_directory", word(answers.get(2), id("/other/f")));
      for (int i = 0; i < 3; i++) {
        assertEquals(1, answers.get(i).unfit().size(), answers.toString());
      }
      assertEquals("no_like_files", answers.get(3).reason());
      assertEquals("no_like_files", answers.get(4).reason());
      assertEquals("other_rules", answers.get(5).reason());
      assertTrue(answers.get(6).isTaken(), answers.toString());
      assertEquals(Map.of(f1, "being_formed"), answers.get(7).unfit());
      awaitGroups(1);
      answers = alice.submitGroups(
          new GroupSubmission("/warm", List.of(List.of(f0, id("/warm/f3")))));
      assertEquals(Map.of(f0, "in_group"), answers.get(0).unfit());
    }
    assertEquals(Set.of(Set.of("/warm/f0", "/warm/f1")), members());
  }
}
