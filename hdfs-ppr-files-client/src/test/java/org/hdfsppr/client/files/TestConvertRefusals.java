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
package org.hdfsppr.client.files;

import static org.hdfsppr.client.files.ConvertCluster.ALICE;
import static org.hdfsppr.client.files.ConvertCluster.CELL;
import static org.hdfsppr.client.files.ConvertCluster.GROUP;
import static org.hdfsppr.client.files.ConvertCluster.HITCHHIKER;
import static org.hdfsppr.client.files.ConvertCluster.LRC;
import static org.hdfsppr.client.files.ConvertCluster.RS;
import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code hdfs ppr -convert} refuses on a cluster: an exit code, and a sentence that names the
 * thing, the value and what helps. Nothing is changed.
 */
@Timeout(300)
class TestConvertRefusals {
  private static final UserGroupInformation BOB =
      UserGroupInformation.createUserForTesting("bob", new String[] {"users"});
  private static final Path FILE = new Path("/warm/f");

  @TempDir
  static File directory;
  private static ConvertCluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    cluster = new ConvertCluster(new File(directory, "cluster"),
        CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        "jceks://file" + new File(directory, "test.jks").getPath());
    fs = cluster.hdfs().fs;
    cluster.awaitInCharge();
    cluster.write(FILE, RS, GROUP, 1);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void assertEnds(int code, UserGroupInformation user, List<String> words,
      String... args) throws Exception {
    List<String> all = new ArrayList<>(List.of("-convert"));
    all.addAll(Arrays.asList(args));
    assertEquals(code, cluster.run(user, all.toArray(new String[0])),
        cluster.out() + cluster.err());
    for (String word : words) {
      assertTrue(cluster.err().contains(word), word + ": " + cluster.err());
    }
    assertFalse(cluster.err().contains("Exception"), cluster.err());
    assertEquals("", cluster.out());
  }

  /** Asserts that alice's wish is refused, and that the message has some words. */
  private static void assertRefused(List<String> words, String policy, String path)
      throws Exception {
    assertEnds(1, ALICE, words, "-policy", policy, "-idle", "0", path);
  }

  @Test
  void policies() throws Exception {
    assertRefused(List.of("'NO-SUCH-6-3-16k'", "hdfs ec -listPolicies", "-addPolicies"),
        "NO-SUCH-6-3-16k", FILE.toString());
    String off = cluster.add(new ECSchema("hitchhiker-xor", 6, 3), CELL);
    assertRefused(List.of(off + " is not enabled", "hdfs ec -enablePolicy -policy " + off), off,
        FILE.toString());
    String otherK = cluster.enable(new ECSchema("rs", 3, 2), CELL);
    assertRefused(List.of("/warm/f has 6 data units", "but " + otherK + " has 3",
        "choose a policy with the same two numbers"), otherK, FILE.toString());
    String otherCell = cluster.enable(new ECSchema("rs", 6, 3), 2 * CELL);
    assertRefused(List.of("cells of " + CELL, "cells of " + 2 * CELL,
        "choose a policy with the same two numbers"), otherCell, FILE.toString());
  }

  @Test
  void replicatedAndOpenFiles() throws Exception {
    Path replicated = new Path("/plain/f");
    cluster.write(replicated, null, 1_000, 2);
    assertRefused(List.of("/plain/f is replicated", "copy it into a directory"), LRC,
        replicated.toString());
    Path open = new Path("/warm/open");
    try (FSDataOutputStream out = fs.create(open)) {
      out.write(new byte[GROUP]);
      fs.setOwner(open, "alice", "users");
      assertRefused(List.of("/warm/open is open for writing", "hdfs debug recoverLease"), LRC,
          open.toString());
    }
  }

  @Test
  void encryptionZones() throws Exception {
    DFSTestUtil.createKey("key", cluster.hdfs().mini(),
        new Configuration(cluster.hdfs().mini().getConfiguration(0)));
    fs.getClient().setKeyProvider(
        cluster.hdfs().mini().getNamesystem().getProvider());
    fs.mkdirs(new Path("/secret"));
    new HdfsAdmin(fs.getUri(), cluster.hdfs().mini().getConfiguration(0)).createEncryptionZone(
        new Path("/secret"), "key", EnumSet.noneOf(CreateEncryptionZoneFlag.class));
    Path file = new Path("/secret/d/f");
    cluster.write(file, RS, GROUP, 3);
    assertRefused(List.of("/secret/d/f lies in an encryption zone", "hadoop distcp"), LRC,
        file.toString());
  }

  @Test
  void pathsThatAreNoFilesOfUsers() throws Exception {
    Path file = new Path("/snapped/f");
    cluster.write(file, RS, GROUP, 4);
    fs.allowSnapshot(file.getParent());
    fs.createSnapshot(file.getParent(), "s");
    assertRefused(List.of("/snapped/.snapshot/s/f is in a snapshot", "name the file itself"), LRC,
        "/snapped/.snapshot/s/f");
    assertRefused(List.of("/nowhere/f does not exist", "check the name"), LRC, "/nowhere/f");
    assertRefused(List.of("/.reserved/raw/warm is reserved"), LRC, "/.reserved/raw/warm");
    assertRefused(List.of("/.hdfs-ppr/jobs is reserved"), LRC, "/.hdfs-ppr/jobs");
  }

  @Test
  void permissions() throws Exception {
    assertEnds(1, BOB, List.of("/warm/f", "user=bob", "permission to write to the file"),
        "-policy", LRC, "-idle", "0", FILE.toString());
    assertEnds(1, BOB, List.of("Permission denied", "user=bob", "\"/warm\""), "-policy", LRC,
        "/warm");
    Path hidden = new Path("/hidden/f");
    cluster.write(hidden, RS, GROUP, 5);
    fs.setPermission(hidden.getParent(), new FsPermission((short) 0700));
    assertEnds(1, BOB, List.of("Permission denied", "user=bob", "\"/hidden\""), "-policy", LRC,
        "-dry-run", "/hidden");
    // WRITE on the file is not enough: a version takes its place in the directory.
    Path shared = new Path("/shared/f");
    cluster.write(shared, RS, GROUP, 6);
    fs.setPermission(shared, new FsPermission((short) 0666));
    assertEnds(1, BOB, List.of("user=bob", "\"/shared\"", "the file and its directory"),
        "-policy", LRC, "-idle", "0", shared.toString());
    // A directory with the sticky bit lets only owners replace files.
    fs.setPermission(shared.getParent(), new FsPermission((short) 01777));
    assertEnds(1, BOB, List.of("sticky bit"), "-policy", LRC, "-idle", "0", shared.toString());
  }

  @Test
  void jobsOfOthers() throws Exception {
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", LRC, "-id", "of-alice",
        "-files-only", "/warm"), cluster.err());
    for (String action : List.of("-pause", "-resume", "-cancel")) {
      assertEnds(1, BOB, List.of("User bob may not " + action.substring(1) + " job of-alice",
          "only its owner and superusers may"), action, "of-alice");
    }
    assertEquals(0, cluster.run(BOB, "-convert", "-status", "of-alice"), cluster.err());
    assertFalse(cluster.out().contains("/warm") || cluster.out().contains("User"), cluster.out());
    assertEnds(1, BOB, List.of("There is another job of-alice", "choose another id"), "-policy",
        LRC, "-id", "of-alice", "-dry-run", FILE.toString());
    for (String action : List.of("-status", "-pause", "-resume", "-cancel")) {
      assertEnds(1, ALICE, List.of("There is no job none", "-convert -status"), action, "none");
    }
  }

  @Test
  void quotas() throws Exception {
    Path file = new Path("/full/f");
    cluster.write(file, RS, GROUP, 7);
    fs.setQuota(file.getParent(), HdfsConstants.QUOTA_DONT_SET,
        fs.getContentSummary(file.getParent()).getSpaceConsumed() + 1);
    assertRefused(List.of("a space quota of /full/f leaves 1 bytes", "needs " + 2 * CELL
        + " more", "hdfs dfsadmin -setSpaceQuota"), LRC, file.toString());
    assertEquals(RS, cluster.policy(file));
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", HITCHHIKER, "-idle", "0", "-wait",
        file.toString()), "this one needs no more space: " + cluster.out() + cluster.err());
  }

  @Test
  void safeMode() throws Exception {
    cluster.hdfs().mini().getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    try {
      await("the plugin has heard of it", () ->
          cluster.document("status").path("state").asText().equals("starting"));
      assertRefused(List.of("safe mode", "hdfs dfsadmin -safemode get"), LRC, FILE.toString());
    } finally {
      cluster.hdfs().mini().getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    }
    cluster.awaitInCharge();
  }

  @Test
  void filesInUse() throws Exception {
    Path file = new Path("/fresh/f");
    cluster.write(file, RS, GROUP, 8);
    assertEnds(1, ALICE, List.of("/fresh/f was written", "has to be idle for 3600 s",
        "ask for a shorter idle time"), "-policy", LRC, "-idle", "1h", file.toString());
    assertEnds(1, ALICE, List.of("/fresh/f was written", "has to be idle for 86400 s"), "-policy",
        LRC, file.toString());
    assertEquals(0, cluster.run(ALICE, "-convert", "-policy", LRC, "-idle", "1h", "-force",
        "-wait", file.toString()), cluster.out() + cluster.err());
    assertEquals(LRC, cluster.policy(file));
  }

  @Test
  void numbers() throws Exception {
    String[][] all = {{"'soon' is no length of time from 0 to 366d", "-idle", "soon"},
        {"'400d' is no length of time", "-idle", "400d"},
        {"'-1s' is no length of time", "-grace=-1s"},
        {"'1' is no rate in bytes", "-bandwidth", "1"},
        {"'fast' is no rate in bytes", "-bandwidth", "fast"},
        {"-concurrency is 0, and has to be 1 to 1024", "-concurrency", "0"},
        {"-concurrency is 1025, and has to be 1 to 1024", "-concurrency", "1025"},
        {"'many' is not an int", "-concurrency", "many"}};
    for (String[] each : all) {
      List<String> args = new ArrayList<>(List.of("-policy", LRC));
      args.addAll(List.of(each).subList(1, each.length));
      args.add(FILE.toString());
      assertEnds(2, ALICE, List.of(each[0]), args.toArray(new String[0]));
    }
  }
}
