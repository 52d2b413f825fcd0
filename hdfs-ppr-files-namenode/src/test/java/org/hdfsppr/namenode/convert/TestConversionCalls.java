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
package org.hdfsppr.namenode.convert;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.AuditedCalls;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.RefusalReason;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.FeatureProtocol;
import org.hdfsppr.operate.PprClientTranslator;
import org.hdfsppr.operate.UnseenReads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of users to two NameNodes of a cluster: rights, errors, standby and failover. */
@Timeout(180)
class TestConversionCalls {
  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
  private static final UserGroupInformation BOB =
      UserGroupInformation.createUserForTesting("bob", new String[] {"users"});

  @TempDir
  File directory;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;
  private CallServer first;
  private CallServer second;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getPath());
    conf.setInt("dfs.ls.limit", 2);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    AuditedCalls.start(conf);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0)
        .nnTopology(MiniDFSNNTopology.simpleHATopology(2)).build();
    cluster.waitActive(0);
    cluster.transitionToActive(0);
    fs = HATestUtil.configureFailoverFs(cluster, conf);
    fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs-legacy", 3, 2), 1 << 20)});
    fs.enableErasureCodingPolicy(ScriptedEngine.FROM);
    fs.enableErasureCodingPolicy(ScriptedEngine.TO);
    first = new CallServer(cluster.getNameNode(0));
    second = new CallServer(cluster.getNameNode(1));
    Path data = new Path("/data");
    fs.mkdirs(data);
    fs.setErasureCodingPolicy(data, ScriptedEngine.FROM);
    for (int i = 0; i < 5; i++) {
      fs.create(new Path(data, "f" + i)).close();
      fs.setOwner(new Path(data, "f" + i), "alice", "users");
    }
    fs.setOwner(data, "alice", "users");
  }

  @AfterEach
  void stop() throws IOException {
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private static ConversionRequest request(String id, String policy, String... paths) {
    return new ConversionRequest(id, ConversionOptions.of(policy), List.of(paths));
  }

  private static ConversionStatus submit(CallServer at, UserGroupInformation user,
      ConversionRequest request) throws IOException {
    try (PprClientTranslator client = at.client(user)) {
      return client.submitConversion(request);
    }
  }

  private static ConversionStatus submit(CallServer at, UserGroupInformation user, String id,
      String... paths) throws IOException {
    return submit(at, user, request(id, ScriptedEngine.TO, paths));
  }

  private static List<ConversionStatus> jobs(CallServer at, UserGroupInformation user, String id)
      throws IOException {
    try (PprClientTranslator client = at.client(user)) {
      return client.conversions(id);
    }
  }

  private static ConversionStatus steer(CallServer at, UserGroupInformation user, String id,
      ConversionAction action) throws IOException {
    try (PprClientTranslator client = at.client(user)) {
      return client.steerConversion(id, action);
    }
  }

  private static boolean isIn(CallServer at, String id, ConversionState state) {
    try {
      return jobs(at, ALICE, id).get(0).state == state;
    } catch (RetriableException | StandbyException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Old versions are in no quota, so that their user could fill the disks with them. */
  @Test
  void onlySuperusersKeepOldVersionsForLongerThanTheOperatorDoes() throws Exception {
    await("the jobs are read", () -> isReady(first));
    long most = PprKeys.NAMENODE_VERSION_GRACE_DEFAULT;
    ConversionOptions options = ConversionOptions.of(ScriptedEngine.TO).with(o -> o
        .setGraceMs(most + 1));
    String why = assertThrows(ConversionRefusedException.class, () -> submit(first, ALICE,
        new ConversionRequest("j", options, List.of("/data")))).getMessage();
    assertTrue(why.contains("86400 s at the most"), why);
    assertEquals(most + 1, submit(first, UserGroupInformation.getCurrentUser(),
        new ConversionRequest("k", options, List.of("/data"))).options.graceMs);
    assertEquals(most, submit(first, ALICE, new ConversionRequest("j",
        options.with(o -> o.setGraceMs(most)), List.of("/data"))).options.graceMs);
  }

  /** The active NameNode asks the standby before it writes what an older plugin does not know. */
  @Test
  void aStandbySaysWhatItsPluginKnows() throws Exception {
    for (CallServer one : List.of(first, second)) {
      try (PprClientTranslator client = one.client(UserGroupInformation.getCurrentUser())) {
        assertEquals(Set.of(FeatureProtocol.VERSION_SHARDS, FeatureProtocol.SEALED_RECORDS),
            client.features());
      }
    }
    assertThrows(StandbyException.class, () -> jobs(second, ALICE, null));
  }

  @Test
  void aJobOfAUserIsDone() throws Exception {
    await("the jobs are read", () -> isReady(first));
    assertEquals(ScriptedEngine.TO,
        submit(first, ALICE, request("j", ScriptedEngine.TO, "//data/")).options.policy);
    // A job that ends before its files are counted does not say how many there are in all.
    await("the files are counted", () -> {
      try {
        return jobs(first, ALICE, null).get(0).totalFiles.isPresent();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    await("all files are under way", () -> first.engine.running.size() == 5);
    List.copyOf(first.engine.running.keySet()).forEach(path ->
        first.engine.end(path, VersionOutcome.published(VersionBytes.NONE)));
    await("the job is done", () -> isIn(first, "j", ConversionState.DONE));
    ConversionStatus job = jobs(first, ALICE, null).get(0);
    assertEquals(5, job.counts.get(Number.CONVERTED), job.toString());
    assertEquals(1, job.counts.get(Number.DIRECTORIES));
    assertEquals(5, job.totalFiles.orElse(-1));
    assertEquals(List.of("/data"), job.paths);
    assertEquals("alice", first.engine.requests.get(0).user);
    assertEquals(fs.getClient().getFileInfo("/data/f0").getFileId(),
        first.engine.requests.get(0).inodeId);
    assertEquals(ScriptedEngine.TO, fs.getErasureCodingPolicy(new Path("/data")).getName());
    for (String folder : List.of("/.hdfs-ppr", "/.hdfs-ppr/jobs", "/.hdfs-ppr/jobs/j")) {
      FileStatus status = fs.getFileStatus(new Path(folder));
      assertEquals(FsPermission.createImmutable((short) 0700), status.getPermission(), folder);
      assertEquals(UserGroupInformation.getCurrentUser().getShortUserName(), status.getOwner());
    }
  }

  private static boolean isReady(CallServer at) {
    try {
      jobs(at, ALICE, null);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aDryRunSaysHowManyDataNodesSeeNoReads() throws Exception {
    await("the jobs are read", () -> isReady(first));
    ConversionRequest dry = new ConversionRequest("dry",
        ConversionOptions.of(ScriptedEngine.TO).with(o -> o.setDryRun(true)), List.of("/data"));
    assertTrue(submit(first, ALICE, dry).unseenReads().isEmpty(), "it is not known yet");
    first.unseenReads = new UnseenReads(2, 7);
    assertEquals(2, submit(first, ALICE, dry).unseenReads().orElseThrow().blind);
    await("it ends", () -> isIn(first, "dry", ConversionState.DONE));
    assertEquals(7, jobs(first, ALICE, "dry").get(0).unseenReads().orElseThrow().dataNodes);
    first.unseenReads = new UnseenReads(0, 7);
    assertEquals(0, jobs(first, BOB, "dry").get(0).unseenReads().orElseThrow().blind);
    assertTrue(submit(first, ALICE, "j", "/data").unseenReads().isEmpty(), "it is no dry run");
    assertTrue(jobs(first, ALICE, "j").get(0).unseenReads().isEmpty());
  }

  @Test
  void othersSeeCountsAndChangeNothing() throws Exception {
    await("the jobs are read", () -> isReady(first));
    submit(first, ALICE, "j", "/data");
    await("it runs", () -> isIn(first, "j", ConversionState.RUNNING));
    ConversionStatus seen = jobs(first, BOB, "j").get(0);
    assertEquals("", seen.user);
    assertEquals(List.of(), seen.paths);
    AccessControlException e = assertThrows(AccessControlException.class,
        () -> steer(first, BOB, "j", ConversionAction.CANCEL));
    assertTrue(e.getMessage().contains("only its owner and superusers"), e.getMessage());
    UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
    assertEquals("alice", jobs(first, superuser, "j").get(0).user);
    assertEquals(ConversionState.PAUSED,
        steer(first, superuser, "j", ConversionAction.PAUSE).state);
    assertEquals(ConversionState.CANCELLED,
        steer(first, ALICE, "j", ConversionAction.CANCEL).state);
    assertThrows(FileNotFoundException.class, () -> jobs(first, ALICE, "none"));
  }

  @Test
  void badInputIsRefusedWithARemedy() throws Exception {
    await("the jobs are read", () -> isReady(first));
    String denied = assertThrows(AccessControlException.class,
        () -> submit(first, BOB, "j", "/data")).getMessage();
    assertTrue(denied.contains("Permission denied: user=bob, access=ALL"), denied);
    assertRefused("does not exist", FileNotFoundException.class, ScriptedEngine.TO, "/nowhere");
    assertRefused("/data/f0 (is not a directory)", AccessControlException.class,
        ScriptedEngine.TO, "/data/f0/x");
    assertRefused("is in a snapshot", ConversionRefusedException.class, ScriptedEngine.TO,
        "/data/.snapshot/s/f0");
    assertRefused("is reserved", ConversionRefusedException.class, ScriptedEngine.TO,
        "/.reserved/raw/data");
    assertRefused("is reserved", ConversionRefusedException.class, ScriptedEngine.TO,
        "/.hdfs-ppr/jobs");
    assertRefused("-listPolicies", ConversionRefusedException.class, "NO-SUCH-1-1-1k", "/data");
    assertRefused("-enablePolicy", ConversionRefusedException.class, "RS-OFF-3-2-1024k", "/data");
    assertRefused("choose a policy with the same two numbers", ConversionRefusedException.class,
        ScriptedEngine.OTHER, "/data/f0");
    first.whyNoJobs = "hdfs-ppr is not in charge of repairs here";
    assertRefused("not in charge", ConversionRefusedException.class, ScriptedEngine.TO, "/data");
    first.whyNoJobs = null;
    cluster.getNameNodeRpc(0).setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    assertRefused("The NameNode is in safe mode", ConversionRefusedException.class,
        ScriptedEngine.TO, "/data");
    // The plugin hears of it soon. A client would ask a standby again and again.
    first.knowsActive = false;
    assertRefused("The NameNode is in safe mode", ConversionRefusedException.class,
        ScriptedEngine.TO, "/data");
    assertThrows(ConversionRefusedException.class, () -> jobs(first, ALICE, null));
    cluster.getNameNodeRpc(0).setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    assertThrows(StandbyException.class, () -> jobs(first, ALICE, null));
    first.knowsActive = true;
    await("the jobs are read again", () -> isReady(first));
    assertEquals(List.of(), jobs(first, ALICE, null));
  }

  @Test
  void theAuditLogHasWhatIsDoneAndWhatIsDenied() throws Exception {
    await("the jobs are read", () -> isReady(first));
    fs.mkdirs(new Path("/da\nta"));
    assertThrows(AccessControlException.class, () -> submit(first, BOB, "b", "/da\nta", "/data"));
    first.engine.facts.put("/data/f0", FileFacts.of("/data/f0", FileFacts.Kind.FILE, 1).with(f -> {
      f.policy = first.engine.policy(ScriptedEngine.FROM).orElseThrow();
      f.denied = "no";
    }).build());
    assertThrows(ConversionRefusedException.class, () -> submit(first, BOB, "c", "/data/f0"));
    submit(first, ALICE, "j", "/data");
    assertThrows(AccessControlException.class,
        () -> steer(first, BOB, "j", ConversionAction.PAUSE));
    assertThrows(FileNotFoundException.class, () -> submit(first, BOB, "d", "/none"));
    assertEquals(List.of("false bob pprConvert b /da ta,/data", "false bob pprConvert c /data/f0",
        "true alice pprConvert j /data", "false bob pprConvert pause j"), AuditedCalls.lines());
  }

  private void assertRefused(String words, Class<? extends IOException> kind, String policy,
      String path) {
    IOException e = assertThrows(kind, () -> submit(first, ALICE, request("j", policy, path)));
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  /** What a user may not list is not converted, and not named in other users' jobs. */
  @Test
  void directoriesAreListedWithTheRightsOfTheUser() throws Exception {
    Path secret = new Path("/data/secret");
    fs.mkdirs(secret);
    fs.create(new Path(secret, "f")).close();
    fs.setPermission(secret, new FsPermission((short) 0700));
    first.engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    await("the jobs are read", () -> isReady(first));
    submit(first, ALICE, "j", "/data");
    await("the job is done", () -> isIn(first, "j", ConversionState.DONE));
    ConversionStatus job = jobs(first, ALICE, "j").get(0);
    assertEquals(5, job.counts.get(Number.CONVERTED));
    assertEquals(Map.of(RefusalReason.NO_PERMISSION.name().toLowerCase(
        Locale.ROOT), 1L), job.counts.refused);
    assertTrue(job.totalFiles.isEmpty(), "a count would say how much others have: " + job);
  }

  /** The walk goes on, and does not say that the user may not list it. */
  @Test
  void aFileInThePlaceOfADirectoryAboveIsNoMatterOfRights() {
    NameNodeFiles files = new NameNodeFiles(cluster.getNamesystem(0),
        cluster.getNameNode(0)::getRpcServer);
    assertThrows(FileNotFoundException.class, () -> files.list("alice", "/data/f0/x", ""));
  }

  @Test
  void filesThatOnlySnapshotsHaveDoNotCount() throws Exception {
    fs.allowSnapshot(new Path("/data"));
    fs.createSnapshot(new Path("/data"), "s");
    fs.delete(new Path("/data/f0"), false);
    first.engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    await("the jobs are read", () -> isReady(first));
    submit(first, ALICE, "j", "/data");
    await("the job is done", () -> isIn(first, "j", ConversionState.DONE));
    assertEquals(4, jobs(first, ALICE, "j").get(0).totalFiles.orElse(-1));
  }

  @Test
  void namesOfPoliciesAndPathsAreThoseOfTheNameNode() throws Exception {
    first.engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    await("the jobs are read", () -> isReady(first));
    ConversionStatus job = submit(first, ALICE, request("j",
        ScriptedEngine.TO.toLowerCase(Locale.ROOT), "/data/f0", "/data", "/data/f1"));
    assertEquals(ScriptedEngine.TO, job.options.policy);
    assertEquals(List.of("/data"), job.paths, "the others are below it");
    await("the job is done", () -> isIn(first, "j", ConversionState.DONE));
    assertEquals(ScriptedEngine.TO, fs.getErasureCodingPolicy(new Path("/data")).getName());
    assertEquals(5, jobs(first, ALICE, "j").get(0).counts.files());
  }

  @Test
  void aFileThatHasThePolicyIsNoError() throws Exception {
    await("the jobs are read", () -> isReady(first));
    submit(first, ALICE, request("j", ScriptedEngine.FROM, "/data/f0"));
    await("the job is done", () -> isIn(first, "j", ConversionState.DONE));
    assertEquals(1, jobs(first, ALICE, "j").get(0).counts.get(Number.ALREADY));
  }

  @Test
  void aListHasNoFailuresAndAJobHasThem() throws Exception {
    first.engine.atOnce = VersionOutcome.notPublished(VersionEnd.FAILED, "no",
        VersionBytes.NONE);
    await("the jobs are read", () -> isReady(first));
    submit(first, ALICE, "j", "/data");
    await("the job is done", () -> isIn(first, "j", ConversionState.DONE));
    assertEquals(0, jobs(first, ALICE, null).get(0).failures.size());
    assertEquals(List.of("/data"), jobs(first, ALICE, null).get(0).paths);
    assertEquals(5, jobs(first, ALICE, "j").get(0).failures.size());
  }

  /** An administrator may allow only small attributes. */
  @Test
  void attributesThatAreTooSmallForAJobAreNamed() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "small").getPath());
    conf.setInt("dfs.namenode.fs-limits.max-xattr-size", 256);
    try (MiniDFSCluster small = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
        CallServer server = new CallServer(small.getNameNode())) {
      small.getFileSystem().mkdirs(new Path("/data"));
      small.getFileSystem().addErasureCodingPolicies(new ErasureCodingPolicy[] {
          new ErasureCodingPolicy(new ECSchema("rs-legacy", 3, 2), 1 << 20)});
      small.getFileSystem().enableErasureCodingPolicy(ScriptedEngine.TO);
      await("the jobs are read", () -> isReady(server));
      String why = assertThrows(IOException.class, () -> submit(server,
          UserGroupInformation.getCurrentUser(), "j", "/data")).getMessage();
      assertTrue(why.contains("dfs.namenode.fs-limits.max-xattr-size"), why);
    }
  }

  @Test
  void aStandbyRefusesAndAFailoverGoesOn() throws Exception {
    await("the jobs are read", () -> isReady(first));
    assertThrows(StandbyException.class, () -> submit(second, ALICE, "j", "/data"));
    assertThrows(StandbyException.class, () -> jobs(second, ALICE, null));
    submit(first, ALICE, "j", "/data");
    await("all files are under way", () -> first.engine.running.size() == 5);
    first.engine.publish("/data/f0");
    await("the first file is written down", () -> new RecordText(0).has("\"converted\":1"));
    // The other NameNode begins as soon as it is active.
    second.engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    cluster.transitionToStandby(0);
    cluster.transitionToActive(1);
    assertThrows(StandbyException.class, () -> jobs(first, ALICE, "j"));
    await("the job goes on", () -> isIn(second, "j", ConversionState.DONE));
    assertEquals(5, jobs(second, ALICE, "j").get(0).counts.get(Number.CONVERTED));
    assertEquals(4, second.engine.requests.size());
    assertEquals(ConversionState.DONE, submit(second, ALICE, "j", "/data").state,
        "a client that repeats its call begins nothing");
  }

  /** The record of job j at a NameNode. */
  private final class RecordText {
    private final int namenode;

    RecordText(int namenode) {
      this.namenode = namenode;
    }

    boolean has(String words) {
      try {
        return UserGroupInformation.getLoginUser().doAs(
            (PrivilegedExceptionAction<Boolean>) () -> new String(new NameNodeJobFolder(
                cluster.getNameNode(namenode)::getRpcServer, null).read("j").orElse(new byte[0]),
                StandardCharsets.UTF_8).contains(words));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
