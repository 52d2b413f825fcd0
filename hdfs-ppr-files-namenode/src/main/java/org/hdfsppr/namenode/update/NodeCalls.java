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
package org.hdfsppr.namenode.update;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests about update logs to DataNodes. A connection is kept for some seconds after a
 * request, because a commit sends several to the holders of each unit. A DataNode may have closed a
 * kept connection, or lost its power. If a request gets no byte of an answer over a kept
 * connection, it is sent once more, over a new one. The DataNode may then have got it twice, which
 * does no harm for any of these requests. Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeCalls implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCalls.class);
  private static final byte[] NO_DATA = new byte[0];

  private final KeptConnections connector;
  private final int connectMs;

  /** Sends a request over a connection, and reads the answer. */
  private interface Exchange<T> {
    T over(TransferConnection connection, ChannelInput in) throws IOException;
  }

  /**
   * @param connector connects to DataNodes
   * @param connectMs how long connecting to a DataNode may take, ms; also how long a kept
   *     connection may be silent before the request is sent again over a new one
   * @param timer closes connections that are idle; the caller shuts it down
   * @param nanoClock a monotonic clock, ns
   */
  public NodeCalls(TransferConnector connector, int connectMs, ScheduledExecutorService timer,
      LongSupplier nanoClock) {
    this.connectMs = connectMs;
    this.connector = new KeptConnections(connector, timer, nanoClock);
  }

  /**
   * Sends a request to a DataNode, and waits for the answer.
   *
   * @param node the DataNode
   * @param request a request without data
   * @param timeoutMs the longest time without a byte of the answer, ms
   * @return the answer, which says that the DataNode has done what was asked
   * @throws IOException if the DataNode refuses, or does not answer
   */
  public UpdateAnswer ask(NodeRef node, UpdateRequest request, int timeoutMs)
      throws IOException {
    UpdateAnswer answer = call(node, request.signed(), timeoutMs, (connection, in) -> {
      UpdateFraming.write(connection.out(), request, NO_DATA);
      return UpdateFraming.readAnswer(in, request);
    }, UpdateAnswer::isDone);
    if (!answer.isDone()) {
      throw new IOException("DataNode " + node + " on " + request.ticket() + ": " + answer);
    }
    return answer;
  }

  /**
   * Like {@link #ask}, for a request about a view of a log.
   *
   * @param node the DataNode
   * @param request a request that asks for no bytes of the view
   * @param timeoutMs the longest time without a byte of the answer, ms
   * @throws IOException if the DataNode refuses, or does not answer
   */
  void order(NodeRef node, ViewRequest request, int timeoutMs) throws IOException {
    ViewAnswer answer = call(node, request.signed(), timeoutMs, (connection, in) -> {
      ViewFraming.write(connection.out(), request);
      return ViewFraming.readAnswer(in, request);
    }, ViewAnswer::isDone);
    if (!answer.isDone()) {
      throw new IOException("DataNode " + node + " on " + request.signed().ticket + ": "
          + answer);
    }
  }

  private <T> T call(NodeRef node, SignedTicket signed, int timeoutMs, Exchange<T> exchange,
      Predicate<T> isDone) throws IOException {
    ExtendedBlock block = signed.ticket.block.toExtendedBlock();
    TransferConnection connection = connector.connect(node, block, signed.token);
    if (connection.isReused()) {
      ChannelInput in = new ChannelInput(connection.in());
      try {
        return call(connection, in, Math.min(timeoutMs, connectMs), exchange, isDone);
      } catch (IOException e) {
        if (in.bytesRead() > 0 || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LOG.debug("DataNode {} is asked over a new connection", node, e);
      }
      connection = connector.connectAnew(node, block, signed.token);
    }
    return call(connection, new ChannelInput(connection.in()), timeoutMs, exchange, isDone);
  }

  private static <T> T call(TransferConnection connection, ChannelInput in, int timeoutMs,
      Exchange<T> exchange, Predicate<T> isDone) throws IOException {
    boolean isKept = false;
    try {
      connection.setTimeout(timeoutMs);
      T answer = exchange.over(connection, in);
      // After a request that it has not carried out, a DataNode may close the connection.
      isKept = in.isDrained() && isDone.test(answer);
      return answer;
    } finally {
      if (isKept) {
        connection.keep();
      } else {
        connection.close();
      }
    }
  }

  /** Closes idle connections; those in use are closed after their requests. */
  @Override
  public void close() {
    connector.close();
  }
}
