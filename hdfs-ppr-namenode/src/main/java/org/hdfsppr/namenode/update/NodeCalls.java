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
import java.io.InterruptedIOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.Connection;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;

/**
 * Asks DataNodes about update logs, over connections that are kept for some seconds: a commit asks
 * the holders of each unit several times. DataNodes take each of these requests twice without harm,
 * so that a request is sent once more if its kept connection turns out to be closed. Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeCalls implements Closeable {
  private static final byte[] NO_DATA = new byte[0];

  private final KeptConnections connector;

  /** Sends a request and reads its answer. */
  private interface Exchange<T> {
    T over(Connection connection, ChannelInput in) throws IOException;
  }

  /**
   * @param connector connects to DataNodes within a bounded time
   * @param timer closes connections that are idle; the caller shuts it down
   * @param nanoClock a monotonic clock, ns
   */
  public NodeCalls(Connector connector, ScheduledExecutorService timer, LongSupplier nanoClock) {
    this.connector = new KeptConnections(connector, timer, nanoClock);
  }

  /**
   * Asks a DataNode.
   *
   * @param node the DataNode
   * @param request a request without data
   * @param timeoutMs the longest time without a byte of the answer, ms
   * @return the answer, which says that the request is carried out
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
   * Lets a DataNode carry out a request about what a log shows.
   *
   * @param node the DataNode
   * @param request a request that asks for no bytes
   * @param ticket the ticket of the request
   * @param timeoutMs the longest time without a byte of the answer, ms
   * @throws IOException if the DataNode refuses, or does not answer
   */
  void order(NodeRef node, ViewRequest request, SignedTicket ticket, int timeoutMs)
      throws IOException {
    ViewAnswer answer = call(node, ticket, timeoutMs, (connection, in) -> {
      ViewFraming.write(connection.out(), request);
      return ViewFraming.readAnswer(in, request);
    }, ViewAnswer::isDone);
    if (!answer.isDone()) {
      throw new IOException("DataNode " + node + " on " + ticket.ticket() + ": " + answer);
    }
  }

  private <T> T call(NodeRef node, SignedTicket signed, int timeoutMs, Exchange<T> exchange,
      Predicate<T> isDone) throws IOException {
    ExtendedBlock block = signed.ticket().block().toExtendedBlock();
    Connection connection = connector.connect(node, block, signed.token());
    boolean isReused = connection.isReused();
    try {
      return call(connection, timeoutMs, exchange, isDone);
    } catch (IOException e) {
      // The DataNode may have closed a kept connection just now. One that is slow has the request.
      if (!isReused || e instanceof InterruptedIOException
          || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return call(connector.connectAnew(node, block, signed.token()), timeoutMs, exchange, isDone);
    }
  }

  private static <T> T call(Connection connection, int timeoutMs, Exchange<T> exchange,
      Predicate<T> isDone) throws IOException {
    boolean isKept = false;
    try {
      connection.setTimeout(timeoutMs);
      ChannelInput in = new ChannelInput(connection.in());
      T answer = exchange.over(connection, in);
      // A DataNode keeps connections only after requests that it has carried out.
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
