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
package org.hdfsppr.namenode.queue;

import org.apache.hadoop.classification.InterfaceAudience;

/** How a repair ended in the NameNode's books. Immutable. */
@InterfaceAudience.Private
public final class RepairEnd {
  /** The ways to end. */
  public enum Outcome {
    /** All its units are there, and none is pending any more. */
    DONE,
    /**
     * All its units are there, but its targets are still at work: the lost units came back. Nothing
     * is pending any more.
     */
    RETURNED,
    /**
     * The books do not expect it any more: it was pending for too long, or a unit that it rebuilt
     * is lost again. A later poll reports the group if it is still claimed.
     */
    GIVEN_UP,
    /** The file was deleted, or the group is not the one that was to be repaired. */
    DELETED
  }

  private final Grant grant;
  private final Outcome outcome;

  /**
   * Keeps its arguments and does nothing else.
   *
   * @param grant the repair that ended
   * @param outcome how the repair ended
   */
  public RepairEnd(Grant grant, Outcome outcome) {
    this.grant = grant;
    this.outcome = outcome;
  }

  /** @return the repair that ended */
  public Grant grant() {
    return grant;
  }

  /** @return how the repair ended */
  public Outcome outcome() {
    return outcome;
  }

  @Override
  public String toString() {
    return outcome + " " + grant;
  }
}
