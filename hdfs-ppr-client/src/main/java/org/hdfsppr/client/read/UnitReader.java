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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a degraded read needs of the stream that it is for. Thread-safe. */
@InterfaceAudience.Private
public interface UnitReader {
  /** Says whether a reader still waits for a read. */
  interface Cancel {
    /** @return whether no reader waits any more */
    boolean isCancelled();

    /**
     * Fails if the read has ended, so that nothing more is begun for it.
     *
     * @throws IOException if no reader waits any more
     */
    default void checkWanted() throws IOException {
      if (isCancelled()) {
        throw new IOException("No reader waits for these bytes any more");
      }
    }
  }

  /** The read of one unit: whether a reader still waits for it, and what has come. */
  interface Reading extends Cancel {
    /**
     * Bytes have come from the DataNode, just now.
     *
     * @param bytes how many bytes
     */
    void arrived(int bytes);
  }

  /**
   * Reads bytes of a unit from the DataNode that holds it, checksums verified as the stream does.
   *
   * @param group what the NameNode said
   * @param unit index in the group; the unit has a holder
   * @param offset in the unit, bytes
   * @param dst filled up to its limit
   * @param reading learns what has come, and says whether that is still wanted
   * @throws IOException if that fails; {@code dst}'s content is then undefined
   */
  void readUnit(LocatedGroup group, int unit, long offset, ByteBuffer dst, Reading reading)
      throws IOException;

  /**
   * Asks the NameNode anew about a group.
   *
   * @param group the block group
   * @return the group as the NameNode describes it now
   * @throws IOException if that fails
   */
  LocatedGroup refresh(LocatedGroup group) throws IOException;

  /**
   * The same group as the NameNode describes it now.
   *
   * @param group the block group
   * @return the group with new locations and tokens
   * @throws UntrustedBytesException if the NameNode has another group in its place by now, as that
   *     of a file that has taken the name
   */
  default LocatedGroup refreshed(LocatedGroup group) throws IOException {
    LocatedGroup fresh = refresh(group);
    group.requireSame(fresh);
    return fresh;
  }

  /**
   * @param e the failure
   * @return whether an exception of {@link #readUnit} or of a helper says that a token has expired
   */
  boolean isTokenExpired(IOException e);

  /**
   * Bytes have come from helpers.
   *
   * @param bytes how many bytes
   */
  void received(long bytes);
}
