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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.ColumnAccess;
import org.apache.hadoop.hdfs.server.namenode.CoreAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.FSPermissionChecker;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.hdfs.server.namenode.UpdateAccess;
import org.apache.hadoop.ipc.WithinCall;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.convert.NameNodeFiles;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Which rights the plugin's doors to the namespace check, and what authorizers hear of that. */
@InterfaceAudience.Private
@Timeout(180)
class TestRightsAtTheNameNode {
  private static final int CELL = 1 << 20;
  private static final Path MINE = new Path("/ec/mine");
  private static final Path SECRET = new Path("/closed/secret-name");
  private static final Path PARITY = new Path("/ec/parity");
  private static final UserGroupInformation ALICE =
      UserGroupInformation.createUserForTesting("alice", new String[] {"users"});
  private static final UserGroupInformation EVE =
      UserGroupInformation.createUserForTesting("eve", new String[] {"users"});

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static UpdateAccess updates;
  private static ColumnAccess columns;
  private static CoreAccess core;
  private static NamespaceAccess namespace;

  /** An external authorizer that lets all pass which HDFS lets pass, and notes operations. */
  public static final class Authorizer extends INodeAttributeProvider {
    private static final Set<String> OPERATIONS = ConcurrentHashMap.newKeySet();

    @Override
    public void start() {
    }

    @Override
    public void stop() {
    }

    @Override
    public INodeAttributes getAttributes(String[] path, INodeAttributes inode) {
      return inode;
    }

    @Override
    public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer stock) {
      return new Enforcer(stock);
    }
  }

  /** Judges as HDFS does. */
  private static final class Enforcer implements INodeAttributeProvider.AccessControlEnforcer {
    private final INodeAttributeProvider.AccessControlEnforcer stock;

    Enforcer(INodeAttributeProvider.AccessControlEnforcer stock) {
      this.stock = stock;
    }

    @Override
    @SuppressWarnings("deprecation")
    public void checkPermission(String owner, String group, UserGroupInformation caller,
        INodeAttributes[] attributes, INode[] inodes, byte[][] path, int snapshot, String text,
        int ancestor, boolean wantsOwner, FsAction ofAncestor, FsAction ofParent, FsAction right,
        FsAction below, boolean ignoresEmpty) throws AccessControlException {
      throw new AccessControlException("A check without an operation");
    }

    @Override
    public void checkPermissionWithContext(INodeAttributeProvider.AuthorizationContext context)
        throws AccessControlException {
      Authorizer.OPERATIONS.add(String.valueOf(context.getOperationName()));
      stock.checkPermissionWithContext(context);
    }
  }

  /** A look at the namespace. */
  private interface Look<T> {
    T at() throws IOException;
  }

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY,
        Authorizer.class.getName());
    cluster = RepairCluster.start(conf, 5);
    cluster.directory("/ec", "RS-3-2-1024k");
    cluster.directory("/closed", "RS-3-2-1024k");
    for (Path path : List.of(MINE, SECRET, PARITY)) {
      cluster.write(path, 3 * CELL, 4L * CELL, 7);
      cluster.awaitUnits(path, 5);
      cluster.fs.setPermission(path, new FsPermission((short) 0666));
    }
    cluster.fs.setPermission(new Path("/closed"), new FsPermission((short) 0711));
    cluster.fs.setPermission(new Path("/ec"), new FsPermission((short) 0777));
    updates = new UpdateAccess(cluster.mini().getNamesystem(), conf);
    columns = new ColumnAccess(cluster.mini().getNamesystem());
    core = new CoreAccess(cluster.mini().getNamesystem(), conf);
    namespace = new NamespaceAccess(cluster.mini().getNamesystem(), conf,
        (point, path) -> { });
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static GroupId group(Path path) throws IOException {
    LocatedStripedBlock group = cluster.groups(path).get(0);
    return new GroupId(group.getBlock().getBlockPoolId(), group.getBlock().getBlockId(),
        group.getBlock().getGenerationStamp());
  }

  private static CoreRows rows() throws IOException {
    List<CoreRows.Row> rows = new ArrayList<>();
    for (Path path : List.of(MINE, SECRET, PARITY)) {
      rows.add(new CoreRows.Row(group(path), 3 * CELL, false));
    }
    return new CoreRows(1, 0, new GroupPolicy("rs", 3, 2, CELL), rows);
  }

  private static <T> T as(UserGroupInformation user, Look<T> look) throws Exception {
    return user.doAs((PrivilegedExceptionAction<T>) look::at);
  }

  /** Looks as a handler of an RPC server does, for which the audit log has lines. */
  private static <T> T within(Look<T> look) throws IOException {
    try {
      return WithinCall.of(look::at);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Returns the operations of which an authorizer hears during a look of a user. */
  private static <T> Set<String> heard(UserGroupInformation user, Look<T> look) throws Exception {
    return as(user, () -> {
      // What the thread has done last, which none of these doors does.
      FSPermissionChecker.setOperationType("delete");
      Authorizer.OPERATIONS.clear();
      look.at();
      return Set.copyOf(Authorizer.OPERATIONS);
    });
  }

  @Test
  void authorizersHearTheOperation() throws Exception {
    String mine = MINE.toString();
    assertEquals(Set.of("open"), heard(EVE, () -> updates.file(mine, group(MINE), false)));
    assertEquals(Set.of("open"), heard(EVE, () -> updates.fileToRead(mine, group(MINE))));
    assertEquals(Set.of("append"), heard(EVE, () -> updates.file(mine, group(MINE), true)));
    assertEquals(Set.of("setXAttr"), heard(EVE, () -> updates.directory("/ec", false)));
    assertEquals(Set.of("setXAttr"), heard(EVE, () -> core.folder("/ec")));
    assertEquals(Set.of("open"), heard(EVE, () -> columns.locate(rows(), 0, 0)));
    assertEquals(Set.of("open"), heard(EVE, () -> columns.locate(rows())));
    long inode = cluster.fs.getClient().getFileInfo(mine).getFileId();
    FSPermissionChecker.setOperationType("delete");
    Authorizer.OPERATIONS.clear();
    assertTrue(namespace.file(mine, inode, "eve").isPresent());
    assertEquals(Set.of("rename"), Set.copyOf(Authorizer.OPERATIONS));
  }

  @Test
  void superusersGetNoBytesThatAnAttributeKeepsFromThem() throws Exception {
    UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
    String secret = SECRET.toString();
    assertNotNull(as(superuser, () -> updates.fileToRead(secret, group(SECRET))));
    assertFalse(as(superuser, () -> columns.locate(rows(), 0, 0)).isEmpty());
    GroupId group = group(SECRET);
    CoreRows rows = rows();
    cluster.fs.setXAttr(SECRET, "security.hdfs.unreadable.by.superuser", null);
    try {
      assertThrows(AccessControlException.class,
          () -> as(superuser, () -> updates.fileToRead(secret, group)));
      assertThrows(AccessControlException.class,
          () -> as(superuser, () -> columns.locate(rows, 0, 0)));
      assertThrows(AccessControlException.class, () -> as(superuser, () -> columns.locate(rows)));
      // It may be looked at, and written, as with HDFS.
      assertNotNull(as(superuser, () -> updates.file(secret, group, false)));
      assertNotNull(as(superuser, () -> updates.file(secret, group, true)));
      assertNotNull(as(EVE, () -> updates.fileToRead(secret, group)));
      assertFalse(as(EVE, () -> columns.locate(rows, 0, 0)).isEmpty());
    } finally {
      // HDFS lets nobody take the attribute away.
      cluster.fs.delete(SECRET, false);
      cluster.write(SECRET, 3 * CELL, 4L * CELL, 7);
      cluster.awaitUnits(SECRET, 5);
      cluster.fs.setPermission(SECRET, new FsPermission((short) 0666));
    }
  }

  @Test
  void refusalsOfColumnsNameNoFile() throws Exception {
    cluster.fs.setPermission(SECRET, new FsPermission((short) 0600));
    try {
      CoreRows rows = rows();
      for (Look<Object> look : List.<Look<Object>>of(() -> columns.locate(rows, 0, 0),
          () -> columns.locate(rows))) {
        String why = assertThrows(AccessControlException.class, () -> as(EVE, look)).getMessage();
        assertFalse(why.contains("secret-name") || why.contains("closed"), why);
      }
    } finally {
      cluster.fs.setPermission(SECRET, new FsPermission((short) 0666));
    }
  }

  /** The status of CORE looks at each protected directory for each caller. */
  @Test
  void looksAtManyDirectoriesLeaveNoAuditLines() throws Exception {
    NameNodeFiles files = new NameNodeFiles(cluster.mini().getNamesystem(),
        cluster.mini()::getNameNodeRpc);
    LogCapturer audit = LogCapturer.captureLogs(
        LoggerFactory.getLogger(FSNamesystem.class.getName() + ".audit"));
    try {
      assertTrue(as(EVE, () -> within(() -> files.mayList("/ec"))));
      assertFalse(as(EVE, () -> within(() -> files.mayList("/closed"))));
      assertFalse(as(EVE, () -> within(() -> files.mayList("/closed/none"))));
      assertFalse(as(EVE, () -> within(() -> files.mayList("/none"))));
      assertTrue(within(() -> files.mayList("/closed")));
      assertEquals("", audit.getOutput());
      as(EVE, () -> within(() -> {
        files.checkDirectory("/ec", false);
        return null;
      }));
      assertTrue(audit.getOutput().contains("cmd=checkAccess"), audit.getOutput());
    } finally {
      audit.stopCapturing();
    }
    assertEquals(Set.of("listStatus"), heard(EVE, () -> files.mayList("/ec")));
  }

  @Test
  void directoryIsFoundAndCheckedInOneLook() throws Exception {
    Path shared = new Path("/shared");
    cluster.fs.mkdirs(shared);
    cluster.fs.setPermission(shared, new FsPermission((short) 0777));
    cluster.fs.setOwner(shared, "alice", "users");
    long inode = cluster.fs.getClient().getFileInfo("/shared").getFileId();
    assertEquals(Optional.of(inode), as(EVE, () -> updates.directory("/shared", false)));
    assertThrows(AccessControlException.class,
        () -> as(EVE, () -> updates.directory("/shared", true)));
    assertEquals(Optional.of(inode), as(ALICE, () -> updates.directory("/shared", true)));
    assertEquals(Optional.of(inode), as(UserGroupInformation.getCurrentUser(),
        () -> updates.directory("/shared", true)));
    assertThrows(AccessControlException.class,
        () -> as(EVE, () -> updates.directory("/closed", false)));
    assertThrows(FileNotFoundException.class,
        () -> as(EVE, () -> updates.directory("/none", false)));
    assertEquals(Optional.empty(), as(EVE, () -> updates.directory(MINE.toString(), false)));
  }
}
