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

/** What repairs share with users: this node's link. Thread-safe. */
@InterfaceAudience.Private
public interface SharedLink {
  /** A link without users. */
  SharedLink WITHOUT_USERS = new SharedLink() {
    @Override
    public boolean isYielding() {
      return false;
    }

    @Override
    public void await(long sent, long received, long nanosMost) {
      // No user waits.
    }

    @Override
    public void readerBegins() {
      // No repair yields to it.
    }

    @Override
    public void readerEnds() {
      // No repair yields to it.
    }

    @Override
    public void add(PeerConnection connection) {
      // The system's bounds are good enough.
    }

    @Override
    public void remove(PeerConnection connection) {
      // It was not noted.
    }
  };

  /** @return whether repairs hold back at present, in at least one direction */
  boolean isYielding();

  /**
   * Waits until the node may move the next bytes of a repair. Returns at once if users are quiet.
   *
   * @param sent bytes that go to the parent
   * @param received bytes that have come from children for them
   * @param nanosMost the longest wait, ns
   */
  void await(long sent, long received, long nanosMost);

  /** Notes that a client's degraded read begins; {@link #readerEnds} has to follow. */
  void readerBegins();

  /** Notes that a client's degraded read has ended. */
  void readerEnds();

  /**
   * Bounds what waits in a connection over which a repair sends, while users are busy.
   *
   * @param connection the connection; the caller has to {@link #remove} it
   */
  void add(PeerConnection connection);

  /** @param connection a connection that was added, and is about to close */
  void remove(PeerConnection connection);
}
