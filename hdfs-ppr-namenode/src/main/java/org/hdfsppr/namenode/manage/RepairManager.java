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
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.column.ColumnTrust;
import org.hdfsppr.namenode.manage.charge.Charge;
import org.hdfsppr.namenode.manage.charge.PauseKeeper;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.core.CoreDoubts;
import org.hdfsppr.namenode.manage.core.CoreLosses;
import org.hdfsppr.namenode.manage.core.TrustedColumns;
import org.hdfsppr.namenode.manage.endings.Aborts;
import org.hdfsppr.namenode.manage.endings.DoubtKeeper;
import org.hdfsppr.namenode.manage.endings.Endings;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.explain.ExplainDesk;
import org.hdfsppr.namenode.manage.explain.FactCollector;
import org.hdfsppr.namenode.manage.launch.Compromises;
import org.hdfsppr.namenode.manage.launch.Launch;
import org.hdfsppr.namenode.manage.launch.Orders;
import org.hdfsppr.namenode.manage.launch.TrustingScheduler;
import org.hdfsppr.namenode.manage.launch.WaitingGroups;
import org.hdfsppr.namenode.manage.measure.LossLog;
import org.hdfsppr.namenode.manage.nodes.Agents;
import org.hdfsppr.namenode.manage.nodes.ClusterWatch;
import org.hdfsppr.namenode.manage.nodes.FleetKeeper;
import org.hdfsppr.namenode.manage.nodes.KeptOutNodes;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.operator.Operations;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreBook;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.schedule.Admission;
import org.hdfsppr.namenode.schedule.DestinationFilter;
import org.hdfsppr.namenode.schedule.Dispatcher;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.schedule.Scheduler;
import org.hdfsppr.namenode.track.Concession;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RetryPolicy;
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
 *   {@link Charge}       in charge or not, since when, in which term
 *   {@link ResultTaker}  results of DataNodes  --+
 *   {@link Intake}       changes in the books  --+--> {@link Endings}, {@link WaitingGroups}
 *   {@link Overdue}      repairs that are late --+
 *   {@link CoreLosses}     what columns of CORE can do for rows that have changed
 *   {@link Launch}       plans, begins, orders; {@link Compromises} where there is no plan
 *   {@link StockHandOver}, {@link Aborts}        groups for stock, repairs to give up
 * </pre>
 */
@InterfaceAudience.Private
final class RepairManager {
  private static final Logger LOG = LoggerFactory.getLogger(RepairManager.class);
  /**
   * The greatest number of superusers' commands that wait for a cycle. This is enough, because
   * Hadoop accepts one command at a time.
   */
  private static final int COMMANDS_MAX = 16;
  /** The lists of the status are made until nothing has asked for the status for this time, ms. */
  private static final long ASKED_MS = 10_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ReconstructionQueue books;
  private final Agents agents;
  private final ManagerSettings settings;
  private final ManagerMetrics metrics;
  private final LongSupplier clockMs;
  private final RepairQueue queue = new RepairQueue();
  private final GroupBook groups = new GroupBook();
  private final Fleet fleet;
  /** The repairs under way. Any thread may call the tracker's methods. */
  final RepairTracker tracker;
  private final ResultInbox inbox;
  private final Doubts doubts;
  private final RetryPolicy retries;
  private final ClusterWatch cluster;
  private final PauseKeeper pauses;
  private final Charge charge;
  private final KeptOutNodes keptOut;
  private final DoubtKeeper keptDoubts;
  private final Aborts aborts;
  private final StockHandOver handOver;
  private final WaitingGroups waiting;
  private final Endings endings;
  private final ResultTaker results;
  private final Intake intake;
  private final Overdue overdue;
  private final Launch launch;
  private final ByHand byHand;
  private final CoreLosses core;
  private final TrustedColumns columns;
  private final CoreDoubts coreDoubts;
  private final StatusMaker statusMaker;
  private final BlockingQueue<Runnable> superusersCommands =
      new ArrayBlockingQueue<>(COMMANDS_MAX);
  /** The desk that takes questions about groups. Any thread may ask there. */
  final ExplainDesk desk;
  private final FactCollector facts;
  /** The groups that another part of the plugin makes, and that are not repaired. */
  final MadeGroups madeGroups = new MadeGroups();
  private final LossLog losses;
  private volatile ManagerStatus status = ManagerStatus.NONE;
  private volatile long askedMs = Long.MIN_VALUE / 2;
  private long keptAliveMs;
  private volatile int pressure;

  RepairManager(ReconstructionQueue books, NameNodeView namenode, Agents agents,
      PolicyClaims claims, Scheduler scheduler, ManagerSettings settings,
      ManagerMetrics metrics, LongSupplier clockMs) {
    this.books = books;
    this.agents = agents;
    this.settings = settings;
    this.pressure = settings.pressure;
    this.metrics = metrics;
    this.clockMs = clockMs;
    Clock wallClock = Clock.systemUTC();
    pauses = new PauseKeeper(wallClock);
    fleet = new Fleet(scheduler.rank(), settings.crossRackBytesPerSecond);
    FleetKeeper keeper = new FleetKeeper(fleet,
        NodeCapacity.ofLink(settings.linkBytesPerSecond), agents);
    tracker = new RepairTracker(clockMs);
    inbox = new ResultInbox(tracker);
    doubts = new Doubts(groups, clockMs, () -> pauses.workedMs(clockMs.getAsLong()));
    retries = new RetryPolicy(groups, clockMs);
    columns = new TrustedColumns(groups::isDoubtOpen);
    FaultyNodes faulty = new FaultyNodes(clockMs);
    cluster = new ClusterWatch(namenode, agents);
    charge = new Charge(books, cluster, agents, claims, pauses, this::knowsColumns);
    core = new CoreLosses(books, tracker, groups, retries, settings.coreStrategy(), columns);
    coreDoubts = new CoreDoubts(core, columns);
    keptDoubts = new DoubtKeeper(books, groups, doubts, faulty, coreDoubts);
    keptOut = new KeptOutNodes(cluster, agents, keeper, faulty, retries);
    aborts = new Aborts(books);
    handOver = new StockHandOver(books, queue, groups, retries, metrics);
    waiting = new WaitingGroups(queue, groups, retries, agents, cluster, metrics, core::known);
    endings = new Endings(books, tracker, fleet, groups, retries, keptDoubts, handOver, aborts,
        agents, metrics, clockMs);
    Orders orders = new Orders(books, tracker, fleet, groups, retries, agents, endings, metrics);
    results = new ResultTaker(inbox, tracker, groups, keptDoubts, endings, orders,
        coreDoubts::rebuilt);
    losses = new LossLog(clockMs);
    groups.setWhenGone((id, before, isRebuilt) -> {
      core.gone(id);
      if (isRebuilt) {
        losses.gone(id);
      } else {
        losses.uncount(id);
      }
    });
    intake = new Intake(books, settings, charge, cluster, queue, waiting, groups, retries,
        keptDoubts, handOver, tracker, endings, losses, madeGroups, core, metrics);
    overdue = new Overdue(tracker, groups, agents, charge, endings, core);
    Compromises compromises = new Compromises(books, cluster, agents, groups, doubts, retries,
        waiting, handOver, metrics, core, clockMs);
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
        return groups.hasConceded(group.id, Concession.ON_COLUMN);
      }

      @Override
      public void planned(Assignment repair) {
        core.planned(repair);
        compromises.planned(repair.group.id);
      }
    };
    Scheduler trusting = new TrustingScheduler(scheduler,
        group -> groups.hasConceded(group.id, Concession.WITH_DISTRUSTED), keeper::trusting);
    Dispatcher dispatcher = new Dispatcher(queue, fleet, new TrustingScheduler(trusting,
        group -> groups.hasConceded(group.id, Concession.WITH_FAILING), keeper::readmitting),
        new Admission(Admission.DEPTH_DEFAULT, 1), filter, compromises::cannotPlan);
    launch = new Launch(books, dispatcher, fleet, tracker, groups, retries, waiting, compromises,
        orders, aborts, agents, charge, metrics, core);
    byHand = new ByHand(books, cluster, charge, pauses, queue, tracker, groups, doubts,
        keptDoubts, coreDoubts, faulty, retries, waiting, clockMs, this::press, this::pressure,
        settings.setLinkRate > 0);
    desk = new ExplainDesk(clockMs);
    facts = new FactCollector(cluster, charge, pauses, agents, fleet, queue, tracker, groups,
        doubts, retries, compromises, settings.delayMs, settings.inFlightMax);
    statusMaker = new StatusMaker(books, charge, cluster, agents, keptOut, queue, fleet, tracker,
        groups, doubts, retries, handOver, losses, core, settings.facts(wallClock.millis()),
        settings.delayMs, pauses, wallClock);
  }

  /**
   * Returns the status at the end of the last cycle. May be called by any thread. The call also
   * asks for the lists of the status: the cycles of the next ten seconds make them.
   */
  ManagerStatus status() {
    askedMs = clockMs.getAsLong();
    return status;
  }

  /** As {@link #status}, but does not ask for the lists. */
  ManagerStatus lastStatus() {
    return status;
  }

  /** Returns whether units of a group may contradict each other. Any thread may ask. */
  boolean isDoubted(GroupId group) {
    return groups.isDoubtOpen(group);
  }

  /** Returns what says which columns may be read. Any thread may ask there. */
  ColumnTrust columnTrust() {
    return columns;
  }

  /**
   * Returns the operations for superusers. Call them only in a command given to {@link #submit}.
   */
  Operations operations() {
    return byHand;
  }

  /** Lets repairs use the columns of CORE groups. Any thread may call this. */
  void useColumns(CoreBook book) {
    core.use(book);
    books.useColumns(book);
  }

  /** Returns how many DataNodes see reads of old versions of files. Any thread may ask. */
  int seeingReads() {
    return agents.seeingReads();
  }

  /** Returns where blocks are, see {@link ReconstructionQueue#places}. Any thread may ask. */
  Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> of) {
    return books.places(of);
  }

  private boolean knowsColumns() {
    return core.knowsAll();
  }

  /** Returns how much repairs press where users are busy, percent. Any thread may call this. */
  int pressure() {
    return pressure;
  }

  private void press(int percent) {
    LOG.info("Repairs press {} from now on where users are busy; it was {}",
        Pressure.name(percent), Pressure.name(pressure));
    pressure = percent;
  }

  /** Returns what a DataNode's link carries each way, bytes/s; 0 if an operator has not set it. */
  long setLinkRate() {
    return settings.setLinkRate;
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
    long now = clockMs.getAsLong();
    pauses.look(now);
    charge.noticePause(now);
    agents.endWaits();
    cluster.countParticipants();
    boolean isNew = cluster.look(now);
    if (isNew) {
      doubts.undecided().forEach(keptDoubts::undecided);
      keptDoubts.forgetDeleted();
      coreDoubts.forgetDissolved();
    }
    charge.claim(now);
    if (books.isActive()) {
      isNew |= charge.begin(now);
      schedule(now, isNew);
      publish(isNew, now);
      charge.cycleDone();
    } else {
      rest(now);
      publish(isNew, now);
    }
    desk.answerSome(group -> facts.explain(group, now));
  }

  /**
   * During an operator's pause this does all but begin repairs and hand groups to stock. Repairs
   * under way end, and the NameNode's queue is polled, so that stock's rescue has no reason to act.
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
    if (charge.hasListened(now) && queue.size() > 0 && !pauses.isOn()) {
      launch.start(now, settings.inFlightMax - tracker.size());
    }
    aborts.abortSome();
    if (aborts.isEmpty() && !pauses.isOn()) {
      // When stock gets a group, the group must not be pending any more, because stock waits for
      // pending repairs.
      handOver.handSome(now);
    }
    handOver.sayWhatIsLeft(now);
    if (now - keptAliveMs >= settings.keepAliveMs) {
      keptAliveMs = now;
      books.keepAlive(
          tracker.grants().stream().map(record -> record.grant).collect(Collectors.toList()));
    }
  }

  /**
   * Ends all repairs and forgets all groups, because this NameNode is not active or is in safe
   * mode.
   */
  private void rest(long now) {
    if (charge.end()) {
      LOG.info("This NameNode schedules no repairs any more; {} were under way", tracker.size());
    }
    endings.endAll();
    intake.forgetGroups();
    // In safe mode, failed repairs are still pending in the NameNode and have to be given up.
    aborts.beginCycle();
    aborts.abortSome();
    agents.dropOrders();
    // No repair is under way any more, but the result of an earlier repair may still report a wrong
    // unit.
    results.takeAll(now);
    // The result of this poll is dropped: nothing needs the ends of repairs any more.
    books.poll(1);
  }

  /** Takes note that a cycle ended with an error. */
  void cycleFailed() {
    metrics.cycleFailed();
    charge.cycleFailed(clockMs.getAsLong());
  }

  /**
   * Takes note that a cycle has ended, with or without an error.
   *
   * @param nanos how long the cycle took, ns
   */
  void cycleTook(long nanos) {
    metrics.cycleTook(nanos);
  }

  /**
   * Makes the status for operators. An error here must not count as a failed cycle: after some of
   * these, stock would get all groups although repairs go on.
   */
  private void publish(boolean isNew, long now) {
    try {
      status = statusMaker.make(isNew, now - askedMs <= ASKED_MS, now);
      metrics.show(status);
    } catch (RuntimeException | LinkageError e) {
      metrics.cycleFailed();
      peerLog.error(e.getClass().getName(), "The status of repairs cannot be made; repairs go on,"
          + " and pages, commands and metrics show an older status", e);
    }
  }
}
