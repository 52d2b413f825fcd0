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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node that cannot help names its features all the same. Otherwise its parent would take it for a
 * node of an older version, and leave it out of repairs that need newer features.
 */
@InterfaceAudience.Private
@Timeout(120)
class TestAnswerFeatures {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void allThreadsEnd() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
  }

  @Test
  void aFailureNamesTheFeatures() throws Exception {
    SimRepair repair = new SimRepair().topology("star").fault(
        new Fault(Fault.Kind.OVERLOAD, "uuid-1", -1, false, 0, 0, 0));
    try (DestinationSession rebuild = repair.prepare(threads)) {
      RepairException e = assertThrows(RepairException.class, () -> repair.run(rebuild));
      assertSame(FailureCause.OVERLOADED, e.failureCause);
    }
    assertEquals(RequestFeatures.KNOWN, repair.cluster().answered.get("uuid-1"));
    assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
  }

  @Test
  void aRefusedTokenNamesNone() throws Exception {
    SimRepair repair = new SimRepair().topology("star").fault(
        new Fault(Fault.Kind.TOKEN, "uuid-1", 1, false, 0, 0, 0));
    try (DestinationSession rebuild = repair.prepare(threads)) {
      RepairException e = assertThrows(RepairException.class, () -> repair.run(rebuild));
      assertSame(FailureCause.ACCESS_TOKEN, e.failureCause);
    }
    assertEquals(null, repair.cluster().answered.get("uuid-1"));
    assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
  }
}
