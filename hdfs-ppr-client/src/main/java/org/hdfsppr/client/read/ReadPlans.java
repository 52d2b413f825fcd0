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
package org.hdfsppr.client.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.Planner;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.Topologies;
import org.hdfsppr.plan.Topology;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.slf4j.LoggerFactory;

/**
 * Makes the plans that rebuild ranges of one file's lost units, and the requests that carry them
 * out. It remembers failures for later plans, and reads nothing itself. Thread-safe.
 */
@InterfaceAudience.Private
final class ReadPlans {
  /** Logs once a minute what failing DataNodes cause in each read. */
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(ReadPlans.class));
  /** Stands for this client where plans need a node. */
  static final NodeRef CLIENT = new NodeRef("client", "", "", 0, NodeRef.NO_REPAIR_PORT, "");
  private static final AtomicLong SERIAL = new AtomicLong();
  /**
   * 2^64 over the golden ratio: all nodes come first in turn, also if a read takes several serials.
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  /** Stands for any port in plans that connect to nothing. */
  private static final int ANY_PORT = 1;
  private static final String LOOPBACK = "127.";
  private static final int SLICE_BYTES_LEAST = 8 << 10;
  private static final int SLICE_BYTES_MOST = 16 << 10;
  /** Fewer slices than that do not fill a chain. */
  private static final int SLICES_LEAST = 8;

  private final ReadContext context;
  private final LinearCode code;

  ReadPlans(ReadContext context, LinearCode code) {
    this.context = context;
    this.code = code;
  }

  /** The next plan has another order of DataNodes than the last one. */
  static long nextOrder() {
    return SERIAL.incrementAndGet();
  }

  /**
   * A plan of DataNodes that serve sums.
   *
   * @param failed DataNodes that take no part, by UUID
   * @param checkOneIn as in {@link PlanOptions}
   */
  RepairPlan ofServers(LocatedGroup group, UnitRange range, Set<String> failed, Topology topology,
      int checkOneIn) throws NoPlanException {
    long serial = nextOrder();
    List<Holder> live = live(group, range.unit(), failed, this::repairPort, true);
    live.removeIf(holder -> !holder.node().runsExtension()
        || !context.health().hasPort(holder.node().uuid()));
    return plan(group, range, live, topology, checkOneIn, serial);
  }

  /**
   * A plan in which the client reads all units and adds them up.
   *
   * @param order holders that come first take part rather than others
   * @param cautious whether to leave out nodes that are believed to be lost
   */
  RepairPlan ofReaders(LocatedGroup group, UnitRange range, Set<String> failed,
      Comparator<Holder> order, int checkOneIn, boolean cautious) throws NoPlanException {
    List<Holder> live = live(group, range.unit(), failed, node -> ANY_PORT, cautious);
    live.sort(order);
    return plan(group, range, live, Topologies.byName("star"), checkOneIn, 0);
  }

  /**
   * DataNodes that can be read; those that are known to be slow come last.
   *
   * @param cautious whether to leave out nodes that are believed to be lost
   */
  private List<Holder> live(LocatedGroup group, int lost, Set<String> failed,
      ToIntFunction<DatanodeInfo> port, boolean cautious) {
    List<Holder> live = new ArrayList<>();
    List<Holder> slow = new ArrayList<>();
    for (int unit = 0; unit < group.units(); unit++) {
      DatanodeInfo node = group.holder(unit);
      if (unit == lost || node == null || failed.contains(node.getDatanodeUuid())
          || cautious
              && context.health().isLost(node.getDatanodeUuid(), group.id().blockId(unit))) {
        continue;
      }
      Holder holder = new Holder(unit, new NodeRef(node.getDatanodeUuid(), node.getIpAddr(),
          node.getHostName(), node.getXferPort(), port.applyAsInt(node),
          node.getNetworkLocation()));
      (context.health().isSlow(node.getDatanodeUuid()) ? slow : live).add(holder);
    }
    // Each read begins at another node, so that all share the work. Apart from that, all groups
    // have the same order of nodes, so that helpers can use the connections again that they have
    // kept.
    live.sort(Comparator.comparing(holder -> holder.node().uuid()));
    Collections.rotate(live, (int) ((SERIAL.get() * SPREAD >>> Integer.SIZE)
        % Math.max(1, live.size())));
    live.addAll(slow);
    return live;
  }

  /** The port at which a node would serve: the same for all, except for nodes in this JVM. */
  private int repairPort(DatanodeInfo node) {
    Integer local = node.getIpAddr().startsWith(LOOPBACK)
        ? LocalServers.port(node.getXferPort()) : null;
    return local == null ? context.settings().repairPort() : local;
  }

  private RepairPlan plan(LocatedGroup group, UnitRange range, List<Holder> live, Topology topology,
      int checkOneIn, long seed) throws NoPlanException {
    GroupSnapshot snapshot = new GroupSnapshot(group.id(), group.bytes(), group.dataUnits(),
        group.parityUnits(), group.cellBytes(), live,
        Collections.singletonList(new Holder(range.unit(), CLIENT)), CLIENT);
    return Planner.plan(snapshot, code,
        new PlanOptions(topology, sliceBytes(range), checkOneIn, seed).inGivenOrder());
  }

  PartialSumRequest request(LocatedGroup group, RepairPlan plan, PlanNode root,
      SliceGeometry geometry) {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    root.forEach(node -> node.sources().forEach(share -> {
      LocatedBlock block = group.unit(share.unit());
      tokens.put(share.block(), block.getBlockToken());
    }));
    return new PartialSumRequest("read-" + SERIAL.get(), group.id(), geometry, plan.lostRows(),
        plan.checkRows(), context.settings().stallTimeoutMs(), root, tokens)
        .forReader();
  }

  int sliceBytes(UnitRange range) {
    int wanted = range.length() / code.subChunks() / SLICES_LEAST;
    return Math.max(SLICE_BYTES_LEAST,
        Math.min(SLICE_BYTES_MOST, Integer.highestOneBit(Math.max(1, wanted))));
  }

  /** Bytes of the lost unit in the coding windows that a range touches. */
  long bytesOfWindows(LocatedGroup group, UnitRange range) {
    int cellBytes = group.cellBytes();
    long cells = (range.to() - 1) / cellBytes - range.from() / cellBytes + 1;
    return Math.min((long) range.length() * code.subChunks(),
        code.subChunks() == 1 ? Long.MAX_VALUE : cells * cellBytes);
  }

  /** Notes for later reads what a failure says about the node that it names. */
  void note(LocatedGroup group, RepairException e) {
    String uuid = e.node().uuid();
    switch (e.failureCause()) {
      case UNREACHABLE:
      case UNSUPPORTED:
      case PROTOCOL:
        if (context.health().noteWithoutPort(uuid)) {
          LOG.warn("no port: " + uuid, "DataNode {} does not serve degraded reads, which wants the"
              + " plugin there and its port ({}, the same in both configurations) open for clients."
              + " What it would take part in is done without it for a minute: {}", e.node(),
              PprKeys.DATANODE_ADDRESS_KEY, e.getMessage());
        }
        break;
      case STALLED:
      case SLOW:
        context.health().noteStalled(uuid);
        break;
      case CORRUPT_REPLICA:
      case NO_SUCH_BLOCK:
      case STALE_REPLICA:
        for (int unit = 0; unit < group.units(); unit++) {
          DatanodeInfo holder = group.holder(unit);
          if (holder != null && holder.getDatanodeUuid().equals(uuid)) {
            context.health().noteLost(uuid, group.id().blockId(unit));
          }
        }
        break;
      default:
        break;
    }
  }
}
