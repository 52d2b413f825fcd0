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
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.SliceReader;

/**
 * Holds the connections of a node to its children. The node first connects to all children and
 * sends their requests, and only then waits for the answers, so that the subtrees get ready at the
 * same time. One thread uses and closes this object. Another thread may call {@link #abort}.
 */
final class ChildLinks implements Closeable {
  private final LongConsumer received;
  private final List<TransferConnection> connections = new ArrayList<>();
  /** The input from each child, in the order of the node's children in the plan. */
  private final List<ChannelInput> inputs = new ArrayList<>();
  /** The connection over which each child got its request, in the same order. */
  private final List<TransferConnection> asked = new ArrayList<>();
  /** One reader of slices for each child, in the order of the node's children in the plan. */
  final List<SliceReader> readers = new ArrayList<>();
  private TransferConnector connector;
  private boolean isForReader;
  private DataChecksum checksum;
  private boolean closed;
  private boolean ended;

  /** Makes an object that reports no bytes while slices arrive. */
  ChildLinks() {
    this(bytes -> { });
  }

  /** @param received gets the number of bytes of each slice as soon as the slice has arrived */
  ChildLinks(LongConsumer received) {
    this.received = received;
  }

  /**
   * Connects to all children, sends each its part of the plan, and waits until all are ready.
   *
   * @throws RepairException naming the node that cannot help
   */
  void open(PartialSumRequest request, TransferConnector connector, ProgressBoard board)
      throws RepairException {
    askAll(request, connector);
    awaitReady(request, board);
  }

  /**
   * The first half of {@link #open}. Connects to all children and sends the requests, but waits for
   * no answer.
   */
  void askAll(PartialSumRequest request, TransferConnector connector) throws RepairException {
    this.connector = connector;
    isForReader = request.forReader;
    for (PlanNode child : request.subtree.children) {
      ask(request.forChild(child));
    }
  }

  /**
   * The second half of {@link #open}. Waits until all children have answered that they are ready.
   */
  void awaitReady(PartialSumRequest request, ProgressBoard board) throws RepairException {
    for (int i = 0; i < inputs.size(); i++) {
      PlanNode child = request.subtree.children.get(i);
      DataChecksum answer = answer(i, request, child);
      // A replica without checksums must not decide the checksum type of the rebuilt replica.
      if (checksum == null || checksum.getChecksumType() == DataChecksum.Type.NULL) {
        checksum = answer;
      }
      readers.add(new SliceReader(inputs.get(i), request.geometry, child, board::note,
          received));
    }
  }

  private void ask(PartialSumRequest request) throws RepairException {
    TransferConnection connection = connect(request, false);
    ChannelInput input;
    try {
      input = ask(request, connection);
    } catch (RepairException e) {
      if (!connection.isReused() || isClosed()) {
        throw e;
      }
      forget(connection);
      connection = connect(request, true);
      input = ask(request, connection);
    }
    asked.add(connection);
    inputs.add(input);
  }

  private TransferConnection connect(PartialSumRequest request, boolean anew)
      throws RepairException {
    PlanNode child = request.subtree;
    RepairSource own = ownSource(child);
    ExtendedBlock block = own.block.toExtendedBlock();
    Token<BlockTokenIdentifier> token = request.token(own);
    try {
      // Only degraded reads reuse connections. For a whole unit the handshake costs little.
      TransferConnection connection = anew || !isForReader
          ? connector.connectAnew(child.node, block, token)
          : connector.connect(child.node, block, token);
      add(connection);
      return connection;
    } catch (UnreachableException e) {
      throw NoAnswerException.ofChild(FailureCause.UNREACHABLE, child.node,
          "cannot connect to port " + child.node.repairPort + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw explainBeforeAnswer(e, child);
    }
  }

  private static ChannelInput ask(PartialSumRequest request, TransferConnection connection)
      throws RepairException {
    PlanNode child = request.subtree;
    try {
      // A child answers when its whole subtree is ready. Each level needs time to connect, so the
      // timeout grows with the number of levels.
      connection.setTimeout(request.stallTimeoutMs(child));
      RequestFraming.write(connection.out(), request);
      connection.out().flush();
      return new ChannelInput(connection.in());
    } catch (IOException e) {
      throw explainBeforeAnswer(e, child);
    }
  }

  /**
   * Converts an error that came before the child's answer into a failure. A node that closes the
   * connection at this time is most likely too busy to answer, so that the failure is OVERLOADED
   * and not DEAD. If the node is dead, the next attempt to connect shows it.
   */
  private static RepairException explainBeforeAnswer(IOException e, PlanNode child) {
    RepairException explained = SliceReader.explain(e, child.node);
    return explained.failureCause != FailureCause.DEAD
        ? NoAnswerException.ofChild(explained.failureCause, child.node,
            explained.getMessage(), explained)
        : NoAnswerException.ofChild(FailureCause.OVERLOADED, child.node,
            "it closed the connection before it answered: " + e, e);
  }

  /** Returns a source whose block is on the child itself; every child has one. */
  private static RepairSource ownSource(PlanNode child) {
    for (RepairSource source : child.sources) {
      if (!child.isRemote(source)) {
        return source;
      }
    }
    throw new IllegalStateException("Node " + child + " has no unit of its own");
  }

  /**
   * Reads the answer of a child. The request may have gone over a connection that was kept from an
   * earlier request and that the child had already closed. The method then asks once more over a
   * new connection.
   */
  private DataChecksum answer(int index, PartialSumRequest request, PlanNode child)
      throws RepairException {
    ChannelInput in = inputs.get(index);
    try {
      return answer(in, child, connector);
    } catch (RepairException e) {
      TransferConnection connection = asked.get(index);
      boolean gone = e.failureCause == FailureCause.OVERLOADED && in.bytesRead() == 0
          && connection.isReused();
      if (!gone || isClosed()) {
        throw e;
      }
      forget(connection);
      PartialSumRequest again = request.forChild(child);
      asked.set(index, connect(again, true));
      inputs.set(index, ask(again, asked.get(index)));
      return answer(inputs.get(index), child, connector);
    }
  }

  private static DataChecksum answer(ChannelInput in, PlanNode child, TransferConnector connector)
      throws RepairException {
    byte[] answer;
    try {
      answer = in.readDelimited("answer", PartialSumResponse.RESPONSE_BYTES_MAX);
    } catch (IOException e) {
      throw in.bytesRead() == 0 ? explainBeforeAnswer(e, child)
          : NoAnswerException.amidAnswer(SliceReader.explain(e, child.node));
    }
    PartialSumResponse.features(answer).ifPresent(
        features -> connector.answered(child.node, features));
    try {
      return PartialSumResponse.parse(answer, child);
    } catch (RepairException e) {
      boolean senseless = e.failureCause == FailureCause.PROTOCOL
          && e.node.equals(child.node);
      throw senseless ? NoAnswerException.amidAnswer(e) : e;
    }
  }

  private void add(TransferConnection connection) throws IOException {
    synchronized (this) {
      if (!closed) {
        connections.add(connection);
        return;
      }
    }
    connection.close();
    throw new IOException("The repair was cancelled");
  }

  private void forget(TransferConnection connection) {
    synchronized (this) {
      connections.remove(connection);
    }
    connection.close();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /**
   * Returns the checksum type of the first child whose replicas have checksums. Returns the type
   * NULL if no child's replicas have checksums, and null if there are no children.
   */
  DataChecksum checksum() {
    return checksum;
  }

  /** Returns the number of bytes that the children have sent. */
  long bytesReceived() {
    long sum = 0;
    for (SliceReader reader : readers) {
      sum += reader.bytesReceived();
    }
    return sum;
  }

  /** Returns the number of bytes that came from other racks than {@code rack}. */
  long bytesReceivedAcrossRacks(String rack) {
    long sum = 0;
    for (SliceReader reader : readers) {
      sum += reader.from.rack.equals(rack) ? 0 : reader.bytesReceived();
    }
    return sum;
  }

  /** Waits until each child has sent the end of its stream, after its last slice. */
  void receiveEnds() throws RepairException {
    for (SliceReader reader : readers) {
      reader.receiveEnd();
    }
    boolean drained = inputs.stream().allMatch(ChannelInput::isDrained);
    synchronized (this) {
      ended = isForReader && drained;
    }
  }

  /**
   * Aborts all connections, so that reads and writes on them fail. May be called from any thread.
   */
  synchronized void abort() {
    closed = true;
    connections.forEach(TransferConnection::abort);
  }

  /**
   * Closes all connections. A child whose connection is closed gives up its part in the repair.
   * Connections over which a degraded read has finished without a failure are kept for further
   * requests. A second call does nothing.
   */
  @Override
  public void close() {
    List<TransferConnection> all;
    boolean mayKeep;
    synchronized (this) {
      closed = true;
      mayKeep = ended;
      all = new ArrayList<>(connections);
      connections.clear();
    }
    // The lock is not held here, because a close may have to write, and a thread that aborts must
    // not wait for that.
    all.forEach(mayKeep ? TransferConnection::keep : TransferConnection::close);
  }
}
