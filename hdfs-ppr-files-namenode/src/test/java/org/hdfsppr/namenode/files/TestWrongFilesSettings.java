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
package org.hdfsppr.namenode.files;

import java.io.File;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.WrongSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a wrong setting of an extension leaves the whole NameNode to stock. */
@InterfaceAudience.Private
@Timeout(120)
class TestWrongFilesSettings {
  @TempDir
  private File directory;

  @Test
  void eachLeavesTheNameNodeToStockAndIsOneSentence() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    try (RepairCluster cluster = RepairCluster.start(conf, 1)) {
      NameNode namenode = cluster.mini().getNameNode();
      for (String key : new String[] {PprKeys.NAMENODE_CONVERT_JOBS_KEY,
          PprKeys.NAMENODE_CORE_CONCURRENT_KEY, PprKeys.NAMENODE_COMMIT_STRIPES_KEY,
          PprKeys.NAMENODE_UPDATE_REPLICAS_KEY,
          PprKeys.NAMENODE_VERSION_CONCURRENT_KEY}) {
        WrongSettings.assertRefused(namenode, key, "quickly");
      }
    }
  }
}
