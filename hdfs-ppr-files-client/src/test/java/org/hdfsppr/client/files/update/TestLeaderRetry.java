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
package org.hdfsppr.client.files.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a caller ends that gives up. */
@InterfaceAudience.Private
@Timeout(60)
class TestLeaderRetry {
  private static final GroupId GROUP = new GroupId("pool", -1024, 1);

  private final AtomicLong nanos = new AtomicLong();
  /** By question, the term that the caller has said to have failed. */
  private final List<Long> asked = new ArrayList<>();
  private final UpdateTickets tickets =
      new UpdateTickets(new NameNode(), "/f", true, nanos::get);
  private final LeaderRetry retry = new LeaderRetry(tickets, nanos::get, () -> false);

  /** Gives the unit a later term if the last one has failed. */
  private final class NameNode implements TicketsOnly {
    private long term = 1;

    @Override
    public List<UnitGrant> tickets(TicketRequest request) {
      asked.add(request.failed(0));
      if (request.failed(0) == term) {
        term++;
      }
      return List.of(UnitGrant.of(0, SignedTicket.of(new UpdateTicket(new UnitId(new UUID(1, 2), 0,
          0),
          GROUP.block(0, 8), term, 0, 1,
          List.of(new NodeRef("n", "127.0.0.1", "localhost", 1, 2, "/r"))), new Token<>())));
    }
  }

  private IOException giveUp(UpdateStatus status) {
    return assertThrows(IOException.class, () -> retry.ask(GROUP, 0, used -> {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(91));
      if (status == null) {
        throw new IOException("the connection was reset");
      }
      return new LeaderRetry.Answer() {
        @Override
        public UpdateStatus status() {
          return status;
        }

        @Override
        public String text() {
          return "as the test wants it";
        }
      };
    }));
  }

  /** The last request may still arrive, and must not be carried out after what the caller does. */
  @Test
  void nextCallerGetsALaterTermThanOneThatHasGivenUp() throws IOException {
    giveUp(null);
    assertEquals(List.of(0L, 1L), asked);
    assertEquals(2, retry.ticket(GROUP, 0).orElseThrow().ticket.term);
  }

  @Test
  void refusedRequestEndsNoTerm() {
    assertTrue(giveUp(UpdateStatus.OVERLOADED).getMessage().contains("as the test wants it"));
    assertEquals(List.of(0L), asked);
  }
}
