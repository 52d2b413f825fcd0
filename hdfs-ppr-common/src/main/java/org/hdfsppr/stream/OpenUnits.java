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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.slf4j.LoggerFactory;

/** Opens, reads and closes the units that one node of a tree needs. Used by one thread. */
final class OpenUnits implements Closeable {
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(OpenUnits.class));

  /** Takes the place of a sub-chunk that the repair does not read. */
  private static final UnitSource UNUSED = new UnitSource() {
    @Override
    public long length() {
      return 0;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
      throw new IllegalStateException("Nothing of this sub-chunk is needed");
    }

    @Override
    public void close() {
      // Nothing was opened.
    }
  };

  private final HelperHost host;
  private final NodeStats stats;
  private final LongSupplier nanoClock;
  /**
   * One open unit for each sub-chunk of each source of the plan's node, in the order of the
   * sources.
   */
  final List<UnitSource> sources = new ArrayList<>();
  private DataChecksum checksum;
  private long remoteBytes;
  private long localBytes;
  private long cachedBytes;
  private boolean forReader;

  /**
   * @param host opens the units, and applies the operator's limit to reads
   * @param stats counts the time by which the operator's limit delays reads
   * @param nanoClock a monotonic clock, nanoseconds
   */
  OpenUnits(HelperHost host, NodeStats stats, LongSupplier nanoClock) {
    this.host = host;
    this.stats = stats;
    this.nanoClock = nanoClock;
  }

  /**
   * Opens the blocks of all sources that the request names for this node.
   *
   * @throws RepairException naming the node and the cause; the caller still has to close this
   *     object
   */
  void open(PartialSumRequest request) throws RepairException {
    // The operator's limit applies to reconstruction, not to reads of clients.
    forReader = request.forReader;
    for (RepairSource source : request.subtree.sources) {
      // The block is opened once for each of its sub-chunks. The offsets that are read from one
      // open unit then only grow, and read-ahead and checksums work as for a whole unit.
      for (int run = 0; run < source.subChunks; run++) {
        sources.add(source.needs(run) ? open(request, source) : UNUSED);
      }
    }
  }

  private UnitSource open(PartialSumRequest request, RepairSource source) throws RepairException {
    boolean remote = request.subtree.isRemote(source);
    HelperHost.OpenUnit unit = remote ? openRemote(request, source)
        : forReader ? host.openLocalForReader(source.block.toExtendedBlock())
            : host.openLocal(source.block.toExtendedBlock());
    // A replica without checksums must not decide the checksum type of the rebuilt replica.
    if (checksum == null || checksum.getChecksumType() == DataChecksum.Type.NULL) {
      checksum = unit.checksum();
    }
    return new Explained(unit, source.holder, remote);
  }

  private HelperHost.OpenUnit openRemote(PartialSumRequest request, RepairSource source)
      throws RepairException {
    try {
      return host.openRemote(source.holder, source.block.toExtendedBlock(),
          request.token(source), request.stallTimeoutMs);
    } catch (RepairException e) {
      throw NoAnswerException.ofHolder(source.holder, e);
    }
  }

  /**
   * Returns the checksum type of the first replica that has checksums. Returns the type NULL if no
   * replica has checksums, and null if no unit is open.
   */
  DataChecksum checksum() {
    return checksum;
  }

  /** Returns the number of bytes that this node has read from other nodes by stock reads. */
  long remoteBytes() {
    return remoteBytes;
  }

  /** Returns the number of bytes that this node has read from its disks. */
  long localBytes() {
    return localBytes;
  }

  /**
   * Returns the number of bytes of this node's replicas that it got without reading a disk, see
   * {@link HelperHost.OpenUnit}.
   */
  long cachedBytes() {
    return cachedBytes;
  }

  @Override
  public void close() {
    for (UnitSource source : sources) {
      try {
        source.close();
      } catch (IOException | RuntimeException e) {
        LOG.warn("close", "A unit could not be closed after a repair read it", e);
      }
    }
  }

  /**
   * An open unit whose failures name the unit's holder. Reads for reconstruction wait as the
   * operator's limit demands.
   */
  private final class Explained implements UnitSource {
    private final HelperHost.OpenUnit unit;
    private final NodeRef holder;
    private final boolean remote;

    Explained(HelperHost.OpenUnit unit, NodeRef holder, boolean remote) {
      this.unit = unit;
      this.holder = holder;
      this.remote = remote;
    }

    @Override
    public long length() {
      return unit.length();
    }

    @Override
    public void announce(long offset, long length) {
      unit.announce(offset, length);
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      int bytes = dst.remaining();
      if (!forReader) {
        long start = nanoClock.getAsLong();
        host.throttleRead(bytes);
        stats.addThrottle(nanoClock.getAsLong() - start);
      }
      long cachedBefore = unit.cachedBytes();
      try {
        unit.read(offset, dst);
      } catch (IOException e) {
        throw host.explainRead(holder, e);
      }
      if (remote) {
        remoteBytes += bytes;
      } else {
        long cached = unit.cachedBytes() - cachedBefore;
        cachedBytes += cached;
        localBytes += bytes - cached;
      }
    }

    @Override
    public void close() throws IOException {
      unit.close();
    }
  }
}
