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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.Await;

/**
 * Reads the state that the NameNodes and DataNodes of a cluster report through their web servers.
 */
@InterfaceAudience.Private
public final class ClusterState {
  private static final Duration POLL = Duration.ofMillis(250);

  private final ClusterSpec spec;
  private final Masters nameNodes;
  private final DataNodes dataNodes;
  private final Network network;

  ClusterState(ClusterSpec spec, Masters nameNodes, DataNodes dataNodes, Network network) {
    this.spec = spec;
    this.nameNodes = nameNodes;
    this.dataNodes = dataNodes;
    this.network = network;
  }

  /**
   * Waits until the NameNode counts exactly {@code nodes} DataNodes as live.
   *
   * @param nodes the expected number of live DataNodes
   * @param limit the longest time to wait
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public void awaitLive(int nodes, Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    Await.until(() -> nodes + " live DataNodes, there are " + describeLive(), limit, POLL,
        () -> {
          if (!spec.ha) {
            nameNodes.daemon(1).requireAlive();
          }
          return liveNodes().equals(Optional.of(nodes));
        });
  }

  /** Waits until every NameNode knows as many replicas as all DataNodes store. */
  void awaitReported(Duration limit)
      throws IOException, InterruptedException, TimeoutException {
    long all = dataNodes.storedReplicas();
    for (int number = 1; number <= nameNodes.count(); number++) {
      int asked = number;
      Await.until("all " + all + " replicas are reported", limit, POLL,
          () -> nameNodes.reportedReplicas(asked) == all);
    }
  }

  private String describeLive() {
    try {
      Optional<Integer> live = liveNodes();
      return live.map(String::valueOf).orElse("unknown") + "; processes not running: "
          + dataNodes.describeDead();
    } catch (IOException e) {
      return "not to be found out: " + e;
    }
  }

  /** {@return how many DataNodes the NameNode counts as live; empty while it does not answer} */
  public Optional<Integer> liveNodes() {
    try {
      return Optional.of(nameNodeJmx("Hadoop:service=NameNode,name=FSNamesystemState")
          .get("NumLiveDataNodes").asInt());
    } catch (IOException e) {
      // The NameNode is not up yet, or has ended. In both cases there is no count.
      return Optional.empty();
    }
  }

  /**
   * {@return the first MBean whose name matches, from the only or active NameNode}
   *
   * @param query an object name, also as a pattern
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public JsonNode nameNodeJmx(String query) throws IOException {
    if (nameNodes.count() == 1) {
      return nameNodes.jmx(1, query);
    }
    OptionalInt active = nameNodes.active();
    if (active.isEmpty()) {
      throw new IOException("No NameNode of '" + spec.name + "' is active");
    }
    return nameNodes.jmx(active.getAsInt(), query);
  }

  /**
   * {@return how many blocks still lack redundancy, as the only or active NameNode counts them}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public Redundancy redundancy() throws IOException {
    return Redundancy.of(nameNodeJmx("Hadoop:service=NameNode,name=FSNamesystemState"),
        nameNodeJmx("Hadoop:service=NameNode,name=ECBlockGroupsState"));
  }

  /**
   * {@return the first MBean whose name matches, from a DataNode}
   *
   * @param node a DataNode, from 1
   * @param query an object name, also as a pattern
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public JsonNode jmx(int node, String query) throws IOException {
    return Jmx.bean(network.nodeAddress(node), DaemonSettings.DATANODE_HTTP_PORT, query);
  }
}
