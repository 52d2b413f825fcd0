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
 * Allows reads the time that {@link HedgeDelay} has learnt, and more while their bytes queue on the
 * client's link behind other reads. Thread-safe.
 */
@InterfaceAudience.Private
public final class LinkPatience implements Patience {
  /**
   * An answer may queue behind the bytes of all reads under way. A read is slow if it takes twice
   * the time that the link needs for all these bytes.
   */
  private static final int LINK_FACTOR = 2;
  /**
   * A unit is slow if it takes three times the expected time of all units that are read together
   * with it.
   */
  private static final int SOURCES_FACTOR = 3;

  private final HedgeDelay delay;
  private final HedgeDelay treeDelay;
  private final ReadCosts costs;
  private final LinkLoad load;

  /**
   * @param delay what is learnt about reads of units
   * @param treeDelay what is learnt about trees
   * @param costs the expected times of reads and bytes
   * @param load the bytes of all reads under way
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
    // DataNodes send stateful readers more bytes than these readers have asked for. So a read waits
    // at least as long as the longest read under way may take.
    long among = Math.max(learnt.nanos(bytes), learnt.nanos(load.longest()));
    return Math.max(among, (long) Math.min(learnt.maxNanos(), all));
  }

  /** Allows each unit the time of all units together, because the units share the client's link. */
  @Override
  public long sourcesNanos(long allBytes, long bytes) {
    return Math.max((long) (SOURCES_FACTOR * costs.nanos(allBytes)), delay.nanos(bytes));
  }
}
