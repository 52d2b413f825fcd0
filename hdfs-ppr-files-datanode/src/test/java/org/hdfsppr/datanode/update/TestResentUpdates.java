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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer that got no answer sends its update again, and it takes effect once at most. */
@InterfaceAudience.Private
@Timeout(180)
class TestResentUpdates extends OnHolders {
  private static final int UNIT_BYTES = 1 << 20;
  private static final byte[] NO_DATA = new byte[0];
  private static final long ANN = 101;
  private static final long BOB = 102;

  private final UnitId unit = new UnitId(UUID.randomUUID(), 0, 1);

  private HolderServer startAgain(HolderServer server) throws IOException {
    HolderServer again = server.startAgain(datanode());
    servers.set(servers.indexOf(server), again);
    return again;
  }

  private SignedTicket ticket(long term, long previousTerm, long epoch, HolderServer... holders) {
    List<NodeRef> nodes = new ArrayList<>();
    Arrays.stream(holders).forEach(holder -> nodes.add(holder.self()));
    return SignedTicket.of(new UpdateTicket(unit,
        new BlockRef(HolderServer.POOL, -16, 1, UNIT_BYTES),
        term, previousTerm, epoch, nodes).ofVersion(epoch - 1), new Token<BlockTokenIdentifier>());
  }

  /** Writes one byte at offset 0. */
  private static UpdateAnswer write(HolderServer leader, SignedTicket ticket, long writer,
      long number, long since, int value) throws IOException {
    byte[] data = {(byte) value};
    return leader.ask(new AppendRequest(ticket, 0, false, Payload.of(data),
        Origin.of(writer, number), since), data);
  }

  /**
   * Writes as a client does that a node has no place for: it asks again. Each caller has a quarter
   * of the places, which is eight, and a request keeps its place for a moment after its answer.
   */
  private static UpdateAnswer writeUntilServed(HolderServer leader, SignedTicket ticket, int number)
      throws IOException {
    long start = System.nanoTime();
    while (true) {
      UpdateAnswer answer = write(leader, ticket, ANN, number, 1, number);
      if (answer.status != UpdateStatus.OVERLOADED
          || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
        return answer;
      }
    }
  }

  private static void assertStatus(UpdateStatus status, UpdateAnswer answer) {
    assertEquals(status, answer.status, answer.toString());
  }

  private static void assertSeen(HolderServer leader, SignedTicket ticket, int value)
      throws IOException {
    ViewAnswer view = leader.ask(ViewRequest.range(ticket, 0, 10));
    assertTrue(view.isDone(), view.toString());
    assertArrayEquals(new byte[] {(byte) value}, view.data);
  }

  private long updates(HolderServer server) throws IOException {
    return server.log().entries(unit, 0, Integer.MAX_VALUE).size();
  }

  @Test
  void anUpdateOfAnotherClientThatCameBetweenStays() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    HolderServer c = start("c");
    // The answer of this one is lost.
    assertStatus(UpdateStatus.DONE, write(a, ticket(1, 0, 1, a, b), ANN, 1, 1, 1));
    SignedTicket second = ticket(2, 1, 1, b, c);
    assertStatus(UpdateStatus.DONE, write(b, second, BOB, 1, 2, 2));
    UpdateAnswer again = write(b, second, ANN, 1, 1, 1);
    assertStatus(UpdateStatus.DONE, again);
    assertEquals(1, again.position.last, "the number that it has in the history");
    assertEquals(2, again.position.term);
    assertSeen(b, second, 2);
    assertEquals(2, updates(b));
    assertEquals(2, updates(c));
    // A node that got the history from others knows it, too, and also after a restart.
    c = startAgain(c);
    SignedTicket third = ticket(3, 2, 1, c, a);
    assertStatus(UpdateStatus.DONE, write(c, third, ANN, 1, 1, 1));
    assertSeen(c, third, 2);
    assertStatus(UpdateStatus.DONE, write(c, third, ANN, 2, 3, 3));
    assertSeen(c, third, 3);
    assertStatus(UpdateStatus.OUT_OF_TURN, write(c, third, ANN, 1, 1, 1));
    assertSeen(c, third, 3);
  }

  @Test
  void anUpdateThatIsSentTwiceAtOnceIsThereOnce() throws Exception {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, 1, a, b);
    // A log that is being opened refuses all but one.
    assertFalse(a.log().state(unit).isPresent());
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int number = 1; number <= 20; number++) {
        int sent = number;
        List<Future<UpdateAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          answers.add(threads.submit(() -> writeUntilServed(a, ticket, sent)));
        }
        for (Future<UpdateAnswer> answer : answers) {
          assertStatus(UpdateStatus.DONE, answer.get(60, TimeUnit.SECONDS));
          assertEquals(sent, answer.get().position.last);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(20, updates(a));
    assertEquals(20, updates(b));
    assertSeen(a, ticket, 20);
  }

  @Test
  void anUpdateThatMayBeInAVersionIsInDoubt() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    HolderServer c = start("c");
    assertStatus(UpdateStatus.DONE, write(a, ticket(1, 0, 1, a, b), ANN, 1, 1, 1));
    SignedTicket second = ticket(2, 1, 2, b, a);
    assertStatus(UpdateStatus.DONE, write(b, second, BOB, 1, 2, 2));
    for (HolderServer each : List.of(a, b)) {
      assertStatus(UpdateStatus.DONE, each.ask(new TrimRequest(second, 1), NO_DATA));
    }
    assertStatus(UpdateStatus.OUT_OF_TURN, write(b, second, ANN, 1, 1, 1));
    assertSeen(b, second, 2);
    // Neither does a node know it that has got only what was left of the history.
    SignedTicket third = ticket(3, 2, 2, b, c);
    assertStatus(UpdateStatus.DONE, write(b, third, BOB, 2, 3, 3));
    SignedTicket fourth = ticket(4, 3, 2, c, b);
    assertStatus(UpdateStatus.OUT_OF_TURN, write(c, fourth, ANN, 1, 1, 1));
    assertSeen(c, fourth, 3);
    assertStatus(UpdateStatus.DONE, write(c, fourth, ANN, 2, 4, 4));
    assertSeen(c, fourth, 4);
  }
}
