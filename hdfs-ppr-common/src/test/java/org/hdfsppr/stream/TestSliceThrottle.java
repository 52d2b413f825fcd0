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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits between slices with a clock that the test sets. */
@InterfaceAudience.Private
@Timeout(60)
class TestSliceThrottle {
  private static final int SLICE = 64 << 10;

  private final AtomicLong nanos = new AtomicLong();

  private static PartialSumRequest request() {
    return new PartialSumRequest(PartialSumRequest.of("r", 1, 0, 1000), new GroupId("BP", -16, 1),
        new SliceGeometry(4 * SLICE, SLICE, 1, 0, 0, 0),
        new PlanNode(new NodeRef("u", "10.0.0.1", "h", 1, 2, "/r"), Collections.emptyList(),
            Collections.emptyList()), Collections.emptyMap());
  }

  @Test
  void withoutARateNothingWaitsUntilItIsGivenUp() throws Exception {
    SliceThrottle pace = new SliceThrottle(request(), nanos::get);
    for (int slice = 0; slice < 4; slice++) {
      pace.await(slice);
    }
    pace.end();
    assertEquals("given up between two slices",
        assertThrows(InterruptedIOException.class, () -> pace.await(0)).getMessage());
  }

  @Test
  void aWaitEndsAtOnceWhenItIsGivenUp() throws Exception {
    SliceThrottle pace = new SliceThrottle(request().withRate(SLICE), nanos::get);
    pace.await(0);
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
      try {
        // The clock stands still, so that each of these slices waits for as long as is allowed.
        for (int slice = 1; slice < 1000; slice++) {
          pace.await(slice % 4);
        }
      } catch (java.io.IOException e) {
        throw new IllegalStateException(e);
      }
    });
    pace.end();
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> waiting.get(30, TimeUnit.SECONDS));
    assertTrue(e.getCause().getCause() instanceof InterruptedIOException, e.toString());
  }
}
