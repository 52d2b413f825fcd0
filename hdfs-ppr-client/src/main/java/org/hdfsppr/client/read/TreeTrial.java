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
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.shape.Shape;
import org.hdfsppr.client.shape.ShapeTrials;
import org.hdfsppr.plan.ChainsTopology;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;

/**
 * Rebuilds a decoded range once more through trees, and throws the bytes away, so that {@link
 * ShapeTrials} learns how long the trees take. Used by one thread at a time.
 */
@InterfaceAudience.Private
final class TreeTrial implements ShapeTrials.TrialTree {
  private final ReadContext context;
  private final ReadPlans plans;
  private final LocatedGroup group;
  private final UnitRange range;

  TreeTrial(ReadContext context, ReadPlans plans, LocatedGroup group, UnitRange range) {
    this.context = context;
    this.plans = plans;
    this.group = group;
    this.range = range;
  }

  @Override
  public long run(Shape shape) throws IOException {
    try {
      return timed(shape);
    } catch (RepairException e) {
      plans.note(group, e);
      throw e;
    }
  }

  /** @return nanoseconds until the tree ended or was cut off */
  private long timed(Shape shape) throws IOException {
    RepairPlan plan = plan(shape);
    SliceGeometry geometry = plan.geometry().covering(range.from(), range.to());
    PartialSumRequest request = plans.request(group, plan, plan.root(), geometry);
    long start = context.nanoClock().getAsLong();
    AtomicBoolean isCut = new AtomicBoolean();
    Future<?> tooLate = null;
    try (RangeRead read = new RangeRead(plan, request, Collections.emptyList(), context.kernel(),
        context.buffers(), context.nanoClock())) {
      // Cutting off a tree closes connections, and the next tree has to make them again. So the
      // trial allows a tree as long as the slowest tree of a reader may take.
      tooLate = context.later(() -> cut(read, isCut), context.treeDelay().maxNanos());
      read.run(context.connector(), group.unitBytes(range.unit()), (offset, part) -> {
        // The reader has these bytes already, so they are thrown away.
      });
    } catch (RepairException e) {
      if (!isCut.get()) {
        throw e;
      }
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
    }
    return context.nanoClock().getAsLong() - start;
  }

  private static void cut(RangeRead read, AtomicBoolean isCut) {
    isCut.set(true);
    read.abort();
  }

  private RepairPlan plan(Shape shape) throws IOException {
    AtomicInteger helpersNow = new AtomicInteger();
    RepairPlan plan;
    try {
      plan = plans.ofServers(group, range, Collections.emptySet(), new ChainsTopology(helpers -> {
        helpersNow.set(helpers);
        return shape.chains();
      }), 0);
    } catch (NoPlanException e) {
      throw new IOException("Too few DataNodes are left to try anything: " + e.getMessage(), e);
    }
    if (helpersNow.get() != shape.helpers()) {
      throw new IOException("It takes " + helpersNow + " helpers now, not " + shape.helpers());
    }
    return plan;
  }

  @Override
  public String toString() {
    return "unit " + range + " of " + group.id();
  }
}
