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
package org.hdfsppr.datanode.host;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.UnexpectedReplicaStateException;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.datanode.replica.BadReplicas;
import org.hdfsppr.datanode.replica.CachedReplicaSource;
import org.hdfsppr.datanode.replica.ChunkCache;
import org.hdfsppr.datanode.replica.LocalReplicaSource;
import org.hdfsppr.datanode.replica.NameNodeReports;
import org.hdfsppr.datanode.replica.NoBuffersException;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.replica.StockReadSource;
import org.hdfsppr.datanode.users.SharedLink;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.stream.HelperHost;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a node of a tree what it needs from its DataNode: the replicas, the checks of tokens, the
 * throttlers, and stock reads of other DataNodes.
 */
@InterfaceAudience.Private
public final class DataNodeHost implements HelperHost {
  private static final Logger LOG = LoggerFactory.getLogger(DataNodeHost.class);
  /** Logs failures that callers can cause with each request, at a bounded rate. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  /**
   * The checksum type of units that are no replicas. They are changes of data units that a commit
   * sends, and no node stores checksums of them.
   */
  private static final DataChecksum CHANGE_CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  /** The DataNode */
  public final DataNode datanode;
  private final int repairPort;
  private final BadReplicas foundElsewhere;
  /**
   * The rules for the nodes that a peer's request names. Null for repairs that this DataNode leads:
   * the NameNode names their nodes, and knows them.
   */
  private final NeighbourRules rules;
  /** The cache of chunks for clients' degraded reads; null if this DataNode has no cache */
  public final ChunkCache chunks;
  /** The counters of the bytes that repairs move on this DataNode */
  public final RepairTraffic traffic;
  private final long requestFeatures;
  private final BlockTokenAuthorizer tokens;
  /** The link of this node, which repairs share with users */
  public final SharedLink link;
  /** Units that other nodes read here as if they were replicas. */
  private final LocalUnits units;

  private DataNodeHost(DataNode datanode, int repairPort, BadReplicas foundElsewhere,
      NeighbourRules rules, ChunkCache chunks, RepairTraffic traffic) {
    this.datanode = datanode;
    this.repairPort = repairPort;
    this.foundElsewhere = foundElsewhere;
    this.rules = rules;
    this.chunks = chunks;
    this.traffic = traffic;
    this.tokens = new BlockTokenAuthorizer(datanode);
    this.requestFeatures = RequestFeatures.KNOWN;
    this.link = SharedLink.WITHOUT_USERS;
    this.units = LocalUnits.NONE;
  }

  private DataNodeHost(DataNodeHost like, long requestFeatures, SharedLink link,
      LocalUnits units) {
    this.datanode = like.datanode;
    this.repairPort = like.repairPort;
    this.foundElsewhere = like.foundElsewhere;
    this.rules = like.rules;
    this.chunks = like.chunks;
    this.traffic = like.traffic;
    this.tokens = like.tokens;
    this.requestFeatures = requestFeatures;
    this.link = link;
    this.units = units;
  }

  /**
   * Makes the host for repairs that this DataNode leads. In these repairs, the NameNode says which
   * node holds which unit.
   *
   * @param datanode the DataNode
   * @param repairPort the port on which the DataNode serves repairs
   * @param traffic counts the bytes that repairs move on this DataNode
   * @return the host
   */
  public static DataNodeHost leading(DataNode datanode, int repairPort, RepairTraffic traffic) {
    return new DataNodeHost(datanode, repairPort, new NameNodeReports(datanode), null, null,
        traffic);
  }

  /**
   * Makes the host for repairs and reads that this DataNode helps with. In these, a peer says which
   * node holds which unit.
   *
   * @param datanode the DataNode
   * @param repairPort the port on which the DataNode serves repairs
   * @param commonPort the port for repairs that all DataNodes are configured with; 0 if there is no
   *     common port
   * @param chunks the cache for the chunks that clients' degraded reads want, or null
   * @param traffic counts the bytes that repairs move on this DataNode; it does not count bytes
   *     that degraded reads read from files
   * @return the host
   */
  public static DataNodeHost helping(DataNode datanode, int repairPort, int commonPort,
      ChunkCache chunks, RepairTraffic traffic) {
    return new DataNodeHost(datanode, repairPort, BadReplicas.unreported(),
        new NeighbourRules(commonPort, datanode.getDnConf().getConnectToDnViaHostname()), chunks,
        traffic);
  }

  /**
   * @param features bits of {@link RequestFeatures}
   * @return a copy of this host that announces only these features
   */
  public DataNodeHost withRequestFeatures(long features) {
    return new DataNodeHost(this, features, link, units);
  }

  /**
   * @param shared the network link of this node, which repairs share with users
   * @return a copy of this host whose repairs yield to users on that link
   */
  public DataNodeHost withLink(SharedLink shared) {
    return new DataNodeHost(this, requestFeatures, shared, units);
  }

  /**
   * @param local units that other nodes read here as if they were replicas
   * @return a copy of this host that also serves these units
   */
  public DataNodeHost withLocalUnits(LocalUnits local) {
    return new DataNodeHost(this, requestFeatures, link, local);
  }

  @Override
  public long requestFeatures() {
    return requestFeatures;
  }

  /**
   * @return this node, which is known after its first handshake with a NameNode; see {@link
   *     #isKnown}
   */
  @Override
  public NodeRef self() {
    DatanodeID id = datanode.getDatanodeId();
    return new NodeRef(id.getDatanodeUuid(), id.getIpAddr(), id.getHostName(), id.getXferPort(),
        repairPort, "");
  }

  /**
   * @return whether this DataNode has shaken hands with a NameNode; before that it has no replicas
   */
  public boolean isKnown() {
    return datanode.getDatanodeId() != null && datanode.getDatanodeUuid() != null;
  }

  @Override
  public String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    return tokens.mayRead(block, token);
  }

  @Override
  public void checkNeighbours(PlanNode own) throws RepairException {
    if (rules != null) {
      rules.check(self(), own);
    }
  }

  @Override
  public void checkLocal(ExtendedBlock block) throws RepairException {
    if (openUnit(block) != null) {
      return;
    }
    try {
      LocalReplicaSource.check(datanode, block);
    } catch (IOException e) {
      throw explainRead(self(), e);
    }
  }

  /** Returns a unit that is no replica, or null if {@code block} names no such unit. */
  private OpenUnit openUnit(ExtendedBlock block) {
    UnitSource unit = units.open(block);
    return unit == null ? null : Unit.ofDisk(unit, CHANGE_CHECKSUM);
  }

  @Override
  public OpenUnit openLocal(ExtendedBlock block) throws RepairException {
    OpenUnit unit = openUnit(block);
    return unit == null ? openLocal(block, traffic::addRead) : unit;
  }

  private OpenUnit openLocal(ExtendedBlock block, LongConsumer ownReads) throws RepairException {
    try {
      LocalReplicaSource source = LocalReplicaSource.open(datanode, block,
          new NameNodeReports(datanode), ownReads);
      return Unit.ofDisk(source, source.checksum);
    } catch (IOException e) {
      throw explainRead(self(), e);
    }
  }

  @Override
  public OpenUnit openLocalForReader(ExtendedBlock block) throws RepairException {
    OpenUnit unit = openUnit(block);
    if (unit != null) {
      return unit;
    }
    if (chunks == null) {
      // The bytes of degraded reads count as users' traffic.
      return openLocal(block, bytes -> { });
    }
    try {
      CachedReplicaSource source = CachedReplicaSource.open(datanode, block, chunks);
      return new Unit(source, source.checksum(), source::cachedBytes,
          traffic::addFromMemory);
    } catch (IOException e) {
      throw explainRead(self(), e);
    }
  }

  @Override
  public OpenUnit openRemote(NodeRef holder, ExtendedBlock block,
      Token<BlockTokenIdentifier> token, int timeoutMs) throws RepairException {
    DatanodeInfo info = new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID(holder.ipAddr, holder.hostName, holder.uuid,
            holder.xferPort, 0, 0, 0))
        .setNetworkLocation(holder.rack)
        .build();
    try {
      StockReadSource source = StockReadSource.open(datanode, info, block, token, 0,
          timeoutMs, foundElsewhere);
      return Unit.ofDisk(source, source.checksum);
    } catch (IOException e) {
      throw explainRead(holder, e);
    }
  }

  @Override
  public RepairException explainRead(NodeRef holder, IOException e) {
    if (e instanceof RepairException) {
      return (RepairException) e;
    }
    boolean own = holder.uuid.equals(self().uuid);
    FailureCause cause;
    if (e instanceof ChecksumException) {
      cause = FailureCause.CORRUPT_REPLICA;
    } else if (e instanceof ReplicaNotFoundException || e instanceof FileNotFoundException
        || e instanceof UnexpectedReplicaStateException) {
      cause = FailureCause.NO_SUCH_BLOCK;
    } else if (e instanceof InvalidBlockTokenException
        || e instanceof InvalidEncryptionKeyException) {
      cause = FailureCause.ACCESS_TOKEN;
    } else if (e instanceof NoBuffersException) {
      cause = FailureCause.OVERLOADED;
    } else if (e instanceof SocketTimeoutException && !(e instanceof ConnectTimeoutException)) {
      cause = FailureCause.STALLED;
    } else {
      cause = own ? FailureCause.INTERNAL : FailureCause.DEAD;
    }
    // The node that leads has no requester. Its failures go only to its own log and to the manager,
    // and may name the path.
    boolean hasRequester = rules != null;
    return new RepairException(cause, holder,
        own && hasRequester ? withoutPath(e) : e.toString(), e);
  }

  /**
   * Returns the text of a failure on this node for the requester. If the failure names a path of
   * this host, the text says only the kind of the error, and this node logs the rest.
   */
  static String withoutPath(IOException e) {
    String text = e.toString();
    if (text.indexOf('/') < 0 && text.indexOf(File.separatorChar) < 0) {
      return text;
    }
    PEER_LOG.warn("read: " + e.getClass().getName(), "A replica here cannot be read: {}",
        PeerText.oneLine(text));
    return e.getClass().getName() + ", the log of this DataNode says where";
  }

  @Override
  public void sent(long bytes, boolean paced) {
    if (!paced) {
      link.repairMoves();
    }
    traffic.addSent(bytes, paced || link.isYielding());
  }

  @Override
  public void received(long bytes, boolean paced) {
    if (!paced) {
      link.repairMoves();
    }
    traffic.addReceived(bytes, paced || link.isYielding());
  }

  @Override
  public void throttleRead(long bytes) {
    throttle(datanode.getEcReconstuctReadThrottler(), bytes);
  }

  @Override
  public void sentToReader(long bytes) {
    traffic.addSent(bytes, false);
    traffic.addToReader(bytes);
  }

  @Override
  public void receivedForReader(long bytes) {
    traffic.addReceived(bytes, false);
    traffic.addForReader(bytes);
  }

  @Override
  public void yieldToUsers(long sent, long received, long nanosMost) {
    link.await(sent, received, nanosMost);
  }

  @Override
  public void yieldToRepairs(long nanosMost) {
    link.awaitRepairs(nanosMost);
  }

  /**
   * Waits as long as the operator's limit for reconstruction writes demands.
   *
   * @param bytes bytes that are about to be written
   */
  public void throttleWrite(long bytes) {
    throttle(datanode.getEcReconstuctWriteThrottler(), bytes);
  }

  private static void throttle(DataTransferThrottler throttler, long bytes) {
    if (throttler != null) {
      throttler.throttle(bytes);
    }
  }

  /**
   * @param node a node
   * @return whether the node has an address of this machine; stock counts no remote bytes for such
   *     a node
   */
  public static boolean isLocal(NodeRef node) {
    try {
      return NetUtils.isLocalAddress(InetAddress.getByName(node.ipAddr));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** An open source of a unit, with the type of its stored checksums. */
  private static final class Unit implements OpenUnit {
    private final UnitSource source;
    private final DataChecksum checksum;
    private final LongSupplier cachedBytes;
    private final LongConsumer fromMemory;

    /** @param fromMemory takes, after each read, by how many bytes {@code cachedBytes} has grown */
    Unit(UnitSource source, DataChecksum checksum, LongSupplier cachedBytes,
        LongConsumer fromMemory) {
      this.source = source;
      this.checksum = checksum;
      this.cachedBytes = cachedBytes;
      this.fromMemory = fromMemory;
    }

    static Unit ofDisk(UnitSource source, DataChecksum checksum) {
      return new Unit(source, checksum, () -> 0, bytes -> { });
    }

    @Override
    public long cachedBytes() {
      return cachedBytes.getAsLong();
    }

    @Override
    public DataChecksum checksum() {
      return checksum;
    }

    @Override
    public long length() {
      return source.length();
    }

    @Override
    public void announce(long offset, long length) {
      source.announce(offset, length);
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      long before = cachedBytes();
      source.read(offset, dst);
      fromMemory.accept(cachedBytes() - before);
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }
}
