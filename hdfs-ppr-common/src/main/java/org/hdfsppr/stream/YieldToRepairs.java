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
package org.hdfsppr.stream;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hdfsppr.wire.PartialSumRequest;

/**
 * Makes one node's part in a request with a rate limit wait for repairs, before each slice and for
 * a minute in all. After that the request goes on at its rate: its deadline, its buffers and the
 * nodes that wait for it must not depend on how long repairs go on. The NameNode begins no such
 * work at a node that a repair uses, so that little of it is left after a minute. Used by one
 * thread.
 */
final class YieldToRepairs {
  /** The longest wait of one node in one request, all slices together, ns. */
  static final long ALL_NANOS_MOST = TimeUnit.MINUTES.toNanos(1);

  private final HelperHost host;
  private final LongSupplier nanoClock;
  private final long sliceNanosMost;
  private long leftNanos = ALL_NANOS_MOST;

  /**
   * @param request the request; one without a rate limit waits for nothing
   * @param host the node
   * @param nanoClock a monotonic clock, nanoseconds
   */
  YieldToRepairs(PartialSumRequest request, HelperHost host, LongSupplier nanoClock) {
    this.host = host;
    this.nanoClock = nanoClock;
    this.sliceNanosMost = sliceNanosMost(request);
  }

  /**
   * Returns how long a node may let repairs go first before it moves a slice of a request. That is
   * no longer than the margin that its parent adds for each level. In a chain, the waits of all
   * nodes therefore add up to no more than the parent at its end waits.
   *
   * @return nanoseconds; 0 for a request without a rate limit, such as a repair or a patch of a
   *     commit for which a writer waits
   */
  static long sliceNanosMost(PartialSumRequest request) {
    return request.isPaced() ? TimeUnit.MILLISECONDS.toNanos(
        Math.min(PartialSumRequest.LEVEL_MARGIN_MS, request.stallTimeoutMs / 4)) : 0;
  }

  /** Waits until this node may work on the next slice, and returns how long it has waited, ns. */
  long await() {
    long most = Math.min(sliceNanosMost, leftNanos);
    if (most <= 0) {
      return 0;
    }
    long began = nanoClock.getAsLong();
    host.yieldToRepairs(most);
    long waited = nanoClock.getAsLong() - began;
    leftNanos -= waited;
    return waited;
  }
}
