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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.update.log.PowerLoss;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TermBegin;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what survives a loss of power at a leader and at a follower. */
@InterfaceAudience.Private
class TestDurableUpdates {
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 3, 4);
  private static final byte[] DATA = {1, 2, 3, 4, 5};
  private static final TransferConnector NOWHERE = (node, block, token) -> {
    throw new IOException("No other node is there");
  };

  private final PowerLoss power = new PowerLoss();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final NodeRef self = new NodeRef("a", "127.0.0.1", "localhost", 1, 2, "");
  private final NodeRef other = new NodeRef("b", "127.0.0.1", "localhost", 1, 3, "");

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private static SignedTicket ticket(long term, NodeRef... holders) {
    return SignedTicket.of(new UpdateTicket(UNIT, new BlockRef("BP-1", -16, 1, 1000), term, term
        - 1, 1,
        List.of(holders)), new Token<BlockTokenIdentifier>());
  }

  private static ReplicateRequest begin(long term, SignedTicket ticket) {
    return new ReplicateRequest(ticket, new TermBegin(term - 1, 1, 0), Collections.emptyList(),
        true, Payload.NONE);
  }

  private static ReplicateRequest update(SignedTicket ticket, long number, boolean durable) {
    return new ReplicateRequest(ticket, null, List.of(new NumberedUpdate(number, 1, 0, 5)),
        durable, Payload.of(DATA));
  }

  private UnitLead lead(SignedTicket ticket, UpdateLog log) {
    return new UnitLead(ticket.ticket, log,
        new FollowerCall.Ways(NOWHERE, timer, System::nanoTime, 1000), System::nanoTime,
        new OverwrittenBytes(log, HolderServer.NO_BLOCKS, new BlockLineage()),
        new EpochDeltas(log, HolderServer.NO_BLOCKS, new BlockLineage()));
  }

  private static UpdateAnswer append(UnitLead lead, SignedTicket ticket, boolean durable) {
    return lead.append(new AppendRequest(ticket, 0, durable, Payload.of(DATA)), ticket, DATA);
  }

  @Test
  void followerSyncsBeforeItAnswers() throws IOException {
    SignedTicket ticket = ticket(1, other, self);
    try (UpdateLog log = power.open()) {
      LogHolder holder = new LogHolder(log, 1000);
      assertTrue(holder.replicate(begin(1, ticket), new byte[0]).isDone());
      assertTrue(holder.replicate(update(ticket, 1, true), DATA).isDone());
      assertTrue(holder.replicate(update(ticket, 2, false), DATA).isDone());
      power.happen();
    }
    try (UpdateLog log = power.open()) {
      assertEquals(1, log.state(UNIT).get().last, "the second one was not to be synced");
      assertArrayEquals(DATA, log.read(log.entries(UNIT, 0, 1).get(0)));
    }
  }

  @Test
  void followerDoesNotForgetTheTerm() throws IOException {
    SignedTicket ticket = ticket(7, other, self);
    try (UpdateLog log = power.open()) {
      assertTrue(new LogHolder(log, 1000).replicate(begin(7, ticket), new byte[0]).isDone());
      power.happen();
    }
    try (UpdateLog log = power.open()) {
      LogHolder holder = new LogHolder(log, 1000);
      SignedTicket old = ticket(6, other, self);
      assertEquals(UpdateStatus.STALE_TERM,
          holder.replicate(begin(6, old), new byte[0]).status);
      assertEquals(UpdateStatus.STALE_TERM, holder.replicate(update(old, 1, false), DATA).status);
    }
  }

  @Test
  void leaderSyncsBeforeItAnswers() throws IOException {
    SignedTicket ticket = ticket(1, self);
    try (UpdateLog log = power.open()) {
      UnitLead lead = lead(ticket, log);
      assertTrue(append(lead, ticket, true).isDone());
      assertTrue(append(lead, ticket, false).isDone());
      power.happen();
    }
    try (UpdateLog log = power.open()) {
      assertEquals(1, log.state(UNIT).get().last, "the second one was not to be synced");
    }
  }

  @Test
  void leaderDoesNotForgetTheTerm() throws IOException {
    SignedTicket ticket = ticket(1, self, other);
    try (UpdateLog log = power.open()) {
      assertEquals(UpdateStatus.TERM_OVER, append(lead(ticket, log), ticket, false).status);
      power.happen();
    }
    try (UpdateLog log = power.open()) {
      assertEquals(1, log.state(UNIT).get().term);
      assertEquals(0, log.state(UNIT).get().last);
    }
  }

  @Test
  void leaderWhoseDiskFailsAcknowledgesNothing() throws IOException {
    SignedTicket ticket = ticket(1, self);
    try (UpdateLog log = power.open()) {
      UnitLead lead = lead(ticket, log);
      assertTrue(append(lead, ticket, true).isDone());
      assertTrue(append(lead, ticket, false).isDone());
      power.failSync();
      assertFalse(new LogHolder(log, 1000).replicate(update(ticket, 3, true), DATA).isDone());
      assertEquals(UpdateStatus.FAILED, append(lead, ticket, false).status);
      assertEquals(UpdateStatus.TERM_OVER, append(lead, ticket, false).status);
    }
  }
}
