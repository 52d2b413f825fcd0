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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.hdfsppr.datanode.update.LogReader.RecentUpdates;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.PowerLoss;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.update.append.ListLogRequest;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit reads parts of updates from the log of this node, or from that of another holder. */
class TestLogReader {
  private static final String POOL = "BP-1";
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 0, 0);
  private static final NodeRef SELF =
      new NodeRef("n1", "127.0.0.1", "localhost", 1, 2, "/r1");
  private static final NodeRef OTHER =
      new NodeRef("n2", "127.0.0.1", "localhost", 1, 3, "/r2");

  @TempDir
  Path directory;
  private UpdateLogs logs;
  private UpdateLog other;
  private final List<byte[]> data = new ArrayList<>();
  /** The numbers of the updates that the other holder has sent. */
  private final List<Long> sent = new ArrayList<>();

  /** Everything is allowed that these tests do not do. */
  private static final UpdateRights RIGHTS = new UpdateRights() {
    @Override
    public NodeRef self() {
      return SELF;
    }

    @Override
    public String mayWrite(SignedTicket ticket) {
      return null;
    }

    @Override
    public String mayRead(SignedTicket ticket) {
      return null;
    }

    @Override
    public String isPeer(SignedTicket ticket) {
      return null;
    }

    @Override
    public String mayBegin(SignedTicket ticket) {
      return null;
    }

    @Override
    public SignedTicket asPeer(SignedTicket ticket) {
      return ticket;
    }
  };

  /** A connection to the other holder, which answers when its caller reads. */
  private final class HolderConnection implements TransferConnection {
    private final LogHolder holder = new LogHolder(other, 1_000);
    private final ByteArrayOutputStream requests = new ByteArrayOutputStream();
    private ByteArrayInputStream answer = new ByteArrayInputStream(new byte[0]);

    @Override
    public InputStream in() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          answerAll();
          return answer.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          answerAll();
          return answer.read(into, offset, length);
        }
      };
    }

    private void answerAll() throws IOException {
      if (requests.size() == 0) {
        return;
      }
      ChannelInput in = new ChannelInput(new ByteArrayInputStream(requests.toByteArray()));
      requests.reset();
      RequestFraming.readOpcode(in);
      UpdateRequest request = UpdateFraming.readRequest(in);
      LogHolder.Reply reply = request instanceof ListLogRequest
          ? holder.list((ListLogRequest) request) : holder.read((ReadLogRequest) request);
      if (request instanceof ReadLogRequest) {
        reply.answer.records.forEach(record -> sent.add(record.sequence));
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      UpdateFraming.write(bytes, reply.answer, reply.data);
      answer = new ByteArrayInputStream(bytes.toByteArray());
    }

    @Override
    public OutputStream out() {
      return requests;
    }

    @Override
    public void setTimeout(int timeoutMs) {
      // It answers at once.
    }

    @Override
    public void close() {
      // No socket.
    }

    @Override
    public void abort() {
      // No socket.
    }
  }

  @BeforeEach
  void open() throws IOException {
    logs = new UpdateLogs(directory, LogLimits.of(LogLimits.BYTES_MIN));
    other = new PowerLoss().open();
  }

  @AfterEach
  void close() throws IOException {
    logs.close();
    other.close();
  }

  /** Writes random updates of these lengths into a log. */
  private void write(UpdateLog log, int... lengths) throws IOException {
    log.begin(UNIT, 1, 0, 0, true);
    Random random = new Random(1);
    for (int length : lengths) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      log.copy(UNIT, 1, new NumberedUpdate(data.size() + 1, 1, 0, length),
          ByteBuffer.wrap(bytes));
      data.add(bytes);
    }
  }

  private UnitUpdates updates(NodeRef holder) throws IOException {
    LogReader reader = new LogReader(logs, RIGHTS, (node, block, token) -> {
      assertEquals(OTHER, node);
      return new HolderConnection();
    }, 1_000);
    return reader.open(new UpdateTicket(UNIT, new BlockRef(POOL, -16, 1, 1 << 23), 1, 0, 1,
        List.of(holder)), 1, data.size());
  }

  private void assertPart(UnitUpdates updates, int index, int from, int length)
      throws IOException {
    ByteBuffer part = ByteBuffer.allocate(length);
    updates.read(index, from, part);
    assertArrayEquals(Arrays.copyOfRange(data.get(index), from, from + length), part.array(),
        length + " bytes of update " + (index + 1) + " from " + from);
  }

  @Test
  void partsOfUpdatesOfTheOwnLog() throws IOException {
    write(logs.log(POOL), 50_000, 10);
    try (UnitUpdates updates = updates(SELF)) {
      assertEquals(2, updates.records().size());
      assertPart(updates, 0, 4_000, 200);
      assertPart(updates, 1, 9, 1);
      assertPart(updates, 0, 0, 50_000);
    }
  }

  /** Parts of a large update alternate with small ones. */
  @Test
  void anotherHolderSendsEachUpdateOnce() throws IOException {
    int[] lengths = new int[101];
    Arrays.fill(lengths, 20);
    lengths[0] = 3 << 20;
    write(other, lengths);
    try (UnitUpdates updates = updates(OTHER)) {
      for (int i = 1; i <= 100; i++) {
        assertPart(updates, 0, 30_000 * i - 30_000, 30_000);
        assertPart(updates, i, 3, 17);
      }
    }
    assertEquals(101, sent.size(), "sent updates: " + sent);
  }

  @Test
  void anotherHolderSendsAgainWhatIsTooMuchToKeep() throws IOException {
    int most = UpdateBounds.UPDATE_BYTES_MAX;
    write(other, most, 10, most, 10, most - 20);
    try (UnitUpdates updates = updates(OTHER)) {
      for (int index : new int[] {0, 1, 2, 0, 2, 3, 4, 2}) {
        assertPart(updates, index, 5, 5);
      }
      assertPart(updates, 1, 0, 10);
    }
    assertEquals(List.of(1L, 2L, 3L, 1L, 4L, 5L, 2L), sent);
  }

  @Test
  void noMoreThanTheMostIsKept() throws IOException {
    Random random = new Random(2);
    int[] lengths = random.ints(200, 1, UpdateBounds.UPDATE_BYTES_MAX + 1).toArray();
    List<Integer> got = new ArrayList<>();
    RecentUpdates recent = new RecentUpdates(index -> {
      got.add(index);
      return new byte[lengths[index]];
    });
    for (int i = 0; i < 1_000; i++) {
      int index = random.nextInt(lengths.length);
      assertEquals(lengths[index], recent.data(index, lengths[index]).length);
      int asked = got.size();
      recent.data(index, lengths[index]);
      assertEquals(asked, got.size(), "what was used last is kept");
      assertTrue(recent.bytes() <= RecentUpdates.BYTES_MOST, recent.bytes() + " bytes");
    }
    assertTrue(got.size() < 1_000, "some is kept for longer");
  }
}
