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
package org.hdfsppr.bench;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;

/**
 * Callers that hold the largest request open at every DataNode and take no bytes. They show how
 * much harm a client can do if the cluster has no block tokens, or if the client has a token for
 * one block of each node. Each caller has one connection to each node, and replaces it by a new
 * connection every 20 s.
 */
final class GreedyCallers implements Closeable {
  private static final int REPAIR_PORT = 9877;
  private static final int TIMEOUT_MS = 10_000;
  /**
   * The size of a caller's receive buffer. It is small, so that the bytes that a node sends stay in
   * the node's own socket buffer and do not load the measured links.
   */
  private static final int RECEIVE_BUFFER_BYTES = 4096;
  /** A caller holds its requests for this time before it replaces them by new requests. */
  private static final long HOLD_SECONDS = 20;
  /** A caller requests this many bytes, which is more than any socket can buffer. */
  private static final long STREAM_BYTES = 1L << 30;
  private static final int CELL_BYTES = 1 << 20;
  private static final int SUB_CHUNKS = 8;
  private static final int LOST_ROWS = 64;

  private final List<Unit> units;
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch begun;
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private volatile boolean closed;

  /**
   * @param units one unit of each node; the callers connect to these nodes
   */
  GreedyCallers(int callers, List<Unit> units) {
    this.units = Collections.unmodifiableList(new ArrayList<>(units));
    this.begun = new CountDownLatch(callers);
    for (int caller = 0; caller < callers; caller++) {
      Thread thread = new Thread(this::callAll, "greedy-caller-" + caller);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  /** Starts all callers, and waits until each caller has sent a request to each node. */
  void start() throws InterruptedException {
    threads.forEach(Thread::start);
    begun.await();
  }

  private void callAll() {
    Map<Unit, Socket> open = new HashMap<>();
    try {
      while (!closed) {
        for (Unit unit : units) {
          Socket before = open.remove(unit);
          if (before != null) {
            before.close();
          }
          Socket socket = call(unit);
          if (socket != null) {
            open.put(unit, socket);
          }
        }
        begun.countDown();
        TimeUnit.SECONDS.sleep(HOLD_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new IllegalStateException("A socket cannot be closed", e);
    } finally {
      begun.countDown();
      open.values().forEach(GreedyCallers::close);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Sends a node the largest request that the protocol allows. If the node refuses, sends a request
   * with the default slice size instead. Returns the open connection, or null if both attempts
   * failed.
   */
  private Socket call(Unit unit) throws IOException {
    for (int sliceBytes : new int[] {SliceGeometry.SLICE_BYTES_MAX, SliceGeometry.SLICE_BYTES}) {
      Socket socket = new Socket();
      boolean keep = false;
      try {
        socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.connect(new InetSocketAddress(unit.location.getIpAddr(), REPAIR_PORT),
            TIMEOUT_MS);
        BufferedOutputStream out = new BufferedOutputStream(socket.getOutputStream());
        RequestFraming.write(out, request(unit, sliceBytes));
        out.flush();
        PartialSumResponseProto answer = PartialSumResponseProto.parseFrom(
            new ChannelInput(socket.getInputStream())
                .readDelimited("answer", PartialSumResponse.RESPONSE_BYTES_MAX));
        keep = answer.getStatus() == Status.SUCCESS_VALUE;
        (keep ? held : refused).incrementAndGet();
        if (keep) {
          return socket;
        }
      } catch (IOException e) {
        // The connection may fail because the benchmark has killed a node. The benchmark prints the
        // number of failures.
        failed.incrementAndGet();
      } finally {
        if (!keep) {
          socket.close();
        }
      }
    }
    return null;
  }

  private static PartialSumRequest request(Unit unit, int sliceBytes) {
    NodeRef node = new NodeRef(unit.location.getDatanodeUuid(), unit.location.getIpAddr(),
        unit.location.getHostName(), unit.location.getXferPort(), REPAIR_PORT, "/greedy");
    GroupId group = new GroupId(unit.block.getBlockPoolId(),
        unit.block.getBlockId() - unit.index, unit.block.getGenerationStamp());
    byte[] coefficients = new byte[LOST_ROWS * SUB_CHUNKS];
    coefficients[0] = 1;
    RepairSource share = new RepairSource(unit.index, group.block(unit.index,
        unit.block.getNumBytes()), node, coefficients, SUB_CHUNKS, LOST_ROWS, new byte[0]);
    return new PartialSumRequest(PartialSumRequest.of("greedy", LOST_ROWS, 0,
        RequestBounds.STALL_TIMEOUT_MS_MAX), group,
        new SliceGeometry(STREAM_BYTES, sliceBytes, SUB_CHUNKS, CELL_BYTES, 0, 0),
        new PlanNode(node, Collections.singletonList(share), Collections.emptyList()),
        Collections.singletonMap(share.block, new Token<BlockTokenIdentifier>()));
  }

  /** Describes how many requests the nodes have accepted, refused and not answered. */
  @Override
  public String toString() {
    return threads.size() + " greedy callers: " + held + " requests held, " + refused
        + " refused, " + failed + " without an answer";
  }

  @Override
  public void close() throws IOException {
    closed = true;
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
