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
package org.hdfsppr.conf;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Tests what a daemon with the jar for repairs alone says about settings of the second jar. */
class TestFilesKeys {
  private final Configuration conf = new Configuration(false);

  @Test
  void settingsWithoutEffectAreNamed() {
    assertEquals(List.of(), FilesKeys.ofNameNode(conf));
    conf.set("dfs.namenode.ppr.version.grace.ms", "1000");
    conf.set("dfs.namenode.ppr.scheduler", "mppr");
    conf.set("dfs.namenode.ppr.core.strategy", "rgs");
    List<String> lines = FilesKeys.ofNameNode(conf);
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("dfs.namenode.ppr.version.grace.ms is set and has no effect:"
        + " only the jar hdfs-ppr-files-namenode reads it"), lines::toString);
    assertEquals(List.of(), FilesKeys.ofDataNode(conf));
    conf.set("dfs.datanode.ppr.update.log.bytes", "1g");
    lines = FilesKeys.ofDataNode(conf);
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).endsWith("only the jar hdfs-ppr-files-datanode reads it"
        + " ('hdfs-ppr-install --role datanode --with-files')"), lines::toString);
  }

  @Test
  void aFolderOfUpdateLogsIsRefused() {
    assertDoesNotThrow(() -> FilesKeys.checkDataNode(conf));
    conf.set("dfs.datanode.ppr.update.log.dir", " none ");
    assertDoesNotThrow(() -> FilesKeys.checkDataNode(conf));
    conf.set("dfs.datanode.ppr.update.log.dir", "/ssd/log");
    String why = assertThrows(IllegalArgumentException.class,
        () -> FilesKeys.checkDataNode(conf)).getMessage();
    assertTrue(why.startsWith("dfs.datanode.ppr.update.log.dir is '/ssd/log'")
        && why.contains("--role datanode --with-files") && why.endsWith("set the key to none"),
        why);
  }
}
