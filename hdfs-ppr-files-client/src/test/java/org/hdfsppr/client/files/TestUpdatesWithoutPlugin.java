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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that sees updates reads files of a NameNode that never had the plugin. */
@Timeout(300)
class TestUpdatesWithoutPlugin {
  @TempDir
  Path directory;

  @Test
  void filesAreReadAsTheyAre() throws Exception {
    Configuration base = RepairCluster.configuration(directory.toFile());
    base.unset("dfs.namenode.plugins");
    try (RepairCluster cluster = RepairCluster.start(base, 5)) {
      org.apache.hadoop.fs.Path dir = cluster.directory("/ec", "RS-3-2-1024k");
      byte[] content = cluster.write(new org.apache.hadoop.fs.Path(dir, "file"), 3_000_000,
          1 << 20, 1);
      Configuration conf = new Configuration(cluster.clientConf());
      conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
      conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
      try (FileSystem fs = FileSystem.newInstance(cluster.fs.getUri(), conf);
          FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(dir, "file"))) {
        byte[] read = new byte[content.length];
        in.readFully(0, read);
        assertArrayEquals(content, read);
      }
    }
  }
}
