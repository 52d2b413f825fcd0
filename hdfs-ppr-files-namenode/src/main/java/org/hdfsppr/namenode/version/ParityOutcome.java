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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;

/** The end of a {@link ParityRequest}. Immutable. */
@InterfaceAudience.Private
public final class ParityOutcome {
  /** How the request has ended, and what it has cost */
  public final VersionOutcome outcome;
  /** Inode id of the file; 0 if it is not made */
  public final long inodeId;
  /** Its block groups; none if it is not made */
  public final List<FileGroup> groups;
  /**
   * Inode id of an unfinished file that may still exist, and that the requester deletes; empty if
   * there is none
   */
  public final OptionalLong left;

  private ParityOutcome(VersionOutcome outcome, long inodeId, List<FileGroup> groups,
      OptionalLong left) {
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.inodeId = inodeId;
    this.groups = Collections.unmodifiableList(new ArrayList<>(groups));
    this.left = left;
  }

  /**
   * @param inodeId inode id of the file
   * @param groups its block groups
   * @param spent what it has cost
   * @return the outcome of a file that is made, closed and checked
   */
  public static ParityOutcome made(long inodeId, List<FileGroup> groups, VersionBytes spent) {
    return new ParityOutcome(VersionOutcome.published(spent), inodeId, groups,
        OptionalLong.empty());
  }

  /**
   * @param outcome why the file is not made
   * @return the outcome of a request that has left no unfinished file
   */
  public static ParityOutcome notMade(VersionOutcome outcome) {
    return notMade(outcome, OptionalLong.empty());
  }

  /**
   * @param outcome why the file is not made
   * @param left inode id of the unfinished file, if it may still exist
   * @return the outcome
   */
  public static ParityOutcome notMade(VersionOutcome outcome, OptionalLong left) {
    return new ParityOutcome(outcome, 0, List.of(), left);
  }

  /** @return whether the file is made, closed and checked */
  public boolean isMade() {
    return outcome.end == VersionEnd.PUBLISHED;
  }

  @Override
  public String toString() {
    return outcome.toString();
  }
}
