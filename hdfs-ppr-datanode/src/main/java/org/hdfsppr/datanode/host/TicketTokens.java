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
package org.hdfsppr.datanode.host;

import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.wire.RepairException;

/**
 * Checks and makes the block tokens that speak for a message: for one of a client with WRITE, for
 * one of another node with COPY. HDFS gives clients tokens with COPY, too, but none of them has the
 * mark of a message. Thread-safe.
 */
@InterfaceAudience.Private
public final class TicketTokens {
  private final DataNode datanode;
  private final int repairPort;
  private final TokenCheck tokens;
  private final NeighbourRules rules;
  private final PeerTokens made = new PeerTokens(System::currentTimeMillis, System::nanoTime);

  /**
   * @param datanode the DataNode
   * @param repairPort the port on which the DataNode serves requests
   * @param commonPort the port that all DataNodes are configured with; 0 if there is no common port
   */
  public TicketTokens(DataNode datanode, int repairPort, int commonPort) {
    this.datanode = datanode;
    this.repairPort = repairPort;
    this.tokens = new TokenCheck(datanode);
    this.rules =
        new NeighbourRules(commonPort, datanode.getDnConf().getConnectToDnViaHostname());
  }

  /** @return this node, which is known after its first handshake with a NameNode */
  public NodeRef self() {
    DatanodeID id = datanode.getDatanodeId();
    return new NodeRef(id.getDatanodeUuid(), id.getIpAddr(), id.getHostName(), id.getXferPort(),
        repairPort, "");
  }

  /**
   * @param ticket a ticket with the token of a caller
   * @return why the token does not let a client write; null if it does
   */
  public String mayWrite(SignedTicket ticket) {
    return tokens.speaksFor(ticket, AccessMode.WRITE);
  }

  /**
   * @param ticket a ticket with the token of a caller
   * @return why the token does not let a client read; null if it does
   */
  public String mayRead(SignedTicket ticket) {
    return tokens.speaksFor(ticket, AccessMode.READ);
  }

  /**
   * @param ticket a ticket with the token of a caller
   * @return why the token is not that of a node of the cluster; null if it is
   */
  public String isPeer(SignedTicket ticket) {
    return tokens.speaksFor(ticket, AccessMode.COPY);
  }

  /**
   * @param ticket a ticket
   * @return the ticket with a token of this node for another one, which this node may have made a
   *     moment ago
   * @throws IOException if this node has no key
   */
  public SignedTicket asPeer(SignedTicket ticket) throws IOException {
    ExtendedBlock block = ticket.tokenBlock();
    String mark = ticket.mark(AccessMode.COPY);
    return ticket.with(made.token(block + " " + mark, () -> datanode.getBlockAccessToken(block,
        ticket.tokenModes(AccessMode.COPY), StorageType.EMPTY_ARRAY, new String[] {mark})));
  }

  /**
   * @param nodes the nodes to which a message lets this node connect
   * @return why they cannot be DataNodes; null if they can
   */
  public String cannotBeDataNodes(Collection<NodeRef> nodes) {
    try {
      rules.check(self(), nodes);
      return null;
    } catch (RepairException e) {
      return e.toString();
    }
  }
}
