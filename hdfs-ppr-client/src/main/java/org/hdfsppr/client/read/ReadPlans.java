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
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.TreeTopology;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.slf4j.LoggerFactory;

/**
 * Makes the plans that rebuild ranges of one file's lost units, and the requests that carry out
 * these plans. This class notes failures for later plans, and reads nothing itself. Thread-safe.
 */
final class ReadPlans {
  /**
   * Repeats the same message at most once a minute, because a failing DataNode may cause it in each
   * read.
   */
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(ReadPlans.class));
  /** The node that stands for this client in plans. */
  static final NodeRef CLIENT = new NodeRef("client", "", "", 0, NodeRef.NO_REPAIR_PORT, "");
  private static final AtomicLong SERIAL = new AtomicLong();
  /**
   * 2^64 divided by the golden ratio. Multiplied by this number, modulo 2^64, successive serial
   * numbers are spread evenly. The product decides which node of a list comes first, so each node
   * is first now and then, even if each read takes several serial numbers.
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  /**
   * The repair port of all nodes in a plan in which the client reads all units itself. No
   * connection uses this port.
   */
  private static final int ANY_PORT = 1;
  private static final String LOOPBACK = "127.";
  private static final int SLICE_BYTES_LEAST = 8 << 10;
  private static final int SLICE_BYTES_MOST = 16 << 10;
  /**
   * A range has at least this many slices, unless its slices would be shorter than {@link
   * #SLICE_BYTES_LEAST}. With fewer slices, the nodes of a chain could not work at the same time.
   */
  private static final int SLICES_LEAST = 8;

  private final ReadContext context;
  private final LinearCode code;

  ReadPlans(ReadContext context, LinearCode code) {
    this.context = context;
    this.code = code;
  }

  /**
   * Takes the next serial number, so that the next plan has another order of DataNodes than the
   * last plan.
   */
  static long nextOrder() {
    return SERIAL.incrementAndGet();
  }

  /**
   * Makes a plan in which DataNodes add up partial sums.
   *
   * @param failed UUIDs of the DataNodes that must not take part
   * @param checkOneIn one slice in this number of slices is checked; 0 for no checks
   * @param narrow whether links may be narrow; links of nodes that do not know narrow links stay
   *     wide
   */
  RepairPlan ofServers(LocatedGroup group, UnitRange range, Set<String> failed,
      TreeTopology topology,
      int checkOneIn, boolean narrow) throws NoPlanException {
    long serial = nextOrder();
    List<UnitHolder> live = live(group, range.unit, failed, this::repairPort, true);
    live.removeIf(holder -> !holder.node.runsExtension()
        || !context.health.hasPort(holder.node.uuid));
    return plan(group, range, live, new PlanOptions(topology, sliceBytes(range), checkOneIn, serial)
        .withNarrowLinks(node -> narrow && context.health.mayHaveNarrowLinks(node.uuid)));
  }

  /**
   * Makes a plan in which the client reads all units itself and decodes.
   *
   * @param order the order in which the plan prefers DataNodes
   * @param checkOneIn one slice in this number of slices is checked; 0 for no checks
   * @param cautious whether to leave out nodes that are believed to be lost
   */
  RepairPlan ofReaders(LocatedGroup group, UnitRange range, Set<String> failed,
      Comparator<UnitHolder> order, int checkOneIn, boolean cautious) throws NoPlanException {
    List<UnitHolder> live = live(group, range.unit, failed, node -> ANY_PORT, cautious);
    live.sort(order);
    return plan(group, range, live,
        new PlanOptions(TreeTopologies.byName("star"), sliceBytes(range), checkOneIn, 0));
  }

  /**
   * Lists the DataNodes that can be read. Nodes that are known to be slow come last.
   *
   * @param cautious whether to leave out nodes that are believed to be lost
   */
  private List<UnitHolder> live(LocatedGroup group, int lost, Set<String> failed,
      ToIntFunction<DatanodeInfo> port, boolean cautious) {
    List<UnitHolder> live = new ArrayList<>();
    List<UnitHolder> slow = new ArrayList<>();
    for (int unit = 0; unit < group.units(); unit++) {
      DatanodeInfo node = group.holder(unit);
      if (unit == lost || node == null || failed.contains(node.getDatanodeUuid())
          || cautious
              && context.health.isLost(node.getDatanodeUuid(), group.id().blockId(unit))) {
        continue;
      }
      UnitHolder holder = new UnitHolder(unit, node(node, port.applyAsInt(node)));
      (context.health.isSlow(node.getDatanodeUuid()) ? slow : live).add(holder);
    }
    // Each read begins at another node of the list, so that all nodes share the work. Apart from
    // its beginning, the order of nodes is the same for all groups, so that helpers can reuse the
    // connections that they have kept.
    live.sort(Comparator.comparing(holder -> holder.node.uuid));
    Collections.rotate(live, (int) ((SERIAL.get() * SPREAD >>> Integer.SIZE)
        % Math.max(1, live.size())));
    live.addAll(slow);
    return live;
  }

  private static NodeRef node(DatanodeInfo node, int port) {
    return new NodeRef(node.getDatanodeUuid(), node.getIpAddr(), node.getHostName(),
        node.getXferPort(), port, node.getNetworkLocation());
  }

  /** Returns the node that stands in plans for a DataNode that adds up partial sums. */
  NodeRef server(DatanodeInfo node) {
    return node(node, repairPort(node));
  }

  /**
   * The port at which a DataNode serves partial sums if it runs hdfs-ppr's plugin. It is the same
   * for all DataNodes, except for those that run in this JVM.
   */
  private int repairPort(DatanodeInfo node) {
    Integer local = node.getIpAddr().startsWith(LOOPBACK)
        ? LocalServers.port(node.getXferPort()) : null;
    return local == null ? context.settings.repairPort : local;
  }

  private RepairPlan plan(LocatedGroup group, UnitRange range, List<UnitHolder> live,
      PlanOptions options) throws NoPlanException {
    GroupSnapshot snapshot = new GroupSnapshot(group.layout(),
        live, Collections.singletonList(new UnitHolder(range.unit, CLIENT)), CLIENT);
    return RepairPlanner.plan(snapshot, code, options.inGivenOrder());
  }

  PartialSumRequest request(LocatedGroup group, RepairPlan plan, PlanNode root,
      SliceGeometry geometry) {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    root.forEach(node -> node.sources.forEach(share -> {
      LocatedBlock block = group.unit(share.unit);
      tokens.put(share.block, block.getBlockToken());
    }));
    return request(group, plan, root, geometry, tokens);
  }

  /** Makes the request of a plan whose sources may be blocks of any files. */
  PartialSumRequest request(LocatedGroup group, RepairPlan plan, SliceGeometry geometry,
      Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
    return request(group, plan, plan.root, geometry, tokens);
  }

  private PartialSumRequest request(LocatedGroup group, RepairPlan plan, PlanNode root,
      SliceGeometry geometry, Map<BlockRef, Token<BlockTokenIdentifier>> tokens) {
    return new PartialSumRequest(PartialSumRequest.of("read-" + SERIAL.get(), plan.lostRows(),
        plan.checkRows(), context.settings.stallTimeoutMs), group.id(), geometry, root, tokens)
        .forReader();
  }

  /** Returns the length of the slices in which a range is rebuilt, bytes. */
  int sliceBytes(UnitRange range) {
    int wanted = range.length() / code.subChunks() / SLICES_LEAST;
    return Math.max(SLICE_BYTES_LEAST,
        Math.min(SLICE_BYTES_MOST, Integer.highestOneBit(Math.max(1, wanted))));
  }

  /**
   * How many bytes of the lost unit have to be rebuilt for a range. A code with sub-chunks couples
   * the bytes at the same offset in the equal parts of a cell, so for each byte of the range it
   * rebuilds one byte in each part.
   */
  long bytesOfWindows(LocatedGroup group, UnitRange range) {
    int cellBytes = group.cellBytes();
    long cells = (range.to - 1) / cellBytes - range.from / cellBytes + 1;
    return Math.min((long) range.length() * code.subChunks(),
        code.subChunks() == 1 ? Long.MAX_VALUE : cells * cellBytes);
  }

  /**
   * Returns whether a node has probably failed only because it does not know narrow links. If so,
   * later reads ask this node for wide links only.
   */
  boolean refusesNarrowLinks(RepairPlan plan, RepairException e) {
    boolean refuses = e.failureCause == FailureCause.UNSUPPORTED
        && NarrowLinks.isNarrow(plan.root);
    if (refuses) {
      context.health.noteWideLinks(e.node.uuid);
    }
    return refuses;
  }

  /** Records for later reads what a failure shows about the node that it names. */
  void note(LocatedGroup group, RepairException e) {
    String uuid = e.node.uuid;
    switch (e.failureCause) {
      case CORRUPT_REPLICA:
      case NO_SUCH_BLOCK:
      case STALE_REPLICA:
        for (int unit = 0; unit < group.units(); unit++) {
          DatanodeInfo holder = group.holder(unit);
          if (holder != null && holder.getDatanodeUuid().equals(uuid)) {
            context.health.noteLost(uuid, group.id().blockId(unit));
          }
        }
        break;
      default:
        noteNode(e);
        break;
    }
  }

  /**
   * Like {@link #note}, but records nothing about single blocks of the node. Used for plans whose
   * blocks are not units of one block group.
   */
  void noteNode(RepairException e) {
    String uuid = e.node.uuid;
    switch (e.failureCause) {
      case UNREACHABLE:
      case UNSUPPORTED:
      case PROTOCOL:
        if (context.health.noteWithoutPort(uuid)) {
          LOG.warn("no port: " + uuid, "DataNode {} does not serve degraded reads, which wants the"
              + " plugin there and its port ({}, the same in both configurations) open for clients."
              + " What it would take part in is done without it for a minute: {}", e.node,
              PprKeys.DATANODE_ADDRESS_KEY, e.getMessage());
        }
        break;
      case STALLED:
      case SLOW:
        context.health.noteStalled(uuid);
        break;
      default:
        break;
    }
  }
}
