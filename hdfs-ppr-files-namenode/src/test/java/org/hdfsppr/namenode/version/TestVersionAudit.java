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

import java.io.File;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the audit log says of versions, and which attributes hinder them. */
@Timeout(300)
class TestVersionAudit {
  private static final int FILE_BYTES = (int) (VersionCluster.BLOCK * 6);
  private static final String XATTR = "trusted." + UpdateTag.XATTR;

  @TempDir
  File directory;
  private VersionCluster cluster;

  /** Keeps lines of the audit log. */
  public static final class Lines implements AuditLogger {
    private static final List<String> ALL = new CopyOnWriteArrayList<>();

    @Override
    public void initialize(Configuration conf) {
      // It has no settings.
    }

    @Override
    public void logAuditEvent(boolean isAllowed, String user, InetAddress address, String command,
        String source, String target, FileStatus now) {
      if (command.startsWith("ppr-")) {
        ALL.add(isAllowed + " " + user.split(" ")[0] + " " + command + " " + source + " " + target
            + " " + (now == null ? null : now.getOwner() + ":" + now.getGroup() + ":"
                + now.getPermission()));
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    Lines.ALL.clear();
    Configuration conf = VersionCluster.conf(directory);
    conf.set("dfs.namenode.audit.loggers", "default," + Lines.class.getName());
    cluster = VersionCluster.start(conf);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void eachFileHasOneLine() throws Exception {
    Path file = new Path("/ec/f");
    cluster.write(file.toString(), FILE_BYTES, 1);
    cluster.fs().setOwner(file, "alice", "staff");
    cluster.fs().setPermission(file, new FsPermission((short) 0640));
    assertEquals(VersionEnd.PUBLISHED, cluster.make("/ec/f", VersionCluster.XOR).end);
    assertEquals(VersionEnd.REFUSED, cluster.make("/ec/f", VersionCluster.XOR).end);
    assertEquals(List.of("true " + System.getProperty("user.name")
        + " ppr-convert /ec/f null alice:staff:rw-r-----"), Lines.ALL);
  }

  private byte[] tag(String path, long otherInode) throws Exception {
    cluster.write(path, FILE_BYTES, 2);
    long inode = ((HdfsFileStatus) cluster.fs().getFileStatus(new Path(path))).getFileId();
    byte[] tag = new UpdateTag(new UUID(4, 7), inode + otherInode, 0).toBytes();
    cluster.fs().setXAttr(new Path(path), XATTR, tag, EnumSet.of(XAttrSetFlag.CREATE));
    return tag;
  }

  /** A copy with the attributes of its source has no updates. */
  @Test
  void theTagOfAnotherFileHindersNothing() throws Exception {
    byte[] foreign = tag("/ec/copy", 1_000);
    tag("/ec/updated", 0);
    assertEquals(VersionEnd.PUBLISHED, cluster.make("/ec/copy", VersionCluster.XOR).end);
    assertArrayEquals(foreign, cluster.fs().getXAttr(new Path("/ec/copy"), XATTR));
    assertEquals(RefusalReason.UPDATED, cluster.make("/ec/updated", VersionCluster.XOR).reason);
  }
}
