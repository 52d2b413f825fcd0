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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.util.BitSet;
import org.hdfsppr.coder.code.LinearCode;

/**
 * Brings the units of one group of a new file onto DataNodes. It never blocks; its owner calls
 * {@link #advance} again and again. Used by one thread.
 */
interface GroupWork {
  /**
   * Gives the first orders.
   *
   * @throws VersionStopException if the group cannot be made from what there is
   */
  void begin() throws VersionStopException;

  /**
   * Takes results, and orders again what has failed.
   *
   * @param reported the units that the NameNode knows of
   * @throws VersionStopException if a unit has failed too often
   * @throws IOException if the NameNode does not answer
   */
  void advance(BitSet reported) throws VersionStopException, IOException;

  /** Returns whether all units are done and reported. */
  boolean isDone(BitSet reported);

  /** Returns how many units must be reported until stock sees the group complete. */
  int unitsForCompletion();

  /** Returns how long it takes until all units that are done survive a power cut, ms. */
  long durableInMs();

  /** Returns what the group has cost so far. */
  VersionBytes bytes();

  /** Returns whether digests of all units were asked for. */
  boolean hasDigests();

  /**
   * Returns the units that may have a second replica because of the orders: those that any node was
   * ordered to make, even if they are links by now, and those that several nodes were ordered to
   * link or change. The second replica is on a node that was given up.
   */
  default BitSet made() {
    return new BitSet();
  }

  /** Returns the digests of the units that were made. */
  GroupDigests digests();

  /**
   * Checks that the units were right of which the group was made, if the making nodes have not done
   * so.
   *
   * @throws VersionStopException if these units contradict each other, or cannot be checked
   */
  default void checkOld() throws VersionStopException {
    // The nodes that make units compare what they read.
  }

  /**
   * Takes note that the units agree. They were read once more, because digests did not show it.
   *
   * @param code the group's code
   * @throws VersionStopException if that does not suffice
   */
  default void checkedByReading(LinearCode code) throws VersionStopException {
    // What was read is what readers get.
  }

  /** Cancels all orders that have not ended. */
  void cancel();
}
