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
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceWriter;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;

/**
 * Runs a helper's part in one repair. The session checks the tokens and the blocks of the request,
 * connects to the children, opens the units, answers the parent, and streams the sums to the
 * parent. If a step fails, the session reports the failure to the parent. In any case it closes its
 * units and its connections to children, and gives back its memory. Used by one thread.
 */
@InterfaceAudience.Private
public final class HelperSession {
  /**
   * The interval between two progress messages, nanoseconds. A message may wait for this time at
   * each node on its way to the root. From the far end of a chain, it must still arrive well within
   * the window in which a slow link is detected. A message has about a kilobyte, so that ten
   * messages per second cost little.
   */
  private static final long PROGRESS_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * Before it sends a slice, the session lets transfers of users go first, for at most the stall
   * timeout divided by this number. A parent takes a helper for dead if no slice comes within the
   * whole timeout, and the helper's children and disk need some of that time, too.
   */
  private static final int YIELDS_PER_STALL = 4;
  /**
   * The longest wait before one slice, for repairs and users together, ns. In a chain, the waits of
   * all nodes add up before the first slice arrives.
   */
  private static final long YIELD_NANOS_MOST = TimeUnit.SECONDS.toNanos(1);

  /** How a session ended. */
  public enum Outcome {
    /** All slices were sent. */
    DONE,
    /** The requester had no right to read a unit. */
    TOKEN_REFUSED,
    /** This node or a node below it failed. The session reported the failure to the parent. */
    FAILED,
    /** The parent closed or broke the connection. */
    ABANDONED
  }

  private final HelperHost host;
  private final TransferConnector connector;
  private final RegionKernel kernel;
  private final BufferSource buffers;
  private final RateMemory rates;
  private final LongSupplier nanoClock;
  /** The times that this node has spent in each step; any thread may read them */
  public final NodeStats stats = new NodeStats();
  /** The times at which the steps of the session ended */
  public final Phases phases;
  private long bytesSent;
  private long bytesReceived;
  private long bytesAcrossRacks;
  private long diskBytes;
  private long cachedBytes;
  private long stockBytes;
  private RepairException failure;

  /**
   * @param host the DataNode on which this session runs
   * @param connector opens the connections to children
   * @param kernel does the arithmetic in GF(256)
   * @param buffers lends the memory for the session
   * @param rates remembers the rate of this repair for later comparisons
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public HelperSession(HelperHost host, TransferConnector connector, RegionKernel kernel,
      BufferSource buffers, RateMemory rates, LongSupplier nanoClock) {
    this.rates = rates;
    this.host = host;
    this.connector = connector;
    this.kernel = kernel;
    this.buffers = buffers;
    this.nanoClock = nanoClock;
    this.phases = new Phases(nanoClock);
  }

  /**
   * Serves one request.
   *
   * @param request a well-formed request
   * @param parent the connection over which the request came; the caller still has to close it
   * @return how the session ended
   */
  public Outcome serve(PartialSumRequest request, TransferConnection parent) {
    SliceWriter toParent = null;
    try (OpenUnits units = new OpenUnits(host, stats, nanoClock);
        ChildLinks children = new ChildLinks(counterOfReceived(request))) {
      try {
        String refusal = refusal(request);
        if (refusal != null) {
          failure = new RepairException(FailureCause.ACCESS_TOKEN, host.self(), refusal, null);
          answer(parent, PartialSumResponse.tokenRefused());
          return Outcome.TOKEN_REFUSED;
        }
        proveRows(request.subtree);
        prove(request.subtree, request);
        int[] pieces = PartialSum.pieces(request, kernel);
        BufferSource.Lease lease = buffers.lease(pieces);
        if (lease == null) {
          String never = buffers.refusal(pieces);
          // A request that can never fit is UNSUPPORTED, so that the destination does not repeat
          // it. An OVERLOADED request may succeed later.
          throw never != null
              ? new RepairException(FailureCause.UNSUPPORTED, host.self(), never, null)
              : new RepairException(FailureCause.OVERLOADED, host.self(),
                  "no buffers are free for a repair", null);
        }
        try (BufferSource.Lease memory = lease) {
          ProgressBoard board = new ProgressBoard(nanoClock);
          // This node sends the requests to its children first, so that they open their units while
          // this node opens its own.
          children.askAll(request, connector);
          phases.done("children asked");
          units.open(request);
          phases.done("units open");
          PartialSum sum = new PartialSum(request, units.sources, children.readers, kernel,
              memory, stats, nanoClock);
          if (request.forReader && !request.subtree.children.isEmpty()) {
            // A client's reader waits for the first slice. To save time, this node reads its own
            // units while its children get ready. A node without children answers first, and reads
            // then.
            sum.readFirst();
            phases.done("first slice read");
          }
          children.awaitReady(request, board);
          phases.done("children ready");
          parent.setTimeout(request.patienceMs());
          answer(parent, withFeatures(PartialSumResponse.ready(checksum(units, children))));
          toParent = toParent(request, parent);
          RateMemory.Transfer counted = rates.begin();
          try {
            stream(request, sum, toParent, board);
            children.receiveEnds();
            send(toParent::end);
          } finally {
            counted.close();
          }
          phases.done("end");
        }
        return Outcome.DONE;
      } catch (RepairException e) {
        failure = e;
        tell(parent, toParent, e);
        return Outcome.FAILED;
      } catch (ParentGoneException e) {
        failure = new RepairException(FailureCause.DEAD, host.self(),
            "the parent went away: " + e.getCause(), e);
        return Outcome.ABANDONED;
      } catch (IOException | RuntimeException e) {
        failure = new RepairException(FailureCause.INTERNAL, host.self(), e.toString(), e);
        tell(parent, toParent, failure);
        return Outcome.FAILED;
      } finally {
        diskBytes = units.localBytes();
        cachedBytes = units.cachedBytes();
        stockBytes = units.remoteBytes();
        bytesReceived = children.bytesReceived();
        bytesAcrossRacks =
            children.bytesReceivedAcrossRacks(request.subtree.node.rack);
        bytesSent = toParent == null ? 0 : toParent.bytesSent();
      }
    }
  }

  /**
   * Returns why the requester may not read one of the units that this node is to read, or null if
   * the requester may read all of them. The check includes units that this node reads from other
   * nodes, because the requester gets sums of their bytes, too.
   */
  private String refusal(PartialSumRequest request) {
    for (RepairSource source : request.subtree.sources) {
      String refusal = host.refusal(source.block.toExtendedBlock(), request.token(source));
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /**
   * Checks that the request names this node, and blocks that this node has. The check comes before
   * this node connects to any other node. Tokens prove the requester's right to the blocks. On a
   * cluster without tokens, this check still refuses requests for nodes and blocks that do not
   * exist.
   */
  private void prove(PlanNode own, PartialSumRequest request) throws RepairException {
    if (!own.node.equals(host.self())) {
      // The cause UNSUPPORTED makes the next plan ask this node for no sums. Another node then
      // reads the unit from here with the stock operation.
      throw new RepairException(FailureCause.UNSUPPORTED, own.node,
          "another DataNode serves repairs at its address; each needs one of its own", null);
    }
    if (own.children.isEmpty() && own.sources.stream().noneMatch(own::isRemote)) {
      // This node connects to no other node. Opening the units shows whether it has the blocks.
      return;
    }
    host.checkNeighbours(own);
    for (RepairSource source : own.sources) {
      if (!own.isRemote(source)) {
        host.checkLocal(source.block.toExtendedBlock());
      }
    }
  }

  /**
   * Checks the rows that the nodes of the request send, see {@link NarrowLinks#checkBases}. This is
   * expensive, so the session does it only after it has checked the caller's tokens.
   */
  private void proveRows(PlanNode own) throws RepairException {
    try {
      NarrowLinks.checkBases(own);
    } catch (IllegalArgumentException e) {
      throw new RepairException(FailureCause.PROTOCOL, host.self(),
          "the request contradicts itself: " + e.getMessage(), e);
    }
  }

  /**
   * Chooses the checksum type of the rebuilt replica. A replica without checksums must not decide
   * it.
   */
  private static DataChecksum checksum(OpenUnits units, ChildLinks children) {
    DataChecksum own = units.checksum();
    boolean useful = own != null && own.getChecksumType() != DataChecksum.Type.NULL;
    return useful || children.checksum() == null ? own : children.checksum();
  }

  private LongConsumer counterOfSent(PartialSumRequest request) {
    return request.forReader ? host::sentToReader
        : bytes -> host.sent(bytes, request.isPaced());
  }

  private LongConsumer counterOfReceived(PartialSumRequest request) {
    return request.forReader ? host::receivedForReader
        : bytes -> host.received(bytes, request.isPaced());
  }

  private void stream(PartialSumRequest request, PartialSum sum, SliceWriter toParent,
      ProgressBoard board) throws IOException {
    long began = nanoClock.getAsLong();
    // The first progress message goes before the first slice. No slices are on the way that could
    // delay it, so the receiver can estimate the delays of later messages.
    long lastProgress = began - PROGRESS_EVERY_NANOS;
    long bytes = 0;
    SliceThrottle pace = new SliceThrottle(request, nanoClock);
    YieldToRepairs repairs = new YieldToRepairs(request, host, nanoClock);
    long usersFirst = Math.min(YIELD_NANOS_MOST,
        TimeUnit.MILLISECONDS.toNanos(request.stallTimeoutMs) / YIELDS_PER_STALL);
    int slices = request.geometry.slices();
    for (int slice = request.geometry.firstSlice; slice < slices; slice++) {
      pace.await(slice);
      SliceBuffer rows = sum.sum(slice);
      stats.sliceDone();
      if (rows == null) {
        continue;
      }
      if (!request.forReader && !request.urgent) {
        // The wait comes right before the slice is sent. If it came before the node reads its
        // units, slices of several sessions could pass it, then wait for their children, and all be
        // sent at the same time afterwards.
        long asked = nanoClock.getAsLong();
        long waited = repairs.await();
        long all = (long) rows.rows() * rows.length();
        host.yieldToUsers(all, all * request.subtree.children.size(),
            Math.max(1, usersFirst - waited));
        stats.addThrottle(nanoClock.getAsLong() - asked);
      }
      long start = nanoClock.getAsLong();
      // The progress message goes before the slice. A parent would read a message behind the slice
      // only together with the next slice. On a slow link that could take longer than the window in
      // which a slow link is detected. A reader does not look for slow links, and the messages of
      // all nodes would cost more than the slices of a short range.
      if (!request.forReader && start - lastProgress >= PROGRESS_EVERY_NANOS) {
        lastProgress = start;
        send(() -> toParent.progress(board.with(stats.toProto(host.self().uuid,
            request.subtree.children.size(), start - began))));
      }
      int current = slice;
      send(() -> toParent.send(current, rows));
      long sent = nanoClock.getAsLong();
      stats.addParentWait(sent - start);
      bytes += (long) rows.length() * request.lostRows;
      if (slice == request.geometry.firstSlice) {
        phases.done("first slice sent");
      }
    }
    phases.done("last slice sent");
    if (!request.forReader && !request.isPaced()) {
      // Only repairs without a rate limit count. A degraded read is too short for a meaningful
      // rate, and the rate of limited work shows the limit and not how fast the links are.
      rates.saw(bytes, nanoClock.getAsLong() - began);
      rates.fade();
    }
  }

  /**
   * Returns the writer of slices to the parent. For a reader, such as the check of a commit,
   * several short slices are sent together. The slices of a repair are sent one by one, because the
   * parent measures when they arrive to find slow links.
   */
  private SliceWriter toParent(PartialSumRequest request, TransferConnection parent) {
    LongConsumer counter = counterOfSent(request);
    return request.forReader
        ? SliceWriter.together(parent.out(), request.geometry, counter, nanoClock)
        : new SliceWriter(parent.out(), request.geometry, counter);
  }

  /** The parent closed or broke the connection, so that no failure can be reported to it. */
  private static final class ParentGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ParentGoneException(IOException cause) {
      super(cause);
    }
  }

  /** A step that sends something to the parent. */
  private interface Sending {
    void send() throws IOException;
  }

  private static void send(Sending sending) throws ParentGoneException {
    try {
      sending.send();
    } catch (IOException e) {
      throw new ParentGoneException(e);
    }
  }

  /**
   * Adds this node's features to an answer. A parent assumes that an answer without features comes
   * from an older version. Answers that report a failure therefore name the features, too.
   */
  private PartialSumResponseProto withFeatures(PartialSumResponseProto answer) {
    return PartialSumResponse.withFeatures(answer, host.requestFeatures());
  }

  private static void answer(TransferConnection parent, PartialSumResponseProto response)
      throws ParentGoneException {
    send(() -> PartialSumResponse.write(parent.out(), response));
  }

  private void tell(TransferConnection parent, SliceWriter toParent, RepairException e) {
    RepairException heard = NoAnswerException.forParent(e);
    try {
      if (toParent == null) {
        answer(parent, withFeatures(PartialSumResponse.failed(heard)));
      } else {
        toParent.fail(heard);
      }
    } catch (IOException gone) {
      // The session still ends with the failure e. The parent sees that the connection broke, and
      // needs no report.
      e.addSuppressed(gone);
    }
  }

  /** @return why the session did not end with {@link Outcome#DONE}; null if it did */
  public RepairException failure() {
    return failure;
  }

  /** @return bytes sent to the parent */
  public long bytesSent() {
    return bytesSent;
  }

  /** @return bytes that this node's children sent */
  public long bytesReceived() {
    return bytesReceived;
  }

  /** @return bytes that this node's children in other racks sent */
  public long bytesAcrossRacks() {
    return bytesAcrossRacks;
  }

  /** @return bytes of replicas read from this node's disks */
  public long diskBytes() {
    return diskBytes;
  }

  /** @return bytes of this node's replicas that were in memory from earlier reads */
  public long cachedBytes() {
    return cachedBytes;
  }

  /** @return bytes of replicas that this node read from other nodes by stock reads */
  public long stockBytes() {
    return stockBytes;
  }
}
