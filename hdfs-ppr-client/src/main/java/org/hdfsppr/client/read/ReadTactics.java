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
 * Decides about degraded reads: in which shape, and how long to wait. Clients learn both. The
 * benchmark can put the simplest rules in their place, to show in one run what learning earns.
 */
@InterfaceAudience.Private
final class ReadTactics {
  /** Internal: the benchmark sets it, and no user should. {@code learnt} or {@code simple}. */
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
   * The tactics that the configuration names.
   *
   * @param costs of the client's reads, which learnt tactics go by
   * @param load of the client's link
   * @param background runs something if a thread is free, and says whether it does
   * @param counters of the client
   * @throws IllegalArgumentException if it names unknown tactics
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
   * A client may always give up a slow tree and decode: this delay is never off, and has no budget.
   */
  private static HedgeDelay treeDelay(ReadSettings settings, LatencyRule latencies) {
    return new HedgeDelay(Math.max(1, settings.hedgeMinMs()),
        Math.max(settings.hedgeMaxMs(), settings.stallTimeoutMs()), 100, latencies);
  }

  /** For reads of units. */
  HedgeDelay delay() {
    return delay;
  }

  /** For trees of partial sums. */
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
