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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.operate.FileIdentity;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;

/** A reader takes no answer about another file. */
class TestTicketsOfOneFile {
  private static final int VALID_MS = 1_000;
  private static final UUID FILE = new UUID(1, 2);
  private static final FileIdentity BEFORE = FileIdentity.of(null, Set.of(7L));
  private static final FileIdentity UPDATED = FileIdentity.of(FILE, Set.of(7L));
  private static final FileIdentity COMMITTED = FileIdentity.of(FILE, Set.of(7L, 9L));

  private final AtomicLong nanos = new AtomicLong();
  private final UpdateTickets tickets =
      new UpdateTickets(new NameNode(), "/f", false, nanos::get);
  private List<UnitGrant> answer;
  private int groups;

  private final class NameNode implements TicketsOnly {
    @Override
    public List<UnitGrant> tickets(TicketRequest request) {
      return answer;
    }
  }

  private static UnitGrant noLog(FileIdentity file) {
    return UnitGrant.noLog(0, VALID_MS).of(file);
  }

  private static UnitGrant ticket(UUID file) {
    return UnitGrant.of(0, SignedTicket.of(new UpdateTicket(new UnitId(file, 0, 0),
        new GroupId("pool", -1024, 1).block(0, 8), 2, 1, 1,
        List.of(new NodeRef("n", "127.0.0.1", "localhost", 1, 2, "/r"))), new Token<>()));
  }

  /** Asks for the ticket of a group that was never asked for. */
  private Optional<SignedTicket> ask(UnitGrant... grants) throws IOException {
    answer = List.of(grants);
    return tickets.ticket(new GroupId("pool", -1024L - 16 * ++groups, 1), 0, 0);
  }

  private void assertRefused(String why, UnitGrant... grants) {
    String message =
        assertThrows(UpdateRefusedException.class, () -> ask(grants)).getMessage();
    assertTrue(message.contains(why) && message.contains("open it anew"), message);
  }

  @Test
  void aFileIsKnownBeforeItsFirstUpdateAndAfterAnyCommit() throws IOException {
    assertFalse(tickets.knowsFile());
    assertTrue(ask(noLog(BEFORE)).isEmpty());
    assertTrue(tickets.knowsFile());
    tickets.pin();
    assertTrue(ask(noLog(COMMITTED)).isEmpty());
    assertTrue(ask(ticket(FILE)).isPresent(), "by the UUID that the answer before has named");
    assertTrue(ask(noLog(FileIdentity.of(FILE, Set.of(7L, 11L)))).isEmpty());
    assertTrue(ask(noLog(UPDATED)).isEmpty(), "an answer that came late");
  }

  @Test
  void anotherFileIsRefusedWhateverIsKnown() throws IOException {
    FileIdentity[] others = {FileIdentity.of(null, Set.of(8L)),
        FileIdentity.of(new UUID(1, 3), Set.of(8L)), FileIdentity.of(new UUID(1, 3), Set.of())};
    assertTrue(ask(noLog(BEFORE)).isEmpty());
    assertRefused("another file", noLog(others[0]));
    assertRefused("another file", noLog(others[1]));
    assertRefused("another file", ticket(new UUID(1, 3)).of(others[1]));
    assertTrue(ask(noLog(COMMITTED)).isEmpty());
    for (FileIdentity other : others) {
      assertRefused("another file", noLog(other));
    }
  }

  /** What was refused is not known for a moment either. */
  @Test
  void aRefusedAnswerIsForgotten() throws IOException {
    GroupId group = new GroupId("pool", -1024, 1);
    assertTrue(ask(noLog(BEFORE)).isEmpty());
    answer = List.of(noLog(FileIdentity.of(null, Set.of(8L))));
    for (int i = 0; i < 2; i++) {
      assertThrows(UpdateRefusedException.class, () ->
          tickets.ticket(group, 0, tickets.moment(group)));
    }
    answer = List.of(noLog(COMMITTED));
    assertTrue(tickets.ticket(group, 0, tickets.moment(group)).isEmpty());
  }

  /** In the version that was opened first, the group itself says which file it is. */
  @Test
  void aNameNodeOfAnEarlierVersionIsTrustedUntilTheVersionIsReplaced() throws IOException {
    assertTrue(ask(UnitGrant.noLog(0, VALID_MS)).isEmpty());
    assertFalse(tickets.knowsFile());
    assertTrue(ask(ticket(FILE)).isPresent());
    assertTrue(ask(UnitGrant.noLog(0, VALID_MS)).isEmpty());
    tickets.pin();
    assertTrue(ask(ticket(FILE)).isPresent());
    assertRefused("does not say", UnitGrant.noLog(0, VALID_MS));
    assertRefused("does not say");
    assertRefused("another file", ticket(new UUID(1, 3)));
  }

  /** A failover to such a NameNode. */
  @Test
  void aTicketAloneDoesNotSayThatAFileIsTheOneFromBeforeItsFirstUpdate() throws IOException {
    assertTrue(ask(noLog(BEFORE)).isEmpty());
    tickets.pin();
    assertRefused("does not say", ticket(FILE));
    assertEquals(FILE, ask(ticket(FILE).of(COMMITTED)).orElseThrow().ticket.unit.file);
    assertTrue(ask(ticket(FILE)).isPresent());
  }
}
