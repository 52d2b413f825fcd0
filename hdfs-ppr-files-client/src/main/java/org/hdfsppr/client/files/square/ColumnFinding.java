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

/** The result of the check of one column of a CORE group. Immutable. */
@InterfaceAudience.Private
public final class ColumnFinding extends VerificationFinding {
  /** The index of the unit whose blocks, one of each file, are the column */
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
   * Returns this finding with the file whose block is wrong.
   *
   * @param place the wrong block and its DataNode; null if the file's own parities do not show
   *     which unit is wrong
   */
  ColumnFinding with(String file, GroupFinding.UnitPlace place) {
    return new ColumnFinding(unit, verdict, text, next, file, place);
  }

  /**
   * @return the path of the file whose block is wrong; empty if the files' own parities do not show
   *     which file that is
   */
  public Optional<String> wrongFile() {
    return Optional.ofNullable(wrongFile);
  }

  /**
   * @return the wrong block and its DataNode; empty if the file's own parities do not show which
   *     unit is wrong
   */
  public Optional<GroupFinding.UnitPlace> wrongPlace() {
    return Optional.ofNullable(wrongPlace);
  }
}
