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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.function.LongPredicate;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.GenericTestUtils;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.namenode.files.FilesNameNodeExtension;
import org.hdfsppr.namenode.manage.ManagerService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the DataNodes of a cluster wait for orders beside their heartbeats. */
@Timeout(300)
class TestOrderWaits {
  private static final int POLL_MS = 100;
  private static final int WAIT_MS = 120_000;

  /** A NameNode's plugin that keeps each call for a second. */
  public static final class Brief extends VersionCluster.Plugin {
    @Override
    protected ManagerService open(NameNode namenode) throws IOException {
      return ManagerService.start(namenode.getNamesystem(), namenode.getConf(),
          new FilesNameNodeExtension().read(namenode.getConf()), 1_000);
    }
  }

  @TempDir
  private File directory;

  /**
   * On a common connection, the answers of these calls would let a heartbeat wait for ever whose
   * answer is lost. All DataNodes of this JVM share the connections of one kind.
   */
  @Test
  void theyWaitOnAConnectionOfTheirOwn() throws Exception {
    Configuration conf = VersionCluster.conf(directory);
    conf.set("dfs.namenode.plugins", Brief.class.getName());
    int port = new SettingsReader(conf).address(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "").getPort();
    try (VersionCluster cluster = VersionCluster.start(conf)) {
      assertTrue(cluster.fs().exists(new Path("/ec")), "the NameNode is active");
      // Each DataNode has had an answer, and has called again.
      // These are the only calls at this port whose answers come later.
      await("RpcActivityForPort" + port, "DeferredRpcProcessingTimeNumOps",
          calls -> calls > VersionCluster.NODES);
      await("RpcActivityForPort" + port, "NumOpenConnections", open -> open >= 2);
      assertEquals(2, value("RpcActivityForPort" + port, "NumOpenConnections"));
    }
  }

  private static void await(String bean, String attribute, LongPredicate isReached)
      throws Exception {
    GenericTestUtils.waitFor(() -> {
      try {
        return isReached.test(value(bean, attribute));
      } catch (JMException e) {
        // Hadoop adds the attribute with the first call.
        return false;
      }
    }, POLL_MS, WAIT_MS);
  }

  private static long value(String bean, String attribute) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Set<ObjectName> names = server.queryNames(new ObjectName("Hadoop:name=" + bean + ",*"), null);
    return names.isEmpty() ? 0
        : ((Number) server.getAttribute(names.iterator().next(), attribute)).longValue();
  }
}
