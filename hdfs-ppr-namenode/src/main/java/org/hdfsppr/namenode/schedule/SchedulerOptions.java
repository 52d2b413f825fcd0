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
package org.hdfsppr.namenode.schedule;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The options of all schedulers. Immutable, except that {@link CodeReads} remembers its answers.
 */
@InterfaceAudience.Private
public final class SchedulerOptions {
  final CodeReads reads;
  final int checkOneIn;
  final MpprWeights weights;

  /**
   * @param reads decides which units a repair has to read
   * @param checkOneIn one slice in this many is checked with the units of extra helpers; 0 if none
   *     is
   * @param weights the weights of m-PPR
   */
  public SchedulerOptions(CodeReads reads, int checkOneIn, MpprWeights weights) {
    this.reads = Objects.requireNonNull(reads, "reads");
    this.checkOneIn = checkOneIn;
    this.weights = Objects.requireNonNull(weights, "weights");
  }
}
