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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;

/**
 * Slows a node down to the rate limit of its request, by waits between slices. If the request has
 * no limit, this class does nothing. One thread waits; any thread may end the wait.
 */
final class SliceThrottle {
  /**
   * The longest wait between two slices, ms. The sender of a request with a rate limit chooses the
   * slices so short that each takes a second at most. The bound keeps a request with longer slices
   * from holding this node's thread for long.
   */
  private static final long PAUSE_MS_MOST = 1_000;

  private final SliceGeometry geometry;
  private final RateThrottle pace;
  private boolean ended;

  SliceThrottle(PartialSumRequest request, LongSupplier nanoClock) {
    geometry = request.geometry;
    pace = request.isPaced() ? new RateThrottle(request.bytesPerSecond, nanoClock) : null;
  }

  /**
   * Waits until this node may work on a slice.
   *
   * @throws InterruptedIOException if {@link #end} was called, or the thread is interrupted
   */
  synchronized void await(int slice) throws IOException {
    long ms = pace == null ? 0
        : Math.min(PAUSE_MS_MOST, TimeUnit.NANOSECONDS.toMillis(pace.owedNanos()));
    try {
      if (ms > 0 && !ended) {
        wait(ms);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted between two slices")
          .initCause(e);
    }
    if (ended) {
      throw new InterruptedIOException("given up between two slices");
    }
    if (pace != null) {
      pace.read((long) geometry.length(slice) * geometry.runs(slice));
    }
  }

  /** Makes {@link #await} fail, now and from now on. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }
}
