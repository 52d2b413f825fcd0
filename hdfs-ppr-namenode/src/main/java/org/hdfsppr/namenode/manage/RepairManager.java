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
package org.hdfsppr.namenode.manage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.schedule.Admission;
import org.hdfsppr.namenode.schedule.Dispatcher;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.Proposal;
import org.hdfsppr.namenode.schedule.Refusal;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.schedule.Scheduler;
import org.hdfsppr.namenode.track.Concession;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.Repair;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules the repairs of the groups that the NameNode's queue has for it: takes note of what
 * changed, plans, enters what was planned into the NameNode's books, and orders it. One
 * {@link #cycle} after the other, by one thread; {@link #tell} may come from any.
 */
@InterfaceAudience.Private
final class RepairManager implements Operations {
  private static final Logger LOG = LoggerFactory.getLogger(RepairManager.class);
  /** Groups looked at per poll; each poll holds the NameNode's lock in short pieces. */
  private static final int POLL_GROUPS = 2_000;
  /** Polls per cycle, so that commands go out while a large queue is still being read. */
  private static final int POLLS_MAX = 10;
  /** Repairs that begin in one cycle: some tens of milliseconds of planning. */
  private static final int STARTS_MAX = 500;
  /** Results that wait for the next cycle; who sends more is asked to repeat them. */
  private static final int RESULTS_MAX = 100_000;
  /**
   * After it became active a NameNode listens for as long as DataNodes may wait between attempts to
   * reach it, to hear of repairs that another one ordered.
   */
  private static final long LISTEN_MS = 11_000;
  /** Two heartbeats; that is enough where all live nodes have been heard of. */
  private static final long LISTEN_MS_MIN = 2_500;
  /**
   * For so long after it became active a NameNode lets go on what DataNodes say that another one
   * has ordered. It cannot check that. Later such a group is repaired once more at worst.
   */
  private static final long OTHERS_TURN_MS = 300_000;
  /** How often the NameNode is asked for its nodes and policies; the list of nodes takes a lock. */
  private static final long LOOK_EVERY_MS = 1_000;
  /** Longer than cycles are apart: a pause of the whole process. */
  private static final long PAUSE_MS = 2_000;
  /** Repairs are taken over when so many of the nodes take part; a few would be overloaded. */
  private static final int AGENTS_ONE_IN = 3;
  /** Kept out at a time, of those that take part. */
  private static final int QUARANTINED_ONE_IN = 10;
  private static final int FAILED_CYCLES_MAX = 5;
  private static final long AGAIN_MS = 1_000;
  /**
   * Groups handed to stock in one cycle, which is some milliseconds of the NameNode's write lock,
   * in pieces; the others wait for the next one.
   */
  private static final int RELEASES_MAX = 512;
  /** Commands of superusers that wait for a cycle; Hadoop lets one in at a time. */
  private static final int COMMANDS_MAX = 16;
  /**
   * Repairs that are given up in the NameNode's books in one cycle, in pieces; the others wait for
   * the next one. When the network is cut all that are under way fail at once.
   */
  private static final int ABORTS_MAX = 2_000;
  /** How long stock may try what cannot be planned here, or has failed too often. */
  private static final long STOCKS_TURN_MS = 300_000;

  /** What a DataNode says of how a repair ended. */
  private static final class Told {
    private final String uuid;
    private final RepairResult result;

    Told(String uuid, RepairResult result) {
      this.uuid = uuid;
      this.result = result;
    }
  }

  private final ReconstructionQueue books;
  private final NameNodeView namenode;
  private final Agents agents;
  private final PolicyClaims claims;
  private final ManagerSettings settings;
  private final ManagerMetrics metrics;
  private final LongSupplier clockMs;
  private final RepairQueue queue = new RepairQueue();
  private final Fleet fleet;
  private final FleetKeeper keeper;
  private final Dispatcher dispatcher;
  private final GroupBook groups = new GroupBook();
  private final RepairTracker tracker;
  private final Doubts doubts;
  private final FaultyNodes faulty;
  private final DoubtKeeper keptDoubts;
  private final RetryPolicy retries;
  private final ConcurrentLinkedQueue<Told> results = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingResults = new AtomicInteger();
  private final BlockingQueue<Runnable> superusersCommands =
      new ArrayBlockingQueue<>(COMMANDS_MAX);
  private final LeavingShare leaving = new LeavingShare();
  /** Groups to be planned now for which nodes were left out because of their storages. */
  private final Set<GroupId> leftOut = new HashSet<>();
  /** The same, doubted ones, because the nodes do not know yet how those are to be repaired. */
  private final Set<GroupId> tooOldFor = new HashSet<>();
  /** Groups in doubt of which the only node that found it was left out as a destination. */
  private final Set<GroupId> withoutFinder = new HashSet<>();
  /** Groups to be planned now for which nodes were left out that stock avoids. */
  private final Set<GroupId> withoutAvoided = new HashSet<>();
  /** Nodes of which it has been said that they should be kept out, and are not. */
  private final Set<String> beyondCap = new HashSet<>();
  private final UnfitStorages unfit;
  /** Repairs that have failed and are still in the NameNode's books: as many as are in flight. */
  private final Deque<Grant> aborts = new ArrayDeque<>();
  private int abortsLeft;
  /** How many groups have been left to stock since that was last said, and one of them. */
  private int leftNow;
  private String leftExample;
  private final List<LostGroup> withoutPlan = new ArrayList<>();
  private final Map<GroupId, Refusal> refusals = new HashMap<>();
  private boolean active;
  private long term;
  private long lastCycleMs = Long.MIN_VALUE / 2;
  private long judgeSilenceFromMs;
  private long closedUntilMs = Long.MIN_VALUE;
  private int failedCycles;
  /** Whether any DataNode says of any group that clients read what is lost of it. */
  private boolean anyReadDegraded;
  private long activeSinceMs;
  /** Whether so many DataNodes take part, or did until a moment ago, that repairs are ours. */
  private boolean enoughAgents;
  private List<NameNodeView.LiveNode> nodes = Collections.emptyList();
  private Set<String> avoided = Collections.emptySet();
  private List<GroupPolicy> policies = Collections.emptyList();
  private long lookedMs = Long.MIN_VALUE / 2;
  private long keptAliveMs;
  /** DataNodes that take part, counted once in a cycle: that asks each of them. */
  private int participants;

  RepairManager(ReconstructionQueue books, NameNodeView namenode, Agents agents,
      PolicyClaims claims, Scheduler scheduler, ManagerSettings settings,
      ManagerMetrics metrics, LongSupplier clockMs) {
    this.books = books;
    this.namenode = namenode;
    this.agents = agents;
    this.claims = claims;
    this.settings = settings;
    this.metrics = metrics;
    this.clockMs = clockMs;
    this.fleet = new Fleet(scheduler.rank(), settings.crossRackBytesPerSecond());
    this.keeper = new FleetKeeper(fleet, NodeCapacity.ofLink(settings.linkBytesPerSecond()),
        agents);
    this.tracker = new RepairTracker(clockMs);
    this.doubts = new Doubts(groups, clockMs);
    this.faulty = new FaultyNodes(clockMs);
    this.keptDoubts = new DoubtKeeper(books, groups, doubts, faulty);
    this.retries = new RetryPolicy(groups, clockMs);
    this.unfit = new UnfitStorages(clockMs);
    this.dispatcher = new Dispatcher(queue, fleet, new TrustingScheduler(scheduler,
        group -> has(group, Concession.WITH_DISTRUSTED), keeper::trusting),
        new Admission(Admission.DEPTH_DEFAULT, 1), this::accepts, this::cannotPlan);
  }

  /** The repairs under way; its methods may be called from any thread. */
  RepairTracker tracker() {
    return tracker;
  }

  /**
   * Takes note of how a repair ended, for the next cycle.
   *
   * @param uuid the node that says so, which leads the repair
   * @return false if too much waits already; it is to be said again later
   */
  boolean tell(String uuid, RepairResult result) {
    // Before it waits: from then on the destination may be silent about it.
    return put(new Told(uuid, result), () -> tracker.told(result.repairId()));
  }

  /**
   * The same, for a repair that is not under way, or not here. What it says of the group's units
   * counts all the same, if that node led it: it may have taken too long because units contradict
   * each other, and each was left out in turn; or its unit is known before its word has come.
   */
  boolean tellLate(String uuid, RepairResult result) {
    boolean counts = tracker.ended(result.repairId(), uuid).filter(ended ->
        result.cause() == FailureCause.VERIFICATION || ended.isDoneAsDoubted(result)).isPresent();
    return !counts || put(new Told(uuid, result), () -> { });
  }

  private boolean put(Told told, Runnable before) {
    if (waitingResults.get() >= RESULTS_MAX) {
      return false;
    }
    waitingResults.incrementAndGet();
    before.run();
    results.add(told);
    return true;
  }

  /**
   * Has something done by the next cycle, whatever this NameNode's role.
   *
   * @return false if too much waits already
   */
  boolean submit(Runnable command) {
    return superusersCommands.offer(command);
  }

  @Override
  public boolean undoubt(long groupId) {
    // What has been forgotten here may be held back there.
    boolean was = books.letGo(new GroupId(namenode.blockPoolId(), groupId, 0));
    for (GroupId group : doubts.find(groupId)) {
      was |= keptDoubts.end(group);
      retries.forget(group);
      if (active && !tracker.byGroup(group).isPresent()) {
        books.look(Collections.singleton(group)).forEach(anew ->
            enqueue(anew, clockMs.getAsLong()));
      }
    }
    return was;
  }

  @Override
  public Optional<String> readmit(String name) {
    String uuid = nodes.stream().map(NameNodeView.LiveNode::node)
        .filter(node -> name.equals(node.ipAddr() + ":" + node.xferPort())
            || name.equalsIgnoreCase(node.hostName() + ":" + node.xferPort()))
        .map(NodeRef::uuid).findFirst().orElse(name);
    boolean was = faulty.readmit(uuid) | retries.readmit(uuid);
    return was ? Optional.of(uuid) : Optional.empty();
  }

  /** Does all that can be done now. */
  void cycle() {
    for (Runnable next = superusersCommands.poll(); next != null;
        next = superusersCommands.poll()) {
      next.run();
    }
    long now = clockMs.getAsLong();
    noticePause(now);
    participants = agents.liveCount();
    boolean isNew = look(now);
    if (isNew) {
      doubts.undecided().forEach(keptDoubts::undecided);
    }
    claim(now);
    if (!books.isActive()) {
      rest();
      gauges();
      return;
    }
    if (!active) {
      active = true;
      isNew = true;
      activeSinceMs = now;
      // What was polled before has been forgotten.
      books.claimsChanged();
      LOG.info("This NameNode schedules repairs");
    }
    if (isNew) {
      retries.tidy();
      Set<String> kept = few(faulty.longestFirst());
      Set<String> failing = few(retries.longestFirst());
      sayWhatIsBeyondCap(kept, failing);
      agents.distrust(kept);
      keeper.update(nodes, failing);
    }
    abortsLeft = ABORTS_MAX;
    takeResults();
    abortSome();
    takeReads();
    takeChanges(now);
    giveUpOverdue(now);
    abortSome();
    if (isNew) {
      // As often as heartbeats say it.
      tracker.takeProgress().forEach((repair, percent) ->
          fleet.progress(repair.load(), percent / 100.0));
    }
    if (hasListened(now)) {
      start(now);
    }
    abortSome();
    releaseSome();
    sayWhatIsLeft();
    if (now - keptAliveMs >= settings.keepAliveMs()) {
      keptAliveMs = now;
      books.keepAlive(tracker.all().stream().map(Repair::grant).collect(Collectors.toList()));
    }
    gauges();
    failedCycles = 0;
  }

  /** A cycle ended with an error. If that goes on, somebody else has to schedule. */
  void cycleFailed() {
    metrics.cycleFailed();
    if (++failedCycles >= FAILED_CYCLES_MAX) {
      failedCycles = 0;
      closedUntilMs = clockMs.getAsLong() + STOCKS_TURN_MS;
      LOG.error("Repairs are left to stock for {} ms: {} cycles failed in a row", STOCKS_TURN_MS,
          FAILED_CYCLES_MAX);
      if (claims.setOpen(false)) {
        books.claimsChanged();
      }
    }
  }

  private void gauges() {
    metrics.inCharge(active && claims.isOpen());
    // Among what the books hold back are groups that were doubted and forgotten since.
    metrics.doubted(Math.max(0, books.counts().heldBack() - doubts.suspected()),
        doubts.suspected());
    Set<String> kept = new HashSet<>(retries.quarantined());
    kept.addAll(agents.distrusted());
    metrics.quarantinedNodes(kept.isEmpty() ? "" : kept.stream().sorted().map(this::whyKeptOut)
        .collect(Collectors.joining("; ")));
    metrics.gauges(queue.size(), queue.aside(), queue.readDegraded(), tracker.size(),
        participants, kept.size(), books.lockTimes());
  }

  private String whyKeptOut(String uuid) {
    String address = nodes.stream().map(NameNodeView.LiveNode::node)
        .filter(node -> node.uuid().equals(uuid)).map(NodeRef::toString).findFirst()
        .orElse("not live");
    Long left = faulty.quarantined().get(uuid);
    return uuid + " (" + address + ") " + (left == null ? "has failed in repairs"
        : "seems to calculate wrongly, for " + left / 60_000 + " min more");
  }

  private boolean hasListened(long now) {
    long listened = now - activeSinceMs;
    return listened >= LISTEN_MS
        || listened >= LISTEN_MS_MIN && participants >= nodes.size();
  }

  /** After a pause of this process nobody has been heard of for as long: nobody's fault. */
  private void noticePause(long now) {
    if (now - lastCycleMs > PAUSE_MS) {
      judgeSilenceFromMs = now + Agents.SILENCE_MS_MAX;
    }
    lastCycleMs = now;
    if (now >= judgeSilenceFromMs) {
      agents.tidy();
    }
  }

  /** @return whether there is news of nodes and policies */
  private boolean look(long now) {
    if (now - lookedMs < LOOK_EVERY_MS) {
      return false;
    }
    lookedMs = now;
    nodes = namenode.liveNodes();
    avoided = nodes.stream().filter(NameNodeView.LiveNode::isAvoided)
        .map(one -> one.node().uuid()).collect(Collectors.toSet());
    policies = namenode.policies();
    return true;
  }

  /**
   * Claims are open from before this NameNode becomes active until it has listened: whoever has
   * been started or made active just now knows of the fewest replicas, and stock, left to itself,
   * would rebuild at once what is only not reported yet, and some of it where another unit of the
   * group turns out to be.
   */
  private void claim(long now) {
    boolean news = claims.lookUp(policies);
    boolean listens = !active || now - activeSinceMs < LISTEN_MS;
    long staying = nodes.stream().filter(NameNodeView.LiveNode::acceptsBlocks).count();
    long least = Math.max(1, staying / (enoughAgents ? 2 * AGENTS_ONE_IN : AGENTS_ONE_IN));
    enoughAgents = participants >= least || enoughAgents && now < judgeSilenceFromMs;
    boolean allowed = namenode.allowsRepairs();
    if (claims.setOpen(allowed && (enoughAgents || listens) && now >= closedUntilMs)) {
      news = true;
      if (active) {
        LOG.info(claims.isOpen() ? "Repairs are scheduled here, {} DataNodes take part"
            : allowed ? "Repairs are stock's: {} DataNodes take part"
            : "dfs.namenode.replication.max-streams is 0: nothing is repaired", participants);
      }
    }
    if (news) {
      books.claimsChanged();
    }
  }

  /**
   * Not too many at a time: what keeps failing everywhere is not the nodes' fault.
   *
   * @param longestFirst those that should be kept out; the first ones stay out
   */
  private Set<String> few(List<String> longestFirst) {
    long most = Math.max(1, participants / QUARANTINED_ONE_IN);
    return longestFirst.stream().limit(most).collect(Collectors.toSet());
  }

  private void sayWhatIsBeyondCap(Set<String> distrusted, Set<String> failing) {
    Set<String> beyond = new HashSet<>(faulty.quarantined().keySet());
    beyond.removeAll(distrusted);
    Set<String> beyondFailing = new HashSet<>(retries.quarantined());
    beyondFailing.removeAll(failing);
    beyond.addAll(beyondFailing);
    beyondCap.retainAll(beyond);
    for (String uuid : beyond) {
      if (beyondCap.add(uuid)) {
        LOG.warn("DataNode {}, and should be kept out of repairs. But it takes part: a tenth of the"
            + " DataNodes is kept out already. Test the memory of those that are, and of this one",
            whyKeptOut(uuid));
      }
    }
  }

  /** Somebody else is in charge, or nobody: nothing of what was planned is meant any more. */
  private void rest() {
    if (active) {
      active = false;
      LOG.info("This NameNode schedules no repairs any more; {} were under way", tracker.size());
    }
    for (Repair repair : tracker.endAll()) {
      fleet.remove(repair.load());
      groups.ended(repair.assignment().group().id());
    }
    forgetGroups();
    // In safe mode the books have them still.
    abortsLeft = ABORTS_MAX;
    abortSome();
    agents.dropOrders();
    // Nothing is under way any more, but what is wrong stays wrong.
    takeResults();
    // Ends of repairs that nobody waits for any more.
    books.poll(1);
  }

  private void takeResults() {
    for (Told told = results.poll(); told != null; told = results.poll()) {
      waitingResults.decrementAndGet();
      Optional<Repair> repair = tracker.byId(told.result.repairId());
      if (repair.isPresent()) {
        takeResult(repair.get(), told.result);
      } else {
        takeLateResult(told);
      }
    }
  }

  private void takeResult(Repair repair, RepairResult result) {
    LostGroup group = repair.assignment().group();
    keptDoubts.heard(group.id(), repair.destination().uuid(),
        RepairScope.of(repair.assignment()), result);
    if (result.outcome() == RepairOutcome.REBUILT) {
      Set<Integer> missing = repair.assignment().unitsWithout(result.rebuiltUnits());
      // All units are there, and of all that was read nothing contradicted the rest.
      tracker.reported(repair.id(),
          missing.isEmpty() && !result.leavesDoubt(), result.readUnits());
      if (!missing.isEmpty()) {
        fail(repair, "units " + missing + " are not rebuilt: " + result.message(),
            culprit(repair, result), isToBlame(repair, result));
      }
    } else if (result.cause() == FailureCause.VERIFICATION) {
      // That says nothing about the destination, which has noticed it. But were its arithmetic
      // wrong, it would find that again, and another one finds nothing.
      fail(repair, result.toString(), repair.destination().uuid(), false);
    } else if (result.outcome() == RepairOutcome.FAILED) {
      if (result.saysTooFewHelpers() && repair.assignment().isDoubted()
          && !doubts.isOpen(group.id()) && concede(group, Concession.UNCHECKED)) {
        // The units agree as far as is known: to lose one for want of a check would be worse.
        LOG.warn("{}, in which a DataNode has a part that seems to calculate wrongly, has no unit"
            + " that all bytes can be checked with: it is repaired without that", group);
      }
      fail(repair, result.toString(), culprit(repair, result), isToBlame(repair, result));
    } else {
      // It did not even try; somebody else may.
      fail(repair, result.toString(), repair.destination().uuid(), false);
    }
  }

  private void takeLateResult(Told told) {
    RepairTracker.Ended ended = tracker.ended(told.result.repairId(), told.uuid).orElse(null);
    if (ended == null) {
      LOG.debug("Nobody waits for the end of {}", told.result);
    } else {
      // Whatever came of the group since: a unit that came back, or samples that agreed, say
      // nothing of the wrong one.
      keptDoubts.heard(ended.group(), ended.uuid(), ended.scope(), told.result);
      if (ended.isDoneAsDoubted(told.result)) {
        keptDoubts.repaired(ended.group(), ended.uuid(), ended.scope(),
            told.result.readUnits());
      }
    }
  }

  /**
   * What clients read of what is lost goes first. What DataNodes say of groups that do not wait, or
   * that they have no part in, changes nothing.
   */
  private void takeReads() {
    anyReadDegraded = false;
    for (Agent agent : agents.live()) {
      String uuid = agent.node().uuid();
      anyReadDegraded |= agent.saysAnyReadDegraded();
      for (ReadGroup read : agent.takeReadDegraded()) {
        GroupId id = new GroupId(namenode.blockPoolId(), read.groupId(), read.generationStamp());
        boolean isThere = queue.find(id).filter(group -> group.occupied().stream()
            .anyMatch(holder -> holder.uuid().equals(uuid))).isPresent();
        if (isThere && queue.markReadDegraded(id, retries.notBeforeMs(id))) {
          LOG.debug("{} is read, it goes before others", id);
          metrics.promoted();
        }
      }
    }
  }

  private boolean isReadDegraded(LostGroup group) {
    return queue.isReadDegraded(group.id()) || anyReadDegraded && agents.isReadDegraded(group);
  }

  /** Into the queue, or back to it: what clients have read while it was not there counts, too. */
  private void enqueue(LostGroup group, long notBeforeMs) {
    groups.takeBack(group.id());
    groups.lost(group.id());
    queue.put(group, notBeforeMs, isReadDegraded(group));
  }

  /** A DataNode can blame only those that had a part in the repair. */
  private static String culprit(Repair repair, RepairResult result) {
    return result.failedNode() != null && repair.involves(result.failedNode())
        ? result.failedNode() : null;
  }

  /** Units that contradict each other say nothing about the destination, which has noticed it. */
  private static boolean isToBlame(Repair repair, RepairResult result) {
    return result.cause() != FailureCause.VERIFICATION
        || !repair.destination().uuid().equals(result.failedNode());
  }

  private void fail(Repair repair, String why, String uuid, boolean isToBlame) {
    if (!tracker.end(repair.id(), false).isPresent()) {
      return;
    }
    LOG.warn("Repair {} of {} has failed: {}", repair.id(), repair.assignment().group(), why);
    GroupId group = repair.assignment().group().id();
    fleet.remove(repair.load());
    retries.failed(group, uuid, isToBlame);
    groups.failed(group);
    metrics.failed();
    aborts.add(repair.grant());
    if (retries.isHopeless(group)) {
      keptDoubts.undecided(group);
      leaveToStock(repair.assignment().group(), "it has failed too often");
    }
  }

  private void cancel(Repair repair, String why) {
    agents.live(repair.destination().uuid()).ifPresent(agent ->
        agent.cancel(new CancelCommand(repair.id(), books.term(), why)));
  }

  private void takeChanges(long now) {
    QueueChanges changes;
    int polls = 0;
    do {
      changes = books.poll(POLL_GROUPS);
      LOG.debug("{}", changes);
      takeTerm(changes.term());
      if (changes.isReset()) {
        forgetGroups();
      }
      changes.ended().forEach(this::ended);
      for (GroupId gone : changes.gone()) {
        queue.remove(gone);
        keptDoubts.undecided(gone);
        retries.forget(gone);
        groups.gone(gone);
      }
      for (LostGroup lost : changes.lost()) {
        admit(lost, now);
      }
    } while (changes.hasMore() && ++polls < POLLS_MAX);
  }

  /** What was ordered in another term and has not been fetched yet never will be. */
  private void takeTerm(long polled) {
    if (polled != term) {
      term = polled;
      for (Repair repair : tracker.unsent()) {
        if (repair.term() != polled) {
          fail(repair, "its term is over", null, false);
        }
      }
    }
  }

  private void forgetGroups() {
    queue.clear();
    groups.forgetLosses();
    leaving.clear();
  }

  /** Before what else asks the books: what is given up is polled again at once. */
  private void abortSome() {
    List<Grant> some = new ArrayList<>();
    while (abortsLeft > 0 && !aborts.isEmpty()) {
      some.add(aborts.poll());
      abortsLeft--;
    }
    if (!some.isEmpty()) {
      books.abortAll(some);
    }
  }

  private void releaseSome() {
    if (!aborts.isEmpty()) {
      // What stock gets must not be pending any more.
      return;
    }
    List<GroupId> some = groups.handOver(RELEASES_MAX);
    if (!some.isEmpty()) {
      // Not for good: one that is copied may lose more, and then that is no help any more.
      books.release(some, STOCKS_TURN_MS);
    }
  }

  /** In one line: on a cluster that has just enough nodes they all are, when one dies. */
  private void sayWhatIsLeft() {
    if (leftNow > 0) {
      LOG.info("{} groups are left to stock for {} ms, such as {}", leftNow, STOCKS_TURN_MS,
          leftExample);
      leftNow = 0;
    }
  }

  private void ended(RepairEnd end) {
    Optional<Repair> known = tracker.byGroup(end.grant().group())
        .filter(repair -> repair.grant().number() == end.grant().number());
    if (!known.isPresent()) {
      return;
    }
    Repair repair = known.get();
    boolean done = end.outcome() == RepairEnd.Outcome.DONE;
    tracker.end(repair.id(), done);
    fleet.remove(repair.load());
    if (done) {
      metrics.rebuilt(repair.assignment().targets().size(),
          clockMs.getAsLong() - repair.startedMs());
    } else {
      cancel(repair, end.outcome().toString());
    }
    if (end.outcome() == RepairEnd.Outcome.GIVEN_UP) {
      LOG.warn("Repair {} of {} is given up", repair.id(), repair.assignment().group());
      retries.failed(end.grant().group(), null, false);
      groups.failed(end.grant().group());
      metrics.failed();
    } else {
      groups.ended(end.grant().group());
      if (end.outcome() == RepairEnd.Outcome.RETURNED) {
        // Nothing of what came back has been checked, and units that come back with their nodes do
        // not make a wrong one right.
        keptDoubts.undecided(end.grant().group());
        retries.returned(end.grant().group());
      } else {
        retries.forget(end.grant().group());
      }
    }
    if (end.outcome() == RepairEnd.Outcome.DELETED) {
      keptDoubts.end(end.grant().group());
    } else if (done && repair.assignment().isDoubted() && repair.isClean()) {
      keptDoubts.repaired(end.grant().group(), repair.destination().uuid(),
          RepairScope.of(repair.assignment()), repair.readUnits());
    }
  }

  private void admit(LostGroup lost, long now) {
    groups.lost(lost.id());
    if (LeavingShare.isOnlyLeaving(lost) && isStockRight(lost)
        && leaving.isToCopy(lost, participants) && groups.leaveToStock(lost.id(), true)) {
      queue.remove(lost.id());
      return;
    }
    if (groups.isToBeCopied(lost.id())) {
      LOG.debug("{} has lost more and is not copied", lost);
    } else if (groups.isStocksTurn(lost.id()) && isStockRight(lost)) {
      return;
    }
    groups.takeBack(lost.id());
    // Whoever waits for its nodes to come back does so at nobody's cost; readers have it now.
    boolean waits = settings.delayMs() > 0 && lost.spareUnits() > settings.delaySpareUnits()
        && !isReadDegraded(lost);
    long notBefore = Math.max(retries.notBeforeMs(lost.id()),
        waits ? lost.sinceMs() + settings.delayMs() : Long.MIN_VALUE);
    LostGroup usable = withoutFailed(lost);
    // Most polls only look once more at what is here already.
    queue.renew(usable, notBefore <= now ? Long.MIN_VALUE : notBefore, isReadDegraded(usable));
  }

  /** Who failed in earlier repairs of a group does not help again as long as others can. */
  private LostGroup withoutFailed(LostGroup lost) {
    Set<String> without = retries.without(lost.id());
    // Where units contradict each other one more is needed, to check the others with.
    long least = lost.unitsToDecode() + (doubts.isOpen(lost.id()) ? 1 : 0);
    List<Holder> others = lost.live().stream()
        .filter(holder -> !without.contains(holder.node().uuid())).collect(Collectors.toList());
    return without.isEmpty() || units(others) < least ? lost
        : new LostGroup(lost.id(), lost.groupBytes(), lost.policy(), others, lost.lost(),
            lost.occupied(), lost.spareUnits(), lost.sinceMs(), lost.storagePolicy());
  }

  private void giveUpOverdue(long now) {
    tracker.overdue().forEach((repair, why) -> {
      cancel(repair, why);
      // The network may be slower than it is said to be.
      fail(repair, why, repair.destination().uuid(), false);
    });
    endWhatIsDoubtedNow();
    endWhatIsLedByDistrusted();
    if (now < judgeSilenceFromMs) {
      return;
    }
    for (Repair repair : tracker.all()) {
      String destination = repair.destination().uuid();
      if (!agents.live(destination).isPresent()) {
        fail(repair, "its destination " + repair.destination() + " is silent", destination,
            false);
      }
    }
  }

  /**
   * An earlier repair of the group was late to say so: this one checks no more than samples. What
   * has been written by now cannot be taken back, and does not end the doubt.
   */
  private void endWhatIsDoubtedNow() {
    for (Repair repair : tracker.all()) {
      if (!repair.assignment().isDoubted() && !repair.isReported()
          && doubts.isOpen(repair.assignment().group().id())) {
        String why = "units of its group contradict each other, and it does not check all";
        cancel(repair, why);
        // It may be at it for a moment still, and would refuse what comes next.
        fail(repair, why, repair.destination().uuid(), false);
      }
    }
  }

  /** What it wrote so far is dropped, for it has committed nothing. */
  private void endWhatIsLedByDistrusted() {
    if (agents.distrusted().isEmpty()) {
      return;
    }
    for (Repair repair : tracker.all()) {
      String destination = repair.destination().uuid();
      if (agents.distrusted().contains(destination) && !repair.isReported()
          && !has(repair.assignment().group(), Concession.BY_DISTRUSTED)) {
        String why = "its destination is kept out of repairs, as it seems to calculate wrongly";
        cancel(repair, why);
        fail(repair, why, destination, false);
      }
    }
  }

  private void start(long now) {
    int room = Math.min(STARTS_MAX, settings.inFlightMax() - tracker.size());
    if (room <= 0 || queue.size() == 0) {
      return;
    }
    long planningStart = System.nanoTime();
    List<Proposal> proposals = dispatcher.dispatch(now, room);
    metrics.planned(proposals.size(), System.nanoTime() - planningStart);
    // Whatever happens on the way: what has not begun counts nowhere, and is tried again.
    Map<GroupId, Proposal> unsettled = new LinkedHashMap<>();
    proposals.forEach(one -> unsettled.put(one.assignment().get().group().id(), one));
    try {
      settleRefused(now);
      Set<Long> atWork = proposals.isEmpty() ? Collections.emptySet()
          : agents.groupsAtWork((uuid, running) -> isBelieved(uuid, running, now));
      // Ordered by another NameNode, or given up here but still going on there: those stay behind.
      List<Proposal> free = proposals.stream()
          .filter(one -> !atWork.contains(one.assignment().get().group().id().groupId()))
          .collect(Collectors.toList());
      Map<Boolean, List<Proposal>> byRackRule = free.stream().collect(Collectors.partitioningBy(
          one -> has(one.assignment().get().group(), Concession.ANY_RACK)));
      for (boolean onAnyRack : new boolean[] {false, true}) {
        begin(byRackRule.get(onAnyRack), onAnyRack, now, unsettled.keySet());
      }
    } finally {
      unsettled.values().forEach(one -> {
        fleet.remove(one.load());
        enqueue(one.assignment().get().group(), now + AGAIN_MS);
      });
    }
  }

  /** A DataNode must not keep groups from being repaired by saying that it is at them. */
  private boolean isBelieved(String uuid, RunningRepair running, long now) {
    return tracker.isOrdered(running.repairId(), uuid, running.groupId())
        || running.term() < term && now - activeSinceMs < OTHERS_TURN_MS;
  }

  /**
   * Whether every byte has to be checked: if units may contradict each other, and as far as there
   * is a unit to check with, if a node has a part that seems to calculate wrongly, or has stored
   * what is read.
   */
  private boolean isToBeChecked(Assignment one) {
    LostGroup group = one.group();
    return doubts.isOpen(group.id())
        || Stream.concat(one.helpers().stream(), one.targets().stream())
            .anyMatch(holder -> agents.distrusted().contains(holder.node().uuid()))
        && units(group.live()) > group.unitsToDecode()
        && !has(group, Concession.UNCHECKED);
  }

  private static long units(List<Holder> holders) {
    return holders.stream().map(Holder::unit).distinct().count();
  }

  /** @param unsettled is left with those that nobody has taken up */
  private void begin(List<Proposal> proposals, boolean onAnyRack, long now,
      Set<GroupId> unsettled) {
    if (proposals.isEmpty()) {
      return;
    }
    List<Assignment> assignments = new ArrayList<>();
    proposals.forEach(proposal -> assignments.add(proposal.assignment()
        .map(one -> has(one.group(), Concession.ANY_STORAGE) ? one.onAnyStorage() : one)
        .map(one -> isToBeChecked(one) ? one.doubted() : one).get()));
    List<BeginResult> begun = books.begin(books.term(), assignments, onAnyRack);
    int settled = 0;
    try {
      for (; settled < begun.size(); settled++) {
        BeginResult result = begun.get(settled);
        // From here on whoever takes it up is to give its load back.
        unsettled.remove(result.assignment().group().id());
        settle(proposals.get(settled), result, now);
      }
    } finally {
      // Nobody would order these.
      begun.subList(settled, begun.size())
          .forEach(result -> result.grant().ifPresent(aborts::add));
    }
  }

  private void settle(Proposal proposal, BeginResult result, long now) {
    try {
      if (result.grant().isPresent()) {
        Repair repair = tracker.add(result.assignment(), result.grant().get(), proposal.load(),
            (long) (proposal.secondsMax() * 1000),
            retries.failures(result.assignment().group().id()));
        groups.begun(repair.assignment().group().id());
        order(repair, now);
      } else {
        fleet.remove(proposal.load());
        refused(result, now);
      }
    } catch (RuntimeException | LinkageError e) {
      // One that cannot be coped with must not leave the others begun and without an order.
      LOG.error("{} cannot be ordered", result, e);
      takeBack(proposal, result);
    }
  }

  /** It counts nowhere any more, and is tried again after a pause. */
  private void takeBack(Proposal proposal, BeginResult result) {
    fleet.remove(proposal.load());
    retries.failed(result.assignment().group().id(), null, false);
    metrics.failed();
    result.grant().ifPresent(aborts::add);
  }

  private void order(Repair repair, long now) {
    String destination = repair.destination().uuid();
    try {
      boolean trusts = has(repair.assignment().group(), Concession.WITH_DISTRUSTED);
      RepairCommand command = Commands.of(repair, now, node -> mayRead(repair, node),
          trusts ? UnaryOperator.identity() : agents::asTrusted);
      if (agents.live(destination).map(agent -> agent.order(command)).orElse(false)) {
        metrics.started();
      } else {
        fail(repair, "its destination takes no orders", destination, false);
      }
    } catch (RuntimeException | LinkageError e) {
      // One that cannot be put into words must not keep the others from being ordered.
      LOG.error("{} cannot be ordered", repair, e);
      fail(repair, e.toString(), null, false);
    }
  }

  /**
   * Who is not kept out of repairs; and once one has failed, all that may stand in. Of units that
   * contradict each other all are wanted, to find the wrong one.
   */
  private boolean mayRead(Repair repair, NodeRef node) {
    NodeState state = fleet.find(node);
    GroupId group = repair.assignment().group().id();
    return state != null && state.isUsable() || retries.hasFailed(group)
        || doubts.isOpen(group);
  }

  private void refused(BeginResult result, long now) {
    LostGroup group = result.assignment().group();
    LOG.debug("{}", result);
    switch (result.refusal().get()) {
      case TARGET_UNFIT:
        // It leaves, is stale, has a replica already: that is between group and node.
        for (Holder target : result.assignment().targets()) {
          retries.unfit(group.id(), target.node().uuid());
        }
        if (!retries.isHopeless(group.id()) || !leaveToStock(group, result.detail())) {
          enqueue(group, retries.notBeforeMs(group.id()));
        }
        break;
      case NO_STORAGE:
        // Without a pause: each node says it once in a while, for all groups like this one.
        unfit.add(result.withoutStorage().get(), group, result.assignment().isOnAnyStorage());
        enqueue(group, now);
        break;
      case TOO_FEW_RACKS:
        // The scheduler spreads as well as it can; nobody else would do better.
        concede(group, Concession.ANY_RACK);
        enqueue(group, now);
        break;
      default:
        // It is polled again if it is still ours.
        break;
    }
  }

  private boolean has(LostGroup group, Concession concession) {
    return groups.hasConceded(group.id(), concession);
  }

  private boolean concede(LostGroup group, Concession concession) {
    return groups.concede(group.id(), concession);
  }

  private boolean accepts(LostGroup group, NodeRef node) {
    if (unfit.isUnfit(node, group, has(group, Concession.ANY_STORAGE))) {
      leftOut.add(group.id());
      return false;
    }
    if (doubts.isOpen(group.id())
        && !agents.live(node.uuid()).map(Agent::knowsDoubt).orElse(false)) {
      // It would check samples, and nothing at all where no unit is to spare.
      tooOldFor.add(group.id());
      return false;
    }
    if (agents.distrusted().contains(node.uuid()) && !has(group, Concession.BY_DISTRUSTED)) {
      return false;
    }
    if (avoided.contains(node.uuid()) && !has(group, Concession.ON_AVOIDED)) {
      withoutAvoided.add(group.id());
      return false;
    }
    if (doubts.isOnlyFinder(group.id(), node.uuid()) && !has(group, Concession.BY_FINDER)) {
      // Its word would not end the doubt.
      withoutFinder.add(group.id());
      return false;
    }
    return !retries.without(group.id()).contains(node.uuid());
  }

  /** Called by the dispatcher, which tries again by itself, while it is at work. */
  private void cannotPlan(LostGroup group, Refusal why) {
    metrics.refused();
    LOG.debug("{} cannot be planned: {}", group, why);
    withoutPlan.add(group);
    refusals.put(group.id(), why);
  }

  private void settleRefused(long now) {
    sayWhatIsHeld();
    for (LostGroup group : withoutPlan) {
      if (!retries.without(group.id()).isEmpty()) {
        // Better with one that failed than not at all.
        retries.forgive(group.id());
        books.look(Collections.singleton(group.id())).forEach(anew ->
            enqueue(anew, retries.notBeforeMs(anew.id())));
      } else if (withoutAvoided.contains(group.id()) && concede(group, Concession.ON_AVOIDED)) {
        // Stock would wait; but a unit is lost, and the group may lose more.
        enqueue(group, now);
      } else if (withoutFinder.contains(group.id()) && concede(group, Concession.BY_FINDER)) {
        // Its units may be right, and what it rebuilds from them is checked.
        enqueue(group, now);
      } else if (leftOut.contains(group.id()) && concede(group, Concession.ANY_STORAGE)) {
        // The wanted type is nowhere to be had.
        enqueue(group, now);
      } else if (needsDistrusted(group) && concede(group, Concession.WITH_DISTRUSTED)) {
        // What it does is checked as far as that can be; one more loss may be for good.
        sayDistrusted(group, "adds up or sends what is needed");
        enqueue(group, now);
      } else if (has(group, Concession.WITH_DISTRUSTED)
          && hasDistrustedDestination(group) && concede(group, Concession.BY_DISTRUSTED)) {
        sayDistrusted(group, "is the only destination that is left");
        enqueue(group, now);
      } else if (now >= judgeSilenceFromMs
          && refusals.get(group.id()) != Refusal.NOTHING_LOST) {
        // Until then those who could help may just not have been heard of yet.
        leaveToStock(group, refusals.get(group.id()).toString());
      }
    }
    withoutPlan.clear();
    refusals.clear();
    leftOut.clear();
    withoutFinder.clear();
    withoutAvoided.clear();
    tooOldFor.clear();
  }

  /** Whether a node that is kept out could help: for stock's codes others read its unit anyway. */
  private boolean needsDistrusted(LostGroup group) {
    Refusal why = refusals.get(group.id());
    return why == Refusal.TOO_FEW_SOURCES && group.live().stream()
        .anyMatch(holder -> agents.distrusted().contains(holder.node().uuid()))
        || why == Refusal.NO_DESTINATION && hasDistrustedDestination(group);
  }

  private boolean hasDistrustedDestination(LostGroup group) {
    Set<String> occupied =
        group.occupied().stream().map(NodeRef::uuid).collect(Collectors.toSet());
    return refusals.get(group.id()) == Refusal.NO_DESTINATION && agents.distrusted().stream()
        .anyMatch(uuid -> !occupied.contains(uuid) && agents.live(uuid).isPresent());
  }

  private void sayDistrusted(LostGroup group, String why) {
    LOG.warn("{} cannot be repaired without a DataNode that seems to calculate wrongly: one of {}"
        + " {}. It takes part for this group, and every byte is checked if there is a unit to check"
        + " with. Replace these machines' memory before the group loses more", group,
        agents.distrusted(), why);
  }

  /** In one line: until they are upgraded it is the same for all such groups. */
  private void sayWhatIsHeld() {
    List<LostGroup> held = withoutPlan.stream().filter(group -> tooOldFor.contains(group.id()))
        .collect(Collectors.toList());
    if (!held.isEmpty()) {
      LOG.warn("{} groups whose units contradict each other are held, such as {}: of the DataNodes"
          + " that could rebuild them too few run a version of the extension that checks all bytes"
          + " of such a group", held.size(), held.get(0));
    }
  }

  /**
   * Whether stock decodes it, and rightly. For codes of ours it cannot do more than refuse; where
   * units contradict each other it takes any of them, and does not notice.
   */
  private boolean canStockDecode(LostGroup group) {
    return !PprCodec.byName(group.policy().codec()).isPresent()
        && !doubts.isOpen(group.id());
  }

  /** Whether stock may have it: it decodes rightly, or only copies what is on nodes that leave. */
  private boolean isStockRight(LostGroup group) {
    return canStockDecode(group) || LeavingShare.isCopiedByStock(group);
  }

  /** With those that {@link #withoutFailed} left out, perhaps the one that leaves. */
  private LostGroup withAll(LostGroup group) {
    return retries.without(group.id()).isEmpty() ? group
        : books.look(Collections.singleton(group.id())).stream().findFirst().orElse(group);
  }

  /** @return whether it is left to stock */
  private boolean leaveToStock(LostGroup group, String why) {
    if (!canStockDecode(group) && !LeavingShare.isCopiedByStock(withAll(group))) {
      return false;
    }
    LOG.debug("{} is left to stock: {}", group, why);
    if (leftNow++ == 0) {
      leftExample = group + ": " + why;
    }
    queue.remove(group.id());
    groups.leaveToStock(group.id(), false);
    metrics.leftToStock();
    return true;
  }
}
