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
package org.hdfsppr.client.files.update;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ShownTickets;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;

/**
 * Sends single requests to the DataNodes that lead units. {@link LeaderRetry} decides whether a
 * request is sent again. Thread-safe.
 */
final class LeaderCalls {
  /**
   * How long to wait for an answer at most, ms. By default, a leader waits 10 s for a silent
   * follower before it answers that the follower has failed; this answer has to arrive in time.
   */
  private static final int ANSWER_MS_MAX = 15_000;

  /** Sends a request over a connection, and reads the answer. */
  private interface Exchange<T> {
    T over(TransferConnection connection, ChannelInput in) throws IOException;
  }

  private final TransferConnector connector;
  /** The connections on which a request waits for its answer. */
  private final Set<TransferConnection> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /** @param connector connects to DataNodes */
  LeaderCalls(TransferConnector connector) {
    this.connector = connector;
  }

  /**
   * Sends an update of a unit to the leader that the ticket names.
   *
   * @param sending runs each time before the request is sent, which happens once or twice
   */
  UpdateAnswer append(SignedTicket ticket, long offset, byte[] data, Origin origin, long since,
      Runnable sending) throws IOException {
    AppendRequest request =
        new AppendRequest(ticket, offset, false, Payload.of(data), origin, since);
    return call(ticket, (connection, in) -> {
      sending.run();
      ShownTickets shown = shown(connection);
      UpdateFraming.write(connection.out(), request, data, shown);
      return UpdateFraming.readAnswer(in, request, shown);
    });
  }

  /**
   * Asks the leader that the request's ticket names for the updated bytes of a range, or for a
   * sync.
   */
  ViewAnswer view(ViewRequest request) throws IOException {
    return call(request.signed(), (connection, in) -> {
      ShownTickets shown = shown(connection);
      ViewFraming.write(connection.out(), request, shown);
      return ViewFraming.readAnswer(in, request, shown);
    });
  }

  private static ShownTickets shown(TransferConnection connection) {
    return connection.memory(ShownTickets.class, ShownTickets::new);
  }

  /** Makes the requests under way fail, and all further ones. */
  void close() {
    isClosed = true;
    underWay.forEach(TransferConnection::abort);
  }

  private <T> T call(SignedTicket ticket, Exchange<T> exchange) throws IOException {
    ExtendedBlock block = ticket.ticket.block.toExtendedBlock();
    TransferConnection connection = connector.connect(ticket.ticket.leader(), block, ticket.token);
    boolean isReused = connection.isReused();
    try {
      return call(connection, exchange);
    } catch (IOException e) {
      // If the connection was used before, the node may just have closed it, or may have forgotten
      // the ticket that the request names. Then a new connection may help. After a timeout the
      // request is not sent again: the node may only be slow, and would then carry out both at the
      // same time.
      if (!isReused || isClosed || e instanceof InterruptedIOException) {
        throw e;
      }
      return call(connector.connectAnew(ticket.ticket.leader(), block, ticket.token),
          exchange);
    }
  }

  private <T> T call(TransferConnection connection, Exchange<T> exchange) throws IOException {
    boolean isKept = false;
    underWay.add(connection);
    try {
      if (isClosed) {
        throw new IOException("The file system is closed");
      }
      connection.setTimeout(ANSWER_MS_MAX);
      ChannelInput in = new ChannelInput(connection.in());
      T answer = exchange.over(connection, in);
      isKept = in.isDrained() && isDone(answer);
      return answer;
    } finally {
      underWay.remove(connection);
      if (isKept) {
        connection.keep();
      } else {
        connection.close();
      }
    }
  }

  /**
   * Returns whether the node keeps the connection open. It does so only after a request that it has
   * carried out.
   */
  private static boolean isDone(Object answer) {
    return answer instanceof UpdateAnswer ? ((UpdateAnswer) answer).isDone()
        : ((ViewAnswer) answer).isDone();
  }
}
