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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.FlushRecorder;
import org.hdfsppr.namenode.StockReplay;
import org.hdfsppr.namenode.record.FinalizedMark;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A swap that has to wait has given the new version its attributes already. The owner of the file
 * goes on meanwhile, and the next try gives the new version what the file has by then. The files
 * have no blocks, so that no DataNode is needed.
 */
@Timeout(300)
class TestSwapAgain {
  private static final String TAG = "trusted." + SealedKind.UPDATE_TAG.attribute;
  private static final String INODES = "trusted." + SealedKind.FILE.attribute;
  private static final String RECORD = "trusted." + VersionNamespace.XATTR;
  private static final int BUFFER = 2_048;

  @TempDir
  File directory;
  private MiniDFSCluster cluster;
  private EmptySwaps swaps;
  private DistributedFileSystem fs;

  private void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "dfs").getAbsolutePath());
    // No thread flushes by itself, so that what is in the buffers decides about a swap.
    conf.setBoolean("dfs.namenode.edits.asynclogging", false);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    fs = cluster.getFileSystem();
    swaps = new EmptySwaps(cluster, VersionHook.NONE);
    new FlushRecorder(cluster.getNamesystem(), BUFFER);
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private PublishAnswer publish(PublishOrder order) throws IOException {
    PublishAnswer answer = swaps.access.publish(order);
    while (answer.later().isPresent()) {
      answer = swaps.access.publish(order);
    }
    return answer;
  }

  /**
   * Makes a version of a file with attributes of such a size that its swap has to wait, since the
   * edits before the two renames leave no room for these.
   */
  private PublishOrder waiting(Path file) throws IOException {
    for (int bytes = 100; bytes < BUFFER; bytes += 100) {
      swaps.create(file.toString());
      fs.setXAttr(file, "user.before", new byte[bytes]);
      fs.setXAttr(file, "user.kept", new byte[] {1});
      fs.setAcl(file, List.of(AclEntry.parseAclEntry("user::rw-", true),
          AclEntry.parseAclEntry("user:alice:rw-", true),
          AclEntry.parseAclEntry("group::r--", true), AclEntry.parseAclEntry("other::r--", true)));
      PublishOrder order = swaps.order(file.toString());
      PublishAnswer answer = swaps.access.publish(order);
      if (answer.later().isPresent()) {
        assertEquals(Set.of("user.before", "user.kept"), made(order).keySet(),
            "the first try has come that far");
        return order;
      }
      assertTrue(answer.isPublished(), answer.toString());
      swaps.clean(order);
      assertTrue(fs.delete(file, false));
    }
    throw new AssertionError("no swap has to wait");
  }

  private Map<String, byte[]> made(PublishOrder order) throws IOException {
    return fs.getXAttrs(new Path(order.record.directory(), VersionNamespace.NEW));
  }

  @Test
  void whatTheOwnerTakesAwayMeanwhileIsNotInTheNewVersion() throws Exception {
    start();
    Path file = new Path("/ec/f");
    PublishOrder order = waiting(file);
    fs.removeXAttr(file, "user.before");
    fs.setXAttr(file, "user.kept", new byte[] {2});
    fs.setXAttr(file, "user.after", new byte[] {3});
    fs.removeAcl(file);
    fs.setPermission(file, new FsPermission((short) 0600));
    PublishAnswer answer = publish(order);
    assertTrue(answer.isPublished(), answer.toString());
    assertEquals(order.newInodeId, swaps.inode(file.toString()));
    Map<String, byte[]> has = fs.getXAttrs(file);
    assertEquals(Set.of("user.kept", "user.after"), has.keySet());
    assertArrayEquals(new byte[] {2}, has.get("user.kept"));
    assertEquals(List.of(), fs.getAclStatus(file).getEntries());
    assertEquals(new FsPermission((short) 0600), fs.getFileStatus(file).getPermission());
    StockReplay.assertStarts(cluster, new File(directory, "replays"), "/");
  }

  /** The directory of a version has the record of another making, or none. */
  @Test
  void aRecordOfAnotherVersionIsNotWrittenOver() throws Exception {
    start();
    Path file = new Path("/ec/f");
    long old = swaps.create(file.toString());
    PublishOrder order = swaps.order(file.toString());
    Path work = new Path(order.record.directory());
    VersionRecord other = VersionRecord.begin(VersionRequest.of("job", file.toString(), old)
        .user(System.getProperty("user.name")).policy(EmptySwaps.POLICY).build(), order.file, 2);
    fs.setXAttr(work, RECORD, other.toBytes());
    PublishAnswer answer = swaps.access.publish(order);
    assertTrue(answer.change().orElse("").contains("the record in " + work), answer.toString());
    assertArrayEquals(other.toBytes(), fs.getXAttr(work, RECORD));
    fs.removeXAttr(work, RECORD);
    assertTrue(swaps.access.publish(order).change().isPresent(), "there is no record");
    assertEquals(Set.of(), fs.getXAttrs(work).keySet());
    assertEquals(old, swaps.inode(file.toString()));
    // The record of the same making may be at a later step, after a try that had to wait.
    fs.setXAttr(work, RECORD, order.record.publishing(1).toBytes());
    assertTrue(publish(order).isPublished());
    assertEquals(order.newInodeId, swaps.inode(file.toString()));
  }

  /** The record of the version, the tag and the attribute beside it are sealed with the swap. */
  @Test
  void aSwapSealsRecordsThatAreFinalized() throws Exception {
    start();
    Path file = new Path("/ec/f");
    long old = swaps.create(file.toString());
    byte[] tag = {1, 7};
    byte[] after = {1, 8};
    fs.setXAttr(file, TAG, tag);
    Path beside = new Path("/.hdfs-ppr/beside");
    fs.mkdirs(beside);
    fs.setXAttr(beside, INODES, SealedRecord.seal(SealedKind.FILE, tag));
    fs.setXAttr(new Path("/.hdfs-ppr"), "trusted." + SealedKind.FINALIZED.attribute,
        SealedRecord.seal(SealedKind.FINALIZED, FinalizedMark.of(1)));
    PublishOrder plain = swaps.order(file.toString());
    PublishOrder order = new PublishOrder(plain.record, plain.file, plain.newInodeId, List.of(),
        PublishOrder.ANY_ATIME, new CommitPlan(SealedKind.UPDATE_TAG.attribute, tag,
            made -> after, List.of(new CommitPlan.Beside(
                fs.getClient().getFileInfo(beside.toString()).getFileId(),
                SealedKind.FILE.attribute, tag, made -> after)), "cau", Map.of()));
    PublishAnswer answer = publish(order);
    assertTrue(answer.isPublished(), answer.toString());
    assertEquals(order.newInodeId, swaps.inode(file.toString()));
    assertArrayEquals(SealedRecord.seal(SealedKind.UPDATE_TAG, after), fs.getXAttr(file, TAG));
    assertArrayEquals(SealedRecord.seal(SealedKind.FILE, after), fs.getXAttr(beside, INODES));
    byte[] record = fs.getXAttr(new Path(order.record.directory()), RECORD);
    assertFalse(Arrays.equals(record, SealedRecord.open(SealedKind.VERSION, record)), "sealed");
    assertEquals(VersionStep.PUBLISHING, VersionRecord.parse(record).step);
    assertEquals(old, VersionRecord.parse(record).inodeId);
  }

  @Test
  void withoutAnyAttributesNothingIsLeftOfTheFirstTry() throws Exception {
    start();
    Path file = new Path("/ec/f");
    PublishOrder order = waiting(file);
    fs.removeXAttr(file, "user.before");
    fs.removeXAttr(file, "user.kept");
    assertTrue(publish(order).isPublished());
    assertEquals(Map.of(), fs.getXAttrs(file));
  }
}
