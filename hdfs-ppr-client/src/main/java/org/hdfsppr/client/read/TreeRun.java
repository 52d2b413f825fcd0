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
import java.util.function.Consumer;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.client.patience.TreeLimits;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.wire.PartialSumRequest;

/**
 * Reads ranges of lost units from trees of DataNodes; the callers make the plans. It stops a tree
 * that takes too long, and learns from each tree how long the next trees may take. Thread-safe.
 */
final class TreeRun {
  private final ReadContext context;
  private final UnitReader units;

  /** @param units counts the bytes that the stream receives */
  TreeRun(ReadContext context, UnitReader units) {
    this.context = context;
    this.units = units;
  }

  /**
   * Reads a range.
   *
   * @param mayBeLate whether the tree is stopped when its time is over
   * @param brought is called when the tree has sent its last byte, so that the caller can count the
   *     read
   * @param found receives all bytes that were rebuilt, if the tree does not fail
   * @throws IOException if the tree does not bring the range
   */
  void run(LocatedGroup group, RepairPlan plan, PartialSumRequest request, UnitRange range,
      boolean mayBeLate, Consumer<RangeRead> brought, UnitByteCache found, ReadAttempt attempt)
      throws IOException {
    long start = context.nanoClock.getAsLong();
    RebuiltRuns runs = new RebuiltRuns();
    TreeLimits.Limit limit = context.treeLimits.begin(range.length());
    Future<?> tooLate = null;
    try (LinkShares.Flow flow = context.shares.flow().open();
        RangeRead read = new RangeRead(plan, request, Collections.emptyList(),
            context.kernel, context.buffers, context.nanoClock)) {
      attempt.onCancel(read::abort);
      if (mayBeLate) {
        tooLate = context.later(() -> attempt.late(read::abort), limit.nanos);
      }
      read.run(context.connector, group.unitBytes(range.unit), (offset, bytes) -> {
        flow.arrived(bytes.remaining());
        runs.put(offset, bytes);
      });
      units.received(read.bytesReceived());
      context.counters.computed(read.multiplyNanos());
      brought.accept(read);
    } catch (IOException | RuntimeException e) {
      limit.failed(attempt.isLate() && !attempt.isCancelled());
      throw e;
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
    }
    limit.brought(context.nanoClock.getAsLong() - start);
    runs.addTo(found, group.id().blockId(range.unit));
  }
}
