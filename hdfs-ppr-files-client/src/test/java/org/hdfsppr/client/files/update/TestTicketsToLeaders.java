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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.Test;

/** Which requests to leaders have a ticket, and which ones only name it. */
class TestTicketsToLeaders {
  private static final byte[] DATA = {1, 2, 3};
  private static final byte[] NO_DATA = new byte[0];

  private final Leader leader = new Leader();
  private final LeaderCalls calls = new LeaderCalls(leader);
  /** How often an append was sent. */
  private final AtomicInteger sent = new AtomicInteger();

  private static SignedTicket ticket(int unit) {
    return SignedTicket.of(new UpdateTicket(new UnitId(new UUID(1, 2), 3, unit),
        new BlockRef("BP-1", -15, 7, 1_000), 9, 4, 1,
        List.of(new NodeRef("u1", "127.0.0.1", "h", 1, 2, "/r"))), new Token<>());
  }

  private UpdateAnswer append(int unit) throws IOException {
    return calls.append(ticket(unit), 0, DATA, Origin.NONE, 9, sent::incrementAndGet);
  }

  /** A node, and the last connection to it, which callers keep. */
  private final class Leader implements TransferConnector {
    /** Whether each request has shown its ticket, in their order. */
    private final List<Boolean> whole = new ArrayList<>();
    private Wire last;
    private int connections;
    private boolean saysThatItKeeps = true;
    private boolean refusesAll;

    @Override
    public TransferConnection connect(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token) {
      return last == null ? connectAnew(node, block, token) : last;
    }

    @Override
    public TransferConnection connectAnew(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token) {
      connections++;
      return new Wire();
    }
  }

  /** A connection whose peer answers when the client begins to read. */
  private final class Wire implements TransferConnection {
    private final Map<Class<?>, Object> memories = new HashMap<>();
    private final ByteArrayOutputStream request = new ByteArrayOutputStream();
    private KeptTickets kept = new KeptTickets();
    private InputStream answer = InputStream.nullInputStream();
    private boolean isReused;

    @Override
    public InputStream in() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
          if (request.size() > 0) {
            byte[] asked = request.toByteArray();
            request.reset();
            answer = new ByteArrayInputStream(answer(asked));
          }
          return answer.read(into, from, length);
        }
      };
    }

    private byte[] answer(byte[] asked) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ChannelInput in = new ChannelInput(new ByteArrayInputStream(asked));
      try {
        if (leader.refusesAll) {
          throw new UnknownTicketException("as the test wants it");
        }
        if (RequestFraming.readOpcode(in) == ViewFraming.OP_VIEW) {
          ViewRequest view = ViewFraming.readRequest(in, kept);
          ViewFraming.write(out, view, ViewAnswer.done(9, 0, List.of(), NO_DATA), keeps());
        } else {
          UpdateFraming.readRequest(in, kept);
          UpdateFraming.write(out, UpdateAnswer.done(new LogPosition(9, 1, 1, true)), NO_DATA,
              keeps());
        }
      } catch (UnknownTicketException e) {
        UpdateFraming.write(out, UpdateAnswer.refused(UpdateStatus.UNKNOWN_TICKET,
            e.getMessage(), null, LogPosition.NOTHING), NO_DATA);
      }
      return out.toByteArray();
    }

    private boolean keeps() {
      boolean isWhole = kept.keep();
      leader.whole.add(isWhole);
      return isWhole && leader.saysThatItKeeps;
    }

    @Override
    public OutputStream out() {
      return request;
    }

    @Override
    public <T> T memory(Class<T> kind, Supplier<T> make) {
      return kind.cast(memories.computeIfAbsent(kind, any -> make.get()));
    }

    @Override
    public void setTimeout(int timeoutMs) {
      // Nothing is waited for.
    }

    @Override
    public boolean isReused() {
      return isReused;
    }

    @Override
    public void keep() {
      isReused = true;
      leader.last = this;
    }

    @Override
    public void abort() {
      // No thread waits for this connection.
    }

    @Override
    public void close() {
      leader.last = leader.last == this ? null : leader.last;
    }
  }

  @Test
  void leaderIsShownATicketOnce() throws IOException {
    for (int i = 0; i < 2; i++) {
      assertTrue(append(1).isDone());
      assertTrue(append(2).isDone());
      assertTrue(calls.view(ViewRequest.sync(ticket(1))).isDone());
    }
    assertEquals(List.of(true, true, false, false, false, false), leader.whole);
    assertEquals(1, leader.connections);
  }

  @Test
  void leaderOfAnOldVersionIsShownEachTicket() throws IOException {
    leader.saysThatItKeeps = false;
    for (int i = 0; i < 3; i++) {
      assertTrue(append(1).isDone());
    }
    assertEquals(List.of(true, true, true), leader.whole);
  }

  @Test
  void leaderThatDoesNotKnowATicketIsShownItOnAnotherConnection() throws IOException {
    assertTrue(append(1).isDone());
    leader.last.kept = new KeptTickets();
    sent.set(0);
    assertTrue(append(1).isDone());
    assertEquals(List.of(true, true), leader.whole);
    assertEquals(2, leader.connections);
    assertEquals(2, sent.get());
    leader.last.kept = new KeptTickets();
    assertTrue(calls.view(ViewRequest.range(ticket(1), 0, 10)).isDone());
    assertEquals(3, leader.connections);
  }

  @Test
  void leaderThatNeverKnowsATicketIsNotAskedForEver() throws IOException {
    assertTrue(append(1).isDone());
    leader.refusesAll = true;
    sent.set(0);
    assertThrows(UnknownTicketException.class, () -> append(1));
    assertEquals(2, sent.get());
    assertThrows(UnknownTicketException.class, () -> append(1));
    assertEquals(3, sent.get());
  }
}
