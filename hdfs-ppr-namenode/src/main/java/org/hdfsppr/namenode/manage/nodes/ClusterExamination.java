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
package org.hdfsppr.namenode.manage.nodes;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.NodeFacts;
import org.hdfsppr.plan.NodeRef;

/**
 * Collects what is known about all DataNodes. Takes no lock of the namesystem. Any number of
 * threads may ask.
 */
@InterfaceAudience.Private
public final class ClusterExamination implements Supplier<ClusterFacts>, Closeable {
  /**
   * The longest wait for attempts to connect to repair ports, ms: the time of two attempts that
   * nothing answers.
   */
  private static final long WAIT_MS_MAX = 2 * PortProbes.TIMEOUT_MS;
  /**
   * How many threads wait for attempts at most. A further thread gets at once what is known. The
   * web server has few threads for all of its pages.
   */
  private static final int WAITING_MAX = 2;

  private final NameNodeView namenode;
  private final DataNodeAgents agents;
  private final PortProbes probes;
  private final ClusterFacts.NameNodeFacts own;
  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  /**
   * @param namenode names the live DataNodes
   * @param agents the DataNodes that run this project's plugin
   * @param probes tries repair ports; closed with this object
   * @param own what this NameNode says about itself
   */
  public ClusterExamination(NameNodeView namenode, DataNodeAgents agents, PortProbes probes,
      ClusterFacts.NameNodeFacts own) {
    this.namenode = namenode;
    this.agents = agents;
    this.probes = probes;
    this.own = own;
  }

  /**
   * Collects the facts. It tries the repair ports if none has been tried in the last minute, and
   * waits for a bounded time.
   */
  @Override
  public ClusterFacts get() {
    Map<String, NodeRef> live = new HashMap<>();
    List<NodeRef> all = new ArrayList<>();
    for (NameNodeView.LiveNode one : namenode.liveNodes()) {
      live.put(one.node.uuid, one.node);
      all.add(one.node);
    }
    List<NodeFacts> facts = agents.facts();
    List<NodeRef> serving = new ArrayList<>();
    for (NodeFacts node : facts) {
      NodeRef known = live.get(node.node.uuid);
      if (known != null && !node.silent && node.node.runsExtension()) {
        // The NameNode's own address of the node is tried, whatever its heartbeat says.
        serving.add(known.withRepairPort(node.node.repairPort));
      }
    }
    probes.begin(serving);
    if (waiting.tryAcquire()) {
      try {
        probes.await(WAIT_MS_MAX);
      } finally {
        waiting.release();
      }
    }
    return new ClusterFacts(all, facts, probes.closed(), probes.unchecked(serving), own);
  }

  /** Ends all attempts to connect. */
  @Override
  public void close() {
    probes.close();
  }
}
