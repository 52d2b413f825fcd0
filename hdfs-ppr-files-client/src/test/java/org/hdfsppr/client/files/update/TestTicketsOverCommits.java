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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;

/** A writer gets tickets of the version that the file has now, however many commits come. */
class TestTicketsOverCommits {
  private static final GroupId OPENED = group(0);

  private final UUID file = UUID.randomUUID();
  private final List<GroupId> asked = new ArrayList<>();
  /** The version that the file has now. */
  private int version;
  /** How many commits come between a look and the question after it. */
  private int commits;

  private final class NameNode implements TicketsOnly {
    @Override
    public List<UnitGrant> tickets(TicketRequest request) throws IOException {
      asked.add(request.group);
      if (!request.group.equals(group(version))) {
        throw new GroupReplacedException("as the test wants it");
      }
      return List.of(UnitGrant.of(0, SignedTicket.of(new UpdateTicket(new UnitId(file, 0, 0),
          request.group.block(0, 8), asked.size(), 0, 1,
          List.of(new NodeRef("n", "127.0.0.1", "localhost", 1, 2, "/r"))), new Token<>())));
    }
  }

  private static GroupId group(int version) {
    return new GroupId("pool", -1024L + 16 * version, 1);
  }

  private GroupId look() {
    GroupId now = group(version);
    if (commits > 0) {
      commits--;
      version++;
    }
    return now;
  }

  private UpdateTickets tickets() {
    return new UpdateTickets(new NameNode(), "/f", true, System::nanoTime, any -> look());
  }

  private SignedTicket next(UpdateTickets tickets, SignedTicket used) throws IOException {
    return tickets.another(OPENED, 0, used, true).orElseThrow();
  }

  @Test
  void severalCommitsMayComeBeforeTheAnswer() throws IOException {
    UpdateTickets tickets = tickets();
    SignedTicket used = tickets.ticket(OPENED, 0, 0).orElseThrow();
    version = 1;
    commits = 3;
    used = next(tickets, used);
    assertEquals(List.of(OPENED, OPENED, group(1), group(2), group(3), group(4)), asked);
    // The version is remembered.
    asked.clear();
    next(tickets, used);
    assertEquals(List.of(group(4)), asked);
  }

  @Test
  void aFileIsOpenedWhileCommitsCome() throws IOException {
    version = 1;
    commits = 3;
    try (UpdateContext context = new UpdateContext(new NameNode(), (node, block, token) -> {
      throw new IOException("no data is sent");
    }, System::nanoTime, () -> 1)) {
      LogFileUpdater.open(context, "/f", List.of(located(OPENED)),
          () -> List.of(located(look()))).close();
    }
    assertEquals(List.of(OPENED, group(1), group(2), group(3), group(4)), asked);
  }

  private static LocatedGroup located(GroupId group) {
    return new LocatedGroup(new LocatedStripedBlock(new ExtendedBlock(group.poolId,
        group.groupId, 8, group.generationStamp), new DatanodeInfo[0], new String[0],
        new StorageType[0], new byte[0], 0, false, null),
        new ErasureCodingPolicy(new ECSchema("rs", 2, 1), 1 << 10));
  }

  @Test
  void aNameNodeThatContradictsItselfIsNotAskedForEver() throws IOException {
    UpdateTickets tickets = tickets();
    SignedTicket used = tickets.ticket(OPENED, 0, 0).orElseThrow();
    version = 1;
    commits = Integer.MAX_VALUE;
    assertThrows(GroupReplacedException.class, () -> next(tickets, used));
    assertEquals(9, asked.size());
  }

  /** Only a ticket says which file it was. */
  @Test
  void beforeTheFirstTicketTheFileIsOpenedAnew() {
    version = 1;
    assertThrows(GroupReplacedException.class, () -> tickets().ticket(OPENED, 0, 0));
  }
}
