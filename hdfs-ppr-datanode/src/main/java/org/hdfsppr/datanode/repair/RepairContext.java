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
package org.hdfsppr.datanode.repair;

import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.repair.PeerDirectory.PeerConnector;
import org.hdfsppr.stream.NodeMemory;
import org.hdfsppr.stream.RateMemory;
import org.hdfsppr.stream.TransferConnector;

/** The parts that all repairs of one DataNode share. Immutable; the parts are thread-safe. */
@InterfaceAudience.Private
public final class RepairContext {
  /** The DataNode */
  public final DataNode datanode;
  /** The settings of repairs */
  public final RepairSettings settings;
  /** Gives the repairs that this DataNode leads access to its replicas, tokens and throttlers */
  public final DataNodeHost host;
  /** Connects to other DataNodes, and notes the features that they announce */
  public final TransferConnector connector;
  /** Multiplies the bytes of units by coefficients, and adds them */
  public final RegionKernel kernel;
  /** The memory of all repairs of this DataNode */
  public final NodeMemory memory;
  final PeerDirectory peers;
  final RateMemory rates = new RateMemory();
  /** The counters of this DataNode's repairs */
  public final RepairMetrics metrics;
  /** A monotonic clock, ns */
  public final LongSupplier nanoClock;

  RepairContext(RepairSettings settings, DataNodeHost host, PeerConnector connector,
      RegionKernel kernel, NodeMemory memory, RepairMetrics metrics, LongSupplier nanoClock) {
    this.datanode = host.datanode;
    this.settings = settings;
    this.host = host;
    this.connector = connector;
    this.kernel = kernel;
    this.memory = memory;
    this.peers = connector.peers;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
  }
}
