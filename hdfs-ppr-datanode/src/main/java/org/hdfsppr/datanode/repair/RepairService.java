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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DNConf;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.repair.PeerDirectory.PeerConnector;
import org.hdfsppr.datanode.replica.ChunkCache;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.scrub.ScrubExecutor;
import org.hdfsppr.datanode.server.DegradedReads;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.datanode.server.PartialSumHandler;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.datanode.takeover.TaskHandler;
import org.hdfsppr.datanode.users.RepairThrottler;
import org.hdfsppr.datanode.users.UserBytes;
import org.hdfsppr.loader.Extensions;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.CommandKind;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.HelperSession;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.stream.NodeMemory;
import org.hdfsppr.stream.RequestLimits;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.verify.GroupReadings;
import org.hdfsppr.wire.RequestFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts, holds and stops all parts that run for repairs on one DataNode. The transfer server
 * serves the repairs of other nodes, the {@link RepairCoordinator} runs the repairs whose
 * destination is this node, and both share the other parts. Thread-safe.
 */
@InterfaceAudience.Private
public final class RepairService {
  private static final Logger LOG = LoggerFactory.getLogger(RepairService.class);
  /**
   * How long {@link #stop} waits for the threads of a part to end, ms. The threads notice the end
   * at once, because the service aborts their connections.
   */
  private static final long STOP_TIMEOUT_MS = 5_000;
  /**
   * The longest wait for the answer to a probe, ms. If a node does not answer in time, repairs use
   * stock reads for that node until the next probe.
   */
  private static final int PROBE_TIMEOUT_MS_MOST = 2_000;

  /**
   * The chunk cache takes at most the heap divided by this number, even if its setting allows more.
   * A DataNode that runs out of heap serves no reader.
   */
  private static final int CHUNK_CACHE_HEAP_SHARE = 4;

  /** The {@link CommandFeatures} that this node has without a second jar of hdfs-ppr. */
  private static final long FEATURES_OF_COMMANDS = CommandFeatures.DOUBTED | CommandFeatures.BLOCKS
      | CommandFeatures.SCRUB | CommandFeatures.CORE | CommandFeatures.CHECK_QUEUE;

  private final DataNodeExtension.Base base;
  /** Stock's port of this DataNode, by which other DataNodes in this JVM find this service. */
  private final int xferPort;
  /** The counters of this service */
  public final RepairMetrics metrics;
  private final TransferServer server;
  private final RepairCoordinator lead;
  private final ScrubExecutor scrubber;
  /** The parts that a second jar of hdfs-ppr adds */
  public final DataNodeExtension.Parts parts;
  /** The groups that clients read degraded with this node's help */
  public final DegradedReads degradedReads;
  private final RepairThrottler users;

  private RepairService(DataNodeExtension.Base base, TransferServer server,
      RepairCoordinator lead, ScrubExecutor scrubber, DataNodeExtension.Parts parts,
      DegradedReads degradedReads, RepairThrottler users) {
    this.base = base;
    this.xferPort = base.context.datanode.getXferPort();
    this.metrics = base.context.metrics;
    this.server = server;
    this.lead = lead;
    this.scrubber = scrubber;
    this.parts = parts;
    this.degradedReads = degradedReads;
    this.users = users;
  }

  /**
   * Reads the settings, opens the port and starts to serve it.
   *
   * @param datanode the DataNode whose replicas the service reads and writes
   * @return the running service; {@link #stop} ends it
   * @throws IOException if the port cannot be opened, or would be unprotected on a secure cluster,
   *     or if a second jar of hdfs-ppr is installed that cannot be used; nothing runs then
   * @throws IllegalArgumentException if a setting has a value that is not allowed; the message
   *     names the setting, and nothing runs then
   */
  public static RepairService start(DataNode datanode) throws IOException {
    return start(datanode, RepairSettings.of(datanode.getConf()));
  }

  /** Like {@link #start(DataNode)}, but with settings that an operator cannot choose. */
  static RepairService start(DataNode datanode, RepairSettings settings) throws IOException {
    return start(datanode, settings,
        Extensions.one(DataNodeExtension.class).orElse(DataNodeExtension.NONE));
  }

  /** Like {@link #start(DataNode)}, but with the given settings and the given extension. */
  static RepairService start(DataNode datanode, RepairSettings settings,
      DataNodeExtension extension) throws IOException {
    // This call throws an exception now if the kinds of commands cannot be loaded. Otherwise each
    // heartbeat would fail later.
    CommandKind.all();
    DataNodeExtension.Setup setup = extension.read(datanode.getConf());
    RegionKernel kernel = kernel(settings.kernel);
    long features = requestFeatures(datanode.getConf());
    InetSocketAddress address = settings.address;
    ServerSocketChannel listener = TransferServer.listen(address);
    boolean started = false;
    RepairMetrics metrics = null;
    try {
      int port = listener.socket().getLocalPort();
      checkSafe(datanode, port);
      metrics = RepairMetrics.register(datanode.getConf(), datanode.getDisplayName());
      RepairService service = start(datanode, settings, setup, kernel, features, listener,
          metrics, address.getPort());
      started = true;
      return service;
    } finally {
      if (!started) {
        listener.close();
        if (metrics != null) {
          metrics.unregister();
        }
      }
    }
  }

  private static RegionKernel kernel(String name) {
    try {
      return Kernels.select(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PprKeys.KERNEL_KEY + ": " + e.getMessage(), e);
    }
  }

  /** Returns the features that this version knows, without those that the operator withholds. */
  static long requestFeatures(Configuration conf) {
    long withheld = new SettingsReader(conf).number(PprKeys.DATANODE_FEATURES_WITHHELD_KEY,
        PprKeys.DATANODE_FEATURES_WITHHELD_DEFAULT, 0, RequestFeatures.EVER_KNOWN);
    return RequestFeatures.KNOWN & ~withheld;
  }

  private static RepairService start(DataNode datanode, RepairSettings settings,
      DataNodeExtension.Setup setup, RegionKernel kernel, long features,
      ServerSocketChannel listener, RepairMetrics metrics, int commonPort) {
    int port = listener.socket().getLocalPort();
    ChunkCache chunks = chunkCache(settings, metrics);
    RepairTraffic traffic = new RepairTraffic();
    RepairThrottler users = new RepairThrottler(new UserBytes(datanode, traffic), traffic,
        settings.pressure, settings.linkBytesPerSecond,
        () -> datanode.getDatanodeId() == null ? null : datanode.getDatanodeId().getIpAddr());
    DataNodeHost helping = DataNodeHost.helping(datanode, port, commonPort, chunks, traffic)
        .withRequestFeatures(features).withLink(users).withLocalUnits(setup.localUnits());
    TransferConnector connector = new DataNodeConnector(datanode, settings.connectTimeoutMs());
    RequestLimits limits =
        new RequestLimits(settings.sliceBytes, settings.stallTimeoutMs, kernel);
    NodeMemory memory = new NodeMemory(settings.bufferBytes, limits.bytesMost,
        limits.pieceBytesMost);
    if (!memory.hasSmallShares()) {
      LOG.warn("One request may need {} bytes, so that one caller may hold that much of the {}"
          + " bytes that repairs have. Raise {}", memory.callerBytesMost(), settings.bufferBytes,
          PprKeys.DATANODE_BUFFER_BYTES_KEY);
    }
    metrics.watchBufferBytes(memory::usedBytes);
    PeerDirectory peers = new PeerDirectory(commonPort,
        Math.min(PROBE_TIMEOUT_MS_MOST, settings.connectTimeoutMs()),
        datanode.getDnConf().getConnectToDnViaHostname(), System::nanoTime);
    DegradedReads degradedReads = new DegradedReads(System::nanoTime);
    metrics.watchGroupsReadDegraded(degradedReads::size);
    DataNodeHost leading = DataNodeHost.leading(datanode, port, traffic)
        .withRequestFeatures(features).withLink(users);
    RepairContext context = new RepairContext(settings, leading,
        new PeerConnector(connector, peers), kernel, memory, metrics, System::nanoTime);
    RepairCoordinator lead = new RepairCoordinator(context);
    ScheduledThreadPoolExecutor timer = TransferServer.timer();
    DataNodeExtension.Base base = new DataNodeExtension.Base(context, helping, connector, port,
        commonPort, timer, () -> lead.led() > 0);
    DataNodeExtension.Parts parts = null;
    TransferServer server = null;
    try {
      OpHandler partialSums = new PartialSumHandler(limits, (toChildren, caller) ->
          new HelperSession(helping, toChildren, kernel, memory.helping(caller), context.rates,
              System::nanoTime), connector, helping, metrics, degradedReads::served,
          new AttemptGuard.Timing(timer, System::nanoTime));
      parts = setup.open(base);
      List<OpHandler> handlers = new ArrayList<>();
      handlers.add(partialSums);
      handlers.addAll(parts.handlers());
      users.begin(timer, metrics.services);
      parts.start(timer);
      server = TransferServer.start(datanode, listener, settings.helperThreads,
          settings.requestTimeoutMs(), metrics, handlers, timer);
    } finally {
      if (server == null) {
        timer.shutdownNow();
        if (parts != null) {
          parts.close();
        }
      }
    }
    BufferSource spare = memory.spare();
    ScrubExecutor scrubber = new ScrubExecutor(datanode, leading,
        new GroupReadings.Parts(context.connector, kernel, spare, spare, settings.stallTimeoutMs,
            System::nanoTime), peers::asFarAsKnown, base.hasRepairs, settings.sliceBytes,
        System::nanoTime);
    LocalServers.add(datanode.getXferPort(), port);
    return new RepairService(base, server, lead, scrubber, parts, degradedReads, users);
  }

  /**
   * Returns a cache as large as the operator asks and the heap allows, or null if the operator
   * wants no cache.
   */
  private static ChunkCache chunkCache(RepairSettings settings, RepairMetrics metrics) {
    if (settings.chunkCacheBytes == 0) {
      return null;
    }
    long most = Runtime.getRuntime().maxMemory() / CHUNK_CACHE_HEAP_SHARE;
    if (settings.chunkCacheBytes > most) {
      LOG.info("{}: {} would be more than a quarter of the heap; the chunk cache takes no more than"
          + " {} bytes", PprKeys.DATANODE_CHUNK_CACHE_BYTES_KEY, settings.chunkCacheBytes, most);
    }
    ChunkCache chunks = new ChunkCache(Math.min(most, settings.chunkCacheBytes));
    metrics.watchChunkCache(chunks::bytes, chunks::hits, chunks::misses);
    return chunks;
  }

  /**
   * Checks that the port is protected. On a secure cluster stock protects its port either by SASL
   * or by a number below 1024, which only root can open. This port needs the same protection.
   * Without it the other nodes would refuse every connection.
   */
  private static void checkSafe(DataNode datanode, int port) throws IOException {
    DNConf conf = datanode.getDnConf();
    boolean safe = !UserGroupInformation.isSecurityEnabled() || conf.getEncryptDataTransfer()
        || conf.getSaslPropsResolver() != null || SecurityUtil.isPrivilegedPort(port)
        || conf.getIgnoreSecurePortsForTesting();
    if (!safe) {
      throw new IOException("security is on, but port " + port + " for repairs would have neither"
          + " SASL nor a privileged number: set dfs.data.transfer.protection, or give "
          + PprKeys.DATANODE_ADDRESS_KEY + " a port below 1024");
    }
  }

  /** @return the {@link RequestFeatures} that this node announces */
  public long requestFeatures() {
    return base.context.host.requestFeatures();
  }

  /** @return the handler of the tasks that stock schedules */
  public TaskHandler taskHandler() {
    return lead;
  }

  /** @return the executor of the repairs that managers command */
  public CommandedRepairs commandedRepairs() {
    return lead;
  }

  /** @return the executor of the checks that managers command */
  public CommandExecutor<ScrubCommand> commandedChecks() {
    return scrubber;
  }

  /** @return the {@link CommandFeatures} that this node announces */
  public long commandFeatures() {
    return FEATURES_OF_COMMANDS | parts.commandFeatures();
  }

  public boolean hasChunkCache() {
    return base.helping.chunks != null;
  }

  /**
   * Lists the blocks of which the chunk cache holds at least {@code percent} of the bytes.
   *
   * @param poolId block pool of the blocks
   * @param percent the least share of a block's bytes, 0 to 100
   * @return ids of the blocks; empty without a cache
   */
  public Collection<Long> mostlyCached(String poolId, int percent) {
    return hasChunkCache() ? base.helping.chunks.mostlyHeld(poolId, percent)
        : Collections.emptyList();
  }

  /**
   * @return the counters of the bytes that repairs read from and write to this DataNode's replicas
   */
  public RepairTraffic traffic() {
    return base.context.host.traffic;
  }

  /**
   * Sets how much repairs yield to busy users of this node's link, from now on.
   *
   * @param nameservice the nameservice that has sent the values
   * @param percent the percentage that repairs may take of what users leave free of the link; see
   *     {@link org.hdfsppr.conf.Pressure}
   * @param linkRate the rate of this node's link in each direction, bytes/s; 0 if it is not known
   */
  public void press(String nameservice, int percent, long linkRate) {
    users.press(nameservice, percent, linkRate);
  }

  /**
   * @return the reference by which managers name this node; null before its first handshake with a
   *     NameNode
   */
  public NodeRef self() {
    DataNodeHost host = base.context.host;
    return host.isKnown() ? host.self() : null;
  }

  /** @return the name of the kernel that multiplies for all repairs */
  public String kernelName() {
    return base.context.kernel.name();
  }

  /**
   * @return UUIDs of the DataNodes to whose repair port this node has failed to connect in the last
   *     minutes
   */
  public List<String> unreachablePeers() {
    return base.context.peers.unreachable();
  }

  public int port() {
    return server.port();
  }

  /**
   * Ends all parts of the service. The repairs under way on this node fail, and the NameNode
   * schedules them anew.
   */
  public void stop() {
    LocalServers.remove(xferPort, server.port());
    scrubber.close();
    parts.close();
    lead.close();
    base.context.peers.close();
    try {
      server.close();
      boolean ended = scrubber.awaitEnd(STOP_TIMEOUT_MS)
          & parts.awaitEnd(STOP_TIMEOUT_MS)
          & lead.awaitEnd(STOP_TIMEOUT_MS)
          & server.awaitEnd(STOP_TIMEOUT_MS);
      if (!ended) {
        LOG.warn("Some threads of repairs have not ended within {} ms", STOP_TIMEOUT_MS);
      }
    } catch (IOException e) {
      LOG.warn("The port for repairs did not close cleanly", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      metrics.unregister();
    }
  }
}
