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
package org.hdfsppr.client.files.square;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.verify.GroupFinding;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerificationFinding;

/** What the check of one column of a CORE group has found. Immutable. */
@InterfaceAudience.Private
public final class ColumnFinding extends VerificationFinding {
  /** Index of the unit in the block groups */
  public final int unit;
  private final String wrongFile;
  private final GroupFinding.UnitPlace wrongPlace;

  private ColumnFinding(int unit, Verdict verdict, String text, String next, String wrongFile,
      GroupFinding.UnitPlace wrongPlace) {
    super(verdict, text, next);
    this.unit = unit;
    this.wrongFile = wrongFile;
    this.wrongPlace = wrongPlace;
  }

  /**
   * @param text what was found, in a sentence; empty if there is nothing to say
   * @param next what to do next, in a sentence; empty if there is nothing to do
   */
  static ColumnFinding of(int unit, Verdict verdict, String text, String next) {
    return new ColumnFinding(unit, verdict, text, next, null, null);
  }

  /**
   * Names the file that is wrong.
   *
   * @param place its block, and the place where it lies; null if its units do not show which one
   */
  ColumnFinding with(String file, GroupFinding.UnitPlace place) {
    return new ColumnFinding(unit, verdict, text, next, file, place);
  }

  /** @return path of the file whose block is wrong, if its own parity says so */
  public Optional<String> wrongFile() {
    return Optional.ofNullable(wrongFile);
  }

  /** @return its block, and the place where it lies, if its own parity shows the unit */
  public Optional<GroupFinding.UnitPlace> wrongPlace() {
    return Optional.ofNullable(wrongPlace);
  }
}
