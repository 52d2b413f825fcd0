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

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.Connection;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.wire.ChannelInput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks DataNodes for positions, one after the other. */
@InterfaceAudience.Private
public final class LogCalls implements LogQuestions {
  /**
   * The longest time for connecting to a DataNode, and again for its answer, ms. A DataNode answers
   * out of its memory. A caller waits for it, and others wait behind the caller.
   */
  public static final int TIMEOUT_MS = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(LogCalls.class);

  private final Connector connector;

  /** @param connector connects to DataNodes within {@link #TIMEOUT_MS} */
  public LogCalls(Connector connector) {
    this.connector = connector;
  }

  @Override
  public Map<String, LogPosition> positions(SignedTicket ticket, Collection<NodeRef> nodes) {
    Map<String, LogPosition> positions = new HashMap<>();
    for (NodeRef node : nodes) {
      try {
        UpdateAnswer answer = ask(node, new ReadLogRequest(ticket, 0, 0));
        if (answer.isDone()) {
          positions.put(node.uuid(), answer.position());
        } else {
          LOG.warn("DataNode {} does not say how far its update log is with {}: {}", node,
              ticket.ticket(), answer);
        }
      } catch (IOException e) {
        LOG.warn("DataNode {} does not say how far its update log is with {}: {}", node,
            ticket.ticket(), e.toString());
      }
    }
    return positions;
  }

  private UpdateAnswer ask(NodeRef node, ReadLogRequest request) throws IOException {
    SignedTicket signed = request.signed();
    try (Connection connection = connector.connect(node,
        signed.ticket().block().toExtendedBlock(), signed.token())) {
      connection.setTimeout(TIMEOUT_MS);
      UpdateFraming.write(connection.out(), request, new byte[0]);
      return UpdateFraming.readAnswer(new ChannelInput(connection.in()), request);
    }
  }
}
