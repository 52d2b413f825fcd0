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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.update.TicketKeeper.WriterFence;
import org.hdfsppr.namenode.update.TicketParts.TermRate;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.FileIdentity;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which tickets units get, with a namespace in memory and nodes that answer as the test says. */
class TestTicketKeeper {
  private static final GroupId GROUP = new GroupId("BP-1", -1600, 1001);
  private static final GroupPolicy POLICY = new GroupPolicy("rs", 3, 2, 1024);
  private static final long FILE = 77;

  private final Map<String, NodeRef> live = new LinkedHashMap<>();
  private final Map<String, LogPosition> positions = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  /** The nodes that do not understand sealed tickets. */
  private final Set<String> old = new HashSet<>();
  private boolean areKnown = true;
  private MemoryNamespace namespace;
  private TicketKeeper keeper;
  private int uuids;
  private int questionsAsked;
  private final AtomicLong nowMs = new AtomicLong(1_000_000);

  private final LogNodes nodes = new LogNodes() {
    @Override
    public Optional<NodeRef> live(String uuid) {
      return Optional.ofNullable(live.get(uuid));
    }

    @Override
    public List<NodeRef> live() {
      return List.copyOf(live.values());
    }

    @Override
    public boolean knowsSealed(String uuid) {
      return !old.contains(uuid);
    }

    @Override
    public boolean areKnown() {
      return areKnown;
    }
  };

  private final LogQuestions questions = new LogQuestions() {
    @Override
    public List<Map<String, LogPosition>> positions(List<Question> all) {
      questionsAsked++;
      List<Map<String, LogPosition>> answers = new ArrayList<>();
      for (Question question : all) {
        Map<String, LogPosition> ofUnit = new HashMap<>();
        for (NodeRef node : question.nodes) {
          asked.add(node.uuid);
          if (positions.containsKey(node.uuid)) {
            ofUnit.put(node.uuid, positions.get(node.uuid));
          }
        }
        answers.add(ofUnit);
      }
      return answers;
    }

    @Override
    public boolean begin(SignedTicket ticket) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void drop(SignedTicket ticket, NodeRef node, Consumer<String> done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int orders() {
      return 0;
    }
  };

  @BeforeEach
  void makeNodes() {
    for (int i = 0; i < 6; i++) {
      live.put("n" + i, new NodeRef("n" + i, "127.0.0.1", "localhost", 1, 2, "/rack" + i / 2));
    }
    namespace = new MemoryNamespace();
    keeper = keeper(1);
    settle();
  }

  /** Lets the time pass in which readers may know that a unit has no log. */
  private void settle() {
    for (int i = 0; i < 6; i++) {
      nowMs.addAndGet(NoLogLeases.LEASE_MS / 3);
      keeper.step();
    }
  }

  private TicketKeeper keeper(int replicas) {
    return keeper(replicas, "cau");
  }

  private TicketKeeper keeper(int replicas, String strategy) {
    Configuration conf = new Configuration(false);
    conf.set(PprKeys.NAMENODE_COMMIT_STRATEGY_KEY, strategy);
    conf.setInt(PprKeys.NAMENODE_UPDATE_REPLICAS_KEY, replicas);
    return new TicketKeeper(new TicketParts(TicketSettings.of(conf),
        namespace, namespace, nodes, questions, nowMs::get),
        () -> new UUID(5, ++uuids), nowMs::get);
  }

  /** Unit i is at node i; the group has {@code bytes} bytes. */
  private UpdatableFile file(long bytes, int... lost) {
    return file(bytes, null, lost);
  }

  private UpdatableFile file(long bytes, String strategy, int... lost) {
    Map<Integer, List<String>> places = new HashMap<>();
    for (int i = 0; i < 5; i++) {
      places.put(i, List.of("n" + i));
    }
    for (int unit : lost) {
      places.remove(unit);
    }
    return new UpdatableFile.Builder("/dir/file", FILE).updatable(true).policy(POLICY)
        .strategy(strategy).tag(namespace.value(FILE, UpdateTag.XATTR))
        .group(GROUP, 4, bytes, places).build();
  }

  private Map<Integer, TicketDecision> grant(UpdatableFile file, boolean isWrite,
      Map<Integer, Long> failed) throws IOException {
    return grant(file, isWrite, failed, true);
  }

  private Map<Integer, TicketDecision> grant(UpdatableFile file, boolean isWrite,
      Map<Integer, Long> failed, boolean mayChange) throws IOException {
    return keeper.grant(file, new TicketRequest("/dir/file", GROUP, isWrite, failed), mayChange)
        .stream()
        .collect(Collectors.toMap(given -> given.unit, given -> given));
  }

  private UpdateTicket ticket(int unit, Map<Integer, Long> failed) throws IOException {
    return grant(file(9_000), true, failed).get(unit).ticket().orElseThrow();
  }

  /** Returns the ticket of the only unit of a short file. */
  private UpdateTicket only(Map<Integer, Long> failed) throws IOException {
    return grant(file(10), true, failed).get(0).ticket().orElseThrow();
  }

  private static List<String> holders(UpdateTicket ticket) {
    return ticket.holders.stream().map(ref -> ref.uuid).collect(Collectors.toList());
  }

  @Test
  void theNodeOfAUnitLeadsAndAParityNodeInAnotherRackFollows() throws IOException {
    Map<Integer, TicketDecision> given = grant(file(9_000), true, Map.of());
    assertEquals(3, given.size());
    UpdateTicket first = given.get(0).ticket().orElseThrow();
    assertEquals(List.of("n0", "n3"), holders(first));
    assertEquals(List.of("n2", "n4"), holders(given.get(2).ticket().orElseThrow()));
    assertEquals(0, first.previousTerm);
    assertEquals(1, first.epoch);
    assertEquals(4, first.unit.group);
    assertEquals(GROUP.block(0, 3_072), first.block);
    assertEquals(3, given.values().stream().map(one -> one.ticket().orElseThrow().term)
        .distinct().count());
    assertEquals(List.of(), asked);
  }

  /** The leader shows the ticket to all followers, so that one old holder decides. */
  @Test
  void ticketsAreSealedUnlessAHolderIsTooOld() throws IOException {
    assertTrue(ticket(0, Map.of()).sealed);
    old.add("n3");
    assertFalse(ticket(0, Map.of()).sealed);
    assertFalse(grant(file(9_000), false, Map.of()).get(0).ticket().orElseThrow().sealed);
    assertTrue(ticket(2, Map.of()).sealed);
    old.clear();
    assertTrue(grant(file(9_000), false, Map.of()).get(0).ticket().orElseThrow().sealed);
  }

  /** The default: as many losses at once as the code bears, but no more than two. */
  @Test
  void twoFollowUnlessTheCodeBearsOneLoss() throws IOException {
    keeper = keeper(PprKeys.NAMENODE_UPDATE_REPLICAS_DEFAULT);
    settle();
    assertEquals(List.of("n0", "n3", "n4"), holders(ticket(0, Map.of())));
    TicketSettings settings = TicketSettings.of(new Configuration(false));
    assertEquals(1, settings.replicas(1));
    assertEquals(2, settings.replicas(2));
    assertEquals(2, settings.replicas(4));
    assertEquals(1, settings.replicasLeast());
  }

  @Test
  void oneFollowsWhereThereIsNoThirdNode() throws IOException {
    keeper = keeper(PprKeys.NAMENODE_UPDATE_REPLICAS_DEFAULT);
    settle();
    NodeRef third = live.get("n4");
    live.keySet().retainAll(Set.of("n0", "n3"));
    UpdateTicket first = ticket(0, Map.of());
    assertEquals(List.of("n0", "n3"), holders(first));
    assertEquals(first.term, ticket(0, Map.of()).term);
    // A third one takes part as soon as it is there.
    live.put("n4", third);
    for (String node : List.of("n0", "n3")) {
      positions.put(node, new LogPosition(first.term, 5, 1, true));
    }
    UpdateTicket later = ticket(0, Map.of());
    assertEquals(List.of("n0", "n3", "n4"), holders(later));
    assertTrue(later.term > first.term);
    live.keySet().retainAll(Set.of("n0"));
    assertTrue(grant(file(9_000), true, Map.of()).get(0).ticket().isEmpty());
  }

  /** Copies get the attributes of the copied file with some tools. */
  @Test
  void aCopyWithTheTagOfItsOriginalIsReadWithoutUpdates() throws IOException {
    ticket(0, Map.of());
    byte[] tag = namespace.value(FILE, UpdateTag.XATTR);
    namespace.set(FILE, UpdateTag.XATTR,
        new UpdateTag(UpdateTag.parse(tag, "/dir/file").file, FILE + 1, 0).toBytes());
    TicketDecision given = grant(file(9_000), false, Map.of()).get(0);
    assertTrue(given.ticket().isEmpty() && given.refusal().isEmpty() && given.later().isEmpty());
    assertTrue(given.validMs > 0);
    assertTrue(assertThrows(UpdateRefusedException.class,
        () -> grant(file(9_000), true, Map.of())).getMessage().contains("-setfattr -x"));
  }

  @Test
  void allParityNodesFollowUnderParix() throws IOException {
    Map<Integer, TicketDecision> given = grant(file(9_000, "parix"), true, Map.of());
    UpdateTicket first = given.get(0).ticket().orElseThrow();
    assertEquals(List.of("n0", "n3", "n4"), holders(first));
    assertTrue(first.hasOldBytes());
    assertEquals(List.of("n2", "n3", "n4"), holders(given.get(2).ticket().orElseThrow()));
    // Another strategy has other holders from the next term on.
    UpdateTicket other = ticket(0, Map.of());
    assertEquals(first.term, other.term);
    assertFalse(other.hasOldBytes());
    for (String node : List.of("n0", "n3", "n4")) {
      positions.put(node, new LogPosition(first.term, 0, 1, true));
    }
    UpdateTicket later = ticket(0, Map.of(0, first.term));
    assertEquals(2, later.holders.size());
    assertEquals("n0", later.leader().uuid);
  }

  @Test
  void allParityNodesFollowUnderBaseline() throws IOException {
    UpdateTicket first =
        grant(file(9_000, "baseline"), true, Map.of()).get(0).ticket().orElseThrow();
    assertEquals(List.of("n0", "n3", "n4"), holders(first));
    assertTrue(first.hasDeltas());
    assertFalse(first.hasOldBytes());
    assertFalse(grant(file(9_000, "parix"), true, Map.of()).get(0).ticket().orElseThrow()
        .hasDeltas());
  }

  /** Both parity units are in racks of their own, so that the rack of the first one counts. */
  @Test
  void oneParityNodeFollowsInAllLogsUnderDeltaLog() throws IOException {
    Map<Integer, TicketDecision> given = grant(file(9_000, "delta-log"), true, Map.of());
    for (int unit = 0; unit < 3; unit++) {
      UpdateTicket ticket = given.get(unit).ticket().orElseThrow();
      // The node of unit 2 is in the same rack, and the next rack with a parity unit has its log.
      assertEquals(List.of("n" + unit, unit == 2 ? "n4" : "n3"), holders(ticket));
      assertTrue(ticket.hasDeltas());
      assertFalse(ticket.hasOldBytes());
    }
    // It holds the log by another strategy, and stays in it.
    assertEquals(List.of("n0", "n3"), holders(
        grant(file(9_000, "cau"), true, Map.of()).get(0).ticket().orElseThrow()));
  }

  @Test
  void theSettingMayBeParix() throws IOException {
    keeper = keeper(1, "parix");
    settle();
    UpdateTicket first = ticket(0, Map.of());
    assertEquals(List.of("n0", "n3", "n4"), holders(first));
    assertTrue(first.hasOldBytes());
    // A directory that names a strategy comes first.
    assertFalse(grant(file(9_000, "cau"), true, Map.of()).get(0).ticket().orElseThrow()
        .hasOldBytes());
  }

  /** A parity node without a log does not follow, and others make up for it. */
  @Test
  void parityNodesThatKeepNoLogDoNotFollow() throws IOException {
    live.remove("n3");
    live.remove("n4");
    UpdateTicket first =
        grant(file(9_000, "parix"), true, Map.of()).get(0).ticket().orElseThrow();
    assertEquals(2, first.holders.size());
    assertEquals("n0", first.leader().uuid);
  }

  @Test
  void aUnitWithoutBytesGetsNothing() throws IOException {
    assertEquals(1, grant(file(10), true, Map.of()).size());
  }

  @Test
  void termsSurviveTheKeeper() throws IOException {
    UpdateTicket before = ticket(0, Map.of());
    keeper = keeper(1);
    settle();
    UpdateTicket after = ticket(0, Map.of());
    assertEquals(before.term, after.term);
    assertEquals(before.unit, after.unit);
    assertEquals(holders(before), holders(after));
  }

  @Test
  void afterAFailureTheHistoryGoesOnInALaterTerm() throws IOException {
    UpdateTicket before = ticket(0, Map.of());
    live.remove("n0");
    positions.put("n3", new LogPosition(before.term, 9, 1, true));
    UpdateTicket after = ticket(0, Map.of());
    assertEquals("n3", after.leader().uuid);
    assertEquals(before.term, after.previousTerm);
    assertTrue(after.term > ticket(2, Map.of()).term);
    assertNotEquals("/rack1", after.followers().get(0).rack);
    // The old leader comes back, and the term stays.
    live.put("n0", new NodeRef("n0", "127.0.0.1", "localhost", 1, 2, "/rack0"));
    assertEquals(after.term, ticket(0, Map.of(0, before.term)).term);
    positions.clear();
    positions.put("n3", new LogPosition(before.term, 9, 1, true));
    UpdateTicket third = ticket(0, Map.of(0, after.term));
    assertEquals(before.term, third.previousTerm, "no holder had begun the second term");
  }

  @Test
  void aLeaderThatDiesBeforeItsTermBeginsIsFollowedByAnother() throws IOException {
    UpdateTicket first = only(Map.of());
    positions.put("n0", new LogPosition(first.term, 9, 1, true));
    positions.put("n3", new LogPosition(first.term, 9, 1, true));
    UpdateTicket second = only(Map.of(0, first.term));
    assertEquals("n0", second.leader().uuid);
    // The leader never gets the second ticket, and does not come back.
    live.remove("n0");
    positions.remove("n0");
    keeper = keeper(1);
    settle();
    UpdateTicket third = only(Map.of());
    assertEquals("n3", third.leader().uuid);
    assertEquals(first.term, third.previousTerm);
    // The same may happen again, and the node that has come meanwhile has never held the log.
    live.remove("n3");
    positions.remove("n3");
    positions.put(holders(third).get(1), LogPosition.NOTHING);
    assertTrue(grant(file(10), true, Map.of()).get(0).later().isPresent());
  }

  private UpdateTicket underDeltaLog(Map<Integer, Long> failed) throws IOException {
    return grant(file(10, "delta-log"), true, failed).get(0).ticket().orElseThrow();
  }

  /** A strategy may want other followers, and the leader may be the only one that stays. */
  @Test
  void aLeaderThatDiesAfterItsFollowersWereReplacedIsFollowedByOneOfThem() throws IOException {
    NodeRef parity = live.remove("n3");
    UpdateTicket first = only(Map.of());
    assertEquals(List.of("n0", "n4"), holders(first));
    live.put("n3", parity);
    positions.put("n0", new LogPosition(first.term, 9, 1, true));
    positions.put("n4", new LogPosition(first.term, 9, 1, true));
    UpdateTicket second = underDeltaLog(Map.of(0, first.term));
    assertEquals(List.of("n0", "n3", "n4"), holders(second));
    live.remove("n0");
    positions.remove("n0");
    positions.put("n3", LogPosition.NOTHING);
    UpdateTicket third = underDeltaLog(Map.of());
    assertEquals("n4", third.leader().uuid);
    assertEquals(first.term, third.previousTerm);
    // The holder that was kept goes when there are others.
    positions.put("n3", new LogPosition(third.term, 9, 1, true));
    positions.put("n4", new LogPosition(third.term, 9, 1, true));
    assertEquals(2, underDeltaLog(Map.of(0, third.term)).holders.size());
  }

  @Test
  void theHoldersOfAllUnitsAreAskedAtTheSameTime() throws IOException {
    Map<Integer, TicketDecision> before = grant(file(9_000), true, Map.of());
    Map<Integer, Long> failed = new HashMap<>();
    before.forEach((unit, given) -> failed.put(unit, given.ticket().orElseThrow().term));
    positions.put("n0", new LogPosition(failed.get(0), 1, 1, true));
    positions.put("n2", new LogPosition(failed.get(2), 1, 1, true));
    Map<Integer, TicketDecision> after = grant(file(9_000), true, failed);
    assertEquals(1, questionsAsked);
    assertTrue(after.get(0).ticket().orElseThrow().term > failed.get(2));
    assertTrue(after.get(1).later().isPresent(), "its holders do not answer");
    assertTrue(after.get(2).ticket().orElseThrow().term > failed.get(2));
  }

  @Test
  void aHolderThatCouldNotTakeTheHistoryIsNotChosenAgain() throws IOException {
    UpdateTicket first = only(Map.of());
    live.remove("n3");
    positions.put("n0", new LogPosition(first.term, 9, 1, true));
    UpdateTicket second = only(Map.of());
    String full = holders(second).get(1);
    positions.put("n0", new LogPosition(second.term, 9, 1, true));
    positions.put(full, new LogPosition(second.term, 4, 1, false));
    UpdateTicket third = only(Map.of(0, second.term));
    assertEquals("n0", third.leader().uuid);
    assertEquals(second.term, third.previousTerm);
    assertFalse(holders(third).contains(full), third.holders.toString());
    // If there is no other, it is better than none.
    live.keySet().retainAll(holders(third));
    live.put(full, new NodeRef(full, "127.0.0.1", "localhost", 1, 2, "/rack9"));
    live.remove(holders(third).get(1));
    positions.put("n0", new LogPosition(third.term, 9, 1, true));
    assertEquals(List.of("n0", full), holders(only(Map.of(0, third.term))));
  }

  @Test
  void aUnitWhoseHoldersAreGoneIsPutOffAndTheOthersAreNot() throws IOException {
    UpdateTicket before = ticket(0, Map.of());
    live.remove("n0");
    Map<Integer, TicketDecision> silent = grant(file(9_000), false, Map.of());
    assertTrue(silent.get(0).later().orElseThrow().contains("not all of them answer"));
    assertTrue(silent.get(2).ticket().isPresent(), "n2 and n4 are there");
    NodeRef other = live.remove("n3");
    positions.put("n1", LogPosition.NOTHING);
    Map<Integer, TicketDecision> given = grant(file(9_000), false, Map.of());
    assertTrue(given.get(0).later().orElseThrow().contains("n0, n3"), "they may come back");
    assertTrue(given.get(2).ticket().isPresent());
    live.put("n3", other);
    positions.put("n3", new LogPosition(before.term, 9, 1, true));
    assertTrue(grant(file(9_000), false, Map.of()).get(0).ticket().isPresent());
  }

  @Test
  void theWordOfCallersBeginsTermsAtABoundedRate() throws IOException {
    UpdateTicket last = only(Map.of());
    positions.put("n0", new LogPosition(last.term, 9, 1, true));
    for (int i = 0; i < TermRate.BURST; i++) {
      UpdateTicket next = only(Map.of(0, last.term));
      assertTrue(next.term > last.term);
      positions.put("n0", new LogPosition(next.term, 9, 1, true));
      last = next;
    }
    assertEquals(last.term, only(Map.of(0, last.term)).term, "too often");
    assertEquals(last.term, grant(file(10), false, Map.of(0, last.term)).get(0).ticket()
        .orElseThrow().term);
    nowMs.addAndGet(TermRate.REFILL_MS);
    assertTrue(only(Map.of(0, last.term)).term > last.term);
    // What the NameNode sees itself is not bounded.
    last = only(Map.of());
    live.remove(holders(last).get(1));
    positions.put("n0", new LogPosition(last.term, 9, 1, true));
    assertTrue(only(Map.of()).term > last.term);
  }

  @Test
  void aTermThatWasNeverGivenCannotHaveFailed() throws IOException {
    long term = only(Map.of()).term;
    for (long wrong : new long[] {term + 1, Long.MAX_VALUE}) {
      assertTrue(grant(file(10), true, Map.of(0, wrong)).get(0).refusal().orElseThrow()
          .contains("was never given"));
    }
    assertEquals(term, only(Map.of()).term);
  }

  @Test
  void aNodeThatIsNotHeardYetIsNotDead() throws IOException {
    ticket(0, Map.of());
    live.remove("n0");
    areKnown = false;
    Map<Integer, TicketDecision> given = grant(file(9_000), true, Map.of());
    assertTrue(given.get(0).later().orElseThrow().contains("has not heard of all"));
    assertTrue(given.get(1).ticket().isPresent());
    live.clear();
    namespace = new MemoryNamespace();
    keeper = keeper(1);
    settle();
    assertTrue(grant(file(9_000), true, Map.of()).get(0).later().isPresent());
  }

  private static void assertNoLog(TicketDecision given, int validMs) {
    assertFalse(given.ticket().isPresent() || given.refusal().isPresent()
        || given.later().isPresent());
    assertEquals(validMs, given.validMs);
  }

  @Test
  void readersOfAFileThatWasNeverWrittenLeaveNothingBehind() throws IOException {
    for (TicketDecision given : grant(file(9_000), false, Map.of()).values()) {
      assertNoLog(given, NoLogLeases.LEASE_MS);
    }
    assertEquals(0, namespace.attributes());
    // The first writer waits until no reader relies on that.
    for (TicketDecision given : grant(file(9_000), true, Map.of()).values()) {
      assertTrue(given.later().orElseThrow().contains("Readers"));
    }
    assertEquals(0, namespace.attributes());
    settle();
    assertTrue(grant(file(9_000), true, Map.of()).get(0).ticket().isPresent());
    assertTrue(grant(file(9_000), false, Map.of()).get(0).ticket().isPresent());
  }

  @Test
  void aReaderThatLookedBeforeTheFirstWriterLearnsOfIt() throws IOException {
    UpdatableFile before = file(9_000);
    ticket(0, Map.of());
    assertTrue(grant(before, false, Map.of()).get(0).ticket().isPresent());
  }

  @Test
  void aLostUnitThatNothingDecodesHasNoLog() throws IOException {
    ticket(0, Map.of());
    namespace = new MemoryNamespace();
    keeper = keeper(1);
    settle();
    // Two of five units are left, and the code needs three.
    UpdatableFile broken = file(9_000, 1, 3, 4);
    assertTrue(grant(broken, true, Map.of()).get(0).ticket().isPresent());
    Map<Integer, TicketDecision> reader = grant(broken, false, Map.of());
    assertNoLog(reader.get(1), NoLogLeases.LEASE_MS);
    assertTrue(reader.get(0).ticket().isPresent());
    settle();
    // A NameNode that has just started may not have heard of the unit.
    areKnown = false;
    assertTrue(grant(broken, true, Map.of()).get(1).later().isPresent());
    areKnown = true;
    assertTrue(grant(broken, true, Map.of()).get(1).refusal().orElseThrow().contains("is lost"));
    assertTrue(grant(file(9_000), true, Map.of()).get(1).ticket().isPresent());
  }

  @Test
  void anotherNodeLeadsAUnitThatIsLostAtItsFirstUpdate() throws IOException {
    areKnown = false;
    assertTrue(grant(file(9_000, 1, 3), true, Map.of()).get(1).later().isPresent());
    areKnown = true;
    UpdateTicket elsewhere = grant(file(9_000, 1, 3), true, Map.of()).get(1).ticket().orElseThrow();
    assertNotEquals("n1", elsewhere.leader().uuid);
    assertEquals(elsewhere.term, grant(file(9_000), true, Map.of()).get(1).ticket().orElseThrow()
        .term);
  }

  @Test
  void aShortGroupNeedsAsManyUnitsAsItHasDataUnits() throws IOException {
    // One data unit has bytes, and either parity unit has the same.
    assertTrue(grant(file(10, 0, 3), true, Map.of()).get(0).ticket().isPresent());
  }

  @Test
  void tooFewNodesAreTooFewForWritersOnly() throws IOException {
    live.keySet().retainAll(List.of("n0"));
    assertTrue(grant(file(9_000), true, Map.of()).get(0).refusal().orElseThrow()
        .contains("dfs.datanode.ppr.update.log.dir"));
    assertFalse(grant(file(9_000), false, Map.of()).get(0).refusal().isPresent());
    makeNodes();
    UpdateTicket before = ticket(0, Map.of());
    live.keySet().retainAll(List.of("n3"));
    positions.put("n3", new LogPosition(before.term, 9, 1, true));
    assertTrue(grant(file(9_000), false, Map.of()).get(0).ticket().isPresent());
    assertTrue(grant(file(9_000), true, Map.of()).get(0).refusal().isPresent());
    long thin = grant(file(9_000), false, Map.of()).get(0).ticket().orElseThrow().term;
    assertEquals(thin, grant(file(9_000), false, Map.of()).get(0).ticket().orElseThrow().term);
  }

  @Test
  void anotherNameNodeThatGivesTermsMeanwhileIsNoticed() throws IOException {
    TicketKeeper other = keeper(1);
    for (int i = 0; i < 6; i++) {
      nowMs.addAndGet(NoLogLeases.LEASE_MS / 3);
      keeper.step();
      other.step();
    }
    UpdatableFile file = file(9_000);
    namespace.beforeTheNextChange(() -> namespace.set(FILE, UpdateTag.XATTR,
        new UpdateTag(new UUID(9, 9), FILE, 0).toBytes()));
    assertThrows(RetriableException.class, () ->
        keeper.grant(file, new TicketRequest("/dir/file", GROUP, true, Map.of()), true));
    UpdateTicket given = ticket(0, Map.of());
    assertEquals(new UUID(9, 9), given.unit.file);
    positions.put("n0", new LogPosition(given.term, 1, 1, true));
    namespace.beforeTheNextChange(() -> {
      try {
        other.grant(file(9_000), new TicketRequest("/dir/file", GROUP, true,
            Map.of(0, given.term)), true);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    assertThrows(RetriableException.class, () -> ticket(0, Map.of(0, given.term)));
    assertTrue(ticket(0, Map.of()).term > given.term);
  }

  @Test
  void aTagOfAnotherInodeIsRefused() throws IOException {
    namespace.set(FILE, UpdateTag.XATTR, new UpdateTag(new UUID(1, 1), FILE + 1, 0).toBytes());
    assertTrue(assertThrows(UpdateRefusedException.class, () -> ticket(0, Map.of()))
        .getMessage().contains("of another file"));
    namespace.set(FILE, UpdateTag.XATTR, new byte[] {7});
    assertThrows(UpdateRefusedException.class, () -> ticket(0, Map.of()));
  }

  @Test
  void aFileThatCannotBeUpdatedLeavesNothingBehind() throws IOException {
    UpdatableFile file = new UpdatableFile.Builder("/dir/file", FILE).policy(POLICY)
        .group(GROUP, 4, 9_000, Map.of(0, List.of("n0"))).build();
    assertEquals(3, grant(file, false, Map.of()).size());
    assertEquals(0, namespace.attributes());
  }

  @Test
  void readersGetTheTermsThatThereAreWhileNothingCanChange() throws IOException {
    grant(file(9_000), false, Map.of(), false).values().forEach(one ->
        assertNoLog(one, NoLogLeases.LEASE_MS));
    assertEquals(0, namespace.attributes());
    settle();
    // Two of five units are left, so that unit 1 gets no term.
    UpdateTicket before = grant(file(9_000, 1, 3, 4), true, Map.of()).get(0).ticket().orElseThrow();
    Map<Integer, TicketDecision> given = grant(file(9_000), false, Map.of(), false);
    assertEquals(before.term, given.get(0).ticket().orElseThrow().term);
    assertTrue(given.get(1).ticket().isEmpty() && given.get(1).refusal().isEmpty());
    live.remove("n0");
    assertTrue(grant(file(9_000), false, Map.of(), false).get(0).later().orElseThrow()
        .contains("safe mode"));
  }

  @Test
  void aRecordThatCannotBeReadIsAnError() throws IOException {
    ticket(0, Map.of());
    long record = namespace.find(new UUID(5, 1), 4).orElseThrow();
    byte[] whole = namespace.value(record, TermRecord.TERMS_XATTR);
    for (byte[] bad : List.of(new byte[0], new byte[] {9}, Arrays.copyOf(whole, 40),
        Arrays.copyOf(whole, whole.length + 1))) {
      namespace.set(record, TermRecord.TERMS_XATTR, bad);
      assertThrows(IOException.class, () -> ticket(0, Map.of()));
    }
  }

  private Map<Integer, TicketDecision> renew(UpdatableFile file, Map<Integer, Long> failed,
      long commit) throws IOException {
    return keeper.renew(file, failed, commit).stream()
        .collect(Collectors.toMap(given -> given.unit, given -> given));
  }

  private UpdateTicket ticket(TicketDecision given) {
    return given.ticket().orElseThrow();
  }

  @Test
  void termsThatBeginAfterACommitHaveItsSuccessorAsTheirEpoch() throws IOException {
    UpdatableFile file = file(3 * 1024);
    assertEquals(0, keeper.beginCommit(file), "no unit was ever given a term");
    assertEquals(1, ticket(grant(file, true, Map.of()).get(0)).epoch);
    file = file(3 * 1024);
    // The caller looks at the file as it was, also while a commit begins.
    UpdatableFile before = file;
    assertEquals(1, keeper.beginCommit(file));
    assertTrue(grant(before, true, Map.of()).get(0).later().isPresent());
    live.keySet().forEach(node -> positions.put(node, new LogPosition(
        ticketTerm(before, 0), 4, 1, true)));
    Map<Integer, TicketDecision> renewed = renew(file, Map.of(), 1);
    assertEquals(3, renewed.size());
    renewed.values().forEach(given -> assertEquals(2, ticket(given).epoch));
    // Once they have begun, nothing changes.
    assertEquals(ticket(renewed.get(1)).term,
        ticket(renew(file, Map.of(), 1).get(1)).term);
    long term = ticket(renewed.get(1)).term;
    assertTrue(ticket(renew(file, Map.of(1, term), 1).get(1)).term > term);
    assertTrue(keeper.endFence(UpdateTag.parse(file.tag, "/dir/file").file));
    assertEquals(2, ticket(grant(before, true, Map.of()).get(0)).epoch);
    assertEquals(2, keeper.beginCommit(file), "the first one has failed");
    assertEquals(3, keeper.commits(UpdateTag.parse(file.tag, "/dir/file")).next);
  }

  private long ticketTerm(UpdatableFile file, int unit) {
    try {
      return keeper.latest(file).stream().filter(ticket -> ticket.unit.unit == unit)
          .findFirst().orElseThrow().term;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTicketNamesTheCommitOfItsVersion() throws IOException {
    UpdatableFile file = file(3 * 1024);
    grant(file, true, Map.of());
    UpdateTag tag = UpdateTag.parse(namespace.value(FILE, UpdateTag.XATTR), "/dir/file");
    keeper.beginCommit(file(3 * 1024));
    keeper.endFence(tag.file);
    namespace.set(FILE, UpdateTag.XATTR, tag.committed(FILE, 1).toBytes());
    live.keySet().forEach(node -> positions.put(node, new LogPosition(1, 0, 1, true)));
    UpdateTicket ticket = ticket(grant(file(3 * 1024), false, Map.of()).get(0));
    assertEquals(1, ticket.committed);
    assertTrue(ticket.epoch > 1, "a term of a commit that is over does not go on");
  }

  private static FileIdentity named(UUID uuid, Long... inodes) {
    return FileIdentity.of(uuid, Set.of(inodes));
  }

  /** By this, a reader from before the first update finds the file again after commits. */
  @Test
  void readersHearWhichFileItIsThroughoutItsVersions() throws IOException {
    UpdatableFile file = file(3 * 1024);
    grant(file, false, Map.of()).values().forEach(given -> {
      assertNoLog(given, NoLogLeases.LEASE_MS);
      assertEquals(named(null, FILE), given.file);
    });
    settle();
    grant(file(10), true, Map.of()).values().forEach(given ->
        assertEquals(FileIdentity.UNKNOWN, given.file, "a writer's ticket says it"));
    UpdateTag tag = UpdateTag.parse(namespace.value(FILE, UpdateTag.XATTR), "/dir/file");
    Map<Integer, TicketDecision> updated = grant(file(3 * 1024), false, Map.of());
    assertTrue(updated.get(0).ticket().isPresent() && updated.get(1).ticket().isEmpty());
    updated.values().forEach(given -> assertEquals(named(tag.file, FILE), given.file));
    for (long commit = 1; commit <= 2; commit++) {
      long made = FILE + commit;
      UpdatableFile version = new UpdatableFile.Builder("/dir/file", made).updatable(true)
          .policy(POLICY).tag(tag.committed(made, commit).toBytes())
          .group(GROUP, 4, 3 * 1024, Map.of()).build();
      assertEquals(named(tag.file, FILE, made),
          grant(version, false, Map.of()).get(1).file);
    }
    // An earlier version of this software has made the record.
    namespace.change(List.of(new UpdateNamespace.Change(
        namespace.find(tag.file).orElseThrow(), FileRecords.FIRST_XATTR,
        namespace.value(namespace.find(tag.file).orElseThrow(), FileRecords.FIRST_XATTR),
        null)));
    UpdatableFile old = new UpdatableFile.Builder("/dir/file", FILE + 3).updatable(true)
        .policy(POLICY).tag(tag.committed(FILE + 3, 3).toBytes())
        .group(GROUP, 4, 3 * 1024, Map.of()).build();
    assertEquals(named(tag.file, FILE + 3), grant(old, false, Map.of()).get(1).file);
  }

  @Test
  void aFenceFallsByItself() throws IOException {
    UpdatableFile file = file(3 * 1024);
    grant(file, true, Map.of());
    keeper.beginCommit(file(3 * 1024));
    assertTrue(grant(file(3 * 1024), true, Map.of()).get(0).later().isPresent());
    nowMs.addAndGet(WriterFence.MS_MAX);
    settle();
    assertTrue(grant(file(3 * 1024), true, Map.of()).get(0).ticket().isPresent());
    assertFalse(keeper.endFence(UpdateTag.parse(file(0).tag, "/dir/file").file));
  }

  @Test
  void aCommitThatDoesNotBeginKeepsNoWriterWaiting() throws IOException {
    UpdatableFile file = file(3 * 1024);
    grant(file, true, Map.of());
    UUID uuid = UpdateTag.parse(namespace.value(FILE, UpdateTag.XATTR), "/dir/file").file;
    long directory = namespace.find(uuid).orElseThrow();
    namespace.beforeTheNextChange(() -> namespace.set(directory, CommitRecord.XATTR,
        new CommitRecord(7, 0).toBytes()));
    assertThrows(IOException.class, () -> keeper.beginCommit(file(3 * 1024)));
    assertTrue(grant(file(3 * 1024), true, Map.of()).get(0).later().isEmpty());
  }

  @Test
  void fencesOfCommitsThatWereGivenUpAreForgotten() {
    WriterFence fence = new WriterFence(nowMs::get);
    for (int i = 0; i < 10; i++) {
      fence.raise(new UUID(1, i));
      nowMs.addAndGet(WriterFence.MS_MAX);
    }
    assertEquals(1, fence.size());
  }
}
