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
package org.hdfsppr.core.formation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** A CORE group to form: t files of one directory with the same policy. Immutable. */
@InterfaceAudience.Private
public final class NewGroup {
  /** The files in the order in which they will be the rows of the group, the longest first */
  public final List<CandidateFile> files;

  /**
   * @param files the files, longest first
   */
  NewGroup(List<CandidateFile> files) {
    this.files = Collections.unmodifiableList(new ArrayList<>(files));
  }

  /** @return name of the erasure coding policy of all files and of the parity file */
  public String policy() {
    return files.get(0).policy;
  }

  /**
   * @return the length that the parity file will have, bytes; this holds if all block groups of
   *     each file but its last one are full
   */
  public long parityLength() {
    return files.get(0).length;
  }

  @Override
  public String toString() {
    return "new group of " + files;
  }
}
