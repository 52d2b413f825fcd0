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
package org.hdfsppr.datanode.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.Connection;
import org.hdfsppr.stream.Connector;

/**
 * Opens the connections of one session, and remembers them, so that another thread can abort all of
 * them when the session's time is up. The session closes the connections. Thread-safe.
 */
@InterfaceAudience.Private
final class SessionConnector implements Connector {
  private final Connector connector;
  private final List<Connection> opened = new ArrayList<>();
  private boolean aborted;

  SessionConnector(Connector connector) {
    this.connector = connector;
  }

  @Override
  public Connection connect(NodeRef node, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException {
    return remember(connector.connect(node, block, token));
  }

  @Override
  public Connection connectAnew(NodeRef node, ExtendedBlock block,
      Token<BlockTokenIdentifier> token) throws IOException {
    return remember(connector.connectAnew(node, block, token));
  }

  private Connection remember(Connection connection) throws IOException {
    synchronized (this) {
      if (!aborted) {
        opened.add(connection);
        return connection;
      }
    }
    connection.close();
    throw new IOException("The time for the repair is up");
  }

  /**
   * Aborts all connections, so that threads that read from them fail. Any thread may call this,
   * also twice.
   */
  synchronized void abort() {
    aborted = true;
    opened.forEach(Connection::abort);
  }
}
