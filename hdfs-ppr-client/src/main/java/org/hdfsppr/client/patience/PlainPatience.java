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
 * Allows reads the time that {@link HedgeDelay} has learnt, without regard to other reads. The
 * benchmark compares it with {@link LinkPatience}. Thread-safe.
 */
@InterfaceAudience.Private
public final class PlainPatience implements Patience {
  private final HedgeDelay delay;
  private final HedgeDelay treeDelay;

  /**
   * @param delay what is learnt about reads of units
   * @param treeDelay what is learnt about trees
   */
  public PlainPatience(HedgeDelay delay, HedgeDelay treeDelay) {
    this.delay = delay;
    this.treeDelay = treeDelay;
  }

  @Override
  public long unitNanos(long bytes) {
    return delay.nanos(bytes);
  }

  @Override
  public long treeNanos(long bytes) {
    return treeDelay.nanos(bytes);
  }

  @Override
  public long sourcesNanos(long allBytes, long bytes) {
    return delay.nanos(bytes);
  }
}
