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
package org.hdfsppr.client.verify;

import org.apache.hadoop.classification.InterfaceAudience;

/** What a user may choose about a verification. Immutable. */
@InterfaceAudience.Private
public final class VerifyOptions {
  /** How many groups to choose at random; 0: all groups */
  public final int sample;
  /** The seed of the random choice */
  public final long seed;
  /** Whether to check each independent equation of a code by itself, instead of one sum of all */
  public final boolean allRelations;
  /** How many groups are checked at the same time */
  public final int groupsAtATime;

  /**
   * @param sample how many groups to choose at random; 0: check all groups
   * @param seed of the random choice
   * @param allRelations whether to check each independent equation of a code by itself, instead of
   *     one sum of all
   * @param groupsAtATime how many groups are checked at the same time, at least 1
   */
  public VerifyOptions(int sample, long seed, boolean allRelations, int groupsAtATime) {
    this.sample = sample;
    this.seed = seed;
    this.allRelations = allRelations;
    this.groupsAtATime = groupsAtATime;
  }
}
