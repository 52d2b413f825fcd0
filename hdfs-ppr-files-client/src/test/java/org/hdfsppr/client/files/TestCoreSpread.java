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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs ppr -core -spread} moves blocks of columns that are together on a DataNode. */
@Timeout(300)
class TestCoreSpread {
  @TempDir
  File directory;
  private ConvertCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new ConvertCluster(directory, MemberFiles.settings());
    cluster.awaitInCharge();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private String fsck() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(0, ToolRunner.run(new DFSck(cluster.hdfs().clientConf(),
        new PrintStream(out, true, StandardCharsets.UTF_8)), new String[] {"/"}));
    return out.toString(StandardCharsets.UTF_8);
  }

  private void assertRefused(UserGroupInformation user, String why, String... args)
      throws Exception {
    assertEquals(1, cluster.run(user, args), cluster.out());
    assertTrue(cluster.err().contains(why), cluster.err());
  }

  @Test
  void blocksThatAreTogetherArePartedAndNothingElseChanges() throws Exception {
    CrowdedFiles files = new CrowdedFiles(cluster, ConvertCluster.ALICE);
    files.write();
    files.crowd();
    int together = files.together();
    assertRefused(ConvertCluster.ALICE, "Only superusers", "-core", "-spread",
        CrowdedFiles.FOLDER);
    UserGroupInformation superuser = UserGroupInformation.getCurrentUser();
    assertRefused(superuser, "is not protected itself", "-core", "-spread", "/");
    assertEquals(together, files.together());
    files.spread(superuser);
    String report = fsck();
    assertTrue(report.contains("is HEALTHY"), report);
    assertTrue(report.contains("Missing internal blocks:\t0"), report);
  }
}
