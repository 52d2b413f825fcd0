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
package org.hdfsppr.datanode.users;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.PeerConnection;

/**
 * The network link of this DataNode, which repairs share with users. Users are clients that read or
 * write, and all others but repairs that move bytes over the link. Thread-safe.
 */
@InterfaceAudience.Private
public interface SharedLink {
  /** A link without users, on which nothing is held back. */
  SharedLink WITHOUT_USERS = new SharedLink() {
    @Override
    public boolean isYielding() {
      return false;
    }

    @Override
    public void await(long sent, long received, long nanosMost) {
      // There are no users for which repairs would have to wait.
    }

    @Override
    public void repairMoves() {
      // No work waits for repairs.
    }

    @Override
    public void awaitRepairs(long nanosMost) {
      // No work waits for repairs.
    }

    @Override
    public void readerBegins() {
      // No repair yields to a reader.
    }

    @Override
    public void readerEnds() {
      // No repair yields to a reader.
    }

    @Override
    public void add(PeerConnection connection) {
      // The socket keeps the system's bounds.
    }

    @Override
    public void remove(PeerConnection connection) {
      // The method add() has not kept the connection.
    }
  };

  /** @return whether repairs hold back at present, in at least one direction */
  boolean isYielding();

  /**
   * Waits until this node may send the next bytes of a repair. Returns at once if repairs do not
   * hold back at present.
   *
   * @param sent how many bytes this node is about to send to its parent in the repair's tree
   * @param received how many bytes this node has received from its children to calculate them
   * @param nanosMost the longest wait, ns
   */
  void await(long sent, long received, long nanosMost);

  /** Notes that a repair moves bytes over this link, in either direction. */
  void repairMoves();

  /**
   * Waits until work that is less urgent than repairs may move its next bytes over this link:
   * until no repair has moved bytes for a second.
   *
   * @param nanosMost the longest wait, ns
   */
  void awaitRepairs(long nanosMost);

  /**
   * Notes that this node begins to serve a client's degraded read. The caller has to call {@link
   * #readerEnds} after it.
   */
  void readerBegins();

  /** Notes that a client's degraded read has ended, after {@link #readerBegins}. */
  void readerEnds();

  /**
   * While repairs hold back, bounds how many unsent bytes wait in the socket of a connection over
   * which a repair sends. A packet of a user waits behind these bytes.
   *
   * @param connection the connection; the caller has to {@link #remove} it
   */
  void add(PeerConnection connection);

  /** @param connection a connection that {@link #add} got, and that is about to close */
  void remove(PeerConnection connection);
}
