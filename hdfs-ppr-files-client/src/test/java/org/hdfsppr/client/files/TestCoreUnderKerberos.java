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

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.client.files.call.PluginColumns;
import org.hdfsppr.datanode.security.Kerberos;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * CORE groups on a cluster with Kerberos, block tokens, and privacy on all wires: a user protects a
 * directory, its parity file is made, lost units are read and repaired through columns.
 */
@Timeout(300)
class TestCoreUnderKerberos {
  @TempDir
  File directory;
  private Kerberos kerberos;
  private ConvertCluster cluster;
  private UserGroupInformation user;
  private MemberFiles files;

  @BeforeEach
  void start() throws Exception {
    kerberos = Kerberos.start(TestCoreUnderKerberos.class);
    cluster = ConvertCluster.withPrivacy(kerberos, directory, MemberFiles.settings());
    user = Kerberos.user();
    files = new MemberFiles(cluster, user);
    files.write();
    // The call waits until the NameNode has read its groups.
    files.protect();
    files.awaitGroup();
  }

  @AfterEach
  void stop() throws Exception {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      kerberos.stop();
    }
  }

  private void readThroughColumns(UserGroupInformation reader) throws Exception {
    reader.doAs((PrivilegedExceptionAction<Void>) () -> {
      try (PprFileSystem fs = files.client()) {
        files.assertReadThroughColumns(fs);
      }
      return null;
    });
  }

  /** Returns the same user as in a task of YARN: without a ticket, but with a token. */
  private UserGroupInformation bearer() throws Exception {
    Token<?> token = user.doAs((PrivilegedExceptionAction<Token<?>>) () -> {
      try (FileSystem fs = files.client()) {
        return fs.getDelegationToken("yarn");
      }
    });
    UserGroupInformation bearer =
        UserGroupInformation.createRemoteUser(user.getUserName(), AuthMethod.TOKEN);
    bearer.addToken(token);
    return bearer;
  }

  @Test
  void aUsersFilesAreReadAndRepairedThroughColumns() throws Exception {
    files.assertParity();
    files.assertColumns();
    files.run("-pause");
    files.loseBeyondRows();
    readThroughColumns(user);
    readThroughColumns(bearer());
    files.run("-resume");
    files.assertRepaired();
    files.assertColumns();
  }

  /** The tokens for moves are the NameNode's, and the moves go over encrypted connections. */
  @Test
  @Tag("slow")
  void blocksThatAreTogetherAreParted() throws Exception {
    files.unprotect();
    await("nothing is protected", () -> files.status().path("groups").asInt() == 0);
    CrowdedFiles crowded = new CrowdedFiles(cluster, user);
    crowded.write();
    crowded.crowd();
    assertEquals(1, cluster.run(user, "-core", "-spread", CrowdedFiles.FOLDER), cluster.out());
    assertTrue(cluster.err().contains("Only superusers"), cluster.err());
    crowded.spread(UserGroupInformation.getCurrentUser());
  }

  /** The blocks of a column would tell the content of the file that the user must not read. */
  @Test
  void aUserWithoutTheRightToOneFileGetsNoColumn() throws Exception {
    files.run("-pause");
    files.loseBeyondRows();
    readThroughColumns(user);
    cluster.hdfs().fs.setOwner(files.path(2),
        UserGroupInformation.getCurrentUser().getShortUserName(), "others");
    cluster.hdfs().fs.setPermission(files.path(2), new FsPermission((short) 0600));
    LocatedStripedBlock lost = cluster.hdfs().groups(files.path(0)).get(0);
    GroupId group = new GroupId(lost.getBlock().getBlockPoolId(), lost.getBlock().getBlockId(),
        lost.getBlock().getGenerationStamp());
    for (UserGroupInformation reader : new UserGroupInformation[] {user, bearer()}) {
      reader.doAs((PrivilegedExceptionAction<Void>) () -> {
        Configuration conf = files.readerConf();
        assertThrows(AccessControlException.class, () -> new PluginColumns(conf,
            FileSystem.getDefaultUri(conf), reader).column(group, 0));
        try (FileSystem fs = files.client()) {
          assertThrows(IOException.class, () ->
              MemberFiles.read(fs, files.path(0), ConvertCluster.CELL));
        }
        return null;
      });
    }
    // It is a question of rights only: the superuser may read all files.
    try (PprFileSystem fs = files.client()) {
      files.assertReadThroughColumns(fs);
    }
    files.run("-resume");
    files.assertRepaired();
  }

  /** A caller without a ticket and a token is not even answered. */
  @Test
  void aStrangerGetsNoAnswer() throws Exception {
    UserGroupInformation stranger = UserGroupInformation.createRemoteUser("stranger");
    Configuration conf = files.readerConf();
    GroupId any = new GroupId("BP-1", -16, 1);
    assertThrows(IOException.class, () -> new PluginColumns(conf,
        FileSystem.getDefaultUri(conf), stranger).column(any, 0));
    assertEquals(1, cluster.run(stranger, "-core", "-status"), cluster.out());
    files.run("-core", "-status");
  }
}
