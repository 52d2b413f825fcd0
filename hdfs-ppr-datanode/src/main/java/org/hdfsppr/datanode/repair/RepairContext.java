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
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.stream.NodeMemory;
import org.hdfsppr.stream.RateMemory;
import org.hdfsppr.stream.TransferConnector;

/** The parts that all repairs of one DataNode share. Immutable; the parts are thread-safe. */
final class RepairContext {
  final DataNode datanode;
  final RepairSettings settings;
  final DataNodeHost host;
  final TransferConnector connector;
  final RegionKernel kernel;
  final NodeMemory memory;
  final PeerDirectory peers;
  final RateMemory rates;
  final RepairMetrics metrics;
  final LongSupplier nanoClock;

  RepairContext(DataNode datanode, RepairSettings settings, DataNodeHost host,
      TransferConnector connector, RegionKernel kernel, NodeMemory memory, PeerDirectory peers,
      RateMemory rates, RepairMetrics metrics, LongSupplier nanoClock) {
    this.datanode = datanode;
    this.settings = settings;
    this.host = host;
    this.connector = connector;
    this.kernel = kernel;
    this.memory = memory;
    this.peers = peers;
    this.rates = rates;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
  }
}
