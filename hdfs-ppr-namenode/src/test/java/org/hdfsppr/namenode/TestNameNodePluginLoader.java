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
package org.hdfsppr.namenode;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.File;
import java.lang.reflect.Field;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.ServicePlugin;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.OwnLoader;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests that the plugin changes nothing if another class loader than Hadoop's has loaded it. */
@Timeout(120)
class TestNameNodePluginLoader {
  @TempDir
  File directory;

  @Test
  void leavesTheNameNodeToStock() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    try (OwnLoader loader =
            new OwnLoader(PprNameNodePlugin.class, PprKeys.class, LinearCode.class);
        RepairCluster cluster = RepairCluster.start(conf, 1)) {
      NameNode namenode = cluster.mini().getNameNode();
      Class<?> other = loader.loadClass(PprNameNodePlugin.class.getName());
      assertNotSame(PprNameNodePlugin.class, other);
      GenericTestUtils.LogCapturer log =
          GenericTestUtils.LogCapturer.captureLogs(LoggerFactory.getLogger(other));
      Object stock = queue(namenode);
      try (ServicePlugin plugin = (ServicePlugin) other.getDeclaredConstructor().newInstance()) {
        plugin.start(namenode);
        String said = log.getOutput();
        assertTrue(said.contains("does NOT schedule repairs on this NameNode"), said);
        for (String part : List.of(loader.toString(), NameNode.class.getClassLoader().toString(),
            "HADOOP_CLASSPATH", "share/hadoop/hdfs/lib")) {
          assertTrue(said.contains(part), "no " + part + " in " + said);
        }
        assertSame(stock, queue(namenode), "the queue of stock");
      } finally {
        log.stopCapturing();
      }
    }
  }

  /** Stock would go on with half of the plugin. */
  @Test
  void aStartThatEndsWithAnErrorIsTakenBack() {
    for (Error error : List.of(new AssertionError("thrown by the test"),
        new OutOfMemoryError("thrown by the test"))) {
      NameNode namenode = mock(NameNode.class);
      when(namenode.getNamesystem()).thenThrow(error);
      GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
          LoggerFactory.getLogger(PprNameNodePlugin.class));
      PprNameNodePlugin plugin = new PprNameNodePlugin();
      try {
        plugin.start(namenode);
      } finally {
        log.stopCapturing();
        plugin.stop();
      }
      String said = log.getOutput();
      assertTrue(said.contains("does NOT schedule repairs on this NameNode"), said);
      assertTrue(said.contains(error.toString()), said);
      assertNull(plugin.service());
    }
  }

  private static Object queue(NameNode namenode) throws ReflectiveOperationException {
    Field queue = BlockManager.class.getDeclaredField("neededReconstruction");
    queue.setAccessible(true);
    return queue.get(namenode.getNamesystem().getBlockManager());
  }
}
