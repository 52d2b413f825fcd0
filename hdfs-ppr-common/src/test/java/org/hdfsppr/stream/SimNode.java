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
package org.hdfsppr.stream;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/** A node of a {@link SimCluster}. */
@InterfaceAudience.Private
final class SimNode implements HelperHost {
  private final SimCluster cluster;
  private final NodeRef self;
  final BufferPool buffers;
  /** Whether others hold all of them. */
  private final boolean full;
  private final Map<Integer, byte[]> replicas = new HashMap<>();
  private final Set<Integer> bare = new HashSet<>();
  private final Map<Integer, Long> expected = new HashMap<>();

  SimNode(SimCluster cluster, NodeRef self, BufferPool buffers, boolean full) {
    this.cluster = cluster;
    this.self = self;
    this.buffers = buffers;
    this.full = full;
  }

  void store(int unit, byte[] bytes) {
    replicas.put(unit, bytes);
  }

  /** Makes a replica one that has no checksums. */
  void withoutChecksum(int unit) {
    bare.add(unit);
  }

  /** Says how long a unit is that this node is to receive. */
  void expect(int unit, long bytes) {
    expected.put(unit, bytes);
  }

  long expectedBytes(int unit) {
    return expected.getOrDefault(unit, -1L);
  }

  /** What repairs lease of. */
  BufferSource memory() {
    return !full ? buffers : new BufferSource() {
      @Override
      public BufferSource.Lease lease(int... pieces) {
        return null;
      }

      @Override
      public String refusal(int... pieces) {
        return null;
      }
    };
  }

  boolean holds(ExtendedBlock block) {
    return replicas.containsKey(unit(block));
  }

  private int unit(ExtendedBlock block) {
    return (int) (block.getBlockId() - cluster.group.groupId);
  }

  private boolean hit(Fault.Kind kind, int unit) {
    return cluster.fault != null && cluster.fault.is(kind, self.uuid, unit);
  }

  @Override
  public NodeRef self() {
    return self;
  }

  @Override
  public String refusal(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    return mayRead(block, token) ? null : "the token is not that of " + block;
  }

  private boolean mayRead(ExtendedBlock block, Token<BlockTokenIdentifier> token) {
    if (hit(Fault.Kind.TOKEN, unit(block))) {
      cluster.fault.trigger();
      return false;
    }
    return token.equals(SimCluster.tokenFor(block.getBlockId()));
  }

  @Override
  public void checkNeighbours(PlanNode own) {
    if (!own.node.equals(self)) {
      cluster.violation(self + " checks the neighbours of " + own.node);
    }
  }

  @Override
  public void checkLocal(ExtendedBlock block) throws RepairException {
    if (hit(Fault.Kind.MISSING, unit(block)) || !holds(block)) {
      open(block, self, 0);
    }
  }

  @Override
  public OpenUnit openLocal(ExtendedBlock block) throws RepairException {
    return open(block, self, 0);
  }

  @Override
  public OpenUnit openRemote(NodeRef holder, ExtendedBlock block,
      Token<BlockTokenIdentifier> token, int timeoutMs) throws RepairException {
    if (holder.equals(self)) {
      cluster.violation(self + " reads its own unit as a stranger");
    }
    SimNode node = cluster.node(holder);
    if (!node.mayRead(block, token)) {
      throw new RepairException(FailureCause.ACCESS_TOKEN, holder, "injected", null);
    }
    return node.open(block, holder, timeoutMs);
  }

  private OpenUnit open(ExtendedBlock block, NodeRef holder, int timeoutMs) throws RepairException {
    int unit = unit(block);
    byte[] bytes = replicas.get(unit);
    if (hit(Fault.Kind.MISSING, unit)) {
      cluster.fault.trigger();
      throw new RepairException(FailureCause.NO_SUCH_BLOCK, holder, "injected", null);
    }
    if (bytes == null || bytes.length != block.getNumBytes()
        || block.getGenerationStamp() != cluster.group.generationStamp
        || !block.getBlockPoolId().equals(cluster.group.poolId)) {
      cluster.violation(block + " is asked of " + self + ", which has "
          + (bytes == null ? "no such unit" : bytes.length + " bytes of it"));
      throw new RepairException(FailureCause.NO_SUCH_BLOCK, holder, "not here", null);
    }
    Source source = new Source(unit, bytes, timeoutMs);
    cluster.opened(source);
    return source;
  }

  @Override
  public RepairException explainRead(NodeRef holder, IOException e) {
    if (e instanceof RepairException) {
      return (RepairException) e;
    }
    FailureCause cause = e instanceof ChecksumException ? FailureCause.CORRUPT_REPLICA
        : e instanceof SocketTimeoutException ? FailureCause.STALLED
        : holder.equals(self) ? FailureCause.INTERNAL : FailureCause.DEAD;
    return new RepairException(cause, holder, e.toString(), e);
  }

  @Override
  public void yieldToUsers(long sent, long received, long nanosMost) {
    if (sent < 1 || received < 0 || nanosMost < 1) {
      cluster.violation("yields for " + sent + " and " + received + " bytes, " + nanosMost + " ns");
    }
    cluster.yielded(self.uuid, sent);
  }

  @Override
  public void yieldToRepairs(long nanosMost) {
    if (nanosMost < 0 || nanosMost > 500_000_000) {
      cluster.violation("lets repairs go first for " + nanosMost + " ns");
    } else if (nanosMost > 0) {
      cluster.letRepairsFirst.merge(self.uuid, 1, Integer::sum);
    }
  }

  @Override
  public void throttleRead(long bytes) {
    if (bytes < 1) {
      cluster.violation("throttled for " + bytes + " bytes");
    }
    Fault fault = cluster.fault;
    if (fault != null && fault.is(Fault.Kind.THROTTLED, self.uuid)) {
      fault.trigger();
      try {
        BytePipe.sleep(fault.mask);
      } catch (IOException e) {
        cluster.violation("interrupted: " + e);
      }
    }
  }

  /** A replica that is read; holds the reader to the contract. */
  final class Source implements OpenUnit {
    private final int unit;
    private final byte[] bytes;
    private final int timeoutMs;
    private long least;
    private volatile boolean closed;

    private Source(int unit, byte[] bytes, int timeoutMs) {
      this.timeoutMs = timeoutMs;
      this.unit = unit;
      this.bytes = bytes;
    }

    @Override
    public DataChecksum checksum() {
      return bare.contains(unit) ? SimCluster.NO_CHECKSUM : SimCluster.CHECKSUM;
    }

    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      int length = dst.remaining();
      long end = offset + length;
      if (closed || offset < least || end > bytes.length || !dst.isDirect() || length == 0) {
        cluster.violation("read " + length + " bytes at " + offset + " of " + this);
      }
      least = end;
      Fault fault = cluster.fault;
      if (fault != null && fault.offset < end) {
        if (hit(Fault.Kind.CORRUPT, unit)) {
          fault.trigger();
          throw new ChecksumException("injected", fault.offset);
        } else if (hit(Fault.Kind.DISK, unit)) {
          fault.trigger();
          throw new IOException("injected: the disk is gone");
        } else if (hit(Fault.Kind.BUG, unit)) {
          fault.trigger();
          throw new IllegalStateException("injected: a bug");
        } else if (hit(Fault.Kind.SLOW_DISK, unit)) {
          fault.trigger();
          BytePipe.sleep(fault.mask);
        } else if (hit(Fault.Kind.STOCK_STALL, unit) && timeoutMs > 0) {
          fault.trigger();
          BytePipe.sleep(timeoutMs / cluster.timeScale());
          throw new SocketTimeoutException("injected");
        }
      }
      dst.put(bytes, (int) offset, length);
      if (hit(Fault.Kind.SILENT, unit) && fault.offset >= offset && fault.offset < end) {
        fault.trigger();
        int at = dst.position() - length + (int) (fault.offset - offset);
        dst.put(at, (byte) (dst.get(at) ^ fault.mask));
      }
    }

    boolean isClosed() {
      return closed;
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public String toString() {
      return "unit " + unit + " at " + self + " of " + bytes.length + " bytes, read to " + least;
    }
  }
}
