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
package org.hdfsppr.datanode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.update.log.PowerLoss;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what the updates of a unit wait for. */
@InterfaceAudience.Private
@Timeout(120)
class TestUnitLead {
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 3, 4);
  private static final byte[] DATA = {1, 2, 3, 4, 5};
  private static final int TIMEOUT_MS = 60_000;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong now = new AtomicLong();
  private final SignedTicket ticket = SignedTicket.of(new UpdateTicket(UNIT,
      new BlockRef("BP-1", -16, 1, 1000), 1, 0, 1,
      List.of(new NodeRef("a", "127.0.0.1", "localhost", 1, 2, ""))),
      new Token<BlockTokenIdentifier>());

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private UpdateAnswer append(UnitLead lead) {
    return lead.append(new AppendRequest(ticket, 0, false, Payload.of(DATA)), ticket, DATA);
  }

  /** Appends in a thread of its own, which has come to a state when this method returns. */
  private FutureTask<UpdateAnswer> append(UnitLead lead, Thread.State state) {
    FutureTask<UpdateAnswer> append = new FutureTask<>(() -> append(lead));
    Thread thread = new Thread(append, "append");
    thread.setDaemon(true);
    thread.start();
    RepairCluster.await("the thread is " + state, () -> thread.getState() == state);
    return append;
  }

  @Test
  void waitForOtherTurnsIsBounded() throws Exception {
    try (UpdateLog log = new PowerLoss().open()) {
      UnitLead lead = new UnitLead(ticket.ticket, log, new FollowerCall.Ways(
          (node, block, token) -> {
            throw new IOException("No other node is there");
          }, timer, now::get, TIMEOUT_MS), now::get,
          new OverwrittenBytes(log, HolderServer.NO_BLOCKS, new BlockLineage()),
          new EpochDeltas(log, HolderServer.NO_BLOCKS, new BlockLineage()));
      assertTrue(append(lead).isDone());
      FutureTask<UpdateAnswer> first;
      FutureTask<UpdateAnswer> second;
      // As when the disk does not answer.
      synchronized (log) {
        first = append(lead, Thread.State.BLOCKED);
        second = append(lead, Thread.State.TIMED_WAITING);
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos((long) UnitLead.CALLS_MOST * TIMEOUT_MS));
      }
      assertTrue(first.get(TIMEOUT_MS, TimeUnit.MILLISECONDS).isDone());
      // It waits no second time, for the updates before its own.
      assertEquals(UpdateStatus.OVERLOADED,
          second.get(TIMEOUT_MS, TimeUnit.MILLISECONDS).status);
      assertEquals(2, log.state(UNIT).get().last, "nothing was done");
      assertTrue(append(lead).isDone());
    }
  }
}
