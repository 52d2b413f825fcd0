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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.datanode.update.log.DiskLog;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.PeerConnection;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.BeginTermRequest;
import org.hdfsppr.update.append.ListLogRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.Payload;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TermBegin;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.RequestFraming;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests holders of logs that talk over sockets, with a fault at each step. */
@InterfaceAudience.Private
@Timeout(180)
class TestUpdateServers {
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 3, 4);
  private static final UnitId OTHER = new UnitId(new UUID(5, 5), 0, 0);
  private static final int UNIT_BYTES = 16 << 20;
  private static final byte[] NO_DATA = new byte[0];

  @TempDir
  static File directory;
  private static RepairCluster cluster;

  @TempDir
  Path logs;
  private final List<HolderServer> servers = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeAll
  static void startCluster() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.unset("dfs.datanode.plugins");
    cluster = RepairCluster.start(conf, 1);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @AfterEach
  void stop() throws IOException {
    threads.shutdownNow();
    for (HolderServer server : servers) {
      server.close();
    }
    DefaultMetricsSystem.shutdown();
  }

  private static DataNode datanode() {
    return cluster.mini().getDataNodes().get(0);
  }

  private HolderServer start(String name) throws IOException {
    HolderServer server = HolderServer.start(name, logs, datanode());
    servers.add(server);
    return server;
  }

  private HolderServer startAgain(HolderServer server) throws IOException {
    HolderServer again = server.startAgain(datanode());
    servers.set(servers.indexOf(server), again);
    return again;
  }

  private static SignedTicket ticket(long term, long previousTerm, NodeRef... holders) {
    return SignedTicket.of(new UpdateTicket(UNIT,
        new BlockRef(HolderServer.POOL, -16, 1, UNIT_BYTES),
        term, previousTerm, 1, Arrays.asList(holders)), new Token<BlockTokenIdentifier>());
  }

  private static byte[] data(int seed, int length) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }

  private static UpdateAnswer append(HolderServer leader, SignedTicket ticket, long offset,
      boolean durable, byte[] data) throws IOException {
    return leader.ask(new AppendRequest(ticket, offset, durable, Payload.of(data)), data);
  }

  private static UpdateAnswer append(HolderServer leader, SignedTicket ticket, int seed)
      throws IOException {
    return append(leader, ticket, 100L * seed, false, data(seed, 150));
  }

  private static void assertStatus(UpdateStatus status, UpdateAnswer answer) {
    assertEquals(status, answer.status, answer.toString());
  }

  private static void assertDone(UpdateAnswer answer) {
    assertStatus(UpdateStatus.DONE, answer);
  }

  /** Checks that a log has the updates of these seeds, in this order. */
  private static void assertHas(HolderServer server, int... seeds) throws IOException {
    List<LogEntry> entries = server.log().entries(UNIT, 0, Integer.MAX_VALUE);
    assertEquals(seeds.length, entries.size());
    for (int i = 0; i < seeds.length; i++) {
      assertEquals(100L * seeds[i], entries.get(i).offset);
      assertArrayEquals(data(seeds[i], 150), server.log().read(entries.get(i)));
    }
  }

  /** Checks that readers at a node see the updates of these seeds, and no other ones. */
  private static void assertReadersSee(HolderServer server, int... seeds) throws IOException {
    byte[] expected = new byte[10_000];
    for (int seed : seeds) {
      System.arraycopy(data(seed, 150), 0, expected, 100 * seed, 150);
    }
    byte[] seen = new byte[expected.length];
    server.log().overlay(UNIT, 0, ByteBuffer.wrap(seen));
    assertArrayEquals(expected, seen);
  }

  @Test
  void updateIsAcknowledgedWhenAllHoldersHaveIt() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    HolderServer c = start("c");
    SignedTicket ticket = ticket(1, 0, a.self(), b.self(), c.self());
    UpdateAnswer first = append(a, ticket, 1);
    assertDone(first);
    assertEquals(1, first.position.last);
    UpdateAnswer second = append(a, ticket, 200, true, data(2, 150));
    assertDone(second);
    assertEquals(2, second.position.last);
    for (HolderServer each : Arrays.asList(a, b, c)) {
      assertHas(each, 1, 2);
      assertEquals(1, each.log().state(UNIT).get().term);
      assertTrue(each.log().state(UNIT).get().isComplete());
    }
    assertReadersSee(a, 1, 2);
  }

  @Test
  void leaderAloneNeedsNoFollower() throws IOException {
    HolderServer a = start("a");
    assertDone(append(a, ticket(1, 0, a.self()), 1));
    assertReadersSee(a, 1);
  }

  @Test
  void largeUpdatesArriveWhole() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a.self(), b.self());
    byte[] large = data(5, 4 << 20);
    assertDone(append(a, ticket, 77, true, large));
    assertArrayEquals(large, b.log().read(b.log().entries(UNIT, 0, 1).get(0)));
    UpdateAnswer past = append(a, ticket, UNIT_BYTES - 10, false, data(1, 10));
    assertDone(past);
    assertEquals(2, past.position.last);
  }

  @Test
  void manyWritersMakeOneHistory() throws Exception {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a.self(), b.self());
    // A log that is being opened refuses all but one.
    assertFalse(a.log().state(UNIT).isPresent());
    List<Future<List<Long>>> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int writer = i;
      writers.add(threads.submit(() -> {
        List<Long> numbers = new ArrayList<>();
        try (Socket socket = a.connect()) {
          for (int n = 0; n < 40; n++) {
            byte[] data = data(1000 * writer + n, 50 + n);
            UpdateAnswer answer = HolderServer.ask(socket, new AppendRequest(ticket,
                (writer + n) % 7 * 30, n % 5 == 0, Payload.of(data)), data);
            assertDone(answer);
            numbers.add(answer.position.last);
          }
        }
        return numbers;
      }));
    }
    boolean[] seen = new boolean[8 * 40 + 1];
    for (int writer = 0; writer < 8; writer++) {
      long before = 0;
      for (long number : writers.get(writer).get(120, TimeUnit.SECONDS)) {
        assertTrue(number > before, "a writer's updates keep their order");
        assertFalse(seen[(int) number], "each update has a number of its own");
        seen[(int) number] = true;
        before = number;
      }
    }
    List<LogEntry> atA = a.log().entries(UNIT, 0, 1000);
    List<LogEntry> atB = b.log().entries(UNIT, 0, 1000);
    assertEquals(320, atA.size());
    assertEquals(320, atB.size());
    byte[] expected = new byte[1000];
    for (int i = 0; i < 320; i++) {
      byte[] update = a.log().read(atA.get(i));
      assertEquals(i + 1, atA.get(i).sequence);
      assertEquals(atA.get(i).offset, atB.get(i).offset);
      assertArrayEquals(update, b.log().read(atB.get(i)));
      System.arraycopy(update, 0, expected, (int) atA.get(i).offset, update.length);
    }
    byte[] read = new byte[1000];
    a.log().overlay(UNIT, 0, ByteBuffer.wrap(read));
    assertArrayEquals(expected, read);
  }

  /** Lets a fake follower answer request {@code wrong} with a refusal, and the others well. */
  private static FakeFollower.Behaviour refusing(int wrong, UpdateStatus status) {
    return (number, request, data, socket) -> {
      LogPosition position = new LogPosition(request.ticket().term, number, 1, true);
      UpdateFraming.write(socket.getOutputStream(), number == wrong
          ? UpdateAnswer.refused(status, "injected", null, position)
          : UpdateAnswer.done(position), NO_DATA);
      return number != wrong;
    };
  }

  private void assertFollowerEndsTerm(FakeFollower.Behaviour behaviour, UpdateStatus first,
      UpdateStatus later, int acknowledged) throws IOException {
    String name = "a" + servers.size();
    HolderServer a = start(name);
    try (FakeFollower fake = FakeFollower.start(behaviour)) {
      SignedTicket ticket = ticket(1, 0, a.self(), fake.node());
      int[] seen = new int[acknowledged];
      for (int i = 1; i <= acknowledged; i++) {
        assertDone(append(a, ticket, i));
        seen[i - 1] = i;
      }
      UpdateAnswer failed = append(a, ticket, acknowledged + 1);
      assertStatus(first, failed);
      assertEquals("fake", failed.node().get().uuid);
      assertReadersSee(a, seen);
      int requests = fake.requests();
      assertStatus(later, append(a, ticket, acknowledged + 2));
      assertEquals(requests, fake.requests(), "a term that is over asks no follower");
      assertReadersSee(a, seen);
    }
  }

  @Test
  void followerThatRefusesEndsTheTerm() throws IOException {
    for (int step = 0; step < 3; step++) {
      int acknowledged = Math.max(0, step - 1);
      // From the second request on, the leader's log has an update that was not acknowledged.
      assertFollowerEndsTerm(refusing(step, UpdateStatus.STALE_TERM), step == 0
          ? UpdateStatus.STALE_TERM : UpdateStatus.TERM_OVER, UpdateStatus.STALE_TERM,
          acknowledged);
      for (UpdateStatus status : Arrays.asList(UpdateStatus.TERM_OVER, UpdateStatus.SEQUENCE,
          UpdateStatus.FAILED, UpdateStatus.LOG_FULL, UpdateStatus.REFUSED)) {
        // The leader has the update, unless the term has not begun. An answer such as LOG_FULL
        // would then say that the history does not have it.
        assertFollowerEndsTerm(refusing(step, status),
            step == 0 ? status : UpdateStatus.TERM_OVER, UpdateStatus.TERM_OVER, acknowledged);
      }
    }
  }

  @Test
  void followerThatStaysBusyEndsTheTerm() throws IOException {
    FakeFollower.Behaviour good = refusing(-1, UpdateStatus.DONE);
    FakeFollower.Behaviour busy = (number, request, data, socket) -> {
      UpdateFraming.write(socket.getOutputStream(), UpdateAnswer.refused(UpdateStatus.OVERLOADED,
          "injected", null, LogPosition.NOTHING), NO_DATA);
      return false;
    };
    HolderServer a = start("a");
    try (FakeFollower fake = FakeFollower.start((number, request, data, socket) ->
        (number < 1 ? good : busy).handle(number, request, data, socket))) {
      UpdateAnswer answer = append(a, ticket(1, 0, a.self(), fake.node()), 1);
      assertStatus(UpdateStatus.TERM_OVER, answer);
      assertEquals("fake", answer.node().get().uuid);
      assertHas(a, 1);
      // Pauses of 20, 40, 80, 160 ms, and then of 320 ms in 2 s.
      assertTrue(fake.requests() > 2 && fake.requests() <= 12, fake.requests() + " requests");
    }
  }

  @Test
  void followerThatDiesEndsTheTerm() throws IOException {
    for (int step = 0; step < 3; step++) {
      int dies = step;
      FakeFollower.Behaviour good = refusing(-1, UpdateStatus.DONE);
      assertFollowerEndsTerm((number, request, data, socket) -> number < dies
          && good.handle(number, request, data, socket), UpdateStatus.TERM_OVER,
          UpdateStatus.TERM_OVER, Math.max(0, dies - 1));
      assertFollowerEndsTerm((number, request, data, socket) -> {
        if (number < dies) {
          return good.handle(number, request, data, socket);
        }
        socket.getOutputStream().write(new byte[] {40, 8});
        return false;
      }, UpdateStatus.TERM_OVER, UpdateStatus.TERM_OVER, Math.max(0, dies - 1));
    }
  }

  @Test
  void followerThatTalksNonsenseEndsTheTerm() throws IOException {
    assertFollowerEndsTerm((number, request, data, socket) -> {
      socket.getOutputStream().write(data(number, 5000));
      return false;
    }, UpdateStatus.TERM_OVER, UpdateStatus.TERM_OVER, 0);
  }

  @Test
  void followerThatIsNotThereEndsTheTerm() throws IOException {
    HolderServer a = start("a");
    FakeFollower gone = FakeFollower.start(refusing(-1, UpdateStatus.DONE));
    gone.close();
    assertStatus(UpdateStatus.TERM_OVER, append(a, ticket(1, 0, a.self(), gone.node()), 1));
  }

  @Test
  void slowFollowerEndsTheTermInTime() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    FakeFollower.Behaviour good = refusing(-1, UpdateStatus.DONE);
    for (int step = 0; step < 2; step++) {
      int slow = step;
      assertFollowerEndsTerm((number, request, data, socket) -> {
        if (number >= slow) {
          end.await();
        }
        return good.handle(number, request, data, socket);
      }, UpdateStatus.TERM_OVER, UpdateStatus.TERM_OVER, 0);
    }
    // A byte now and then does not help.
    assertFollowerEndsTerm((number, request, data, socket) -> {
      socket.getOutputStream().write(100);
      while (!end.await(50, TimeUnit.MILLISECONDS)) {
        socket.getOutputStream().write(1);
      }
      return false;
    }, UpdateStatus.TERM_OVER, UpdateStatus.TERM_OVER, 0);
    end.countDown();
  }

  @Test
  void busyFollowerIsAskedAgain() throws IOException {
    HolderServer a = start("a");
    FakeFollower.Behaviour good = refusing(-1, UpdateStatus.DONE);
    FakeFollower.Behaviour busy = refusing(2, UpdateStatus.OVERLOADED);
    try (FakeFollower fake = FakeFollower.start((number, request, data, socket) ->
        (number == 2 ? busy : good).handle(number, request, data, socket))) {
      SignedTicket ticket = ticket(1, 0, a.self(), fake.node());
      for (int i = 1; i < 4; i++) {
        assertDone(append(a, ticket, i));
      }
      assertEquals(5, fake.requests());
      assertReadersSee(a, 1, 2, 3);
    }
  }

  @Test
  void followerTakesAnUpdateTwiceWithoutHarm() throws IOException {
    HolderServer a = start("a");
    try (UpdateLog log = DiskLog.open(logs.resolve("fake"), LogLimits.of(32 << 20))) {
      LogHolder holder = new LogHolder(log, 1000);
      // The answers to the begin and to the first update get lost.
      try (FakeFollower fake = FakeFollower.start((number, request, data, socket) -> {
        UpdateAnswer answer = holder.replicate(request, data);
        if (number % 2 == 1) {
          UpdateFraming.write(socket.getOutputStream(), answer, NO_DATA);
        }
        return number % 2 == 1;
      })) {
        SignedTicket ticket = ticket(1, 0, a.self(), fake.node());
        assertDone(append(a, ticket, 1));
        assertEquals(4, fake.requests());
        assertDone(append(a, ticket, 2));
        assertEquals(2, log.entries(UNIT, 0, 10).size());
        assertArrayEquals(data(2, 150), log.read(log.entries(UNIT, 1, 1).get(0)));
      }
    }
  }

  @Test
  void otherUpdateWithTheSameNumberIsRefused() throws IOException {
    HolderServer b = start("b");
    NodeRef leader = new NodeRef("a", "127.0.0.1", "localhost", 1, 2, "");
    SignedTicket ticket = ticket(1, 0, leader, b.self());
    assertDone(b.ask(new ReplicateRequest(ticket, new TermBegin(0, 1, 0),
        Collections.emptyList(), true, Payload.NONE), NO_DATA));
    NumberedUpdate first = new NumberedUpdate(1, 1, 0, 10);
    assertDone(b.ask(replicate(ticket, first, data(1, 10)), data(1, 10)));
    assertDone(b.ask(replicate(ticket, first, data(1, 10)), data(1, 10)));
    assertStatus(UpdateStatus.SEQUENCE, b.ask(replicate(ticket, first, data(2, 10)),
        data(2, 10)));
    assertStatus(UpdateStatus.SEQUENCE, b.ask(replicate(ticket,
        new NumberedUpdate(1, 1, 5, 10), data(1, 10)), data(1, 10)));
    assertStatus(UpdateStatus.SEQUENCE, b.ask(replicate(ticket,
        new NumberedUpdate(3, 1, 0, 10), data(3, 10)), data(3, 10)));
    assertEquals(1, b.log().state(UNIT).get().last);
  }

  private static ReplicateRequest replicate(SignedTicket ticket, NumberedUpdate update,
      byte[] data) {
    return new ReplicateRequest(ticket, null, List.of(update), false, Payload.of(data));
  }

  @Test
  void connectionThatWasClosedMeanwhileIsMadeAgain() throws IOException {
    HolderServer a = start("a");
    List<Socket> kept = Collections.synchronizedList(new ArrayList<>());
    FakeFollower.Behaviour good = refusing(-1, UpdateStatus.DONE);
    try (FakeFollower fake = FakeFollower.start((number, request, data, socket) -> {
      kept.add(socket);
      return good.handle(number, request, data, socket);
    })) {
      SignedTicket ticket = ticket(1, 0, a.self(), fake.node());
      assertDone(append(a, ticket, 1));
      assertEquals(kept.get(0), kept.get(1), "the connection is kept");
      kept.get(0).close();
      assertDone(append(a, ticket, 2));
      assertReadersSee(a, 1, 2);
    }
  }

  @Test
  void oldLeaderCannotGoOnAfterANewTerm() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    HolderServer c = start("c");
    SignedTicket old = ticket(1, 0, a.self(), b.self());
    assertDone(append(a, old, 1));
    // The NameNode does not hear of a, and lets b lead with c.
    SignedTicket now = ticket(2, 1, b.self(), c.self());
    assertDone(append(b, now, 2));
    assertHas(c, 1, 2);
    assertReadersSee(b, 1, 2);
    // a hears nothing of that, and its clients neither.
    UpdateAnswer late = append(a, old, 3);
    // It learns it from b: when it asks whether b has room, or when it sends the update.
    if (late.status != UpdateStatus.STALE_TERM) {
      assertStatus(UpdateStatus.TERM_OVER, late);
      assertEquals(b.self(), late.node().get());
    }
    assertReadersSee(a, 1);
    assertHas(b, 1, 2);
    // When a comes back, its last update does not count.
    assertDone(append(b, ticket(3, 2, b.self(), a.self()), 4));
    assertHas(a, 1, 2, 4);
    assertStatus(UpdateStatus.REFUSED, append(a, now, 5));
    assertStatus(UpdateStatus.STALE_TERM, append(b, now, 5));
  }

  @Test
  void nodeThatHasStartedAgainNeedsANewTerm() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    assertDone(append(a, ticket(1, 0, a.self(), b.self()), 1));
    a = startAgain(a);
    assertReadersSee(a);
    SignedTicket same = ticket(1, 0, a.self(), b.self());
    assertStatus(UpdateStatus.TERM_OVER, append(a, same, 2));
    HolderServer c = start("c");
    SignedTicket next = ticket(2, 1, a.self(), b.self(), c.self());
    assertDone(append(a, next, 3));
    assertHas(a, 1, 3);
    assertHas(b, 1, 3);
    assertHas(c, 1, 3);
    assertReadersSee(a, 1, 3);
    assertTrue(c.log().state(UNIT).get().isComplete());
  }

  @Test
  void followerThatHasStartedAgainGoesOn() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a.self(), b.self());
    assertDone(append(a, ticket, 1));
    b = startAgain(b);
    // It has another port, and the NameNode says so in a new term.
    assertStatus(UpdateStatus.TERM_OVER, append(a, ticket, 2));
    assertDone(append(a, ticket(2, 1, a.self(), b.self()), 3));
    assertHas(a, 1, 2, 3);
    assertHas(b, 1, 2, 3);
    assertReadersSee(a, 1, 2, 3);
  }

  @Test
  @Tag("slow")
  void longHistoryIsCopiedInParts() throws IOException {
    HolderServer a = start("a");
    SignedTicket alone = ticket(1, 0, a.self());
    try (Socket socket = a.connect()) {
      for (int i = 0; i < 600; i++) {
        byte[] data = data(i, i % 100 == 0 ? 1 << 20 : 20);
        assertDone(HolderServer.ask(socket, new AppendRequest(alone, 50 * i, false,
            Payload.of(data)), data));
      }
    }
    HolderServer b = start("b");
    assertDone(append(a, ticket(2, 1, a.self(), b.self()), 1));
    List<LogEntry> atA = a.log().entries(UNIT, 0, 1000);
    List<LogEntry> atB = b.log().entries(UNIT, 0, 1000);
    assertEquals(601, atB.size());
    for (int i = 0; i < 601; i++) {
      assertEquals(atA.get(i).offset, atB.get(i).offset);
      assertArrayEquals(a.log().read(atA.get(i)), b.log().read(atB.get(i)));
    }
    List<LogEntry> read = new ArrayList<>();
    long after = 0;
    while (after < 601) {
      UpdateAnswer part = b.ask(new ReadLogRequest(alone, after, 1 << 20), NO_DATA);
      assertDone(part);
      assertEquals(601, part.position.last);
      assertTrue(part.payload.length <= 1 << 20, "no more than asked for");
      for (NumberedUpdate update : part.records) {
        assertEquals(++after, update.sequence);
        read.add(atA.get((int) after - 1));
      }
    }
    assertEquals(atA, read);
    UpdateAnswer position = b.ask(new ReadLogRequest(alone, 0, 0), NO_DATA);
    assertEquals(0, position.records.size());
    assertEquals(2, position.position.term);
    assertTrue(position.position.complete);
  }

  @Test
  void leaderNeedsTheHistory() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    assertStatus(UpdateStatus.NO_HISTORY, append(a, ticket(5, 4, a.self(), b.self()), 1));
    assertFalse(a.log().state(UNIT).isPresent());
    assertFalse(b.log().state(UNIT).isPresent());
    assertDone(append(a, ticket(6, 0, a.self(), b.self()), 1));
    // A NameNode that has forgotten the unit does not make the nodes forget it.
    assertStatus(UpdateStatus.NO_HISTORY, append(a, ticket(7, 0, a.self(), b.self()), 2));
    assertStatus(UpdateStatus.NO_HISTORY, append(a, ticket(8, 5, a.self(), b.self()), 2));
    assertHas(a, 1);
    assertHas(b, 1);
  }

  @Test
  void incompleteCopyCannotLead() throws IOException {
    HolderServer b = start("b");
    NodeRef leader = new NodeRef("a", "127.0.0.1", "localhost", 1, 2, "");
    SignedTicket ticket = ticket(2, 1, leader, b.self());
    assertDone(b.ask(new ReplicateRequest(ticket, new TermBegin(1, 3, 5),
        Collections.emptyList(), true, Payload.NONE), NO_DATA));
    assertDone(b.ask(replicate(ticket, new NumberedUpdate(3, 1, 0, 10), data(1, 10)),
        data(1, 10)));
    UpdateAnswer position = b.ask(new ReadLogRequest(ticket, 0, 0), NO_DATA);
    assertEquals(3, position.position.last);
    assertFalse(position.position.complete);
    assertStatus(UpdateStatus.NO_HISTORY, append(b, ticket(3, 2, b.self()), 1));
  }

  @Test
  void followerKeepsWhatTheLeaderHasLost() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    assertDone(append(a, ticket(1, 0, a.self()), 1));
    // b has one more update than a. It may have been acknowledged before a's machine lost power.
    NodeRef leader = new NodeRef("x", "127.0.0.1", "localhost", 1, 2, "");
    SignedTicket forB = ticket(1, 0, leader, b.self());
    b.ask(new ReplicateRequest(forB, new TermBegin(0, 1, 0), Collections.emptyList(), true,
        Payload.NONE), NO_DATA);
    for (int i = 1; i < 3; i++) {
      assertDone(b.ask(replicate(forB, new NumberedUpdate(i, 1, 100, 10), data(7, 10)),
          data(7, 10)));
    }
    UpdateAnswer refused = append(a, ticket(2, 1, a.self(), b.self()), 2);
    assertStatus(UpdateStatus.NO_HISTORY, refused);
    assertEquals(b.self(), refused.node().get());
    assertEquals(2, refused.position.last);
    assertEquals(2, b.log().state(UNIT).get().last);
    assertDone(append(b, ticket(3, 1, b.self(), a.self()), 3));
    for (HolderServer each : Arrays.asList(a, b)) {
      List<LogEntry> entries = each.log().entries(UNIT, 0, 10);
      assertEquals(3, entries.size());
      assertArrayEquals(data(7, 10), each.log().read(entries.get(1)));
    }
    // b was no holder in term 4. What it has of term 3 is no reason to refuse.
    assertDone(append(a, ticket(4, 3, a.self()), 4));
    assertDone(append(a, ticket(5, 4, a.self(), b.self()), 5));
    assertEquals(5, b.log().state(UNIT).get().last);
  }

  @Test
  @Tag("slow")
  void longCopyToOneFollowerDoesNotEndTheTermOfAnother() throws IOException {
    HolderServer a = start("a");
    SignedTicket alone = ticket(1, 0, a.self());
    try (Socket socket = a.connect()) {
      for (int i = 0; i < 600; i++) {
        assertDone(HolderServer.ask(socket, new AppendRequest(alone, i, false,
            Payload.of(data(i, 20))), data(i, 20)));
      }
    }
    HolderServer b = start("b");
    FakeFollower.Behaviour empty = (number, request, data, socket) -> {
      if (number > 0 && number < 4) {
        // Three parts take longer than a follower may take for one.
        sleep(HolderServer.FOLLOWER_TIMEOUT_MS / 2);
      }
      UpdateFraming.write(socket.getOutputStream(), UpdateAnswer.done(
          new LogPosition(request.ticket().term, 0, 1, true)), NO_DATA);
      return true;
    };
    try (FakeFollower fake = FakeFollower.start(empty)) {
      assertDone(append(a, ticket(2, 1, a.self(), fake.node(), b.self()), 1));
      assertEquals(601, b.log().state(UNIT).get().last);
      assertEquals(5, fake.requests());
    }
  }

  private static void sleep(long ms) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(ms);
  }

  @Test
  void trimDropsWhatIsCommitted() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a.self(), b.self());
    assertDone(append(a, ticket, 1));
    for (HolderServer each : Arrays.asList(a, b)) {
      assertDone(each.ask(new TrimRequest(ticket, 1), NO_DATA));
      assertHas(each);
    }
    assertReadersSee(a);
    UpdateAnswer next = append(a, ticket, 2);
    assertDone(next);
    assertEquals(2, next.position.epoch, "the epoch of the ticket is over");
    assertHas(b, 2);
    HolderServer c = start("c");
    assertDone(append(a, ticket(2, 1, a.self(), c.self()), 3));
    assertHas(c, 2, 3);
    assertEquals(3, c.log().state(UNIT).get().last);
  }

  @Test
  void callersWithoutARightAreRefused() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a.self(), b.self());
    assertStatus(UpdateStatus.REFUSED, append(b, ticket, 1));
    assertStatus(UpdateStatus.REFUSED, a.ask(replicate(ticket,
        new NumberedUpdate(1, 1, 0, 10), data(1, 10)), data(1, 10)));
    a.refuseAll("the token has expired");
    List<UpdateRequest> all = List.of(
        new AppendRequest(ticket, 0, false, Payload.of(data(1, 10))),
        new TrimRequest(ticket, 1), new ReadLogRequest(ticket, 0, 10),
        new BeginTermRequest(ticket), new ListLogRequest(ticket, 0));
    for (UpdateRequest request : all) {
      UpdateAnswer answer =
          a.ask(request, request.payload.length == 0 ? NO_DATA : data(1, 10));
      assertStatus(UpdateStatus.REFUSED, answer);
      assertEquals("no right to ask", answer.message);
    }
    assertEquals(6, MetricsAsserts.getLongCounter("HelperRequestsRejectedAccessToken",
        MetricsAsserts.getMetrics("PprDataNode-a")));
    assertFalse(a.log().state(UNIT).isPresent());
    a.refuseAll(null);
    assertDone(append(a, ticket, 1));
    SignedTicket others = ticket(1, 0, a.self());
    assertStatus(UpdateStatus.REFUSED, append(a, others, 2));
    assertHas(a, 1);
  }

  @Test
  void dataInMemoryAreBounded() throws IOException {
    HolderServer a = HolderServer.bounded(8, 8, 8000, "a", logs, datanode());
    servers.add(a);
    SignedTicket ticket = ticket(1, 0, a.self());
    assertDone(append(a, ticket, 0, false, data(1, 1000)));
    assertStatus(UpdateStatus.OVERLOADED, append(a, ticket, 0, false, data(1, 1001)));
    assertStatus(UpdateStatus.OVERLOADED, a.ask(new ReadLogRequest(ticket, 0, 10), NO_DATA));
    assertDone(a.ask(new ReadLogRequest(ticket, 0, 0), NO_DATA));
    for (int i = 0; i < 5; i++) {
      assertDone(append(a, ticket, 0, false, data(1, 1000)));
    }
  }

  @Test
  void appendsLeaveRoomForPeers() throws Exception {
    HolderServer a = HolderServer.bounded(1, 8, 64 << 20, "a", logs, datanode());
    servers.add(a);
    CountDownLatch came = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    FakeFollower.Behaviour good = refusing(-1, UpdateStatus.DONE);
    try (FakeFollower fake = FakeFollower.start((number, request, data, socket) -> {
      came.countDown();
      end.await();
      return good.handle(number, request, data, socket);
    })) {
      SignedTicket ticket = ticket(1, 0, a.self(), fake.node());
      Future<UpdateAnswer> slow = threads.submit(() -> append(a, ticket, 1));
      assertTrue(came.await(60, TimeUnit.SECONDS));
      assertStatus(UpdateStatus.OVERLOADED, append(a, ticket, 2));
      assertDone(a.ask(new ReadLogRequest(ticket, 0, 10), NO_DATA));
      end.countDown();
      assertDone(slow.get(60, TimeUnit.SECONDS));
      assertDone(append(a, ticket, 3));
      assertHas(a, 1, 3);
    }
  }

  /** A caller that keeps its data back takes half of the places, and another one goes on. */
  @Test
  void oneCallerDoesNotTakeAllPlaces() throws Exception {
    HolderServer a = HolderServer.bounded(4, 8, 64 << 20, "a", logs, datanode());
    servers.add(a);
    SignedTicket ticket = ticket(1, 0, a.self());
    byte[] data = data(1, 150);
    AppendRequest append = new AppendRequest(ticket, 0, false, Payload.of(data));
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    UpdateFraming.write(request, append, data);
    List<Socket> idle = new ArrayList<>();
    try {
      RepairCluster.await("the caller gets no further place", () -> {
        try {
          // The server may have ended earlier ones, whose data has not come for too long.
          for (int i = 0; i < 4; i++) {
            Socket socket = a.connect();
            idle.add(socket);
            socket.getOutputStream().write(request.toByteArray(), 0, request.size() - 1);
          }
          return append(a, ticket, 2).status == UpdateStatus.OVERLOADED;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      try (Socket other = new Socket(InetAddress.getByName("127.0.0.1"), a.port(),
          InetAddress.getByName("127.0.0.2"), 0)) {
        other.setSoTimeout(60_000);
        assertDone(HolderServer.ask(other, append, data));
      }
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void requestsOfPeersAreBounded() throws Exception {
    HolderServer a = HolderServer.bounded(8, 1, 64 << 20, "a", logs, datanode());
    servers.add(a);
    SignedTicket ticket = ticket(1, 0, a.self());
    assertDone(append(a, ticket, 1));
    List<Future<UpdateAnswer>> both = new ArrayList<>();
    // As when the disk does not answer.
    synchronized (a.log()) {
      for (int i = 0; i < 2; i++) {
        both.add(threads.submit(() -> a.ask(new ReadLogRequest(ticket, 0, 0), NO_DATA)));
      }
      RepairCluster.await("one is refused", () -> both.stream().anyMatch(Future::isDone));
      assertEquals(1, both.stream().filter(Future::isDone).count());
    }
    List<UpdateStatus> statuses = new ArrayList<>();
    for (Future<UpdateAnswer> one : both) {
      statuses.add(one.get(60, TimeUnit.SECONDS).status);
    }
    assertTrue(statuses.containsAll(List.of(UpdateStatus.OVERLOADED, UpdateStatus.DONE)),
        statuses.toString());
    assertDone(a.ask(new ReadLogRequest(ticket, 0, 0), NO_DATA));
  }

  /** A caller that takes a byte now and then keeps each write within its timeout. */
  @Test
  void callerThatTakesItsAnswerSlowlyIsLeft() throws Exception {
    HolderServer a = start("a");
    ScheduledThreadPoolExecutor timer = TransferServer.timer();
    UpdateHandler handler = new UpdateHandler(a, new UpdateLogs(logs.resolve("slow"),
        LogLimits.of(LogLimits.BYTES_MIN)), HolderServer.NO_BLOCKS, (node, block, token) -> {
          throw new IOException("No other node is there");
        }, new UpdateHandler.Limits(HolderServer.FOLLOWER_TIMEOUT_MS, 100, 8, 8, 64 << 20),
        a.metrics, new AttemptGuard.Timing(timer, System::nanoTime));
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    UpdateFraming.write(request, new ReadLogRequest(ticket(1, 0, a.self()), 0, 0), NO_DATA);
    ChannelInput in = new ChannelInput(new ByteArrayInputStream(request.toByteArray()));
    assertEquals(UpdateFraming.OP_UPDATE, RequestFraming.readOpcode(in));
    PeerConnection[] connection = new PeerConnection[1];
    try (Socket socket = a.connect()) {
      connection[0] = new PeerConnection(DFSUtilClient.peerFromSocket(socket), socket, null,
          new OutputStream() {
            @Override
            public void write(int one) throws IOException {
              RepairCluster.await("the caller is left", () -> connection[0].isAborted());
              throw new IOException("Aborted");
            }
          });
      assertFalse(handler.read(in, connection[0]).serve(connection[0], "caller"));
    } finally {
      handler.close();
      timer.shutdownNow();
    }
  }

  @Test
  void damagedDataAreNotTaken() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, 0, a.self());
    byte[] data = data(1, 100);
    byte[] damaged = data.clone();
    damaged[50] ^= 1;
    assertThrows(IOException.class, () -> a.ask(new AppendRequest(ticket, 0, false,
        Payload.of(data)), damaged));
    assertFalse(a.log().state(UNIT).isPresent());
  }

  @Test
  void callerThatLeavesWithinItsDataChangesNothing() throws Exception {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, 0, a.self());
    try (Socket socket = a.connect()) {
      try {
        UpdateFraming.write(socket.getOutputStream(), new AppendRequest(ticket, 0, false,
            Payload.of(data(1, 100))), data(1, 50));
      } catch (SocketException e) {
        throw new IllegalStateException("The server has left first", e);
      }
    }
    assertDone(append(a, ticket, 2));
    assertHas(a, 2);
  }

  /** Lets updates of another unit take room in a log, until it has little left. */
  private static void fill(HolderServer server, long left) throws IOException {
    server.log().begin(OTHER, 1, 0, 0, true);
    while (server.log().room().bytes > left) {
      server.log().append(OTHER, 1, 1, 0, ByteBuffer.wrap(data(1, 4 << 20)), Origin.NONE);
    }
  }

  @Test
  void fullLogLetsTheWriterWait() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    fill(a, 9 << 20);
    SignedTicket ticket = ticket(2, 0, a.self(), b.self());
    UpdateAnswer answer = append(a, ticket, 1);
    byte[] large = data(2, 4 << 20);
    while (answer.isDone()) {
      answer = append(a, ticket, 0, false, large);
    }
    assertStatus(UpdateStatus.LOG_FULL, answer);
    assertTrue(answer.message.contains(OTHER.file.toString()), answer.message);
    assertEquals(b.log().state(UNIT).get().last, a.log().state(UNIT).get().last);
    a.log().trim(OTHER.file, 1);
    assertDone(a.ask(new TrimRequest(ticket, 1), NO_DATA));
    assertDone(b.ask(new TrimRequest(ticket, 1), NO_DATA));
    assertDone(append(a, ticket, 3));
    assertHas(b, 3);
  }

  @Test
  void fullFollowerLetsTheWriterWait() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    fill(b, 9 << 20);
    SignedTicket ticket = ticket(2, 0, a.self(), b.self());
    assertDone(append(a, ticket, 1));
    UpdateAnswer answer = append(a, ticket, 0, false, data(2, 4 << 20));
    assertDone(answer);
    while (answer.isDone()) {
      answer = append(a, ticket, 0, false, data(2, 4 << 20));
    }
    // No log has the update, and the term goes on.
    assertStatus(UpdateStatus.LOG_FULL, answer);
    assertEquals(b.self(), answer.node().get());
    assertEquals(a.log().state(UNIT).get().last, b.log().state(UNIT).get().last);
    assertStatus(UpdateStatus.LOG_FULL, append(a, ticket, 0, false, data(2, 4 << 20)));
    assertEquals(a.log().state(UNIT).get().last, b.log().state(UNIT).get().last);
    b.log().trim(OTHER.file, 1);
    assertDone(append(a, ticket, 0, false, data(2, 4 << 20)));
    assertEquals(2, a.log().state(UNIT).get().term);
    assertEquals(a.log().entries(UNIT, 0, 100).size(), b.log().entries(UNIT, 0, 100).size());
  }

  @Test
  void corruptLogTakesNothing() throws IOException {
    HolderServer a = start("a");
    SignedTicket ticket = ticket(1, 0, a.self());
    for (int i = 1; i < 4; i++) {
      assertDone(append(a, ticket, i));
    }
    a.close();
    File segment = logs.resolve("a").resolve(HolderServer.POOL).toFile()
        .listFiles((folder, name) -> name.startsWith("segment-"))[0];
    byte[] bytes = java.nio.file.Files.readAllBytes(segment.toPath());
    bytes[400] ^= 1;
    java.nio.file.Files.write(segment.toPath(), bytes);
    a = startAgain(a);
    HolderServer again = a;
    for (int i = 0; i < 2; i++) {
      UpdateAnswer answer = append(a, ticket(2, 1, a.self()), 5);
      assertStatus(UpdateStatus.FAILED, answer);
      assertFalse(answer.message.contains("/"), "no path leaves the host");
    }
    assertTrue(assertThrows(IOException.class, again::log).getMessage()
        .contains(segment.getName()));
    assertArrayEquals(bytes, java.nio.file.Files.readAllBytes(segment.toPath()));
  }

  /** A commit has to know that no bearer of an older ticket writes any more. */
  @Test
  void aTermBeginsAtAllHoldersWithoutAnUpdate() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket old = ticket(1, 0, a.self(), b.self());
    SignedTicket ticket = ticket(2, 1, a.self(), b.self());
    assertDone(append(a, old, 1));
    assertDone(a.ask(new BeginTermRequest(ticket), NO_DATA));
    for (HolderServer each : Arrays.asList(a, b)) {
      assertEquals(2, each.log().state(UNIT).get().term);
      assertTrue(each.log().state(UNIT).get().isComplete());
      assertHas(each, 1);
    }
    assertDone(a.ask(new BeginTermRequest(ticket), NO_DATA));
    assertStatus(UpdateStatus.STALE_TERM, append(a, old, 2));
    assertStatus(UpdateStatus.STALE_TERM, a.ask(new BeginTermRequest(old), NO_DATA));
    assertDone(append(a, ticket, 3));
    assertHas(b, 1, 3);
  }

  /** Without block tokens, any caller might let this node connect to others. */
  @Test
  void noTermBeginsForACallerThatMayNotNameTheFollowers() throws IOException {
    HolderServer a = start("a");
    HolderServer b = start("b");
    SignedTicket ticket = ticket(1, 0, a.self(), b.self());
    a.refuseBegins("they cannot be DataNodes");
    assertStatus(UpdateStatus.REFUSED, a.ask(new BeginTermRequest(ticket), NO_DATA));
    assertFalse(a.log().state(UNIT).isPresent());
    assertFalse(b.log().state(UNIT).isPresent());
    assertStatus(UpdateStatus.REFUSED, b.ask(new BeginTermRequest(ticket), NO_DATA));
    a.refuseBegins(null);
    assertDone(a.ask(new BeginTermRequest(ticket), NO_DATA));
    assertTrue(b.log().state(UNIT).get().isComplete());
  }
}
