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
package org.hdfsppr.namenode.track;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** The reasons why a repair has ended. Metrics count the repairs by these reasons. */
@InterfaceAudience.Private
public enum EndReason {
  /** The NameNode has all rebuilt units. */
  REBUILT(Outcome.DONE),
  /** The destination reported that the repair failed. */
  NODE_FAILED(Outcome.FAILED),
  /** The destination did not try the repair. */
  NODE_REFUSED(Outcome.FAILED),
  /** Units of the group contradict each other, so that nothing was written. */
  CONTRADICTION(Outcome.FAILED),
  /** The destination reported the repair as done, but not all of its units. */
  UNITS_MISSING(Outcome.FAILED),
  /** The repair was too slow. */
  OVERDUE(Outcome.FAILED),
  /** The destination sends no heartbeats any more. */
  DESTINATION_SILENT(Outcome.FAILED),
  /**
   * A doubt about the group was found while the repair ran, and the repair did not check all bytes.
   */
  DOUBT(Outcome.FAILED),
  /** The destination seems to calculate wrongly. */
  DESTINATION_DISTRUSTED(Outcome.FAILED),
  /** The repair was ordered in an earlier term of this NameNode. */
  TERM_OVER(Outcome.FAILED),
  /** The destination is silent, or too many orders wait for it already. */
  NO_ORDERS(Outcome.FAILED),
  /** The manager could not order the repair because of an error, which it has logged. */
  ERROR(Outcome.FAILED),
  /**
   * The repair is not pending in the NameNode any more although units are missing: as a rule,
   * stock's timeout has ended it.
   */
  GIVEN_UP(Outcome.FAILED),
  /** The lost units came back with their nodes, so that the repair was not needed any more. */
  RETURNED(Outcome.DROPPED),
  /** The file was deleted. */
  DELETED(Outcome.DROPPED),
  /** This NameNode does not schedule repairs any more. */
  NOT_ACTIVE(Outcome.DROPPED);

  /** What became of a repair. */
  public enum Outcome {
    /** The repair has rebuilt its units. */
    DONE,
    /** The repair has failed, and its group waits again. */
    FAILED,
    /** The repair ended before it was done, and no fault was the cause. */
    DROPPED;

    /** @return the name as the value of a tag or label, such as {@code done} */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What became of the repair */
  public final Outcome outcome;

  EndReason(Outcome outcome) {
    this.outcome = outcome;
  }

  /** @return the name as the value of a tag or label, such as {@code node_failed} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
