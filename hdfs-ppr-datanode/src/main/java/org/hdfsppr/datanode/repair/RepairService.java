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
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DNConf;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.host.TicketTokens;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.metrics.VersionCount;
import org.hdfsppr.datanode.replica.ChunkCache;
import org.hdfsppr.datanode.replica.ForwardedChanges;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.scrub.ScrubExecutor;
import org.hdfsppr.datanode.server.DegradedReads;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.datanode.server.PartialSumHandler;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.datanode.takeover.TaskHandler;
import org.hdfsppr.datanode.update.DataNodeRights;
import org.hdfsppr.datanode.update.LogReader;
import org.hdfsppr.datanode.update.OwnBlocks;
import org.hdfsppr.datanode.update.UpdateHandler;
import org.hdfsppr.datanode.update.UpdateLogs;
import org.hdfsppr.datanode.update.UpdateRights;
import org.hdfsppr.datanode.update.UpdateSettings;
import org.hdfsppr.datanode.update.ViewHandler;
import org.hdfsppr.datanode.users.RepairThrottler;
import org.hdfsppr.datanode.users.UserBytes;
import org.hdfsppr.datanode.version.Making;
import org.hdfsppr.datanode.version.MakingRuns;
import org.hdfsppr.datanode.version.PatchTools;
import org.hdfsppr.datanode.version.VersionParts;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.BufferSource;
import org.hdfsppr.stream.HelperSession;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.LocalServers;
import org.hdfsppr.stream.NodeMemory;
import org.hdfsppr.stream.RateMemory;
import org.hdfsppr.stream.RequestLimits;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.stream.UnitSource;
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

  private final int xferPort;
  /** The counters of this service */
  public final RepairMetrics metrics;
  private final PeerDirectory peers;
  private final TransferServer server;
  private final RepairCoordinator lead;
  private final ScrubExecutor scrubber;
  /** The executors of commands for versions; empty if this Hadoop lacks members that they need. */
  private final Optional<VersionParts> versions;
  private final DataNodeHost host;
  /** The cache of chunks; null if the operator wants no cache. */
  private final ChunkCache chunks;
  /** The groups that clients read degraded with this node's help */
  public final DegradedReads degradedReads;
  private final RepairThrottler users;
  private final RegionKernel kernel;
  private final boolean hasUpdateLog;

  private RepairService(int xferPort, DataNodeHost host, RepairMetrics metrics,
      PeerDirectory peers, TransferServer server, RepairCoordinator lead, ScrubExecutor scrubber,
      Optional<VersionParts> versions, ChunkCache chunks, DegradedReads degradedReads,
      RepairThrottler users, RegionKernel kernel, boolean hasUpdateLog) {
    this.kernel = kernel;
    this.hasUpdateLog = hasUpdateLog;
    this.xferPort = xferPort;
    this.host = host;
    this.metrics = metrics;
    this.peers = peers;
    this.server = server;
    this.lead = lead;
    this.scrubber = scrubber;
    this.versions = versions;
    this.chunks = chunks;
    this.degradedReads = degradedReads;
    this.users = users;
  }

  /**
   * Reads the settings, opens the port and starts to serve it.
   *
   * @param datanode the DataNode whose replicas the service reads and writes
   * @return the running service; {@link #stop} ends it
   * @throws IOException if the port cannot be opened, or would be unprotected on a secure cluster;
   *     nothing runs then
   * @throws IllegalArgumentException if a setting has a value that is not allowed; the message
   *     names the setting, and nothing runs then
   */
  public static RepairService start(DataNode datanode) throws IOException {
    return start(datanode, RepairSettings.of(datanode.getConf()));
  }

  /** As {@link #start(DataNode)}, with settings that an operator cannot choose. */
  static RepairService start(DataNode datanode, RepairSettings settings) throws IOException {
    UpdateSettings updates = UpdateSettings.of(datanode.getConf());
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
      RepairService service = start(datanode, settings, updates, kernel, features, listener,
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
      UpdateSettings updates, RegionKernel kernel, long features, ServerSocketChannel listener,
      RepairMetrics metrics, int commonPort) {
    int port = listener.socket().getLocalPort();
    ChunkCache chunks = chunkCache(settings, metrics);
    RepairTraffic traffic = new RepairTraffic();
    RepairThrottler users = new RepairThrottler(new UserBytes(datanode, traffic), traffic,
        settings.pressure, settings.linkBytesPerSecond,
        () -> datanode.getDatanodeId() == null ? null : datanode.getDatanodeId().getIpAddr());
    ForwardedChanges forwarded = new ForwardedChanges(System::nanoTime);
    DataNodeHost helping = DataNodeHost.helping(datanode, port, commonPort, chunks, traffic)
        .withRequestFeatures(features).withLink(users).withForwarded(forwarded);
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
    RateMemory rates = new RateMemory();
    PeerDirectory peers = new PeerDirectory(commonPort,
        Math.min(PROBE_TIMEOUT_MS_MOST, settings.connectTimeoutMs()),
        datanode.getDnConf().getConnectToDnViaHostname(), System::nanoTime);
    DegradedReads degradedReads = new DegradedReads(System::nanoTime);
    metrics.watchGroupsReadDegraded(degradedReads::size);
    ScheduledThreadPoolExecutor timer = TransferServer.timer();
    OpHandler partialSums = new PartialSumHandler(limits, (toChildren, caller) ->
        new HelperSession(helping, toChildren, kernel, memory.helping(caller), rates,
            System::nanoTime), connector, helping::self, features, metrics,
        degradedReads::served, timer, System::nanoTime, users);
    List<OpHandler> handlers = new ArrayList<>();
    handlers.add(partialSums);
    UpdateRights rights = new DataNodeRights(new TicketTokens(datanode, port, commonPort));
    Optional<UpdateLogs> logs = updates.logs();
    logs.ifPresent(open -> addUpdates(handlers, open,
        block -> helping.openLocal(block.toExtendedBlock()), connector, settings,
        updates.memoryBytes(), rights, metrics, timer));
    users.begin(timer, metrics.services);
    forwarded.watch(timer, metrics.services);
    TransferServer server = TransferServer.start(datanode, listener, settings.helperThreads,
        settings.requestTimeoutMs(), metrics, handlers, timer);
    DataNodeHost leading = DataNodeHost.leading(datanode, port, traffic)
        .withRequestFeatures(features).withLink(users);
    TransferConnector toPeers = new PeerConnector(connector, peers);
    RepairContext context = new RepairContext(datanode, settings, leading, toPeers, kernel, memory,
        peers, rates, metrics, System::nanoTime);
    RepairCoordinator lead = new RepairCoordinator(context);
    BufferSource spare = memory.spare();
    ScrubExecutor scrubber = new ScrubExecutor(datanode, leading,
        new GroupReadings.Parts(toPeers, kernel,
        spare, spare, settings.stallTimeoutMs, System::nanoTime), peers::asFarAsKnown,
        () -> lead.led() > 0, settings.sliceBytes, System::nanoTime);
    Optional<VersionParts> versions = VersionParts.of(datanode, leading, metrics,
        new CommandedMakings(context, timer), new PatchTools(new LogReader(logs.orElse(null),
        rights, connector, settings.stallTimeoutMs),
            new KeptConnections(toPeers, timer, System::nanoTime), kernel, spare,
            settings.stallTimeoutMs, forwarded, System::nanoTime), () -> lead.led() > 0,
        System::nanoTime);
    LocalServers.add(datanode.getXferPort(), port);
    return new RepairService(datanode.getXferPort(), leading, metrics, peers, server, lead,
        scrubber, versions, chunks, degradedReads, users, kernel, handlers.size() > 1);
  }

  private static void addUpdates(List<OpHandler> handlers, UpdateLogs logs, OwnBlocks blocks,
      TransferConnector connector, RepairSettings settings, long memoryBytes, UpdateRights rights,
      RepairMetrics metrics, ScheduledExecutorService timer) {
    // Appends and views wait for other nodes. Their limits together leave places for repairs.
    int quarter = Math.max(1, settings.helperThreads / 4);
    UpdateHandler updates = new UpdateHandler(rights, logs, blocks, connector,
        settings.stallTimeoutMs, settings.requestTimeoutMs(), quarter, quarter, memoryBytes,
        metrics, timer, System::nanoTime);
    handlers.add(updates);
    handlers.add(new ViewHandler(rights, updates, settings.requestTimeoutMs(), quarter,
        memoryBytes / 2, metrics, timer));
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
    return host.requestFeatures();
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

  /** @return the executors of commands for versions; empty if this Hadoop lacks what they need */
  public Optional<VersionParts> versionParts() {
    return versions;
  }

  /** @return the {@link CommandFeatures} that this node announces */
  public long commandFeatures() {
    return (versions.isPresent() ? CommandFeatures.KNOWN
        : CommandFeatures.KNOWN & ~(CommandFeatures.VERSIONS | CommandFeatures.PATCHES
            | CommandFeatures.CHANGE_WAYS | CommandFeatures.COLLECTED
            | CommandFeatures.BLOCK_DIGESTS))
        | CommandFeatures.CHECK_QUEUE
        | (hasUpdateLog ? CommandFeatures.UPDATE_LOG | CommandFeatures.SEALED_TICKETS : 0);
  }

  public boolean hasChunkCache() {
    return chunks != null;
  }

  /**
   * Lists the blocks of which the chunk cache holds at least {@code percent} of the bytes.
   *
   * @param poolId block pool of the blocks
   * @param percent the least share of a block's bytes, 0 to 100
   * @return ids of the blocks; empty without a cache
   */
  public Collection<Long> mostlyCached(String poolId, int percent) {
    return chunks == null ? Collections.emptyList() : chunks.mostlyHeld(poolId, percent);
  }

  /**
   * @return the counters of the bytes that repairs read from and write to this DataNode's replicas
   */
  public RepairTraffic traffic() {
    return host.traffic;
  }

  /**
   * Sets the pressure of repairs on busy users of this node, from now on.
   *
   * @param nameservice the nameservice that has sent the value
   * @param percent see {@link org.hdfsppr.conf.Pressure}
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
    return host.isKnown() ? host.self() : null;
  }

  /** @return the name of the kernel that multiplies for all repairs */
  public String kernelName() {
    return kernel.name();
  }

  /**
   * @return UUIDs of the DataNodes to whose repair port this node has failed to connect in the last
   *     minutes
   */
  public List<String> unreachablePeers() {
    return peers.unreachable();
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
    versions.ifPresent(VersionParts::close);
    lead.close();
    peers.close();
    try {
      server.close();
      boolean ended = scrubber.awaitEnd(STOP_TIMEOUT_MS)
          & (!versions.isPresent() || versions.get().awaitEnd(STOP_TIMEOUT_MS))
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

  /**
   * Connects to the helpers of the repairs that this DataNode runs. Stores in the {@link
   * PeerDirectory} which features each helper announces.
   */
  static final class PeerConnector implements TransferConnector {
    private final TransferConnector connector;
    private final PeerDirectory peers;

    PeerConnector(TransferConnector connector, PeerDirectory peers) {
      this.connector = connector;
      this.peers = peers;
    }

    @Override
    public TransferConnection connect(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token)
        throws IOException {
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

  /**
   * Makes blocks for versions, with the threads, memory and connections that repairs of this
   * DataNode share. Thread-safe.
   */
  static final class CommandedMakings implements MakingRuns {
    private final RepairContext context;
    private final ScheduledExecutorService timer;

    /** @param timer the timer that the guards of attempts use */
    CommandedMakings(RepairContext context, ScheduledExecutorService timer) {
      this.context = context;
      this.timer = timer;
    }

    @Override
    public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
      RepairJob job = new RepairJob(context, new MadeOrder(context, command, whenEnded),
          command.id(), timer);
      return new Making() {
        @Override
        public void run() {
          job.run();
        }

        @Override
        public void cancel(String reason) {
          job.cancel(reason);
        }
      };
    }

    @Override
    public int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch) throws IOException {
      boolean isDone = false;
      try {
        // The watch may wait for long, so that it is called before the block is opened.
        watch.read(0);
        try (UnitSource unit = context.host.openLocal(block.toExtendedBlock())) {
          int digest =
              LinearDigest.of(unit, key, context.kernel, context.memory.spare(), watch);
          isDone = true;
          return digest;
        }
      } finally {
        if (!isDone) {
          context.metrics.versions(VersionCount.DIGESTS_FAILED, 1);
        }
      }
    }
  }

  /**
   * A manager's order to make blocks for a version of a file. They are made in the same way as lost
   * units are repaired, at the rate of the command. No data are lost meanwhile, so that such an
   * order always gives way to busy users, and does not count as a repair.
   */
  static final class MadeOrder extends CommandedOrder {
    private final MakeCommand command;
    private final AtomicLong received = new AtomicLong();
    private volatile long read;

    /**
     * @param context the parts that all repairs of this DataNode share
     * @param command the manager's command
     * @param whenEnded takes the result; called once
     * @throws IllegalArgumentException if the command names a tree shape that this DataNode does
     *     not know
     */
    MadeOrder(RepairContext context, MakeCommand command, Consumer<RepairResult> whenEnded) {
      super(context, command.work, whenEnded);
      this.command = command;
    }

    @Override
    public boolean isUrgent() {
      return false;
    }

    @Override
    public boolean isRepair() {
      return false;
    }

    /**
     * A code with only as many parities as targets, such as the XOR of a column, has none left for
     * a check. The manager knows this, and checks the new blocks by the code of their own group.
     */
    @Override
    public boolean isCheckedByManager() {
      GroupSnapshot group = command.work.group;
      return group.units() - group.dataUnits() == command.work.targets.size();
    }

    @Override
    public long bytesPerSecond() {
      return command.bytesPerSecond;
    }

    @Override
    public void received(long bytes) {
      received.addAndGet(bytes);
    }

    @Override
    void count(JobEnding ending) {
      read = ending.outcome.bytesRead;
    }

    @Override
    RepairResult marked(RepairResult result) {
      boolean isPart = result.outcome == RepairOutcome.REBUILT
          && result.rebuiltUnits.size() < command.work.targets.size();
      return (isPart ? result.asFailed() : result)
          .withVersion(new VersionReport(0, 0, result.bytes, read, received.get()));
    }
  }
}
