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
package org.hdfsppr.stream;

import org.apache.hadoop.classification.InterfaceAudience;

/** The limits below which a repair counts as slow. */
@InterfaceAudience.Private
public final class SlowLimit {
  final RateMemory memory;
  final int windowMs;
  final int percent;

  /**
   * Sets the limits of {@link SlowLinkDetector}.
   *
   * @param memory the best rate of recent repairs
   * @param windowMs milliseconds over which a rate is measured
   * @param percent a repair below this percentage of the best recent rate is slow; 0 if no repair
   *     is slow
   */
  public SlowLimit(RateMemory memory, int windowMs, int percent) {
    this.memory = memory;
    this.windowMs = windowMs;
    this.percent = percent;
  }
}
