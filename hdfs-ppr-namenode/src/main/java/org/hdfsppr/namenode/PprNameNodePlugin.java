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

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerAccess;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ServicePlugin;
import org.hdfsppr.conf.RemovedKeys;
import org.hdfsppr.conf.WrongSettingException;
import org.hdfsppr.loader.HadoopLoader;
import org.hdfsppr.namenode.manage.ManagerService;
import org.hdfsppr.namenode.scrub.NameNodeNamespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's side of the extension, to be named in {@code dfs.namenode.plugins}. It schedules
 * the repairs of erasure-coded block groups in place of the NameNode. If anything that it needs is
 * missing or wrong, the log says so, the plugin takes over nothing, and the NameNode works as
 * without the plugin.
 */
@InterfaceAudience.Public
public class PprNameNodePlugin implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(PprNameNodePlugin.class);

  private ManagerService service;
  /** Removes the web pages when it is closed; null while there are none. */
  private Closeable pages;

  @Override
  public synchronized void start(Object daemon) {
    if (service != null) {
      LOG.warn("hdfs-ppr runs on this NameNode already");
      return;
    }
    try {
      if (!(daemon instanceof NameNode)) {
        throw new IOException(daemon + " is not a NameNode; name this class in"
            + " dfs.namenode.plugins only");
      }
      start((NameNode) daemon);
    } catch (WrongSettingException e) {
      LOG.error("hdfs-ppr does NOT schedule repairs on this NameNode, stock stays in charge: {}."
          + " Change it in this NameNode's hdfs-site.xml and restart the NameNode",
          e.getMessage());
      LOG.debug("hdfs-ppr was not started", e);
      stop();
    } catch (IOException | RuntimeException | LinkageError | AssertionError
        | VirtualMachineError e) {
      // Stock would log any error, and go on with half of the plugin. A Hadoop that lacks one of
      // the methods called here throws a LinkageError.
      LOG.error("hdfs-ppr does NOT schedule repairs on this NameNode, stock stays in charge: {}",
          e.getMessage(), e);
      stop();
    }
  }

  private void start(NameNode namenode) throws IOException {
    HadoopLoader.checkDaemon(BlockManagerAccess.class, BlockManager.class);
    List<String> missing = BlockManagerAccess.missing();
    if (!missing.isEmpty()) {
      throw new IOException("this Hadoop lacks " + missing);
    }
    service = open(namenode);
    LOG.info("hdfs-ppr schedules the repairs of erasure-coded block groups on this NameNode;"
        + " DataNodes reach it at port {}", service.port());
    service.startChecks(new NameNodeNamespace(namenode::getRpcServer));
    service.startExtension(namenode::getRpcServer);
    pages = openPages(namenode, service);
    RemovedKeys.warnNameNode(namenode.getConf());
  }

  /**
   * Starts the service. Tests override this method to start a service with shorter waits.
   *
   * @param namenode the running NameNode
   * @return the running service
   * @throws IOException if it cannot run
   */
  @InterfaceAudience.Private
  protected ManagerService open(NameNode namenode) throws IOException {
    return ManagerService.start(namenode.getNamesystem(), namenode.getConf());
  }

  /**
   * Adds the pages of repairs to the NameNode's web server. Repairs do not depend on these pages.
   * This class names no class of the web server, so that it can be loaded even if one of them is
   * missing.
   *
   * @return removes the pages when it is closed; null if there are none
   */
  private static Closeable openPages(NameNode namenode, ManagerService service) {
    try {
      return WebParts.open(namenode, service);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.warn("This NameNode shows no page of repairs; the repairs go on: {}", e.toString());
      LOG.debug("There is no page of repairs", e);
      return null;
    }
  }

  /** @return the running service; null if there is none */
  public synchronized ManagerService service() {
    return service;
  }

  private void closePages() {
    if (pages == null) {
      return;
    }
    try {
      pages.close();
    } catch (IOException e) {
      LOG.warn("The page of repairs did not close cleanly", e);
    }
    pages = null;
  }

  /** @return port on which DataNodes reach the repair manager, or -1 if it does not run */
  public synchronized int port() {
    return service == null ? -1 : service.port();
  }

  @Override
  public synchronized void stop() {
    closePages();
    if (service != null) {
      service.close();
      service = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
