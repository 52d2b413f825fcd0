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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.namenode.extend.NameNodeExtension;
import org.hdfsppr.namenode.manage.operator.OperatorRefreshHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that nothing is left of a service that cannot start, or has been closed. */
@InterfaceAudience.Private
class TestManagerService {
  @TempDir
  private File directory;

  private static boolean hasDoor() {
    try {
      RefreshRegistry.defaultRegistry().dispatch(OperatorRefreshHandler.IDENTIFIER,
          new String[] {"none"});
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The thread is the last part to start. If it fails to start, all parts that were started before
   * must be taken down.
   */
  @Test
  void whatHasBeenStartedIsTakenDownWhenTheThreadFailsToStart() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory).numDataNodes(0).build()) {
      ScheduledThreadPoolExecutor dead = new ScheduledThreadPoolExecutor(1);
      dead.shutdownNow();
      assertThrows(RejectedExecutionException.class,
          () -> ManagerService.start(cluster.getNamesystem(), conf,
              NameNodeExtension.NONE.read(conf), RepairManagerProtocol.KEPT_MS_MAX, dead));
      assertFalse(hasDoor());
      // The queue and the names of the metrics are free again.
      try (ManagerService service = ManagerService.start(cluster.getNamesystem(), conf)) {
        assertTrue(hasDoor());
        assertTrue(service.port() > 0);
        assertFalse(service.status().inCharge);
      }
      assertFalse(hasDoor());
    }
  }

  @Test
  void whatCannotBeTakenDownDoesNotKeepTheRestFromIt() {
    List<String> closed = new ArrayList<>();
    Teardown teardown = new Teardown();
    teardown.add(() -> closed.add("first"));
    teardown.add(() -> {
      throw new IOException("thrown on purpose");
    });
    teardown.add(() -> closed.add("last"));
    teardown.close();
    teardown.close();
    assertEquals(List.of("last", "first"), closed);
  }
}
