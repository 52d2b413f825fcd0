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
package org.hdfsppr.it.versions;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link CoreCrashes} with one NameNode, and deaths of DataNodes that make or rebuild units. */
@Tag("process")
class TestKilledCore extends CoreCrashes {
  private static final Duration BEGUN_LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(20);

  TestKilledCore() {
    super("ccrash", false);
  }

  /** Waits until a node has written a part of a block that is meant. */
  private Writing awaitWriting(LongPredicate isMeant)
      throws IOException, InterruptedException, TimeoutException {
    List<Writing> found = new ArrayList<>();
    Await.until("a node writes a block", BEGUN_LIMIT, POLL, () -> {
      Writing.find(cluster(), isMeant).ifPresent(found::add);
      return !found.isEmpty();
    });
    return found.get(0);
  }

  private void kill(int node) throws IOException, InterruptedException, TimeoutException {
    cluster().processes.kill(node);
    System.out.println("dn" + node + " is killed");
  }

  /** The parity file is made on other nodes, or anew. */
  @Test
  void makerOfAParityUnitIsKilled() throws Exception {
    ProtectedFolder files = write();
    files.protect();
    kill(awaitWriting(id -> true).node);
    files.awaitWhole();
    cluster().heal();
    files.check();
    files.loseBeyondRow();
    files.check();
    files.delete();
  }

  /** A node that sends a unit of a file to the node that makes the sum. */
  @Test
  void sourceOfAParityUnitIsKilled() throws Exception {
    ProtectedFolder files = write();
    files.protect();
    Writing writing = awaitWriting(id -> true);
    kill(files.holders(writing.unit()).get(0));
    files.awaitWhole();
    cluster().heal();
    files.check();
    files.delete();
  }

  /**
   * The row has lost too much, so that the first repair comes from a column. When its node dies,
   * another one rebuilds the unit.
   */
  @Test
  void leaderOfAColumnRepairIsKilled() throws Exception {
    ProtectedFolder files = write();
    files.protect();
    files.check();
    List<Unit> lost = files.loseBeyondRow();
    Set<Long> ids = lost.stream().map(unit -> unit.block.getBlockId())
        .collect(Collectors.toSet());
    Writing writing = awaitWriting(ids::contains);
    kill(writing.node);
    files.awaitWhole();
    cluster().heal();
    files.check();
    files.delete();
  }
}
