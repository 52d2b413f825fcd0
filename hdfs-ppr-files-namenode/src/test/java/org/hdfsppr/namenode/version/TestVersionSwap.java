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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each thing that the comparison and swap compares, one at a time: an order that is wrong in this
 * thing alone is not carried out, and the right order is.
 */
@Timeout(600)
class TestVersionSwap {
  private static final String USER = System.getProperty("user.name");
  private static final Path FILE = new Path("/ec/d/f");
  private static final int FILE_BYTES = (int) (VersionCluster.BLOCK * 6 + 70_001);

  @TempDir
  File directory;
  private VersionCluster cluster;
  private DistributedFileSystem fs;

  @AfterEach
  void stop() {
    VersionHooks.set(VersionHook.NONE);
    if (cluster != null) {
      cluster.close();
    }
  }

  private void start(VersionCluster started) throws IOException {
    cluster = started;
    fs = cluster.fs();
    fs.mkdirs(FILE.getParent());
  }

  private interface Act {
    void on(NamespaceAccess namenode, Order order) throws IOException;
  }

  /** The right order of a version that is verified, and others that differ from it. */
  private static final class Order {
    private final VersionRecord record;
    private final TargetFile file;
    private final FileFacts made;

    /** @param record the record in the namespace, which has the term of the maker */
    Order(VersionRequest request, NamespaceAccess namenode, byte[] record) throws IOException {
      file = namenode.file(FILE.toString(), request.inodeId, USER).orElseThrow();
      this.record = VersionRecord.parse(record);
      made = namenode.facts(work(request.inodeId).toString(), USER);
    }

    static Path work(long inodeId) {
      return new Path(VersionHome.CONVERSIONS.directory(inodeId), VersionNamespace.NEW);
    }

    PublishOrder right() {
      return with(file.facts.mtime, file.groups, made.inodeId, made.groups);
    }

    PublishOrder with(long mtime, List<FileGroup> old, long newInodeId, List<FileGroup> groups) {
      FileFacts facts = FileFacts.of(file.path(), FileFacts.Kind.FILE, file.inodeId()).with(f -> {
        f.mtime = mtime;
        f.groups = old;
      }).build();
      return new PublishOrder(record, new TargetFile(facts, file.parentId, file.name,
          file.permission, file.blockBytes, file.storagePolicy), newInodeId, groups,
          PublishOrder.ANY_ATIME);
    }

    PublishOrder withOld(UnaryOperator<List<FileGroup>> change) {
      return with(file.facts.mtime, change.apply(file.groups), made.inodeId,
          made.groups);
    }

    PublishOrder withNew(UnaryOperator<List<FileGroup>> change) {
      return with(file.facts.mtime, file.groups, made.inodeId,
          change.apply(made.groups));
    }

    /** Changes of the second group, and of the number of groups. */
    static List<UnaryOperator<List<FileGroup>>> changes() {
      return List.of(
          groups -> replaced(groups, groupId(groups, 16, 0), groups.get(1).bytes),
          groups -> replaced(groups, groupId(groups, 0, 1), groups.get(1).bytes),
          groups -> replaced(groups, groups.get(1).id, groups.get(1).bytes - 1),
          groups -> groups.subList(0, 1),
          groups -> List.of(groups.get(0), groups.get(1), groups.get(1)));
    }

    private static GroupId groupId(List<FileGroup> groups, int moreId, int moreStamp) {
      GroupId id = groups.get(1).id;
      return new GroupId(id.poolId, id.groupId + moreId, id.generationStamp + moreStamp);
    }

    private static List<FileGroup> replaced(List<FileGroup> groups, GroupId id, long bytes) {
      List<FileGroup> changed = new ArrayList<>(groups);
      changed.set(1, new FileGroup(id, bytes, 0));
      return changed;
    }
  }

  private NamespaceAccess access(int namenode) {
    return new NamespaceAccess(cluster.mini().getNamesystem(namenode),
        cluster.mini().getConfiguration(namenode), VersionHook.NONE);
  }

  /** Makes a version, and acts when it is verified. */
  private VersionOutcome make(Act act) throws Exception {
    byte[] data = cluster.write(FILE.toString(), FILE_BYTES, 5);
    VersionRequest request = cluster.request(FILE.toString(), VersionCluster.XOR).build();
    NamespaceAccess namenode = access(0);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<String> acted = new AtomicReference<>("not done");
    VersionHooks.set((point, path) -> {
      if (point == VersionPoint.VERIFIED) {
        try {
          act.on(namenode, new Order(request, namenode, fs.getXAttr(
              Order.work(request.inodeId).getParent(), "trusted." + VersionNamespace.XATTR)));
          acted.set("done");
        } catch (IOException | RuntimeException | AssertionError e) {
          failure.set(e);
        }
      }
    });
    VersionOutcome outcome = cluster.make(request);
    VersionHooks.set(VersionHook.NONE);
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    assertEquals("done", acted.get(), outcome.toString());
    cluster.assertContent(FILE.toString(), data);
    return outcome;
  }

  private static void assertNotCarriedOut(NamespaceAccess namenode, String why,
      PublishOrder order) throws IOException {
    String change = namenode.publish(order).change().orElse("no change is seen");
    assertTrue(change.contains(why), change);
  }

  @Test
  void anOrderThatIsWrongInOneThingIsNotCarriedOut() throws Exception {
    start(VersionCluster.start(directory));
    VersionOutcome outcome = make((namenode, order) -> {
      for (UnaryOperator<List<FileGroup>> change : Order.changes()) {
        assertNotCarriedOut(namenode, "was written", order.withOld(change));
        assertNotCarriedOut(namenode, "is not what was made", order.withNew(change));
      }
      PublishOrder right = order.right();
      assertNotCarriedOut(namenode, "was written", order.with(order.file.facts.mtime - 1,
          right.file.groups, right.newInodeId, right.newGroups));
      assertNotCarriedOut(namenode, "is not what was made", order.with(order.file.facts.mtime,
          right.file.groups, right.newInodeId + 1, right.newGroups));
      assertEquals(VersionCluster.RS, cluster.policyOf(FILE.toString()));
      assertTrue(namenode.publish(right).isPublished(), "the right order");
      assertEquals(VersionCluster.XOR, cluster.policyOf(FILE.toString()));
      assertNotCarriedOut(namenode, "was renamed, replaced or deleted", right);
    });
    // The maker's own order came second. The janitor finds that the new version is published.
    assertEquals(VersionEnd.PUBLISHED, outcome.end, outcome.toString());
    cluster.awaitNothingLeft();
  }

  /** Its blocks and its inode are as they were. */
  @Test
  void aWorkFileThatIsOpenedAgainIsNotPublished() throws Exception {
    start(VersionCluster.start(directory));
    VersionOutcome outcome = make((namenode, order) -> {
      fs.append(Order.work(order.file.inodeId()),
          EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null);
      assertNotCarriedOut(namenode, "is not what was made", order.right());
    });
    assertEquals(VersionEnd.CHANGED, outcome.end, outcome.toString());
    assertEquals(VersionCluster.RS, cluster.policyOf(FILE.toString()));
    cluster.awaitNothingLeft();
  }

  /** The inode of the old directory is still known, because a snapshot has it. */
  @Test
  void aFileOfAnotherDirectoryOfThatNameIsNotTheSame() throws Exception {
    start(VersionCluster.start(directory));
    fs.allowSnapshot(new Path("/ec"));
    Path away = new Path("/ec/away");
    VersionOutcome outcome = make((namenode, order) -> {
      fs.createSnapshot(new Path("/ec"), "s");
      assertTrue(fs.rename(FILE, away));
      assertTrue(fs.delete(FILE.getParent(), true));
      fs.mkdirs(FILE.getParent());
      assertTrue(fs.rename(away, FILE));
      assertNotCarriedOut(namenode, "was renamed, replaced or deleted", order.right());
    });
    assertEquals(VersionEnd.CHANGED, outcome.end, outcome.toString());
    assertEquals(VersionCluster.RS, cluster.policyOf(FILE.toString()));
    cluster.awaitNothingLeft();
  }

  /** Writes a file, and returns an order to publish a new version that no DataNode makes. */
  private PublishOrder unmade(NamespaceAccess namenode) throws IOException {
    cluster.write(FILE.toString(), FILE_BYTES, 5);
    VersionRequest request = cluster.request(FILE.toString(), VersionCluster.XOR).build();
    TargetFile file = namenode.file(FILE.toString(), request.inodeId, USER).orElseThrow();
    return new PublishOrder(
        VersionRecord.begin(request, file, 1).at(VersionHome.CONVERSIONS), file, 1, file.groups,
        PublishOrder.ANY_ATIME);
  }

  /** A version that is being made would stop when the repair manager notices the safe mode. */
  @Test
  void nothingIsPublishedInSafeMode() throws Exception {
    start(VersionCluster.start(directory));
    NamespaceAccess namenode = access(0);
    PublishOrder order = unmade(namenode);
    fs.setSafeMode(SafeModeAction.ENTER);
    assertThrows(SafeModeException.class, () -> namenode.publish(order));
    assertThrows(SafeModeException.class, () -> namenode.finish(order.record));
    fs.setSafeMode(SafeModeAction.LEAVE);
    assertNotCarriedOut(namenode, "is not what was made", order);
  }

  @Test
  void aStandbyPublishesNothing() throws Exception {
    start(VersionCluster.startPair(directory));
    int active = cluster.active();
    NamespaceAccess namenode = access(active);
    PublishOrder order = unmade(namenode);
    NamespaceAccess standby = access(1 - active);
    assertThrows(StandbyException.class, () -> standby.publish(order));
    assertThrows(StandbyException.class, () -> standby.finish(order.record));
    assertNotCarriedOut(namenode, "is not what was made", order);
  }

  /** A crash has come between the two renames, and users go on. */
  @Test
  void aSwapIsFinishedOnlyWhereTheOldVersionWas() throws Exception {
    start(VersionCluster.start(directory));
    cluster.write(FILE.toString(), FILE_BYTES, 5);
    VersionRequest request = cluster.request(FILE.toString(), VersionCluster.XOR).build();
    NamespaceAccess namenode = access(0);
    VersionRecord record = VersionRecord.begin(request,
        namenode.file(FILE.toString(), request.inodeId, USER).orElseThrow(), 1)
        .at(VersionHome.CONVERSIONS);
    Path work = new Path(VersionHome.CONVERSIONS.directory(request.inodeId));
    Path old = new Path(work, VersionNamespace.OLD);
    fs.mkdirs(work);
    assertTrue(fs.rename(FILE, old));
    byte[] made = cluster.write(Order.work(request.inodeId).toString(), FILE_BYTES, 6);
    byte[] other = cluster.write(FILE.toString(), 100, 7);
    assertFalse(namenode.finish(record).isPublished(), "another file has the path");
    cluster.assertContent(FILE.toString(), other);
    assertTrue(fs.delete(FILE, false));
    Path away = new Path("/ec/away");
    assertTrue(fs.rename(old, away));
    assertFalse(namenode.finish(record).isPublished(), "the old version is not there");
    assertFalse(fs.exists(FILE));
    assertTrue(fs.rename(away, old));
    assertTrue(namenode.finish(record).isPublished());
    cluster.assertContent(FILE.toString(), made);
    assertFalse(namenode.finish(record).isPublished(), "it is finished");
    assertTrue(fs.delete(FILE.getParent(), true));
    assertFalse(namenode.finish(record).isPublished(), "the directory is gone");
  }
}
