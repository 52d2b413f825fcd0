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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.UpdatesInDoubtException;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewPiece;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers and writers with a NameNode and leaders that answer as the test says. */
@Timeout(60)
class TestUpdateAnswers {
  private static final int CELL = 1 << 20;
  private static final int UNIT = 4 * CELL;
  private static final int K = 2;
  private static final byte[] NO_DATA = new byte[0];

  /** What a leader does with a request for a view. */
  private interface Views {
    ViewAnswer answer(ViewRequest request) throws IOException;
  }

  private final LocatedGroup group = group();
  private final UUID file = UUID.randomUUID();
  private final AtomicLong nanos = new AtomicLong();
  /** How long units have no log, ms; negative: they have one. */
  private volatile int noLogMs = -1;
  private final UpdateContext context = new UpdateContext(new NameNode(), new Leader(),
      nanos::get, () -> 77);
  private final List<Long> appends = Collections.synchronizedList(new ArrayList<>());
  private final List<String> origins = Collections.synchronizedList(new ArrayList<>());
  private volatile Views views = request -> none(request);
  private volatile boolean isFirstRefused;
  private volatile boolean isOutOfTurn;
  private volatile int timeouts;
  /** How many of the next handshakes end with the refusal of the leader. */
  private final AtomicInteger refusedHandshakes = new AtomicInteger();
  private volatile IOException handshakeRefusal = new InvalidBlockTokenException("expired");
  private final AtomicInteger questions = new AtomicInteger();

  @AfterEach
  void close() {
    context.close();
  }

  private static LocatedGroup group() {
    return new LocatedGroup(new LocatedStripedBlock(
        new ExtendedBlock("pool", -1024, K * UNIT, 1), new DatanodeInfo[0], new String[0],
        new StorageType[0], new byte[0], 0, false, null),
        new ErasureCodingPolicy(new ECSchema("rs", K, 1), CELL));
  }

  private static ViewAnswer none(ViewRequest request) {
    return ViewAnswer.done(request.ticket().term, 0, List.of(), NO_DATA);
  }

  /** Gives the units the term behind the last one that has failed. */
  private final class NameNode implements TicketsOnly {
    @Override
    public List<UnitGrant> tickets(TicketRequest request) {
      questions.incrementAndGet();
      List<UnitGrant> grants = new ArrayList<>();
      for (int unit = 0; unit < K; unit++) {
        if (noLogMs >= 0) {
          grants.add(UnitGrant.noLog(unit, noLogMs));
          continue;
        }
        grants.add(unit == 0 && isFirstRefused ? UnitGrant.refused(unit, "it is lost")
            : UnitGrant.of(unit, SignedTicket.of(new UpdateTicket(new UnitId(file, 0, unit),
                group.id().block(unit, UNIT), request.failed(unit) + 1, request.failed(unit), 1,
                List.of(new NodeRef("n" + unit, "127.0.0.1", "localhost", 1, 2, "/r"))),
                new Token<>())));
      }
      return grants;
    }
  }

  /** Leads all units. */
  private final class Leader implements TransferConnector {
    @Override
    public TransferConnection connect(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token) throws IOException {
      if (refusedHandshakes.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw handshakeRefusal;
      }
      return new AnsweredConnection(true, TestUpdateAnswers.this::answer);
    }
  }

  private byte[] answer(byte[] bytes) throws IOException {
    // Two bytes are the version, and one is the opcode.
    ChannelInput in =
        new ChannelInput(new ByteArrayInputStream(bytes, 3, bytes.length - 3));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (bytes[2] == (byte) ViewFraming.OP_VIEW) {
      ViewRequest request = ViewFraming.readRequest(in);
      ViewFraming.write(out, request, views.answer(request));
      return out.toByteArray();
    }
    AppendRequest append = (AppendRequest) UpdateFraming.readRequest(in);
    appends.add(append.ticket().term);
    origins.add(append.origin + " since " + append.since);
    if (isOutOfTurn) {
      UpdateFraming.write(out, UpdateAnswer.refused(UpdateStatus.OUT_OF_TURN, "as the test wants",
          null, LogPosition.NOTHING), NO_DATA);
      return out.toByteArray();
    }
    if (timeouts > 0) {
      timeouts--;
      throw new SocketTimeoutException("as the test wants it");
    }
    UpdateFraming.write(out, UpdateAnswer.done(new LogPosition(append.ticket().term,
        appends.size(), 1, true)), NO_DATA);
    return out.toByteArray();
  }

  private FileUpdater updater() throws IOException {
    return LogFileUpdater.open(context, "/f", List.of(group), () -> List.of(group));
  }

  private static void await(CountDownLatch latch) {
    boolean isInterrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aReadThatHasFailedDoesNotChangeTheBufferLater() throws Exception {
    CountDownLatch isAsked = new CountDownLatch(1);
    CountDownLatch mayAnswer = new CountDownLatch(1);
    byte[] buffer = new byte[2 * CELL];
    UpdateOverlay overlay = new UpdateOverlay(context, "/f");
    overlay.apply(group, 0, ByteBuffer.wrap(buffer));
    views = request -> {
      if (request.ticket().unit.unit == 0) {
        await(isAsked);
        throw new IOException("as the test wants it");
      }
      isAsked.countDown();
      await(mayAnswer);
      return ViewAnswer.done(1, 0, List.of(new ViewPiece(0, 4)),
          new byte[] {9, 9, 9, 9});
    };
    isFirstRefused = true;
    assertThrows(UpdateRefusedException.class, () ->
        overlay.apply(group, 0, ByteBuffer.wrap(buffer)));
    // The caller uses its buffer for something else.
    Arrays.fill(buffer, (byte) 1);
    byte[] expected = buffer.clone();
    mayAnswer.countDown();
    context.close();
    assertTrue(context.readers().isTerminated());
    assertArrayEquals(expected, buffer);
  }

  @Test
  void aReaderOfSeveralUnitsAsksOnce() throws IOException {
    UpdateOverlay overlay = new UpdateOverlay(context, "/f");
    overlay.apply(group, 0, ByteBuffer.allocate(K * CELL));
    assertEquals(1, questions.get());
    overlay.apply(group, 0, ByteBuffer.allocate(K * CELL));
    assertEquals(1, questions.get(), "tickets are kept");
  }

  @Test
  void aReaderAsksAgainForUnitsWithoutALogAfterItsTime() throws IOException {
    noLogMs = 0;
    UpdateOverlay overlay = new UpdateOverlay(context, "/f");
    overlay.apply(group, 0, ByteBuffer.allocate(K * CELL));
    overlay.apply(group, 0, ByteBuffer.allocate(K * CELL));
    assertEquals(2, questions.get(), "once in each read");
    noLogMs = 1_000;
    overlay.apply(group, 0, ByteBuffer.allocate(K * CELL));
    overlay.apply(group, 0, ByteBuffer.allocate(K * CELL));
    assertEquals(3, questions.get());
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    overlay.apply(group, 0, ByteBuffer.allocate(K * CELL));
    assertEquals(4, questions.get());
  }

  @Test
  void aFloodOfReadersLeavesThreadsToWriters() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    views = request -> {
      await(mayAnswer);
      return none(request);
    };
    ExecutorService callers = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < 40; i++) {
        callers.submit(() -> {
          new UpdateOverlay(context, "/f").apply(group, 0, ByteBuffer.allocate(K * CELL));
          return null;
        });
      }
      ThreadPoolExecutor readers = (ThreadPoolExecutor) context.readers();
      while (readers.getActiveCount() < readers.getMaximumPoolSize()) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      try (FileUpdater updater = updater()) {
        updater.write(0, new byte[] {1});
        updater.hflush();
      }
      assertEquals(1, appends.size());
    } finally {
      mayAnswer.countDown();
      callers.shutdown();
      assertTrue(callers.awaitTermination(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void viewsEndWithCells() throws IOException {
    List<Integer> ends = Collections.synchronizedList(new ArrayList<>());
    views = request -> {
      if (request.ticket().unit.unit == 0) {
        ends.add((int) request.offset + request.length);
      }
      return none(request);
    };
    new UpdateOverlay(context, "/f").apply(group, CELL / 2,
        ByteBuffer.allocate(K * UNIT - CELL));
    assertEquals(List.of(2 * CELL, 4 * CELL), ends);
  }

  @Test
  void aSlowLeaderIsNotAskedTwiceInOneTerm() throws IOException {
    timeouts = 1;
    try (FileUpdater updater = updater()) {
      updater.write(0, new byte[] {1});
      updater.hflush();
    }
    assertEquals(List.of(1L, 2L), appends);
  }

  /** With SASL, a token that has expired ends the handshake, before there could be an answer. */
  @Test
  void aRefusalInTheHandshakeEndsNoTerm() throws IOException {
    try (FileUpdater updater = updater()) {
      for (IOException refusal : List.of(new InvalidBlockTokenException("expired"),
          new InvalidEncryptionKeyException("not known"))) {
        handshakeRefusal = refusal;
        refusedHandshakes.set(1);
        int before = questions.get();
        updater.write(0, new byte[] {1});
        updater.hflush();
        assertEquals(before + 1, questions.get(), "one new ticket");
      }
      assertEquals(List.of(1L, 1L), appends);
      // Another DataNode may be at the address now.
      refusedHandshakes.set(2);
      updater.write(0, new byte[] {1});
      updater.hflush();
      assertEquals(List.of(1L, 1L, 2L), appends);
    }
  }

  @Test
  void aLeaderThatRefusesEveryHandshakeIsGivenUp() throws IOException {
    FileUpdater updater = updater();
    refusedHandshakes.set(Integer.MAX_VALUE);
    updater.write(0, new byte[] {1});
    IOException failure = assertThrows(IOException.class, updater::hflush);
    assertTrue(failure.getMessage().contains("could not be used"), failure.toString());
    assertTrue(failure.getMessage().contains("expired"), failure.toString());
    assertEquals(List.of(), appends);
    assertEquals(1 + 6, questions.get());
    assertThrows(IOException.class, updater::close);
  }

  @Test
  void anUpdateKeepsItsNumberWhenItIsSentAgain() throws IOException {
    timeouts = 1;
    try (FileUpdater updater = updater()) {
      updater.write(0, new byte[] {1});
      updater.write(0, new byte[] {2});
      updater.hflush();
      updater.write(CELL, new byte[] {3});
    }
    assertEquals(List.of("update 1 of writer 4d since 1", "update 1 of writer 4d since 1",
        "update 2 of writer 4d since 2", "update 1 of writer 4d since 1"), origins);
  }

  @Test
  void anUpdateThatMayBeInAVersionEndsTheUpdater() throws IOException {
    isOutOfTurn = true;
    FileUpdater updater = updater();
    updater.write(0, new byte[] {1});
    IOException failure = assertThrows(IOException.class, updater::hflush);
    assertTrue(failure.getCause() instanceof UpdatesInDoubtException, failure.toString());
    assertEquals(1, appends.size(), "it is not sent again");
    assertThrows(IOException.class, updater::close);
  }

  @Test
  void updatesInDoubtEndTheUpdater() throws IOException {
    FileUpdater updater = updater();
    updater.write(0, new byte[] {1});
    updater.hflush();
    // Two terms later, it is not known what the one between began with.
    views = request -> ViewAnswer.done(3, 0, List.of(), NO_DATA);
    assertTrue(assertThrows(IOException.class, updater::hsync).getMessage()
        .contains("survived the failures"));
    views = request -> none(request);
    assertThrows(IOException.class, () -> updater.write(0, new byte[] {1}));
    assertThrows(IOException.class, updater::hsync, "another thread has to learn of it, too");
    assertThrows(IOException.class, updater::close);
    try (FileUpdater another = updater()) {
      another.write(0, new byte[] {1});
      another.hsync();
    }
  }
}
