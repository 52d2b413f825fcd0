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
package org.hdfsppr.it.cluster;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many bytes have gone between DataNodes, between clients and DataNodes, and to and from
 * NameNodes. The kernel counts packets with their IP and TCP headers, without those of Ethernet. It
 * counts a large segment before it splits the segment into frames, so that headers add little.
 * Packets that are sent twice count twice. Bytes of clients are those of clients at places of their
 * own, see {@link HdfsProcessCluster#createClientPlace}.
 */
@InterfaceAudience.Private
public final class PeerBytes {
  /** No bytes. */
  public static final PeerBytes NONE = new PeerBytes(0, 0, 0, 0);

  public final long betweenNodes;
  public final long nodesToClients;
  public final long clientsToNodes;
  public final long masters;

  /**
   * @param betweenNodes bytes that DataNodes have sent to other DataNodes
   * @param nodesToClients bytes that DataNodes have sent to clients
   * @param clientsToNodes bytes that clients have sent to DataNodes
   * @param masters bytes of all others: those to and from NameNodes, JournalNodes and this host
   */
  public PeerBytes(long betweenNodes, long nodesToClients, long clientsToNodes, long masters) {
    this.betweenNodes = betweenNodes;
    this.nodesToClients = nodesToClients;
    this.clientsToNodes = clientsToNodes;
    this.masters = masters;
  }

  /**
   * {@return the bytes that were counted since an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public PeerBytes since(PeerBytes earlier) {
    return new PeerBytes(betweenNodes - earlier.betweenNodes,
        nodesToClients - earlier.nodesToClients, clientsToNodes - earlier.clientsToNodes,
        masters - earlier.masters);
  }
}
