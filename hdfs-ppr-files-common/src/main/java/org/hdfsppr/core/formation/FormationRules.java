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

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The rules for forming CORE groups: how many files a group has, which files may be in one, and how
 * many groups a plan may form. Immutable.
 */
@InterfaceAudience.Private
public final class FormationRules {
  /**
   * How many files a group has at least: the parity file of a single file would only be a copy of
   * it.
   */
  public static final int FILES_MIN = 2;
  /**
   * How many files a group has at most: {@code FailureMatrix}, which has a row for each file, has
   * at most 64 rows, and one of them is the parity file's.
   */
  public static final int FILES_MAX = 63;

  private final Map<String, Integer> filesOfPolicy;
  private final double slack;
  private final long settleMs;
  final int blockGroupsMax;
  final int groupsMax;

  /**
   * @param filesOfPolicy maps the name of each policy whose files are protected to t, the number of
   *     files in a group, {@link #FILES_MIN} to {@link #FILES_MAX}
   * @param slack the fraction by which a parity file may be longer than the mean of the group's
   *     files, at least 0; with 0.25, the parity file may be a quarter longer
   * @param settleMs how long after its last modification a file is not put into a group, ms, at
   *     least 0. A file that has just changed often changes again, and then its group would have to
   *     be formed again
   * @param blockGroupsMax how many block groups a file of a group has at most, at least 1; the
   *     NameNode sends one order for each of them to make the parity file
   * @param groupsMax how many groups one plan forms at most, at least 1; the next plan forms
   *     further groups
   * @throws IllegalArgumentException if a number is out of its range
   */
  public FormationRules(Map<String, Integer> filesOfPolicy, double slack, long settleMs,
      int blockGroupsMax, int groupsMax) {
    this.filesOfPolicy = new TreeMap<>(filesOfPolicy);
    this.slack = slack;
    this.settleMs = settleMs;
    this.blockGroupsMax = blockGroupsMax;
    this.groupsMax = groupsMax;
    // Unlike slack < 0, this comparison also refuses NaN.
    if (!(slack >= 0) || settleMs < 0 || blockGroupsMax < 1 || groupsMax < 1) {
      throw new IllegalArgumentException("Groups cannot be formed with slack " + slack
          + ", settleMs " + settleMs + ", blockGroupsMax " + blockGroupsMax + ", groupsMax "
          + groupsMax);
    }
    this.filesOfPolicy.forEach((policy, files) -> {
      if (files < FILES_MIN || files > FILES_MAX) {
        throw new IllegalArgumentException("A group of " + policy + " has " + FILES_MIN + " to "
            + FILES_MAX + " files, not " + files);
      }
    });
  }

  /**
   * @param policy name of a policy
   * @return t, the number of files in a group, or 0 if files of this policy are not protected
   */
  int filesOf(String policy) {
    return filesOfPolicy.getOrDefault(policy, 0);
  }

  /**
   * @param longest length of the longest file of the group, bytes
   * @param bytes bytes of all files of the group together
   * @param files t, the number of files in the group
   * @return whether the parity file, which is as long as the longest file, is not too long in
   *     comparison with the mean
   */
  boolean isLike(long longest, double bytes, int files) {
    return (double) longest * files <= (1 + slack) * bytes;
  }

  /**
   * Says whether a file was modified a short time ago. If the time is far in the future, a user has
   * set it, and the file does not count as recently modified.
   */
  boolean isSettling(CandidateFile file, long nowMs) {
    return Math.abs((double) nowMs - file.modifiedMs) < settleMs;
  }
}
