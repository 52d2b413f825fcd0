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
package org.hdfsppr.client.read;

import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.patience.HedgeDelay;
import org.hdfsppr.client.patience.LatencyBySize;
import org.hdfsppr.client.patience.LatencyRule;
import org.hdfsppr.client.patience.LinkLoad;
import org.hdfsppr.client.patience.LinkPatience;
import org.hdfsppr.client.patience.OneLatency;
import org.hdfsppr.client.patience.Patience;
import org.hdfsppr.client.patience.PlainPatience;
import org.hdfsppr.client.shape.ChainAboveSize;
import org.hdfsppr.client.shape.LearntShapes;
import org.hdfsppr.client.shape.ReadCosts;
import org.hdfsppr.client.shape.ShapeRule;

/**
 * The rules by which a client decides in which shape to rebuild a range, and how long to wait for
 * bytes. Clients learn both from their reads. The benchmark can use the simplest rules instead, to
 * show in one run how much learning improves.
 */
@InterfaceAudience.Private
final class ReadTactics {
  /**
   * An internal key with the value {@code learnt} or {@code simple}. The benchmark sets this key,
   * and no user should.
   */
  static final String INTERNAL_TACTICS_KEY = "dfs.client.ppr.internal.tactics";
  static final String LEARNT = "learnt";
  static final String SIMPLE = "simple";

  private final HedgeDelay delay;
  private final HedgeDelay treeDelay;
  private final ShapeRule shapes;
  private final Patience patience;

  private ReadTactics(HedgeDelay delay, HedgeDelay treeDelay, ShapeRule shapes,
      Patience patience) {
    this.delay = delay;
    this.treeDelay = treeDelay;
    this.shapes = shapes;
    this.patience = patience;
  }

  /**
   * Makes the tactics that the configuration names.
   *
   * @param costs the times of the client's reads, on which learnt tactics base their decisions
   * @param load the load of the client's link
   * @param background runs work in another thread; returns false, and runs nothing, if no thread is
   *     free
   * @param counters of the client
   * @throws IllegalArgumentException if the configuration names unknown tactics
   */
  static ReadTactics of(Configuration conf, ReadSettings settings, ReadCosts costs,
      LinkLoad load, LongSupplier nanoClock, Predicate<Runnable> background,
      ReadCounters counters) {
    String name = conf.getTrimmed(INTERNAL_TACTICS_KEY, LEARNT).toLowerCase(Locale.ROOT);
    switch (name) {
      case LEARNT: {
        HedgeDelay delay = delay(settings, new LatencyBySize());
        HedgeDelay treeDelay = treeDelay(settings, new LatencyBySize());
        return new ReadTactics(delay, treeDelay, new LearntShapes(costs, settings.chainsMost(),
            nanoClock, background, counters::trial),
            new LinkPatience(delay, treeDelay, costs, load));
      }
      case SIMPLE: {
        HedgeDelay delay = delay(settings, new OneLatency());
        HedgeDelay treeDelay = treeDelay(settings, new OneLatency());
        return new ReadTactics(delay, treeDelay, new ChainAboveSize(),
            new PlainPatience(delay, treeDelay));
      }
      default:
        throw new IllegalArgumentException(INTERNAL_TACTICS_KEY + ": unknown value '" + name
            + "', choose one of [" + LEARNT + ", " + SIMPLE + "]");
    }
  }

  private static HedgeDelay delay(ReadSettings settings, LatencyRule latencies) {
    return new HedgeDelay(settings.hedgeMinMs(), settings.hedgeMaxMs(), settings.hedgePercent(),
        latencies);
  }

  /**
   * Makes the delay for trees. A client may always give up a slow tree and decode, so this delay is
   * never off, and needs no budget.
   */
  private static HedgeDelay treeDelay(ReadSettings settings, LatencyRule latencies) {
    return new HedgeDelay(Math.max(1, settings.hedgeMinMs()),
        Math.max(settings.hedgeMaxMs(), settings.stallTimeoutMs()), 100, latencies);
  }

  /** The delays before hedges, learnt from reads of units. */
  HedgeDelay delay() {
    return delay;
  }

  /** The time that trees of partial sums may take, learnt from trees. */
  HedgeDelay treeDelay() {
    return treeDelay;
  }

  ShapeRule shapes() {
    return shapes;
  }

  Patience patience() {
    return patience;
  }
}
