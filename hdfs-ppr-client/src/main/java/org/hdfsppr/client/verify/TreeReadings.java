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
package org.hdfsppr.client.verify;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.Connector;
import org.hdfsppr.stream.FreshBuffers;
import org.hdfsppr.verify.Evidence;
import org.hdfsppr.verify.GroupReadings;
import org.hdfsppr.verify.ReadWatch;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.wire.PartialSumRequest;

/** Reads groups through the repair servers of their DataNodes. Thread-safe. */
@InterfaceAudience.Private
final class TreeReadings implements Readings {
  private static final AtomicLong SERIAL = new AtomicLong();

  private final GroupReadings.Parts parts;

  /**
   * @param connector opens connections to DataNodes
   * @param kernel multiplies and adds
   * @param buffers memory for sums
   * @param stallTimeoutMs time without a byte after which a DataNode counts as dead
   * @param nanoClock a monotonic clock, nanoseconds
   */
  TreeReadings(Connector connector, RegionKernel kernel, BufferPool buffers, int stallTimeoutMs,
      LongSupplier nanoClock) {
    parts = new GroupReadings.Parts(connector, kernel, buffers, new FreshBuffers(),
        stallTimeoutMs, nanoClock);
  }

  @Override
  public WrongSlices sums(LocatedUnits group, ZeroSumPlan plan) throws IOException {
    return readings(group).sums(plan);
  }

  @Override
  public Evidence oneByOne(LocatedUnits group, ZeroSumPlanner planner, List<Holder> live,
      List<Integer> slices) throws IOException {
    return readings(group).oneByOne(planner, live, slices);
  }

  private GroupReadings readings(LocatedUnits group) {
    return new GroupReadings(parts, "verify-" + SERIAL.incrementAndGet(),
        group.layout(), source -> group.unit(source.unit).getBlockToken(), ReadWatch.NONE,
        PartialSumRequest.UNLIMITED);
  }
}
