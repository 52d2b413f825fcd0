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
import org.hdfsppr.client.shape.ReadCosts;

/**
 * Waits as long as {@link HedgeDelay} has learnt, and longer where bytes queue on the client's link
 * behind other reads. Thread-safe.
 */
@InterfaceAudience.Private
public final class LinkPatience implements Patience {
  /** An answer may queue behind all bytes that are wanted; twice their time is slow. */
  private static final int LINK_FACTOR = 2;
  /** A unit is slow if it takes three times as long as all units that are read with it should. */
  private static final int SOURCES_FACTOR = 3;

  private final HedgeDelay delay;
  private final HedgeDelay treeDelay;
  private final ReadCosts costs;
  private final LinkLoad load;

  /**
   * @param delay of reads of units
   * @param treeDelay of trees
   * @param costs what a byte takes
   * @param load what else is read
   */
  public LinkPatience(HedgeDelay delay, HedgeDelay treeDelay, ReadCosts costs, LinkLoad load) {
    this.delay = delay;
    this.treeDelay = treeDelay;
    this.costs = costs;
    this.load = load;
  }

  @Override
  public long unitNanos(long bytes) {
    return nanos(delay, bytes);
  }

  @Override
  public long treeNanos(long bytes) {
    return nanos(treeDelay, bytes);
  }

  private long nanos(HedgeDelay learnt, long bytes) {
    double all = LINK_FACTOR * costs.byteNanos() * load.bytes();
    // DataNodes send more to stateful readers than these have asked for.
    long among = Math.max(learnt.nanos(bytes), learnt.nanos(load.longest()));
    return Math.max(among, (long) Math.min(learnt.maxNanos(), all));
  }

  /** The units share the client's link, so that each takes longer than it would alone. */
  @Override
  public long sourcesNanos(long allBytes, long bytes) {
    return Math.max((long) (SOURCES_FACTOR * costs.nanos(allBytes)), delay.nanos(bytes));
  }
}
