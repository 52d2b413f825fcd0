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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.datanode.command.CommandDispatcher;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.command.HeartbeatNotes;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.repair.CommandedRepairs;
import org.hdfsppr.datanode.server.DegradedReads;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.manage.SelfReport;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the messages between a DataNode and the two NameNodes of a nameservice. There is no
 * network; the test answers each heartbeat.
 */
@Timeout(60)
class TestHeartbeatActor {
  private static final String POOL = "BP-1";
  private static final int WAIT_MS = 3_000;
  private static final NodeRef SELF = new NodeRef("self", "10.0.0.1", "one", 9866, 9877, "");
  private static final NodeRef OTHER = new NodeRef("other", "10.0.0.2", "two", 9866, 9877, "");

  private final RepairMetrics metrics =
      RepairMetrics.register(new Configuration(false), "TestManagerLink");
  private final Repairs repairs = new Repairs();
  private final Jobs<ScrubCommand> checks = new Jobs<>();
  private final Jobs<Added> added = new Jobs<>();
  private final DegradedReads reads = new DegradedReads(System::nanoTime);
  private final List<HeartbeatActor> links = new ArrayList<>();
  private final List<String> pressures = new CopyOnWriteArrayList<>();
  private final Nameservice nameservice = new Nameservice("ns",
      new CommandDispatcher().bind(RepairCommand.class, repairs).bind(ScrubCommand.class, checks)
          .bind(Added.class, added),
      metrics,
      () -> links.forEach(HeartbeatActor::wake),
      (percent, rate) -> pressures.add(percent + " of " + rate));
  private final List<Thread> threads = new ArrayList<>();
  private final List<OrderWait> waiting = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    links.forEach(HeartbeatActor::close);
    waiting.forEach(OrderWait::close);
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(10_000);
      assertFalse(thread.isAlive(), "the thread ends");
    }
    metrics.unregister();
    DefaultMetricsSystem.shutdown();
  }

  /** Repairs that end when the test ends them. */
  private static final class Repairs implements CommandedRepairs {
    private final List<RepairCommand> started = Collections.synchronizedList(new ArrayList<>());
    private final List<String> cancelled = Collections.synchronizedList(new ArrayList<>());
    private volatile Consumer<RepairResult> whenEnded;

    @Override
    public void start(RepairCommand command, Consumer<RepairResult> tell) {
      started.add(command);
      whenEnded = tell;
    }

    @Override
    public void cancel(RepairCommand command, String reason) {
      cancelled.add(command.repairId + " " + reason);
    }

    @Override
    public int donePercent(RepairCommand command) {
      return 40;
    }

    @Override
    public int led() {
      return 0;
    }

    @Override
    public int freeSlots() {
      return 8;
    }

    void end(RepairCommand command) {
      whenEnded.accept(new RepairResult(command.repairId, command.term(), RepairOutcome.REBUILT,
          Collections.singletonList(0), 1, 1));
    }
  }

  /** Jobs that are no repairs, and end when the test ends them. */
  private static final class Jobs<C extends ManagerCommand> implements CommandExecutor<C> {
    private final List<C> started = Collections.synchronizedList(new ArrayList<>());
    private final List<String> cancelled = Collections.synchronizedList(new ArrayList<>());
    private volatile Consumer<RepairResult> whenEnded;

    @Override
    public void start(C command, Consumer<RepairResult> tell) {
      started.add(command);
      whenEnded = tell;
    }

    @Override
    public void cancel(C command, String reason) {
      cancelled.add(command.id() + " " + reason);
    }

    @Override
    public RunningRepair running(C command) {
      return null;
    }
  }

  /** A NameNode whose answers the test writes. */
  private static final class Namenode implements HeartbeatActor.Client {
    private final LinkedBlockingQueue<HeartbeatRequest> asked = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> waits = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Object> waitAnswers = new LinkedBlockingQueue<>();

    @Override
    public boolean awaitOrders(String uuid, int waitMs) throws IOException {
      waits.add(uuid);
      return (Boolean) next(waitAnswers);
    }

    @Override
    public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
      asked.add(request);
      return (HeartbeatResponse) next(answers);
    }

    private static Object next(LinkedBlockingQueue<Object> queue) throws IOException {
      try {
        Object answer = queue.take();
        if (answer instanceof IOException) {
          throw (IOException) answer;
        }
        if (answer instanceof Error) {
          throw (Error) answer;
        }
        return answer;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      // The test has no connection to close.
      answers.clear();
    }

    HeartbeatRequest next() throws InterruptedException {
      HeartbeatRequest request = asked.poll(30, TimeUnit.SECONDS);
      assertTrue(request != null, "no heartbeat");
      return request;
    }

    /** Answers the present heartbeat and returns the next one. */
    HeartbeatRequest answer(HeartbeatResponseProto.Builder said, ManagerCommand... commands)
        throws InterruptedException {
      answers.add(new HeartbeatResponse(said, commands));
      return next();
    }
  }

  private volatile NodeSelf about = about("isal");

  private static NodeSelf about(String kernel) {
    return new NodeSelf("3.4.3", "17", kernel, "", Map.of(), List.of());
  }

  private Namenode namenode(String name, long intervalMs) {
    Namenode namenode = new Namenode();
    HeartbeatActor.Self self = new HeartbeatActor.Self() {
      @Override
      public NodeRef node() {
        return SELF;
      }

      @Override
      public NodeLoad load() {
        return new NodeLoad(0, 0, 8, 0, 0, 0).withMachine(0, 0, 0);
      }

      @Override
      public String softwareVersion() {
        return "0.1";
      }

      @Override
      public NodeSelf about() {
        return about;
      }

      @Override
      public long wallClockMs() {
        return 1_700_000_000_000L;
      }

      @Override
      public List<String> unreachable() {
        return List.of("other");
      }
    };
    HeartbeatActor link = new HeartbeatActor(name, nameservice, self, () -> namenode, metrics,
        intervalMs, new HeartbeatActor.Reports(new ResidentReport(pool -> Collections.emptyList()),
            new DegradedReport(reads), HeartbeatNotes.NONE));
    links.add(link);
    OrderWait wait = new OrderWait(name, link::orderWaitMs, link::node, () -> namenode, link::wake,
        System::nanoTime, metrics.services);
    waiting.add(wait);
    for (Runnable each : List.of(link, wait)) {
      Thread thread = new Thread(each);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    return namenode;
  }

  private static RepairCommand command(String id, long term) {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 1; unit < 5; unit++) {
      live.add(new UnitHolder(unit, OTHER));
    }
    return new RepairCommand(RepairCommand.of(id, term, new GroupId(POOL, -16, 1), 3L << 20)
        .setCodec("rs").setDataUnits(3).setParityUnits(2).setCellBytes(1 << 20).setTopology("chain")
        .setDeadlineMs(1000), List.of(), live,
        List.of(new CommandTarget(0, SELF, "", StorageType.DISK)));
  }

  private static HeartbeatResponseProto.Builder active(long term) {
    return HeartbeatResponse.active(term, POOL);
  }

  private static MetricsRecordBuilder record() {
    return MetricsAsserts.getMetrics("PprDataNode-TestManagerLink");
  }

  /** The heartbeats stay small, because the large part goes only when the NameNode lacks it. */
  /** A thread that has ended would be missed only by the repairs that this node never gets. */
  @Test
  void noErrorEndsTheHeartbeatsOrTheWaits() throws Exception {
    Namenode namenode = namenode("nn1", 20);
    for (Error error : List.of(new StackOverflowError("a test"), new AssertionError("a test"),
        new OutOfMemoryError("a test"), new NoClassDefFoundError("a test"))) {
      namenode.next();
      namenode.answers.add(error);
    }
    namenode.next();
    namenode.answer(active(7).setOrderWaitMs(WAIT_MS));
    assertEquals("self", namenode.waits.poll(30, TimeUnit.SECONDS));
    namenode.waitAnswers.add(new StackOverflowError("a test"));
    assertEquals("self", namenode.waits.poll(30, TimeUnit.SECONDS), "it asks again");
    assertEquals(List.of("ppr-heartbeat", "ppr-orders"), metrics.services.health().stream()
        .map(health -> health.name).collect(Collectors.toList()));
  }

  @Test
  void aNodeDescribesItselfAtFirstAfterAChangeAndWhenAsked() throws Exception {
    Namenode one = namenode("one", 10);
    SelfReport first = one.next().selfReport;
    assertEquals("isal", first.self().get().kernel);
    assertEquals(1_700_000_000_000L, first.wallClockMs);
    assertEquals(List.of("other"), first.unreachable);
    SelfReport second = one.answer(active(3)).selfReport;
    assertFalse(second.self().isPresent());
    assertEquals(1_700_000_000_000L, second.wallClockMs);
    assertEquals(List.of("other"), second.unreachable);
    assertTrue(one.answer(active(3).setWantsSelf(true)).selfReport.self().isPresent());
    assertFalse(one.answer(active(3)).selfReport.self().isPresent());
    about = about("java");
    assertEquals("java", one.answer(active(3)).selfReport.self().get().kernel);
    one.answers.add(new IOException("thrown on purpose"));
    assertTrue(one.next().selfReport.self().isPresent(), "the NameNode may have started again");
    // A standby NameNode compares nodes, too.
    assertFalse(one.answer(HeartbeatResponse.inactive(3, POOL)).selfReport.self().isPresent());
  }

  @Test
  void aRepairIsStartedOnceAndReportedUntilItIsKnown() throws Exception {
    Namenode one = namenode("one", 10);
    one.next();
    RepairCommand command = command("r", 3);
    HeartbeatRequest after = one.answer(active(3), command);
    assertEquals("r", after.running.get(0).repairId);
    assertEquals(40, after.running.get(0).donePercent);
    assertEquals(3, after.newestTerm);
    one.answer(active(3), command, new CancelCommand("r", 3, "why"));
    assertEquals(1, repairs.started.size());
    assertEquals(Collections.singletonList("r why"), repairs.cancelled);
    repairs.end(command);
    HeartbeatRequest request = one.answer(active(3));
    assertTrue(request.running.isEmpty());
    assertEquals(RepairOutcome.REBUILT, request.results.get(0).outcome);
    assertEquals(1, one.answer(active(3)).results.size(),
        "the result is repeated until it is acknowledged");
    assertEquals(0, one.answer(active(3).addAcknowledged("r")).results.size());
    assertEquals(1, one.answer(active(3), command).results.size(),
        "the list is sent again on request");
    assertEquals(1, repairs.started.size());
  }

  /** A check is no repair: no heartbeat lists it, and its result says what it has found. */
  @Test
  void pressureOfTheActiveManager() throws Exception {
    Namenode one = namenode("one", 10);
    one.next();
    one.answer(active(3));
    one.answer(active(3).setPressurePercent(70).setLinkBytesPerS(25_000_000));
    one.answer(HeartbeatResponse.inactive(3, POOL).setPressurePercent(100)
        .setLinkBytesPerS(25_000_000));
    one.answer(active(2).setPressurePercent(40).setLinkBytesPerS(25_000_000));
    one.answer(active(3).setPressurePercent(100).setLinkBytesPerS(50_000_000));
    assertEquals(List.of("70 of 25000000", "100 of 50000000"), pressures,
        "an older term and an inactive manager say nothing");
  }

  /** A command of a kind that a second jar adds. */
  private static class Added implements ManagerCommand {
    private final String id;

    Added(String id) {
      this.id = id;
    }

    @Override
    public String kind() {
      return "added";
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public long term() {
      return 3;
    }
  }

  /** A command of a kind that has no executor. */
  private static final class Unbound extends Added {
    Unbound(String id) {
      super(id);
    }
  }

  /** Such a command is no repair either. A node without an executor of its kind refuses it. */
  @Test
  void commandsOfASecondJar() throws Exception {
    Namenode one = namenode("one", 10);
    assertEquals(CommandFeatures.VERSIONS,
        one.next().commandFeatures & CommandFeatures.VERSIONS);
    Added command = new Added("version-1");
    assertEquals(List.of(), one.answer(active(3), command).running);
    one.answer(active(3), command, new CancelCommand("version-1", 3, "why"));
    assertEquals(List.of(command), added.started);
    assertEquals(List.of("version-1 why"), added.cancelled);
    added.whenEnded.accept(new RepairResult("version-1", 3, RepairOutcome.REBUILT, List.of(0), 5,
        1).withVersion(new VersionReport(5, 0, 0, 0, 0)));
    assertEquals(5, one.answer(active(3)).results.get(0).version.linkedBytes);
    assertEquals(5, one.answer(active(3)).results.get(0).version.linkedBytes,
        "the result is repeated until it is acknowledged");
    assertEquals(0, one.answer(active(3).addAcknowledged("version-1")).results.size());
    MetricsAsserts.assertCounter("CommandsForVersions", 1L, record());
    MetricsAsserts.assertCounter("CommandsRebuilt", 0L, record());

    one.answer(active(3), new Unbound("version-2"));
    RepairResult refused = one.answer(active(3)).results.get(0);
    assertEquals(RepairOutcome.REFUSED, refused.outcome);
    assertEquals(FailureCause.UNSUPPORTED, refused.cause);
  }

  @Test
  void aCheckOfAGroup() throws Exception {
    Namenode one = namenode("one", 10);
    assertEquals(CommandFeatures.SCRUB, one.next().commandFeatures & CommandFeatures.SCRUB);
    ScrubCommand command = new ScrubCommand("check", 3, ScrubCommand.of(
        new GroupId(POOL, -16, 1001), 2 << 20).setCodec("rs").setDataUnits(2).setParityUnits(1)
        .setCellBytes(1 << 20).setBytesPerS(1 << 20).setDeadlineMs(1000),
        List.of(new UnitHolder(0, SELF), new UnitHolder(2, OTHER)));
    assertEquals(List.of(), one.answer(active(3), command).running);
    one.answer(active(3), command, new CancelCommand("check", 3, "why"));
    assertEquals(List.of(command), checks.started);
    assertEquals(List.of("check why"), checks.cancelled);
    checks.whenEnded.accept(RepairResult.ofScrub("check", 3, new ScrubFinding(
        ScrubOutcome.NOT_CHECKED, ScrubFinding.NO_UNIT, List.of(), 0), "cancelled: why", 1));
    HeartbeatRequest request = one.answer(active(3));
    assertEquals(ScrubOutcome.NOT_CHECKED, request.results.get(0).scrub.outcome);
    assertEquals(0, one.answer(active(3).addAcknowledged("check")).results.size());
    MetricsAsserts.assertCounter("CommandsChecked", 1L, record());
    MetricsAsserts.assertCounter("CommandsFailed", 0L, record());
  }

  /**
   * The new active NameNode learns which repairs the old one ordered. The DataNode no longer obeys
   * the old one.
   */
  @Test
  void failover() throws Exception {
    Namenode one = namenode("one", 10);
    Namenode two = namenode("two", 10);
    one.next();
    two.next();
    RepairCommand command = command("r", 3);
    one.answer(active(3), command);
    repairs.end(command);
    assertEquals(0, two.answer(HeartbeatResponse.inactive(3, POOL)).results.size());
    assertEquals(1, two.answer(active(4)).results.size());
    HeartbeatRequest left = one.answer(active(3), command("old", 3),
        new CancelCommand("r", 3, "old"));
    assertEquals(4, left.newestTerm);
    assertEquals(1, repairs.started.size(), "the old NameNode is not obeyed");
    RepairResult stale = left.results.get(left.results.size() - 1);
    assertEquals("old", stale.repairId);
    assertEquals(RepairOutcome.STALE, stale.outcome);
  }

  /**
   * The NameNode's metadata was rolled back. It learns of the DataNode's newer term, and chooses a
   * larger one.
   */
  @Test
  void anOlderTermIsObeyedAgainOnceItHasGrown() throws Exception {
    Namenode one = namenode("one", 10);
    one.next();
    assertEquals(7, one.answer(active(7)).newestTerm);
    HeartbeatRequest stale = one.answer(active(3), command("old", 3));
    assertEquals(RepairOutcome.STALE, stale.results.get(0).outcome);
    assertEquals(7, stale.newestTerm);
    RepairCommand command = command("new", 8);
    assertEquals("new", one.answer(active(8), command).running.get(0).repairId);
    assertEquals(Collections.singletonList(command), repairs.started);
  }

  /** The DataNode can read this kind of command, but has no executor for it. */
  @Test
  void aCommandThatIsNotCarriedOutIsRefusedByName() throws Exception {
    Namenode one = namenode("one", 10);
    one.next();
    RepairCommand command = command("r", 3);
    ManagerCommand unknown = new ManagerCommand() {
      @Override
      public String kind() {
        return "patch";
      }

      @Override
      public String id() {
        return "p";
      }

      @Override
      public long term() {
        return 3;
      }
    };
    HeartbeatRequest request = one.answer(active(3), unknown, command);
    assertEquals("r", request.running.get(0).repairId, "the other commands are carried out");
    RepairResult refused = request.results.get(0);
    assertEquals("p", refused.repairId);
    assertEquals(RepairOutcome.REFUSED, refused.outcome);
    assertEquals(FailureCause.UNSUPPORTED, refused.cause);
    assertTrue(refused.message.contains("'patch'"), refused.message);
  }

  @Test
  void statesAreCounted() throws Exception {
    Namenode one = namenode("one", 10);
    one.next();
    one.answer(active(1));
    MetricsAsserts.assertGauge("ManagersActive", 1, record());
    one.answers.add(new IOException("gone"));
    one.next();
    MetricsAsserts.assertGauge("ManagersAnswering", 0, record());
    MetricsAsserts.assertCounter("HeartbeatsFailed", 1L, record());
    one.answer(HeartbeatResponse.inactive(1, POOL));
    MetricsAsserts.assertGauge("ManagersAnswering", 1, record());
    MetricsAsserts.assertGauge("ManagersActive", 0, record());
  }

  /** The active NameNode learns of a read once, across a failed heartbeat and a failover. */
  @Test
  void degradedReadsAreReported() throws Exception {
    Namenode one = namenode("one", 10);
    Namenode two = namenode("two", 10);
    one.next();
    two.next();
    reads.served(new GroupId(POOL, -32, 1001));
    List<ReadGroup> served = Collections.singletonList(new ReadGroup(-32, 1001));
    assertEquals(served, one.answer(active(3)).readDegraded);
    assertEquals(0, two.answer(HeartbeatResponse.inactive(3, POOL)).readDegraded.size());
    one.answers.add(new IOException("gone"));
    one.next();
    assertEquals(served, one.answer(active(3)).readDegraded);
    assertEquals(0, one.answer(active(3)).readDegraded.size());
    assertEquals(0, one.answer(active(3)).readDegraded.size());
    assertEquals(served, two.answer(active(4)).readDegraded);
    assertEquals(0, two.answer(active(4)).readDegraded.size());
  }

  /** The interval is longer than the test: only the result can cause the next heartbeat. */
  @Test
  void aResultDoesNotWait() throws Exception {
    Namenode one = namenode("one", 10_000_000);
    one.next();
    RepairCommand command = command("r", 1);
    one.answers.add(new HeartbeatResponse(active(1), command));
    while (repairs.started.isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    repairs.end(command);
    assertEquals(1, one.next().results.size());
  }

  /** Without the wait, the order would come an hour later. */
  @Test
  void anOrderIsFetchedWhenItComes() throws Exception {
    Namenode namenode = namenode("nn1", TimeUnit.HOURS.toMillis(1));
    namenode.next();
    namenode.answers.add(new HeartbeatResponse(HeartbeatResponse.active(1, POOL)
        .setOrderWaitMs(WAIT_MS)));
    assertEquals("self", namenode.waits.take());
    namenode.waitAnswers.add(true);
    namenode.next();
    namenode.answers.add(
        new HeartbeatResponse(HeartbeatResponse.active(1, POOL).setOrderWaitMs(WAIT_MS),
        command("one", 1)));
    assertEquals("self", namenode.waits.take(), "it waits for the next order");
    // There are no orders: no heartbeat follows, and the node waits again, as after a failed call.
    namenode.waitAnswers.add(false);
    assertEquals("self", namenode.waits.take());
    assertNull(namenode.asked.poll());
    namenode.waitAnswers.add(new IOException("the connection is gone"));
    assertEquals("self", namenode.waits.take());
    assertNull(namenode.asked.poll());
    namenode.waitAnswers.add(true);
    namenode.next();
    assertEquals(1, repairs.started.size());
    assertTrue(namenode.asked.isEmpty());
  }

  @Test
  void onlyActiveManagersThatTakeWaitsAreAsked() throws Exception {
    Namenode older = namenode("older", 10);
    Namenode standby = namenode("standby", 10);
    HeartbeatResponseProto.Builder ofOlder = HeartbeatResponse.active(1, POOL);
    HeartbeatResponseProto.Builder ofStandby = HeartbeatResponse.inactive(1, POOL)
        .setOrderWaitMs(WAIT_MS);
    older.next();
    standby.next();
    older.answer(ofOlder);
    standby.answer(ofStandby);
    assertEquals(0, links.get(0).orderWaitMs());
    assertEquals(0, links.get(1).orderWaitMs());
    older.answer(HeartbeatResponse.active(1, POOL).setOrderWaitMs(WAIT_MS));
    assertEquals(WAIT_MS, links.get(0).orderWaitMs(), "the NameNode was upgraded");
    older.answers.add(new IOException("the NameNode stops"));
    older.next();
    assertEquals(0, links.get(0).orderWaitMs());
  }
}
