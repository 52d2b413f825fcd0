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

/** The methods of a stream that its degraded reads call. Thread-safe. */
@InterfaceAudience.Private
public interface UnitReader {
  /** Says whether a reader still waits for the result of a read. */
  interface Cancel {
    /** @return whether no reader waits any more */
    boolean isCancelled();

    /**
     * Throws an exception if no reader waits any more, so that the caller begins no further work.
     *
     * @throws IOException if no reader waits any more
     */
    default void checkWanted() throws IOException {
      if (isCancelled()) {
        throw new IOException("No reader waits for these bytes any more");
      }
    }
  }

  /**
   * The read of one unit. This object knows whether a reader still waits, and counts the bytes that
   * arrive.
   */
  interface Reading extends Cancel {
    /**
     * Counts bytes that have just arrived from the DataNode.
     *
     * @param bytes how many bytes
     */
    void arrived(int bytes);
  }

  /**
   * Reads bytes of a unit from the DataNode that holds the unit, and verifies checksums if the
   * stream does.
   *
   * @param group the group with locations and tokens
   * @param unit index in the group; the unit has a holder
   * @param offset in the unit, bytes
   * @param dst filled up to its limit
   * @param reading counts the bytes that arrive, and tells whether they are still wanted
   * @throws IOException if the bytes cannot be read; the content of {@code dst} is then undefined
   */
  void readUnit(LocatedGroup group, int unit, long offset, ByteBuffer dst, Reading reading)
      throws IOException;

  /**
   * Asks the NameNode again about a group, without comparing the answer with the group.
   *
   * @param group the block group
   * @return the group as the NameNode describes it now
   * @throws IOException if the NameNode cannot be asked
   */
  LocatedGroup refresh(LocatedGroup group) throws IOException;

  /**
   * Asks the NameNode again about a group, and checks that the answer is about the same group.
   *
   * @param group the block group
   * @return the group with new locations and tokens
   * @throws UntrustedBytesException if the NameNode's answer is about another group, for example
   *     because the path now belongs to another file
   */
  default LocatedGroup refreshed(LocatedGroup group) throws IOException {
    LocatedGroup fresh = refresh(group);
    group.requireSame(fresh);
    return fresh;
  }

  /**
   * @param e a failure of {@link #readUnit} or of a helper
   * @return whether the failure says that a token has expired
   */
  boolean isTokenExpired(IOException e);

  /**
   * Counts bytes that have arrived from helpers.
   *
   * @param bytes how many bytes
   */
  void received(long bytes);
}
