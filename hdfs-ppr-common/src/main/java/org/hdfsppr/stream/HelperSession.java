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
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.Source;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceWriter;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;

/**
 * A helper's part in one repair, from the request to the last slice: check the tokens and that its
 * part is here, connect the children, open the units, answer, and stream the sums up. Whatever
 * fails, the parent hears of; everything taken is given back. Used by one thread.
 */
@InterfaceAudience.Private
public final class HelperSession {
  /**
   * A word may lie that long at each node on its way up, and has to come from the far end of a
   * chain well within the window in which a link is found slow; a kilobyte that often costs
   * nothing.
   */
  private static final long PROGRESS_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How a session ended. */
  public enum Outcome {
    /** All slices were sent. */
    DONE,
    /** The requester had no right to ask. */
    TOKEN_REFUSED,
    /** This node or one below it failed; the parent was told. */
    FAILED,
    /** The parent went away. */
    ABANDONED
  }

  private final HelperHost host;
  private final Connector connector;
  private final RegionKernel kernel;
  private final BufferSource buffers;
  private final RateMemory rates;
  private final LongSupplier nanoClock;
  private final NodeStats stats = new NodeStats();
  private final Phases phases;
  private long bytesSent;
  private long bytesReceived;
  private long bytesAcrossRacks;
  private long diskBytes;
  private long cachedBytes;
  private long stockBytes;
  private RepairException failure;

  public HelperSession(HelperHost host, Connector connector, RegionKernel kernel,
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
   * @param request what is asked, well-formed
   * @param parent the connection that it came over; stays the caller's to close
   */
  public Outcome serve(PartialSumRequest request, Connection parent) {
    SliceWriter toParent = null;
    try (OpenUnits units = new OpenUnits(host, stats, nanoClock);
        ChildLinks children = new ChildLinks()) {
      try {
        String refusal = refusal(request);
        if (refusal != null) {
          failure = new RepairException(FailureCause.ACCESS_TOKEN, host.self(), refusal, null);
          answer(parent, PartialSumResponse.tokenRefused());
          return Outcome.TOKEN_REFUSED;
        }
        prove(request.subtree(), request);
        int[] pieces = PartialSum.pieces(request, kernel);
        BufferPool.Lease lease = buffers.lease(pieces);
        if (lease == null) {
          String never = buffers.refusal(pieces);
          // To ask again later helps against the latter only.
          throw never != null
              ? new RepairException(FailureCause.UNSUPPORTED, host.self(), never, null)
              : new RepairException(FailureCause.OVERLOADED, host.self(),
                  "no buffers are free for a repair", null);
        }
        try (BufferPool.Lease memory = lease) {
          ProgressBoard board = new ProgressBoard(nanoClock);
          // The children first: while this node opens its files they open theirs.
          children.askAll(request, connector);
          phases.done("children asked");
          units.open(request);
          phases.done("units open");
          PartialSum sum = new PartialSum(request, units.sources(), children.readers(), kernel,
              memory, stats, nanoClock);
          if (request.isForReader() && !request.subtree().children().isEmpty()) {
            // A reader waits for the first slice, and this node for those below it. A leaf has
            // nobody to wait for, and says first that it is ready.
            sum.readFirst();
            phases.done("first slice read");
          }
          children.awaitReady(request, board);
          phases.done("children ready");
          parent.setTimeout(request.patienceMs());
          answer(parent, PartialSumResponse.ready(checksum(units, children)));
          toParent = new SliceWriter(parent.out(), request.geometry());
          stream(request, sum, toParent, board);
          children.receiveEnds();
          send(toParent::end);
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
            children.bytesReceivedAcrossRacks(request.subtree().node().rack());
        bytesSent = toParent == null ? 0 : toParent.bytesSent();
      }
    }
  }

  /**
   * Why the bearer may not read every unit that this node is asked for, or null if it may. That
   * includes those which it reads from other nodes, for those reads it does in its own name.
   */
  private String refusal(PartialSumRequest request) {
    for (Source source : request.subtree().sources()) {
      String refusal = host.refusal(source.block().toExtendedBlock(), request.token(source));
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /**
   * Proves, before any other node is asked for anything, that this is the node that is meant, and
   * that it has what it is asked for. Tokens prove the requester's right to that; where a cluster
   * has none this keeps it at least to trees of nodes and blocks that there are.
   */
  private void prove(PlanNode own, PartialSumRequest request) throws RepairException {
    if (!own.node().equals(host.self())) {
      // Its planner reads it the stock way, from where that finds it.
      throw new RepairException(FailureCause.UNSUPPORTED, own.node(),
          "another DataNode serves repairs at its address; each needs one of its own", null);
    }
    if (own.children().isEmpty() && own.sources().stream().noneMatch(own::isRemote)) {
      // It is proven when they are opened.
      return;
    }
    host.checkNeighbours(own);
    for (Source source : own.sources()) {
      if (!own.isRemote(source)) {
        host.checkLocal(source.block().toExtendedBlock());
      }
    }
  }

  /** A replica without checksums does not decide how the rebuilt one is checksummed. */
  private static DataChecksum checksum(OpenUnits units, ChildLinks children) {
    DataChecksum own = units.checksum();
    boolean useful = own != null && own.getChecksumType() != DataChecksum.Type.NULL;
    return useful || children.checksum() == null ? own : children.checksum();
  }

  private void stream(PartialSumRequest request, PartialSum sum, SliceWriter toParent,
      ProgressBoard board) throws IOException {
    long began = nanoClock.getAsLong();
    // The first word goes before the first slice, while no slices are under way that could hold it
    // up: from then on its reader knows how long words take.
    long lastProgress = began - PROGRESS_EVERY_NANOS;
    long bytes = 0;
    int slices = request.geometry().slices();
    for (int slice = request.geometry().firstSlice(); slice < slices; slice++) {
      SliceBuffer rows = sum.sum(slice);
      stats.sliceDone();
      if (rows == null) {
        continue;
      }
      long start = nanoClock.getAsLong();
      // Before the slice: behind it the word would be read only with the next one, which where a
      // link is slow may take longer than the window in which it is found slow. A reader looks for
      // no slow links, and all words of all nodes would be most of what a short range costs.
      if (!request.isForReader() && start - lastProgress >= PROGRESS_EVERY_NANOS) {
        lastProgress = start;
        send(() -> toParent.progress(board.with(stats.toProto(host.self().uuid(),
            request.subtree().children().size(), start - began))));
      }
      int current = slice;
      send(() -> toParent.send(current, rows));
      long sent = nanoClock.getAsLong();
      stats.addParentWait(sent - start);
      bytes += (long) rows.length() * request.lostRows();
      if (slice == request.geometry().firstSlice()) {
        phases.done("first slice sent");
      }
    }
    phases.done("last slice sent");
    if (!request.isForReader()) {
      // What a reader wants is over before it has a rate.
      rates.saw(bytes, nanoClock.getAsLong() - began);
      rates.fade();
    }
  }

  /** The parent closed or broke the connection, so there is nobody to tell. */
  private static final class ParentGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ParentGoneException(IOException cause) {
      super(cause);
    }
  }

  /** Something to send. */
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

  private static void answer(Connection parent, PartialSumResponseProto response)
      throws ParentGoneException {
    send(() -> {
      DataOutputStream out = new DataOutputStream(parent.out());
      response.writeDelimitedTo(out);
      out.flush();
    });
  }

  private static void tell(Connection parent, SliceWriter toParent, RepairException e) {
    RepairException heard = NoAnswerException.forParent(e);
    try {
      if (toParent == null) {
        answer(parent, PartialSumResponse.failed(heard));
      } else {
        toParent.fail(heard);
      }
    } catch (IOException gone) {
      // The failure stays the answer; that the parent did not hear it, it finds out by itself.
      e.addSuppressed(gone);
    }
  }

  /** Why it was not {@link Outcome#DONE}, or null. */
  public RepairException failure() {
    return failure;
  }

  public NodeStats stats() {
    return stats;
  }

  /** What it did when. */
  public Phases phases() {
    return phases;
  }

  public long bytesSent() {
    return bytesSent;
  }

  public long bytesReceived() {
    return bytesReceived;
  }

  /** Those bytes received that came from another rack. */
  public long bytesAcrossRacks() {
    return bytesAcrossRacks;
  }

  /** Bytes of replicas read from this node's disks. */
  public long diskBytes() {
    return diskBytes;
  }

  /** Bytes of this node's replicas that it had kept from earlier reads. */
  public long cachedBytes() {
    return cachedBytes;
  }

  /** Bytes of replicas read from nodes without the extension. */
  public long stockBytes() {
    return stockBytes;
  }
}
