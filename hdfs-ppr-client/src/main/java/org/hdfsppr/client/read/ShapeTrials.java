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

import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.ChainsTopology;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out, behind a range that was decoded, what it would have taken in another shape: the same
 * range comes again through trees, one after the other, and is thrown away. Nobody waits for it,
 * which is why it may take what trees take whose nodes have long done nothing of the kind:
 * connections that have to be made again, code that is not compiled. It goes on for as long as they
 * become faster, and the last ones count, as in a row is how trees are used where they are the
 * better choice. One trial at a time. Thread-safe.
 */
@InterfaceAudience.Private
final class ShapeTrials {
  private static final Logger LOG = LoggerFactory.getLogger(ShapeTrials.class);
  /** The last trees of a trial count, these many. */
  static final int COUNTED = 3;
  /** A trial ends after so many: some tenths of a second, even with nodes that are cold. */
  static final int TREES_MOST = 16;
  /** Trees become faster if the last ones took less than this share of what those before took. */
  private static final double FASTER = 0.9;

  private final ReadContext context;
  private final AtomicBoolean isBusy = new AtomicBoolean();

  ShapeTrials(ReadContext context) {
    this.context = context;
  }

  /**
   * A range was decoded, so that something may have to be tried: in the background, if a thread is
   * free.
   *
   * @param plans of the file that was read
   */
  void decoded(GroupView group, UnitRange range, Shape decoded, ReadPlans plans) {
    if (!isBusy.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      Optional<Shape> next =
          context.shapes().nextTrial(decoded, context.settings().chainsMost());
      begun = next.isPresent() && context.tryExecute(() -> {
        try {
          run(group, range, next.get(), plans);
        } finally {
          isBusy.set(false);
        }
      });
    } finally {
      if (!begun) {
        isBusy.set(false);
      }
    }
  }

  private void run(GroupView group, UnitRange range, Shape shape, ReadPlans plans) {
    double[] nanos = new double[COUNTED];
    LinkLoad.Use link =
        context.load().begin(shape.chains() * (long) range.length(), range.length());
    try {
      // The first one makes the connections that the others find.
      tree(group, range, shape, plans);
      double before;
      double sum = Double.MAX_VALUE;
      int trees = 1;
      do {
        before = sum;
        sum = 0;
        for (int i = 0; i < COUNTED; i++) {
          nanos[i] = tree(group, range, shape, plans);
          sum += nanos[i];
        }
        trees += COUNTED;
      } while (sum < FASTER * before && trees + COUNTED <= TREES_MOST);
    } catch (RepairException e) {
      LOG.debug("A trial of {} with unit {} of {}", shape, range, group.id(), e);
      plans.note(group, e);
      return;
    } catch (IOException e) {
      LOG.debug("A trial of {} with unit {} of {}", shape, range, group.id(), e);
      return;
    } finally {
      link.close();
    }
    for (double one : nanos) {
      context.costs().tree(shape.hops(), shape.bytesInTurn(), (long) one);
    }
    context.shapes().tried(shape, nanos);
    context.counters().trial();
    LOG.debug("A trial of {} with unit {} of {}: {} ns; {}", shape, range, group.id(), nanos,
        context.costs());
  }

  /** @return nanoseconds that it took */
  private long tree(GroupView group, UnitRange range, Shape shape, ReadPlans plans)
      throws IOException {
    long start = context.nanoClock().getAsLong();
    RepairPlan plan;
    try {
      plan = plans.ofServers(group, range, Collections.emptySet(),
          new ChainsTopology(helpers -> shape.chains()), 0);
    } catch (NoPlanException e) {
      throw new IOException("Too few DataNodes are left to try anything: " + e.getMessage(), e);
    }
    SliceGeometry geometry = plan.geometry().covering(range.from(), range.to());
    PartialSumRequest request = plans.request(group, plan, plan.root(), geometry);
    Future<?> tooLate = null;
    try (LinkShares.Flow flow = context.shares().flow().open();
        RangeRead read = new RangeRead(plan, request, Collections.emptyList(), context.kernel(),
            context.buffers(), context.nanoClock())) {
      // Connections that are cut are cold the next time: no less than what the slowest may take.
      tooLate = context.later(read::close, context.treeDelay().maxNanos());
      read.run(context.connector(), group.unitBytes(range.unit()),
          (offset, part) -> flow.arrived(part.remaining()));
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
    }
    return context.nanoClock().getAsLong() - start;
  }
}
