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
package org.hdfsppr.client.patience;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Keeps one moving average over reads of all sizes. The benchmark compares it with {@link
 * LatencyBySize}. Not thread-safe.
 */
@InterfaceAudience.Private
public final class OneLatency implements LatencyRule {
  /** The weight of a new read in the average: an eighth, as for TCP's round-trip times. */
  private static final double SHARE = 0.125;

  private double average;

  @Override
  public void took(long bytes, long nanos) {
    average = average == 0 ? nanos : average + SHARE * (nanos - average);
  }

  @Override
  public boolean isLearnt(long bytes) {
    return average > 0;
  }

  @Override
  public long usualNanosMost(long bytes) {
    return (long) average;
  }

  @Override
  public long usualNanos(long bytes) {
    return (long) average;
  }
}
