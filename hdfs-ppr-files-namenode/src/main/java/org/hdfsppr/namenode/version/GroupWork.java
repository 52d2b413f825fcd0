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
import java.util.Map;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.plan.NodeRef;

/**
 * Has the units of one group of a new file created on DataNodes. It never blocks; its owner calls
 * {@link #advance} again and again. Used by one thread at a time.
 */
interface GroupWork {
  /**
   * Gives the first orders.
   *
   * @throws VersionStopException if the group cannot be made from the units that exist
   */
  void begin() throws VersionStopException;

  /**
   * Takes the results of orders, and orders the units again that have failed.
   *
   * @param reported the units that DataNodes have reported to the NameNode
   * @throws VersionStopException if a unit has failed too often
   * @throws IOException if the NameNode does not answer
   */
  void advance(BitSet reported) throws VersionStopException, IOException;

  /**
   * Returns whether all units are done, and DataNodes have reported them.
   *
   * @param reported the units that DataNodes have reported to the NameNode
   */
  boolean isDone(BitSet reported);

  /** Returns how many units DataNodes must report until stock considers the group complete. */
  int unitsForCompletion();

  /** Returns by unit the DataNodes that have the units, or are to have them. */
  Map<Integer, NodeRef> nodes();

  /** Returns how long it takes until all units that are done now survive a power cut, ms. */
  long durableInMs();

  /** Returns what the group has cost so far. */
  VersionBytes bytes();

  /** Returns whether digests of all units were asked for. */
  boolean hasDigests();

  /**
   * Returns the units that may have a second replica because of these orders. These are the units
   * that any node was ordered to make, even if they were linked afterwards, and the units that
   * several nodes were ordered to link or change. The second replica is on a node that was given up
   * because it seemed silent or had failed.
   */
  default BitSet made() {
    return new BitSet();
  }

  /** Returns the digests of the units of the group. */
  GroupDigests digests();

  /**
   * Checks that the units from which the group was made were right, if the making nodes have not
   * checked that.
   *
   * @throws VersionStopException if these units contradict each other, or cannot be checked
   */
  default void checkOld() throws VersionStopException {
    // The nodes that make units compare the units that they read, so that nothing is left to check.
  }

  /**
   * Takes note that the units of the group agree. They were read once more to find that out,
   * because digests did not show it.
   *
   * @param code the group's code
   * @throws VersionStopException if the group counts as wrong nevertheless
   */
  default void checkedByReading(LinearCode code) throws VersionStopException {
    // The bytes that were read are those that readers get, so that the group is right.
  }

  /** Cancels all orders that have not ended. */
  void cancel();
}
