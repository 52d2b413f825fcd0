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
package org.hdfsppr.namenode.extend;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NamesystemView;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.schedule.CodeSource;

/** What the parts of an extension may use of a NameNode's repair manager. Immutable. */
@InterfaceAudience.Private
public final class NameNodeBase {
  /** The running NameNode */
  public final FSNamesystem namesystem;
  /** The NameNode's configuration */
  public final Configuration conf;
  /** The repair manager */
  public final ManagerView manager;
  /** The DataNodes that run the plugin, which take commands with their heartbeats */
  public final DataNodeAgents agents;
  /** All DataNodes */
  public final NamesystemView view;
  /** Finds the code of a policy */
  public final CodeSource codes;
  /** The counters of this NameNode, and the health of the plugin's threads */
  public final ManagerMetrics metrics;

  /**
   * @param namesystem the running NameNode
   * @param conf the NameNode's configuration
   * @param manager the repair manager
   * @param agents the DataNodes that run the plugin
   * @param view all DataNodes
   * @param codes finds the code of a policy
   * @param metrics the counters of this NameNode
   */
  public NameNodeBase(FSNamesystem namesystem, Configuration conf, ManagerView manager,
      DataNodeAgents agents, NamesystemView view, CodeSource codes, ManagerMetrics metrics) {
    this.namesystem = namesystem;
    this.conf = conf;
    this.manager = manager;
    this.agents = agents;
    this.view = view;
    this.codes = codes;
    this.metrics = metrics;
  }
}
