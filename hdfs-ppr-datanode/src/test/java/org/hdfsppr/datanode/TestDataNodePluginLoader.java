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
package org.hdfsppr.datanode;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.File;
import java.lang.reflect.Field;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.erasurecode.ErasureCodingWorker;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.ServicePlugin;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Tests the plugin in a class loader other than Hadoop's. It could take over the worker and would
 * then fail at the first task, so it must notice this at its start.
 */
@Timeout(120)
class TestDataNodePluginLoader {
  @TempDir
  File directory;

  @Test
  void leavesTheDataNodeToStock() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    try (OwnLoader loader =
            new OwnLoader(PprDataNodePlugin.class, PprKeys.class, LinearCode.class);
        RepairCluster cluster = RepairCluster.start(conf, 1)) {
      DataNode datanode = cluster.mini().getDataNodes().get(0);
      Class<?> other = loader.loadClass(PprDataNodePlugin.class.getName());
      assertNotSame(PprDataNodePlugin.class, other);
      GenericTestUtils.LogCapturer log =
          GenericTestUtils.LogCapturer.captureLogs(LoggerFactory.getLogger(other));
      Object stock = pool(datanode);
      try (ServicePlugin plugin = (ServicePlugin) other.getDeclaredConstructor().newInstance()) {
        plugin.start(datanode);
        String said = log.getOutput();
        assertTrue(said.contains("does NOT take part on this DataNode"), said);
        for (String part : List.of(loader.toString(), DataNode.class.getClassLoader().toString(),
            "HADOOP_CLASSPATH", "share/hadoop/hdfs/lib")) {
          assertTrue(said.contains(part), "no " + part + " in " + said);
        }
        // The message must not give the advice for clients, which would mislead an operator of
        // DataNodes.
        assertFalse(said.contains("spark"), said);
        assertTrue(pool(datanode) == stock, "The worker is taken over");
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
      DataNode datanode = mock(DataNode.class);
      when(datanode.getConf()).thenThrow(error);
      GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
          LoggerFactory.getLogger(PprDataNodePlugin.class));
      PprDataNodePlugin plugin = new PprDataNodePlugin();
      try {
        plugin.start(datanode);
      } finally {
        log.stopCapturing();
        plugin.stop();
      }
      String said = log.getOutput();
      assertTrue(said.contains("does NOT take part on this DataNode"), said);
      assertTrue(said.contains(error.toString()), said);
    }
  }

  private static Object pool(DataNode datanode) throws ReflectiveOperationException {
    Field pool =
        ErasureCodingWorker.class.getDeclaredField("stripedReconstructionPool");
    pool.setAccessible(true);
    return pool.get(datanode.getErasureCodingWorker());
  }
}
