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

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.erasurecode.ErasureCodingWorker;
import org.apache.hadoop.hdfs.server.datanode.erasurecode.ErasureCodingWorkerAccess;
import org.apache.hadoop.util.ServicePlugin;
import org.hdfsppr.conf.RemovedKeys;
import org.hdfsppr.datanode.agent.ManagerAgent;
import org.hdfsppr.datanode.repair.RepairService;
import org.hdfsppr.loader.HadoopLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the DataNode's side of hdfs-ppr; {@code dfs.datanode.plugins} names this class. The plugin
 * takes over the reconstruction tasks of erasure-coded blocks, and serves as a helper for the tasks
 * of other DataNodes. If something that the plugin needs is missing or wrong, it logs an error and
 * takes nothing over. The DataNode then works as it would without the plugin.
 */
@InterfaceAudience.Public
public class PprDataNodePlugin implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(PprDataNodePlugin.class);

  private RepairService service;
  private ErasureCodingWorkerAccess takeOver;
  private ManagerAgent agent;

  @Override
  public synchronized void start(Object daemon) {
    if (service != null) {
      LOG.warn("hdfs-ppr runs on this DataNode already");
      return;
    }
    try {
      if (!(daemon instanceof DataNode)) {
        throw new IOException(daemon + " is not a DataNode; name this class in"
            + " dfs.datanode.plugins only");
      }
      start((DataNode) daemon);
    } catch (IOException | RuntimeException | LinkageError | AssertionError
        | VirtualMachineError e) {
      // Stock would log any error, and go on with half of the plugin. A LinkageError arises if this
      // Hadoop lacks a class or a method that the plugin uses.
      LOG.error("hdfs-ppr does NOT take part on this DataNode, stock reconstruction stays in"
          + " charge: {}", e.getMessage(), e);
      stop();
    }
  }

  private void start(DataNode datanode) throws IOException {
    HadoopLoader.checkDaemon(ErasureCodingWorkerAccess.class, ErasureCodingWorker.class);
    List<String> missing = ErasureCodingWorkerAccess.missing();
    if (!missing.isEmpty()) {
      throw new IOException("this Hadoop lacks " + missing);
    }
    service = open(datanode);
    takeOver = ErasureCodingWorkerAccess.install(datanode, service.taskHandler());
    agent = ManagerAgent.start(datanode, service);
    LOG.info("hdfs-ppr leads the reconstruction of erasure-coded blocks on this DataNode and"
        + " serves those of others on port {}", service.port());
    RemovedKeys.warnDataNode(datanode.getConf());
  }

  /**
   * Starts the service. Tests start one with settings that an operator cannot choose.
   *
   * @param datanode the running DataNode
   * @return the running service
   * @throws IOException if it cannot run
   */
  @InterfaceAudience.Private
  protected RepairService open(DataNode datanode) throws IOException {
    return RepairService.start(datanode);
  }

  @Override
  public synchronized void stop() {
    if (agent != null) {
      agent.stop();
      agent = null;
    }
    if (takeOver != null) {
      takeOver.uninstall();
      takeOver = null;
    }
    if (service != null) {
      service.stop();
      service = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
