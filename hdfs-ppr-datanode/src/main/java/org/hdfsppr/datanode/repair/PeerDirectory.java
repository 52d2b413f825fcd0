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

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.SelfReport;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.wire.RequestFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which DataNodes run hdfs-ppr, and on which port. All DataNodes that run it listen for
 * repairs on the same port, so the directory only has to find out whether a node listens there. It
 * connects to all nodes of a repair at the same time, and keeps each answer for a while. A wrong
 * answer costs an attempt, but never leads to wrong bytes. Thread-safe.
 */
final class PeerDirectory implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerDirectory.class);
  /**
   * How long the directory relies on the answer that a node runs hdfs-ppr. The answer changes only
   * if the operator removes hdfs-ppr from the node, or the node stops.
   */
  private static final long KEEP_YES_NANOS = TimeUnit.MINUTES.toNanos(10);
  /**
   * How long the directory relies on the answer that a node does not run hdfs-ppr. The time is
   * short, because the operator may be installing hdfs-ppr on one node after another.
   */
  private static final long KEEP_NO_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * The number of probes that run at a time. A block group has at most 16 units, so the probes of
   * one repair can all run at once.
   */
  private static final int PROBES_AT_A_TIME = 16;
  /**
   * The directory warns that no node of a repair runs hdfs-ppr only if the repair has at least this
   * many nodes. A single node may lack hdfs-ppr by accident.
   */
  private static final int LONELY_AMONG = 2;
  /**
   * The directory keeps answers of at most this many nodes, and then forgets all. The largest
   * clusters have fewer nodes. The bound limits the memory for nodes that are gone.
   */
  private static final int ANSWERS_MOST = 100_000;

  /**
   * The features that a node has announced, and the time until which the directory relies on them.
   */
  private static final class Said {
    private final long features;
    private final long untilNanos;

    Said(long features, long untilNanos) {
      this.features = features;
      this.untilNanos = untilNanos;
    }
  }

  /**
   * Whether a node runs hdfs-ppr, and the time until which the directory relies on this answer.
   */
  private static final class Answer {
    private final boolean runs;
    private final long untilNanos;

    Answer(boolean runs, long untilNanos) {
      this.runs = runs;
      this.untilNanos = untilNanos;
    }
  }

  private final int port;
  private final int timeoutMs;
  private final boolean viaHostName;
  private final LongSupplier nanoClock;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, Said> said = new ConcurrentHashMap<>();
  private final UnreachablePeers unreachable;
  private final ExecutorService probes;

  /**
   * @param port the port for repairs that all DataNodes are configured with; 0 if there is no
   *     common port
   * @param timeoutMs milliseconds that a connection may take
   * @param viaHostName whether DataNodes connect to each other by host name instead of address
   * @param nanoClock a monotonic clock, ns
   */
  PeerDirectory(int port, int timeoutMs, boolean viaHostName, LongSupplier nanoClock) {
    this.port = port;
    this.timeoutMs = timeoutMs;
    this.viaHostName = viaHostName;
    this.nanoClock = nanoClock;
    this.unreachable = new UnreachablePeers(nanoClock);
    // The queue needs no bound of its own. It holds at most the nodes of the repairs that run, and
    // the number of running repairs is bounded.
    ThreadPoolExecutor pool = new ThreadPoolExecutor(PROBES_AT_A_TIME, PROBES_AT_A_TIME, 10,
        TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new Daemon.DaemonFactory());
    pool.allowCoreThreadTimeOut(true);
    this.probes = pool;
  }

  /**
   * Returns a reference to each node, by UUID. A reference names the port on which its node serves
   * repairs, or no port if the node serves none.
   *
   * @param ownIpAddr this node's address; other nodes with the same address may run in this JVM
   * @param nodes the nodes to look up
   */
  Map<String, NodeRef> resolve(String ownIpAddr, Collection<DatanodeInfo> nodes) {
    Map<String, NodeRef> references = new LinkedHashMap<>();
    List<Future<?>> open = new ArrayList<>();
    for (DatanodeInfo node : nodes) {
      NodeRef reference = reference(ownIpAddr, node);
      references.put(reference.uuid, reference);
      if (reference.repairPort == port && port != 0 && known(reference) == null) {
        open.add(probes.submit(() -> probe(reference)));
      }
    }
    for (Future<?> probe : open) {
      await(probe);
    }
    references.replaceAll((uuid, reference) -> {
      Answer answer = known(reference);
      return answer != null && !answer.runs
          ? reference.withRepairPort(NodeRef.NO_REPAIR_PORT) : reference;
    });
    if (!open.isEmpty()) {
      warnIfAlone(references.values());
    }
    return references;
  }

  /**
   * Returns {@code node} without its port for repairs if the directory knows that the node serves
   * no repairs. Otherwise returns {@code node} as it is, with the port that a manager named.
   */
  NodeRef asFarAsKnown(NodeRef node) {
    Answer answer = known(node);
    return answer != null && !answer.runs ? node.withRepairPort(NodeRef.NO_REPAIR_PORT) : node;
  }

  /**
   * Like {@link #asFarAsKnown(NodeRef)}, but for requests that need certain {@link
   * RequestFeatures}. If the node has announced that it lacks one of these features, the result has
   * no port, and a repair reads the node's unit as stock does.
   */
  NodeRef asFarAsKnown(NodeRef node, long needed) {
    return mayKnow(node, needed) ? asFarAsKnown(node)
        : node.withRepairPort(NodeRef.NO_REPAIR_PORT);
  }

  /**
   * Returns whether a node may know certain {@link RequestFeatures}: false only if the directory
   * relies on an announcement that the node lacks one of them.
   */
  boolean mayKnow(NodeRef node, long needed) {
    return RequestFeatures.covers(features(node), needed);
  }

  /** Returns the features that a node has announced, or all if the directory relies on none. */
  private long features(NodeRef node) {
    Said last = said.get(node.uuid);
    return last == null || nanoClock.getAsLong() - last.untilNanos > 0
        ? RequestFeatures.KNOWN : last.features;
  }

  /**
   * Notes that a node lacks some {@link RequestFeatures}, because it has refused a request that
   * needs them, of this node or of another one. Features that the directory already knows to be
   * missing stay so: the refusal itself may have announced that other features are missing, too.
   */
  void noteLacks(NodeRef node, long features) {
    noteFeatures(node, features(node) & ~features);
  }

  /** Notes the {@link RequestFeatures} that a node has announced. */
  void noteFeatures(NodeRef node, long features) {
    if (said.size() >= ANSWERS_MOST) {
      said.clear();
    }
    // The directory keeps an announcement only for a short time, because the node may get a newer
    // version.
    said.put(node.uuid, new Said(features, nanoClock.getAsLong() + KEEP_NO_NANOS));
  }

  /**
   * Warns if none of {@code nodes} runs hdfs-ppr. A single node may lack it while the operator
   * installs it on one node after another. If all nodes seem to lack it, their port is probably
   * closed.
   */
  private void warnIfAlone(Collection<NodeRef> nodes) {
    if (nodes.size() >= LONELY_AMONG && nodes.stream().noneMatch(NodeRef::runsExtension)) {
      LOG.warn("None of {} DataNodes serves repairs on port {}: {}. Is the port open between the"
          + " DataNodes, the same on all of them ({}), and the plugin there? Until then repairs"
          + " read from them as stock does, and take as long", nodes.size(), port, nodes,
          PprKeys.DATANODE_ADDRESS_KEY);
    }
  }

  /**
   * Returns a reference to a node. A node in this JVM has the port of its own server; any other
   * node has the common port until a probe says otherwise.
   */
  private NodeRef reference(String ownIpAddr, DatanodeInfo node) {
    Integer local = node.getIpAddr().equals(ownIpAddr)
        ? LocalServers.port(node.getXferPort()) : null;
    return new NodeRef(node.getDatanodeUuid(), node.getIpAddr(), node.getHostName(),
        node.getXferPort(), local == null ? port : local, node.getNetworkLocation());
  }

  private Answer known(NodeRef node) {
    Answer answer = answers.get(node.uuid);
    return answer == null || nanoClock.getAsLong() - answer.untilNanos > 0 ? null : answer;
  }

  private void probe(NodeRef node) {
    boolean runs;
    try (Socket socket = new Socket()) {
      NetUtils.connect(socket, NetUtils.createSocketAddrForHost(
          viaHostName ? node.hostName : node.ipAddr, node.repairPort), timeoutMs);
      runs = true;
    } catch (IOException e) {
      LOG.info("{} does not serve repairs on port {}, it will be read with stock reads: {}", node,
          node.repairPort, e.toString());
      runs = false;
    }
    keep(node, runs);
  }

  private void keep(NodeRef node, boolean runs) {
    if (answers.size() >= ANSWERS_MOST) {
      answers.clear();
    }
    unreachable.note(node.uuid, runs);
    answers.put(node.uuid,
        new Answer(runs, nanoClock.getAsLong() + (runs ? KEEP_YES_NANOS : KEEP_NO_NANOS)));
  }

  private static void await(Future<?> probe) {
    try {
      probe.get();
    } catch (InterruptedException e) {
      // The interrupt stays set, so that the repair fails at its next step.
      Thread.currentThread().interrupt();
    } catch (CancellationException e) {
      // The DataNode stops, and the repair fails at its next step.
      LOG.debug("A probe was given up", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("A probe failed unexpectedly", e.getCause());
    }
  }

  /**
   * Probes a node that another node could not reach, and keeps the answer.
   *
   * @return whether the node serves repairs
   */
  boolean stillServes(NodeRef node) {
    probe(node);
    Answer answer = known(node);
    return answer != null && answer.runs;
  }

  /** Notes that the node did not answer on its repair port. */
  void noteUnreachable(NodeRef node) {
    keep(node, false);
  }

  /** Returns the UUIDs of the nodes whose repair port this node has lately failed to reach. */
  List<String> unreachable() {
    return unreachable.recent();
  }

  @Override
  public void close() {
    for (Runnable dropped : probes.shutdownNow()) {
      // A repair waits for it, and no thread runs it any more.
      if (dropped instanceof Future) {
        ((Future<?>) dropped).cancel(false);
      }
    }
  }

  /**
   * Remembers the DataNodes to whose repair port this node has lately failed to connect, for the
   * heartbeats. The NameNode compares the reports of several nodes. Thread-safe.
   */
  static final class UnreachablePeers {
    /**
     * How long a failure is remembered, ns. An operator who asks some minutes after a repair must
     * still find its cause.
     */
    static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final LongSupplier nanoClock;
    /** The time until which each failure is remembered, by UUID, the latest failure last. */
    private final Map<String, Long> untilNanos = new LinkedHashMap<>();

    UnreachablePeers(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
    }

    /** Notes whether this node has reached the repair port of another node. */
    synchronized void note(String uuid, boolean reached) {
      untilNanos.remove(uuid);
      if (!reached) {
        untilNanos.put(uuid, nanoClock.getAsLong() + KEPT_NANOS);
        if (untilNanos.size() > SelfReport.UNREACHABLE_MAX) {
          Iterator<String> oldest = untilNanos.keySet().iterator();
          oldest.next();
          oldest.remove();
        }
      }
    }

    /** Returns the UUIDs of the nodes that could not be reached, at most those of one heartbeat. */
    synchronized List<String> recent() {
      untilNanos.values().removeIf(until -> nanoClock.getAsLong() - until > 0);
      return new ArrayList<>(untilNanos.keySet());
    }
  }

  /**
   * Connects to the helpers of the repairs that this DataNode runs. The directory notes which
   * features each helper announces.
   */
  static final class PeerConnector implements TransferConnector {
    private final TransferConnector connector;
    final PeerDirectory peers;

    PeerConnector(TransferConnector connector, PeerDirectory peers) {
      this.connector = connector;
      this.peers = peers;
    }

    @Override
    public TransferConnection connect(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token) throws IOException {
      return connector.connect(node, block, token);
    }

    @Override
    public TransferConnection connectAnew(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token) throws IOException {
      return connector.connectAnew(node, block, token);
    }

    @Override
    public void answered(NodeRef node, long features) {
      peers.noteFeatures(node, features);
    }
  }
}
