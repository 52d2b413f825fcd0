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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.update.append.ListLogRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the NameNode keeps the connections over which it asks about logs. */
class TestNodeCalls {
  private static final NodeRef NODE = new NodeRef("n", "10.0.0.1", "host", 1, 2, "/r");
  private static final SignedTicket TICKET = SignedTicket.of(new UpdateTicket(
      new UnitId(new UUID(1, 2), 0, 0), new GroupId("BP-1", -1_600, 1_001).block(0, 1 << 20), 9, 7,
      4, List.of(NODE)), new Token<>());
  private static final int CONNECT_MS = 300;
  private static final ListLogRequest QUESTION = new ListLogRequest(TICKET, 0);

  /** What the DataNode does with a request: it answers, or the connection fails. */
  private interface Answer {
    byte[] bytes() throws IOException;
  }

  /** Answers one request after the other. */
  private final class Wire implements TransferConnection {
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private InputStream now = InputStream.nullInputStream();

    @Override
    public InputStream in() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          if (now.available() == 0) {
            now = new ByteArrayInputStream(answers.remove().bytes());
          }
          return now.read(into, offset, length);
        }
      };
    }

    @Override
    public OutputStream out() {
      return out;
    }

    @Override
    public void setTimeout(int timeoutMs) {
      timeouts.add(timeoutMs);
    }

    @Override
    public void abort() {
      throw new AssertionError("nothing aborts these");
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private final Deque<Wire> wires = new ArrayDeque<>();
  private final List<Integer> timeouts = new ArrayList<>();
  private int connected;
  private int closed;
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final NodeCalls calls = new NodeCalls((node, block, token) -> {
    connected++;
    return wires.remove();
  }, CONNECT_MS, timer, System::nanoTime);

  @AfterEach
  void close() {
    calls.close();
    timer.shutdownNow();
    assertTrue(wires.isEmpty());
    assertEquals(connected, closed, "each connection is closed in the end");
  }

  private Wire wire(Answer... answers) {
    Wire wire = new Wire();
    wire.answers.addAll(List.of(answers));
    wires.add(wire);
    return wire;
  }

  private static byte[] answer(UpdateAnswer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    UpdateFraming.write(out, answer, new byte[0]);
    return out.toByteArray();
  }

  private static byte[] last(long number) throws IOException {
    return answer(UpdateAnswer.read(new LogPosition(9, number, 1, true), new ArrayList<>(),
        Payload.NONE));
  }

  private long ask() throws IOException {
    return calls.ask(NODE, QUESTION, 500).position.last;
  }

  @Test
  void aConnectionServesMoreThanOneQuestion() throws IOException {
    wire(() -> last(3), () -> last(4), () -> last(5));
    assertEquals(3, ask());
    assertEquals(4, ask());
    assertEquals(5, ask());
    assertEquals(1, connected);
    assertEquals(0, closed);
  }

  @Test
  void aQuestionGoesOverANewConnectionIfTheKeptOneIsClosed() throws IOException {
    wire(() -> last(3), () -> new byte[0]);
    wire(() -> last(4));
    assertEquals(3, ask());
    assertEquals(4, ask());
    assertEquals(2, connected);
    assertEquals(1, closed);
  }

  @Test
  void aNewConnectionThatFailsIsNotTriedAgain() {
    wire(() -> new byte[0]);
    assertThrows(IOException.class, this::ask);
    assertEquals(1, connected);
  }

  @Test
  void aKeptConnectionMayBeSilentForAsLongAsConnectingTakes() throws IOException {
    wire(() -> last(3), () -> {
      throw new SocketTimeoutException("slow");
    });
    wire(() -> last(4));
    assertEquals(3, ask());
    assertEquals(4, ask());
    assertEquals(List.of(500, CONNECT_MS, 500), timeouts);
    assertEquals(2, connected);
    assertEquals(1, closed);
  }

  @Test
  void aQuestionWhoseAnswerHasBegunIsNotRepeated() throws IOException {
    byte[] whole = last(3);
    wire(() -> whole, () -> Arrays.copyOf(whole, 2), () -> new byte[0]);
    assertEquals(3, ask());
    assertThrows(IOException.class, this::ask);
    assertEquals(1, connected);
    assertEquals(1, closed);
  }

  @Test
  void aRefusalEndsTheConnectionAndIsNotRepeated() throws IOException {
    wire(() -> last(3), () -> answer(UpdateAnswer.refused(UpdateStatus.OVERLOADED, "busy", null,
        LogPosition.NOTHING)));
    assertEquals(3, ask());
    String message = assertThrows(IOException.class, this::ask).getMessage();
    assertTrue(message.contains("busy") && message.contains(NODE.toString()), message);
    assertEquals(1, connected);
    assertEquals(1, closed);
  }
}
