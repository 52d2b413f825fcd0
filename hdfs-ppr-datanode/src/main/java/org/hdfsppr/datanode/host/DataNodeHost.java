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
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.UnexpectedReplicaStateException;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
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

/** A DataNode as the machine that a node of a tree runs on. */
@InterfaceAudience.Private
public final class DataNodeHost implements HelperHost {
  private static final Logger LOG = LoggerFactory.getLogger(DataNodeHost.class);
  /** For failures that callers can cause with each request. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final DataNode datanode;
  private final int repairPort;
  private final BadReplicas foundElsewhere;
  /** Null if the NameNode, which knows its nodes, names them. */
  private final NeighbourRules rules;
  /** Null if none is kept. */
  private final ChunkCache chunks;
  private final RepairTraffic traffic;
  private final long requestFeatures;

  private DataNodeHost(DataNode datanode, int repairPort, BadReplicas foundElsewhere,
      NeighbourRules rules, ChunkCache chunks, RepairTraffic traffic, long requestFeatures) {
    this.requestFeatures = requestFeatures;
    this.datanode = datanode;
    this.repairPort = repairPort;
    this.foundElsewhere = foundElsewhere;
    this.rules = rules;
    this.chunks = chunks;
    this.traffic = traffic;
  }

  /**
   * For repairs that this DataNode leads: the NameNode says which node holds which unit.
   *
   * @param traffic counts what repairs move here
   */
  public static DataNodeHost leading(DataNode datanode, int repairPort, RepairTraffic traffic) {
    return new DataNodeHost(datanode, repairPort, new NameNodeReports(datanode), null, null,
        traffic, RequestFeatures.KNOWN);
  }

  /**
   * For repairs and reads that it helps with: a peer says which node holds which unit.
   *
   * @param commonPort the port that all DataNodes are configured with; 0 if there is no common one
   * @param chunks where what readers want is kept, or null
   * @param traffic counts what repairs move here, and not what readers want
   */
  public static DataNodeHost helping(DataNode datanode, int repairPort, int commonPort,
      ChunkCache chunks, RepairTraffic traffic) {
    return new DataNodeHost(datanode, repairPort, BadReplicas.toNobody(),
        new NeighbourRules(commonPort, datanode.getDnConf().getConnectToDnViaHostname()), chunks,
        traffic, RequestFeatures.KNOWN);
  }

  /** The same, which admits to know these {@link RequestFeatures} only. */
  public DataNodeHost withRequestFeatures(long features) {
    return new DataNodeHost(datanode, repairPort, foundElsewhere, rules, chunks, traffic,
        features);
  }

  @Override
  public long requestFeatures() {
    return requestFeatures;
  }

  /** This node; known from its first handshake with a NameNode on, see {@link #isKnown}. */
  @Override
  public NodeRef self() {
    DatanodeID id = datanode.getDatanodeId();
    return new NodeRef(id.getDatanodeUuid(), id.getIpAddr(), id.getHostName(), id.getXferPort(),
        repairPort, "");
  }

  /** Whether this DataNode has shaken hands with a NameNode, without which it has no replicas. */
  public boolean isKnown() {
    return datanode.getDatanodeId() != null && datanode.getDatanodeUuid() != null;
  }

  @Override
  public String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    BlockPoolTokenSecretManager secrets = datanode.getBlockPoolTokenSecretManager();
    // The NameNode says at registration whether its pool has tokens; only then the pool is here.
    boolean hasTokens = secrets.isBlockPoolRegistered(block.getBlockPoolId())
        || datanode.getConf().getBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
    if (!hasTokens) {
      return null;
    }
    try {
      secrets.checkAccess(token, null, block, AccessMode.READ, null, null);
      return null;
    } catch (InvalidToken | RuntimeException e) {
      // Hadoop's check trips over malformed identifiers, with a NullPointerException for one. That
      // is no reason to tell a stranger more than that the token is no good.
      return block + ": " + PeerText.oneLine(e.toString());
    }
  }

  @Override
  public void checkNeighbours(PlanNode own) throws RepairException {
    if (rules != null) {
      rules.check(self(), own);
    }
  }

  @Override
  public void checkLocal(ExtendedBlock block) throws RepairException {
    try {
      LocalReplicaSource.check(datanode, block);
    } catch (IOException e) {
      throw explainRead(self(), e);
    }
  }

  @Override
  public OpenUnit openLocal(ExtendedBlock block) throws RepairException {
    return openLocal(block, traffic::addRead);
  }

  private OpenUnit openLocal(ExtendedBlock block, LongConsumer ownReads) throws RepairException {
    try {
      LocalReplicaSource source = LocalReplicaSource.open(datanode, block,
          new NameNodeReports(datanode), ownReads);
      return Unit.ofDisk(source, source.checksum());
    } catch (IOException e) {
      throw explainRead(self(), e);
    }
  }

  @Override
  public OpenUnit openLocalForReader(ExtendedBlock block) throws RepairException {
    if (chunks == null) {
      // What clients read degraded is users' traffic.
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
        .setNodeID(new DatanodeID(holder.ipAddr(), holder.hostName(), holder.uuid(),
            holder.xferPort(), 0, 0, 0))
        .setNetworkLocation(holder.rack())
        .build();
    try {
      StockReadSource source = StockReadSource.open(datanode, info, block, token, 0,
          timeoutMs, foundElsewhere);
      return Unit.ofDisk(source, source.checksum());
    } catch (IOException e) {
      throw explainRead(holder, e);
    }
  }

  @Override
  public RepairException explainRead(NodeRef holder, IOException e) {
    if (e instanceof RepairException) {
      return (RepairException) e;
    }
    boolean own = holder.uuid().equals(self().uuid());
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
    // A node that leads has no requester, and its own log and the manager's may name the path.
    boolean hasRequester = rules != null;
    return new RepairException(cause, holder,
        own && hasRequester ? withoutPath(e) : e.toString(), e);
  }

  /** What a requester may read of a failure here: the kind of error, and no path of this host. */
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
  public void throttleRead(long bytes) {
    throttle(datanode.getEcReconstuctReadThrottler(), bytes);
  }

  public void throttleWrite(long bytes) {
    throttle(datanode.getEcReconstuctWriteThrottler(), bytes);
  }

  private static void throttle(DataTransferThrottler throttler, long bytes) {
    if (throttler != null) {
      throttler.throttle(bytes);
    }
  }

  /** What repairs move here. */
  public RepairTraffic traffic() {
    return traffic;
  }

  /** Whether a node's address is one of this machine, where stock counts no remote bytes. */
  public static boolean isLocal(NodeRef node) {
    try {
      return NetUtils.isLocalAddress(InetAddress.getByName(node.ipAddr()));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** A source with its checksum. */
  private static final class Unit implements OpenUnit {
    private final UnitSource source;
    private final DataChecksum checksum;
    private final LongSupplier cachedBytes;
    private final LongConsumer fromMemory;

    /** @param fromMemory takes by how much cachedBytes has grown */
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
