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
package org.hdfsppr.namenode.scrub;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a DataNode has found out about a group. Immutable. */
@InterfaceAudience.Private
public final class ScrubReport {
  /** Stands for a wrong unit that is not known. */
  public static final int NO_UNIT = -1;

  /** What a check may end with. */
  @InterfaceAudience.Private
  public enum Outcome {
    /** All units agree. */
    AGREES,
    /** Units contradict each other, although their checksums are right. */
    CONTRADICTION,
    /** A unit cannot be read. */
    UNREADABLE,
    /** The group was not checked, or not to its end. */
    NOT_CHECKED
  }

  private final String checkId;
  private final Outcome outcome;
  private final int wrongUnit;
  private final List<String> suspects;
  private final String message;

  /**
   * @param checkId id of the check, as it was ordered
   * @param outcome what was found
   * @param wrongUnit with a contradiction: index of the wrong unit, {@link #NO_UNIT} if it is not
   *     known which one is wrong
   * @param suspects UUIDs of the nodes of which one seems to calculate wrongly, or to be unable to
   *     read its unit
   * @param message one line for people; may be empty
   */
  public ScrubReport(String checkId, Outcome outcome, int wrongUnit, List<String> suspects,
      String message) {
    this.checkId = Objects.requireNonNull(checkId, "checkId");
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.wrongUnit = wrongUnit;
    this.suspects = Collections.unmodifiableList(new ArrayList<>(suspects));
    this.message = Objects.requireNonNull(message, "message");
  }

  String checkId() {
    return checkId;
  }

  Outcome outcome() {
    return outcome;
  }

  int wrongUnit() {
    return wrongUnit;
  }

  List<String> suspects() {
    return suspects;
  }

  String message() {
    return message;
  }

  @Override
  public String toString() {
    return checkId + ": " + outcome + (wrongUnit == NO_UNIT ? "" : ", unit " + wrongUnit)
        + (suspects.isEmpty() ? "" : ", suspects " + suspects)
        + (message.isEmpty() ? "" : ", " + message);
  }
}
