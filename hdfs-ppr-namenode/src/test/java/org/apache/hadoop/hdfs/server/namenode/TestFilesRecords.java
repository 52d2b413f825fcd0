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
package org.apache.hadoop.hdfs.server.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a NameNode without the jar for files counts in its namespace. */
class TestFilesRecords {
  @TempDir
  Path folder;

  private static void assertRecords(MiniDFSCluster cluster, int versions, int updates, int core,
      int jobs) {
    FilesRecords records = FilesRecords.look(cluster.getNamesystem());
    assertEquals(versions, records.versions, "versions");
    assertEquals(updates, records.updates, "updates");
    assertEquals(core, records.core, "CORE");
    assertEquals(jobs, records.jobs, "jobs");
  }

  private static void make(DistributedFileSystem files, String... directories)
      throws IOException {
    for (String directory : directories) {
      files.mkdirs(new org.apache.hadoop.fs.Path("/.hdfs-ppr/" + directory));
    }
  }

  @Test
  void entriesOfAllShardsCount() throws IOException {
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(new Configuration(), folder.toFile())
        .numDataNodes(0).build()) {
      cluster.waitActive();
      DistributedFileSystem files = cluster.getFileSystem();
      assertRecords(cluster, 0, 0, 0, 0);
      make(files, "versions", "conversions/0a", "commits/ff", "updates", "core/groups/00",
          "core/work", "jobs");
      assertRecords(cluster, 0, 0, 0, 0);
      make(files, "versions/17", "conversions/0a/10", "conversions/0b/11", "commits/ff/255",
          "updates/20", "updates/21", "jobs/7");
      for (String parity : new String[] {"00/parity-1", "01/parity-2"}) {
        files.create(new org.apache.hadoop.fs.Path("/.hdfs-ppr/core/groups/" + parity), (short) 1)
            .close();
      }
      assertRecords(cluster, 4, 2, 2, 1);
    }
  }
}
