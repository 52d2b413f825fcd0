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

import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.charge.SchedulingAuthority;
import org.hdfsppr.namenode.manage.core.CoreDoubts;
import org.hdfsppr.namenode.manage.core.CoreLosses;
import org.hdfsppr.namenode.manage.endings.DoubtKeeper;
import org.hdfsppr.namenode.manage.endings.RepairAborts;
import org.hdfsppr.namenode.manage.endings.RepairCompletion;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.explain.ExplainRequests;
import org.hdfsppr.namenode.manage.explain.FactCollector;
import org.hdfsppr.namenode.manage.launch.DestinationRules;
import org.hdfsppr.namenode.manage.launch.RepairCommandSequencer;
import org.hdfsppr.namenode.manage.launch.RepairLauncher;
import org.hdfsppr.namenode.manage.launch.TrustingScheduler;
import org.hdfsppr.namenode.manage.launch.WaitingGroups;
import org.hdfsppr.namenode.manage.measure.LossLog;
import org.hdfsppr.namenode.manage.nodes.FleetKeeper;
import org.hdfsppr.namenode.manage.nodes.KeptOutNodes;
import org.hdfsppr.namenode.manage.operator.BlockNames;
import org.hdfsppr.namenode.manage.operator.Outcome;
import org.hdfsppr.namenode.manage.operator.SuperuserOperations;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.ColumnTrust;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.DestinationFilter;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.RepairAdmission;
import org.hdfsppr.namenode.schedule.RepairDispatcher;
import org.hdfsppr.namenode.schedule.RepairScheduler;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules the repairs of the groups in the NameNode's queue. One thread runs one {@link #cycle}
 * after the other. Each cycle calls the parts below in this order; the parts decide and act. Any
 * thread may call {@link #tell}, {@link #tellLate} and {@link #submit}.
 *
 * <pre>
 *   {@link SchedulingAuthority}  in charge or not, since when, in which term
 *   {@link ResultTaker}          results of DataNodes              --+
 *   {@link LostGroupIntake}      changes in the NameNode's queue   --+--> {@link RepairCompletion},
 *   {@link OverdueRepairs}       repairs that are late             --+    {@link WaitingGroups}
 *   {@link CoreLosses}           what columns of CORE can do for rows that have changed
 *   {@link RepairLauncher}       plans, begins and orders repairs
 *   {@link DestinationRules}     where rules are relaxed if there is no plan
 *   {@link StockHandOver}        groups for stock
 *   {@link RepairAborts}         repairs to give up
 * </pre>
 */
final class RepairManager implements ManagerView {
  private static final Logger LOG = LoggerFactory.getLogger(RepairManager.class);
  /**
   * The greatest number of superusers' commands that wait for a cycle. This is enough, because
   * Hadoop accepts one command at a time.
   */
  private static final int COMMANDS_MAX = 16;
  /** The lists of the status are made only if the status was asked for within this time, ms. */
  private static final long ASKED_MS = 10_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  final ManagerKnowledge known;
  private final Fleet fleet;
  /** The repairs under way. Any thread may call the tracker's methods. */
  final RepairTracker tracker;
  private final ResultInbox inbox;
  private final KeptOutNodes keptOut;
  private final DoubtKeeper keptDoubts;
  private final RepairAborts aborts;
  private final StockHandOver handOver;
  private final WaitingGroups waiting;
  private final RepairCompletion endings;
  private final ResultTaker results;
  private final LostGroupIntake intake;
  private final OverdueRepairs overdue;
  private final RepairLauncher launch;
  private final SuperuserActions byHand;
  private final CoreDoubts coreDoubts;
  private final StatusMaker statusMaker;
  private final BlockingQueue<Runnable> superusersCommands =
      new ArrayBlockingQueue<>(COMMANDS_MAX);
  /** The desk that takes questions about groups. Any thread may ask there. */
  final ExplainRequests desk;
  private final FactCollector facts;
  private final MadeGroups madeGroups = new MadeGroups();
  private final LinkLoads links = new LinkLoads();
  private final LossLog losses;
  private volatile ManagerStatus status = ManagerStatus.NONE;
  private volatile long askedMs = Long.MIN_VALUE / 2;
  private long keptAliveMs;
  private volatile int pressure;

  /**
   * @param known the state and the settings that the parts of this manager share
   * @param scheduler decides which repairs begin, and where
   */
  RepairManager(ManagerKnowledge known, RepairScheduler scheduler) {
    this.known = known;
    this.pressure = known.settings.pressure;
    fleet = new Fleet(scheduler.rank(), known.settings.crossRackBytesPerSecond);
    FleetKeeper keeper = new FleetKeeper(fleet,
        NodeCapacity.ofLink(known.settings.linkBytesPerSecond), known.agents);
    tracker = known.tracker;
    inbox = new ResultInbox(tracker);
    FaultyNodes faulty = new FaultyNodes(known.clockMs);
    coreDoubts = new CoreDoubts(known.core, known.trusted);
    keptDoubts =
        new DoubtKeeper(known.books, known.groups, known.doubts, faulty, coreDoubts);
    keptOut = new KeptOutNodes(known.cluster, known.agents, keeper, faulty, known.retries);
    aborts = new RepairAborts(known.books);
    handOver = new StockHandOver(known);
    waiting = new WaitingGroups(known);
    endings = new RepairCompletion(known, fleet, keptDoubts, handOver, aborts);
    RepairCommandSequencer orders = new RepairCommandSequencer(known, fleet, endings);
    results = new ResultTaker(inbox, tracker, known.groups, keptDoubts, endings, orders,
        coreDoubts::rebuilt);
    losses = new LossLog(known.clockMs);
    known.groups.setWhenGone((id, before, isRebuilt) -> {
      known.core.gone(id);
      if (isRebuilt) {
        losses.gone(id);
      } else {
        losses.uncount(id);
      }
    });
    intake = new LostGroupIntake(known, waiting, keptDoubts, handOver, endings, losses, madeGroups);
    overdue = new OverdueRepairs(known, endings);
    DestinationRules compromises = new DestinationRules(known, waiting, handOver);
    DestinationFilter filter = new DestinationFilter() {
      @Override
      public boolean accepts(LostGroup group, NodeRef node) {
        return compromises.accepts(group, node);
      }

      @Override
      public boolean acceptsUnit(LostGroup group, int unit, NodeRef node) {
        return compromises.acceptsUnit(group, unit, node);
      }

      @Override
      public boolean yields(LostGroup group) {
        return known.groups.hasConceded(group.id, RelaxedRule.ON_COLUMN);
      }

      @Override
      public void planned(Assignment repair) {
        known.core.planned(repair);
        compromises.planned(repair.group.id);
      }
    };
    RepairScheduler trusting = new TrustingScheduler(scheduler,
        group -> known.groups.hasConceded(group.id, RelaxedRule.WITH_DISTRUSTED), keeper::trusting);
    RepairDispatcher dispatcher = new RepairDispatcher(known.queue, fleet,
        new TrustingScheduler(trusting,
            group -> known.groups.hasConceded(group.id, RelaxedRule.WITH_FAILING),
            keeper::readmitting),
        new RepairAdmission(RepairAdmission.DEPTH_DEFAULT, 1), filter, compromises::cannotPlan);
    launch = new RepairLauncher(known, dispatcher, fleet, waiting, compromises, orders, aborts);
    byHand = new SuperuserActions(known, keptDoubts, coreDoubts, faulty, waiting, this::press,
        this::pressure);
    desk = new ExplainRequests(known.clockMs);
    facts = new FactCollector(known, fleet, compromises);
    statusMaker =
        new StatusMaker(known, fleet, keptOut, handOver, losses, Clock.systemUTC());
  }

  /**
   * Returns the status at the end of the last cycle. May be called by any thread. Because of the
   * call, the cycles of the next ten seconds also make the lists of the status.
   */
  ManagerStatus status() {
    askedMs = known.clockMs.getAsLong();
    return status;
  }

  @Override
  public ManagerStatus lastStatus() {
    return status;
  }

  @Override
  public boolean isDoubted(GroupId group) {
    return known.groups.isDoubtOpen(group);
  }

  @Override
  public boolean doubt(GroupId group, int wrongUnit) {
    return submit(() -> {
      String why;
      try {
        Outcome outcome = byHand.doubt(group.groupId, wrongUnit);
        if (outcome.done) {
          return;
        }
        why = outcome.sentence;
      } catch (RuntimeException | LinkageError e) {
        // This runs on the thread of the repairs, whose cycle has to go on.
        LOG.error("The doubt of {} fails", group, e);
        why = e.toString();
      }
      peerLog.warn("no doubt " + why.replace(BlockNames.nameOf(group.groupId), ""),
          "No doubt of {} begins by a background check: {}", group, why);
    });
  }

  @Override
  public ColumnTrust columnTrust() {
    return known.trusted;
  }

  @Override
  public MadeGroups madeGroups() {
    return madeGroups;
  }

  @Override
  public LinkLoads links() {
    return links;
  }

  /**
   * Returns the operations for superusers. Call them only in a command given to {@link #submit}.
   */
  SuperuserOperations operations() {
    return byHand;
  }

  /** Lets repairs use the columns of CORE groups. Any thread may call this. */
  void useColumns(CoreGroupLookup book) {
    known.core.use(book);
    known.books.useColumns(book);
  }

  @Override
  public int seeingReads() {
    return known.agents.seeingReads();
  }

  @Override
  public Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> of) {
    return known.books.places(of);
  }

  /**
   * Returns how much repairs press where users are busy, percent, see {@link Pressure}. Any thread
   * may call this.
   */
  int pressure() {
    return pressure;
  }

  private void press(int percent) {
    LOG.info("Repairs press {} from now on where users are busy; it was {}",
        Pressure.name(percent), Pressure.name(pressure));
    pressure = percent;
  }

  /**
   * Returns the rate that an operator has set for a DataNode's link in each direction, bytes/s; 0
   * if none is set.
   */
  long setLinkRate() {
    return known.settings.setLinkRate;
  }

  /** Keeps a result for the next cycle, see {@link ResultInbox#tell}. */
  boolean tell(String uuid, RepairResult result) {
    return inbox.tell(uuid, result);
  }

  /** Keeps a late result for the next cycle, see {@link ResultInbox#tellLate}. */
  boolean tellLate(String uuid, RepairResult result) {
    return inbox.tellLate(uuid, result);
  }

  /**
   * Lets the next cycle run a command, whether this NameNode is active or not.
   *
   * @return false if too many commands wait already
   */
  boolean submit(Runnable command) {
    return superusersCommands.offer(command);
  }

  /** Runs one cycle: takes in all news, and begins and ends all repairs that it can. */
  void cycle() {
    for (Runnable next = superusersCommands.poll(); next != null;
        next = superusersCommands.poll()) {
      next.run();
    }
    long now = known.clockMs.getAsLong();
    known.pauses.look(now);
    known.charge.noticePause(now);
    known.agents.endWaits();
    known.cluster.countParticipants();
    boolean isNew = known.cluster.look(now);
    if (isNew) {
      known.doubts.undecided().forEach(keptDoubts::undecided);
      keptDoubts.forgetDeleted();
      coreDoubts.forgetDissolved();
    }
    known.charge.claim(now);
    if (known.books.isActive()) {
      isNew |= known.charge.begin(now);
      try {
        schedule(now, isNew);
      } finally {
        // If the cycle has failed, the repairs under way still load the links.
        links.repairsAt(fleet.atRepairs(), now);
      }
      publish(isNew, now);
      known.charge.cycleDone();
    } else {
      rest(now);
      publish(isNew, now);
    }
    desk.answerSome(group -> facts.explain(group, now));
  }

  /**
   * Does the work of a cycle while this NameNode is active. During an operator's pause, it begins
   * no repairs and hands no groups to stock. Repairs under way still end, and the NameNode's queue
   * is still polled: without polls, the queue would take this manager for dead and hand all groups
   * to stock.
   *
   * @param isNew whether this cycle has looked at the NameNode's DataNodes
   */
  private void schedule(long now, boolean isNew) {
    if (isNew) {
      keptOut.update();
    }
    aborts.beginCycle();
    results.takeAll(now);
    aborts.abortSome();
    waiting.takeReads();
    intake.takeChanges(now);
    overdue.endAll(now);
    aborts.abortSome();
    intake.lookAtColumns(now);
    if (isNew) {
      tracker.takeProgress().forEach((repair, percent) ->
          fleet.progress(repair.load, tracker.doneShare(repair)));
    }
    if (known.charge.hasListened(now) && known.queue.size() > 0 && !known.pauses.isOn()) {
      launch.start(now, known.settings.inFlightMax - tracker.size());
    }
    aborts.abortSome();
    if (aborts.isEmpty() && !known.pauses.isOn()) {
      // When stock gets a group, the group must not be pending any more, because stock waits for
      // pending repairs.
      handOver.handSome(now);
    }
    handOver.sayWhatIsLeft(now);
    if (now - keptAliveMs >= known.settings.keepAliveMs) {
      keptAliveMs = now;
      known.books.keepAlive(
          tracker.grants().stream().map(record -> record.grant).collect(Collectors.toList()));
    }
  }

  /**
   * Ends all repairs and forgets all groups, because this NameNode is not active or is in safe
   * mode.
   */
  private void rest(long now) {
    if (known.charge.end()) {
      LOG.info("This NameNode schedules no repairs any more; {} were under way", tracker.size());
    }
    endings.endAll();
    intake.forgetGroups();
    // In safe mode, failed repairs are still pending in the NameNode and have to be given up.
    aborts.beginCycle();
    aborts.abortSome();
    known.agents.dropOrders();
    // No repair is under way any more, but the result of an earlier repair may still report a wrong
    // unit.
    results.takeAll(now);
    // With this poll, the queue forgets the repairs that have ended. Nothing needs the result.
    known.books.poll(1);
  }

  /** Takes note that a cycle ended with an error. */
  void cycleFailed() {
    known.metrics.count(ManagerCounter.CYCLES_FAILED);
    known.charge.cycleFailed(known.clockMs.getAsLong());
  }

  /**
   * Takes note that a cycle has ended, with or without an error.
   *
   * @param nanos how long the cycle took, ns
   */
  void cycleTook(long nanos) {
    known.metrics.cycleTook(nanos);
  }

  /**
   * Makes the status for operators. An error here must not count as a failed cycle: after some
   * failed cycles, stock would get all groups although repairs go on.
   */
  private void publish(boolean isNew, long now) {
    try {
      status = statusMaker.make(isNew, now - askedMs <= ASKED_MS, now);
      known.metrics.show(status);
    } catch (RuntimeException | LinkageError e) {
      known.metrics.count(ManagerCounter.CYCLES_FAILED);
      peerLog.error(e.getClass().getName(), "The status of repairs cannot be made; repairs go on,"
          + " and pages, commands and metrics show an older status", e);
    }
  }

  /**
   * Ends repairs that cannot succeed any more: those that take too long, those that check only
   * samples although their group has become doubted, those that read a column with a block of a
   * doubted group, and those whose destination is kept out of repairs or sends no heartbeats. Used
   * by the manager's thread.
   */
  static final class OverdueRepairs {
    private final ManagerKnowledge known;
    private final RepairCompletion endings;

    OverdueRepairs(ManagerKnowledge known, RepairCompletion endings) {
      this.known = known;
      this.endings = endings;
    }

    void endAll(long nowMs) {
      // No node is to blame: the network may be slower than the settings say.
      known.tracker.overdue().forEach((repair, why) -> stop(repair, EndReason.OVERDUE, why));
      // The late result of an earlier repair may begin a doubt about a group while another repair
      // of the group is running and checks only samples. The running repair is stopped. The units
      // that it has written stay, but do not end the doubt. It may run for a moment longer. Until
      // it ends, its destination refuses the next repair of the group.
      stopAll(repair -> !repair.assignment.doubted && !repair.isReported()
          && known.groups.isDoubtOpen(repair.assignment.group.id), EndReason.DOUBT,
          "units of its group contradict each other, and it does not check all");
      // Repairs also end if a block of the column that they read belongs to a doubted group,
      // because nothing can check what the column gives. A repair that is reported already has
      // written its units.
      stopAll(repair -> !repair.isReported() && !known.core.mayRead(repair.assignment),
          EndReason.DOUBT, "it reads a column of CORE with a block that may be wrong");
      if (!known.agents.distrusted().isEmpty()) {
        // The destination of such a repair has not committed its units yet, so that they are
        // dropped.
        stopAll(this::isLedByDistrusted, EndReason.DESTINATION_DISTRUSTED,
            "its destination is kept out of repairs, as it seems to calculate wrongly");
      }
      if (known.charge.judgesSilence(nowMs)) {
        endSilent();
      }
    }

    private boolean isLedByDistrusted(TrackedRepair repair) {
      return known.agents.distrusted().contains(repair.destination().uuid) && !repair.isReported()
          && !known.groups.hasConceded(repair.assignment.group.id, RelaxedRule.BY_DISTRUSTED);
    }

    private void stopAll(Predicate<TrackedRepair> which, EndReason reason, String why) {
      known.tracker.all().stream().filter(which).forEach(repair -> stop(repair, reason, why));
    }

    private void stop(TrackedRepair repair, EndReason reason, String why) {
      endings.cancel(repair, why);
      endings.fail(repair, reason, why, repair.destination().uuid, false);
    }

    private void endSilent() {
      for (TrackedRepair repair : known.tracker.all()) {
        String destination = repair.destination().uuid;
        if (!known.agents.live(destination).isPresent()) {
          endings.fail(repair, EndReason.DESTINATION_SILENT,
              "its destination " + repair.destination() + " is silent", destination, false);
        }
      }
    }
  }
}
