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

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.coder.gf.RegionOperator;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanTarget;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFeatures;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.UnsupportedRequestException;

/**
 * A cluster in memory for one repair: nodes with replicas, links of bounded pipes, and at the other
 * end of every link a thread that serves the request as a DataNode's server does. Watches how the
 * code under test treats what it is given, and what it leaves behind.
 */
@InterfaceAudience.Private
final class SimCluster implements TransferConnector, DestinationSession.Sinks {
  /** How the replicas are checksummed. */
  static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
  static final DataChecksum NO_CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.NULL, 512);

  private static final long POOL_BYTES = 32 << 20;
  private static final int REQUEST_TIMEOUT_MS = 10_000;

  /** How the links of a cluster are. */
  static final class LinkStyle {
    private final int capacity;
    private final boolean channels;
    private final int mostAtOnce;
    private final int timeScale;

    /**
     * @param capacity bytes on the way at a time
     * @param channels whether the streams are channels as well
     * @param mostAtOnce bytes that one read or write of a channel moves
     * @param timeScale timeouts pass this many times faster than they say
     */
    LinkStyle(int capacity, boolean channels, int mostAtOnce, int timeScale) {
      this.capacity = capacity;
      this.channels = channels;
      this.mostAtOnce = mostAtOnce;
      this.timeScale = timeScale;
    }
  }

  final GroupId group;
  private final ExecutorService threads;
  private final RegionKernel kernel;
  private final LinkStyle links;
  private final LongSupplier nanoClock;
  final Fault fault;
  private final Map<String, SimNode> nodes = new ConcurrentHashMap<>();
  private final List<MemoryConnection> clientEnds = new CopyOnWriteArrayList<>();
  private final List<Future<?>> sessions = new CopyOnWriteArrayList<>();
  private final List<SimNode.Source> sources = new CopyOnWriteArrayList<>();
  private final List<Sink> sinks = new CopyOnWriteArrayList<>();
  /** UUIDs of nodes that know no narrow links. */
  private final Set<String> old = ConcurrentHashMap.newKeySet();
  /** Whether callers may not know which nodes are old, so that these have to refuse requests. */
  private volatile boolean oldMayRefuse;
  private volatile int writeMs;
  /** The features that each node has named in its last answer, by UUID. */
  final Map<String, Long> answered = new ConcurrentHashMap<>();
  private final Map<String, NodeStats> stats = new ConcurrentHashMap<>();
  /** For how many bytes each node has left room, by UUID. */
  final Map<String, Long> yielded = new ConcurrentHashMap<>();
  /** For how many slices each node has let repairs go first, by UUID. */
  final Map<String, Integer> letRepairsFirst = new ConcurrentHashMap<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();

  /**
   * @param nanoClock the time of all nodes
   * @param fault what goes wrong, or null
   */
  SimCluster(GroupId group, ExecutorService threads, RegionKernel kernel, LinkStyle links,
      LongSupplier nanoClock, Fault fault) {
    this.nanoClock = nanoClock;
    this.group = group;
    this.threads = threads;
    this.kernel = kernel;
    this.links = links;
    this.fault = fault;
  }

  /** The node with this reference, made if need be. */
  SimNode node(NodeRef ref) {
    return nodes.computeIfAbsent(ref.uuid, uuid -> new SimNode(this, ref,
        new BufferPool(POOL_BYTES), fault != null && fault.is(Fault.Kind.OVERLOAD, uuid)));
  }

  int timeScale() {
    return links.timeScale;
  }

  /** A token that is right for one block and nothing else. */
  static Token<BlockTokenIdentifier> tokenFor(long blockId) {
    return new Token<>(("block " + blockId).getBytes(StandardCharsets.UTF_8),
        new byte[] {1, 2, 3}, new Text("HDFS_BLOCK_TOKEN"), new Text("10.0.0.1:9866"));
  }

  /** Notes that a node has left room for users before it sends bytes. */
  void yielded(String uuid, long bytes) {
    yielded.merge(uuid, bytes, Long::sum);
  }

  void violation(String what) {
    violations.add(what);
  }

  void opened(SimNode.Source source) {
    sources.add(source);
  }

  /** The kernel of a node, which is a bad one if the fault says so. */
  RegionKernel kernelOf(String uuid) {
    return fault != null && fault.is(Fault.Kind.EVIL, uuid) ? new EvilKernel() : kernel;
  }

  @Override
  public TransferConnection connect(NodeRef to, ExtendedBlock block,
      Token<BlockTokenIdentifier> token)
      throws IOException {
    SimNode server = nodes.get(to.uuid);
    if (fault != null && fault.is(Fault.Kind.REFUSE, to.uuid)) {
      fault.trigger();
      throw new UnreachableException(new ConnectException("Connection refused"));
    }
    if (server == null || !to.runsExtension()) {
      violation("connected to " + to + ", which does not run the extension");
      throw new ConnectException("Connection refused");
    }
    if (!server.holds(block) || !token.equals(tokenFor(block.getBlockId()))) {
      violation("connected to " + to + " for " + block + " with the token " + token);
    }
    Fault here = fault != null && fault.onLink() && fault.uuid.equals(to.uuid) ? fault : null;
    BytePipe[] both = new BytePipe[2];
    Consumer<Boolean> cut = atOnce -> {
      both[0].breakOff(atOnce);
      both[1].breakOff(atOnce);
    };
    both[0] = new BytePipe(links.capacity, links.timeScale,
        here != null && !here.up ? here : null, cut);
    both[1] = new BytePipe(links.capacity, links.timeScale,
        here != null && here.up ? here : null, cut);
    MemoryConnection client = new MemoryConnection("client of " + to, both[1], both[0],
        links.channels, links.mostAtOnce);
    MemoryConnection accepted = new MemoryConnection("server at " + to, both[0], both[1],
        links.channels, links.mostAtOnce);
    clientEnds.add(client);
    sessions.add(threads.submit(() -> serve(server, accepted)));
    return client;
  }

  /** Has some nodes be of an older version. */
  void withoutNarrowLinks(Set<String> uuids) {
    old.addAll(uuids);
  }

  /** Has callers not know which nodes are of an older version. */
  void letOldNodesRefuse() {
    oldMayRefuse = true;
  }

  private void refuse(SimNode server, MemoryConnection connection, UnsupportedRequestException e)
      throws IOException {
    if (!oldMayRefuse) {
      violation("an old node got a request that it does not know: " + e);
    }
    DataOutputStream out = new DataOutputStream(connection.out());
    PartialSumResponse.failed(new RepairException(FailureCause.UNSUPPORTED, server.self(),
        e.getMessage(), null)).writeDelimitedTo(out);
    out.flush();
  }

  private PartialSumRequest read(SimNode server, MemoryConnection connection)
      throws IOException {
    long features = old.contains(server.self().uuid)
        ? RequestFeatures.KNOWN & ~RequestFeatures.NARROW_LINKS : RequestFeatures.KNOWN;
    ChannelInput in = new ChannelInput(connection.in());
    RequestFraming.readOpcode(in);
    try {
      return RequestFraming.readPartialSum(in, features);
    } catch (UnsupportedRequestException e) {
      refuse(server, connection, e);
      throw e;
    }
  }

  private void serve(SimNode server, MemoryConnection connection) {
    try {
      connection.setTimeout(REQUEST_TIMEOUT_MS);
      PartialSumRequest request = read(server, connection);
      HelperSession session = new HelperSession(server, this, kernelOf(server.self().uuid),
          server.memory(), new RateMemory(), nanoClock);
      stats.put(server.self().uuid, session.stats);
      session.serve(request, connection);
    } catch (UnsupportedRequestException e) {
      // The node has answered that it does not know what the request needs.
      connection.close();
    } catch (MalformedRequestException e) {
      if (fault == null) {
        violation("a request did not arrive: " + e);
      }
    } catch (IOException e) {
      // As on a real server, a caller that sends nothing gets nothing.
      connection.close();
    } catch (RuntimeException e) {
      violation("a session ended with " + e);
    } finally {
      connection.close();
    }
  }

  @Override
  public void answered(NodeRef node, long features) {
    answered.put(node.uuid, features);
  }

  @Override
  public UnitSink open(PlanTarget target, DataChecksum checksum) throws IOException {
    if (fault != null && fault.kind == Fault.Kind.SINK_OPEN && fault.unit == target.unit) {
      fault.trigger();
      throw new IOException("injected: no room");
    }
    // A damaged answer can say something else: it has no checksum of its own.
    if (!CHECKSUM.equals(checksum) && (fault == null || !fault.onLink())) {
      violation("unit " + target.unit + " is to be checksummed with " + checksum);
    }
    Sink sink = new Sink(target);
    sinks.add(sink);
    return sink;
  }

  /** Makes the limit for writes hold back every write that long. */
  void holdWritesBack(int ms) {
    writeMs = ms;
  }

  /** The counters of the last session of a node. */
  NodeStats stats(NodeRef node) {
    return stats.get(node.uuid);
  }

  @Override
  public void throttleWrite(long bytes) {
    if (writeMs > 0) {
      try {
        BytePipe.sleep(writeMs);
      } catch (IOException e) {
        violation("interrupted: " + e);
      }
    }
    if (bytes < 1) {
      violation("throttled for " + bytes + " bytes");
    }
  }

  /** What was committed for {@code unit}, or null. */
  byte[] committed(int unit) {
    for (Sink sink : sinks) {
      if (sink.target.unit == unit && sink.committed) {
        return Arrays.copyOf(sink.bytes, sink.length);
      }
    }
    return null;
  }

  /**
   * Waits until all sessions have ended.
   *
   * @return what should not be: sessions that still run, things left open, rules broken
   */
  List<String> leftovers(long timeoutMs) throws InterruptedException {
    List<String> left = new ArrayList<>();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    // A session can open further ones until the last has ended.
    for (int i = 0; i < sessions.size(); i++) {
      try {
        sessions.get(i).get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        left.add("session " + i + " still runs");
      } catch (ExecutionException e) {
        left.add("session " + i + " ended with " + e.getCause());
      }
    }
    clientEnds.stream().filter(end -> !end.isClosed()).forEach(end -> left.add("open: " + end));
    sources.stream().filter(source -> !source.isClosed())
        .forEach(source -> left.add("open: " + source));
    sinks.stream().filter(sink -> !sink.closed).forEach(sink -> left.add("open: " + sink));
    for (SimNode node : nodes.values()) {
      if (node.buffers.usedBytes() != 0) {
        left.add(node.buffers.usedBytes() + " bytes of buffers used at " + node.self());
      }
    }
    left.addAll(violations);
    return left;
  }

  /** Where a rebuilt unit goes: an array. */
  private final class Sink implements UnitSink {
    private final PlanTarget target;
    private final long unitBytes;
    private byte[] bytes = new byte[4096];
    private int length;
    private boolean failed;
    private boolean committed;
    private volatile boolean closed;

    Sink(PlanTarget target) {
      this.target = target;
      this.unitBytes = node(target.node).expectedBytes(target.unit);
    }

    private void check(boolean right, String what) {
      if (!right) {
        violation(what + " of " + this);
      }
    }

    private void failIf(Fault.Kind kind, long upTo) throws IOException {
      if (fault != null && fault.kind == kind && fault.unit == target.unit
          && upTo > fault.offset) {
        fault.trigger();
        failed = true;
        throw new IOException("injected: the disk is gone");
      }
    }

    @Override
    public void write(ByteBuffer data) throws IOException {
      check(!closed && !committed && !failed, "write after the end");
      check(data.isDirect() && data.hasRemaining(), "a buffer that is not direct, or empty");
      check(length + data.remaining() <= unitBytes, "a byte too many");
      failIf(Fault.Kind.SINK_WRITE, length + data.remaining());
      if (length + data.remaining() > bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * (length + data.remaining()));
      }
      int more = data.remaining();
      data.get(bytes, length, more);
      length += more;
    }

    @Override
    public void commit() throws IOException {
      check(!closed && !committed && !failed, "second commit");
      check(length == unitBytes, "commit with " + length + " bytes");
      failIf(Fault.Kind.SINK_COMMIT, Long.MAX_VALUE);
      committed = true;
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public String toString() {
      return "sink of unit " + target.unit + " with " + length + " of " + unitBytes + " bytes"
          + (committed ? ", committed" : "");
    }
  }

  /**
   * Multiplies by a wrong coefficient. After a wrong matrix of several rows, matrices of one row
   * are right, because two errors can cancel in the check row: in a file of one data unit, a second
   * lost unit can be equal to this data unit. No check finds two such errors of one node.
   */
  private final class EvilKernel implements RegionKernel {
    private boolean sumsWrongly;

    @Override
    public String name() {
      return "evil";
    }

    @Override
    public RegionOperator prepare(GfMatrix right) {
      boolean weighs = right.rows() == 1 && sumsWrongly;
      if (right.equals(GfMatrix.identity(1)) || weighs) {
        return kernel.prepare(right);
      }
      sumsWrongly |= right.rows() > 1;
      fault.trigger();
      return kernel.prepare(GfMatrix.generate(right.rows(), right.columns(), (row, column) ->
          right.get(row, column) ^ (row == 0 && column == 0 ? fault.mask : 0)));
    }
  }
}
