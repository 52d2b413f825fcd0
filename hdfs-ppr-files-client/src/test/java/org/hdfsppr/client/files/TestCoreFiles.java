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

import java.io.File;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that were protected by {@code hdfs ppr -core} survive more losses than their own code
 * bears: clients read them, and repairs bring all units back.
 */
class TestCoreFiles {
  @TempDir
  File directory;
  private ConvertCluster cluster;
  private MemberFiles files;

  @BeforeEach
  void start() throws Exception {
    cluster = new ConvertCluster(directory, MemberFiles.settings());
    cluster.awaitInCharge();
    files = new MemberFiles(cluster, ConvertCluster.ALICE);
    files.write();
    files.protect();
    files.awaitGroup();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void rowsBeyondTheirCodeAreReadAndRepaired() throws Exception {
    files.run("-pause");
    files.loseBeyondRows();
    try (PprFileSystem fs = files.client()) {
      files.assertReadThroughColumns(fs);
    }
    files.run("-resume");
    files.assertRepaired();
  }

  /** After a change of a member, nothing is read or repaired through its old group. */
  @Test
  void aChangedMemberLeavesItsGroup() throws Exception {
    files.overwrite(2, 99);
    await("the group is formed anew", () -> files.status().path("formed").asInt() >= 2);
    files.awaitGroup();
    files.lose(0, 1);
    files.assertRepaired();
    files.unprotect();
    await("nothing is protected", () -> files.status().path("groups").asInt() == 0);
  }
}
