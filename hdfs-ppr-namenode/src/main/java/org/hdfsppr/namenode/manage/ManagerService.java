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

import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.SuperuserAccess;
import org.apache.hadoop.ipc.CallAccess;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.Time;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.loader.Extensions;
import org.hdfsppr.manage.CommandKind;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.manage.OwnJars;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.extend.NameNodeBase;
import org.hdfsppr.namenode.extend.NameNodeExtension;
import org.hdfsppr.namenode.extend.NameNodeParts;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.explain.ExplainRequests;
import org.hdfsppr.namenode.manage.nodes.ClusterExamination;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NamesystemView;
import org.hdfsppr.namenode.manage.nodes.PortProbes;
import org.hdfsppr.namenode.manage.operator.OperatorRefreshHandler;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.rpc.HeartbeatCaller;
import org.hdfsppr.namenode.rpc.HeartbeatHandler;
import org.hdfsppr.namenode.rpc.RepairManagerServer;
import org.hdfsppr.namenode.rpc.WaitingCall;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.CoreScheduler;
import org.hdfsppr.namenode.schedule.MpprScheduler;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairScheduler;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.scrub.BackgroundScrubber;
import org.hdfsppr.namenode.scrub.ScrubNamespace;
import org.hdfsppr.namenode.scrub.ScrubSettings;
import org.hdfsppr.namenode.scrub.ScrubStatus;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles, starts and stops all parts that repair block groups in one NameNode. */
@InterfaceAudience.Private
public final class ManagerService implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerService.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /**
   * The pause between two cycles, ms: a quarter of the time between two heartbeats of a DataNode.
   * DataNodes fetch their commands with heartbeats. If a repair is ordered, the next heartbeat
   * comes earlier.
   */
  private static final long CYCLE_MS = 250;
  private static final long STOP_TIMEOUT_MS = 5_000;
  /**
   * A DataNode may send a call that the NameNode answers only when there are orders for it. The
   * longest time until the answer, ms. It is as long as the protocol allows, because a waiting call
   * occupies no handler, and an answer without orders is of no use.
   */
  private static final int ORDER_WAIT_MS = RepairManagerProtocol.KEPT_MS_MAX;
  /**
   * The PPR paper states the weights of m-PPR for chunks of this size and for {@code DATA_UNITS}
   * data units. The scheduler adapts the weights to each group.
   */
  private static final double CHUNK_BYTES = 64 << 20;
  private static final int DATA_UNITS = 6;

  private final RepairManager manager;
  private final RepairManagerServer server;
  /** The counters of repairs */
  public final ManagerMetrics metrics;
  private final ClusterExamination examination;
  private final ScrubParts scrub;
  /** The parts that the {@link NameNodeExtension} adds */
  public final NameNodeParts parts;
  private final Teardown teardown;
  private final ServiceSteps cycles;

  private ManagerService(RepairManager manager, RepairManagerServer server,
      ManagerMetrics metrics, ClusterExamination examination, ScrubParts scrub,
      NameNodeParts parts, Teardown teardown) {
    this.parts = parts;
    this.metrics = metrics;
    this.scrub = scrub;
    this.examination = examination;
    this.manager = manager;
    this.cycles = metrics.services.open("ppr-repair-manager", this::cycleFailed);
    this.server = server;
    this.teardown = teardown;
  }

  /**
   * Reads the settings, takes the queue over, and opens the port for DataNodes. If a jar has a
   * {@link NameNodeExtension}, its parts are made, too.
   *
   * @param namesystem the running NameNode
   * @param conf the NameNode's configuration
   * @return the running service
   * @throws IOException if one of these steps fails; then nothing runs, and stock repairs
   *     everything
   * @throws IllegalArgumentException if a setting makes no sense; the message names it, and nothing
   *     runs
   */
  public static ManagerService start(FSNamesystem namesystem, Configuration conf)
      throws IOException {
    // Finds the kinds of commands, or fails now: without them, no DataNode would get an answer to
    // its heartbeat.
    CommandKind.all();
    return start(namesystem, conf, Extensions.one(NameNodeExtension.class)
        .orElse(NameNodeExtension.NONE).read(conf), ORDER_WAIT_MS);
  }

  /**
   * Like {@link #start(FSNamesystem, Configuration)}, but the caller chooses the extension and how
   * long the calls of DataNodes wait.
   *
   * @param namesystem the running NameNode
   * @param conf the NameNode's configuration
   * @param setup makes the parts of the extension
   * @param orderWaitMs how long a DataNode's call that asks for orders may wait for them, ms
   * @return the running service
   * @throws IOException if one of these steps fails
   */
  public static ManagerService start(FSNamesystem namesystem, Configuration conf,
      NameNodeExtension.Setup setup, int orderWaitMs) throws IOException {
    return start(namesystem, conf, setup, orderWaitMs,
        new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory()));
  }

  /** @param thread runs the cycles; it is shut down with the service, or if this method fails */
  static ManagerService start(FSNamesystem namesystem, Configuration conf,
      NameNodeExtension.Setup setup, int orderWaitMs, ScheduledExecutorService thread)
      throws IOException {
    Teardown teardown = new Teardown();
    boolean started = false;
    try {
      ManagerService service = start(namesystem, conf, setup, orderWaitMs, thread, teardown);
      started = true;
      return service;
    } finally {
      if (!started) {
        thread.shutdownNow();
        teardown.close();
      }
    }
  }

  /** @param teardown receives each part that has been started, even if a later part fails */
  private static ManagerService start(FSNamesystem namesystem, Configuration conf,
      NameNodeExtension.Setup setup, int orderWaitMs, ScheduledExecutorService thread,
      Teardown teardown) throws IOException {
    ManagerSettings settings = ManagerSettings.of(conf);
    ScrubSettings scrubSettings = ScrubSettings.of(conf);
    CodeSource codes = policy -> Codes.forCodec(conf, policy.codec, policy.dataUnits,
        policy.parityUnits);
    SchedulerOptions options = new SchedulerOptions(new CodeReads(codes), settings.checkOneIn,
        MpprWeights.ofNodes(settings.linkBytesPerSecond, CHUNK_BYTES, DATA_UNITS));
    RepairScheduler scheduler = new CoreScheduler(
        RepairSchedulers.byName(settings.scheduler, options, new Random()), options,
        settings.coreStrategy());
    DataNodeAgents agents = new DataNodeAgents(Time::monotonicNow);
    PolicyClaims claims = new PolicyClaims(codes, settings.repairsLeaving);
    ManagerMetrics metrics = ManagerMetrics.register(settings.scheduler);
    teardown.add(metrics::unregister);
    BlockManagerAccess books = BlockManagerAccess.install(namesystem, claims, agents::repairPort,
        metrics);
    teardown.add(books::uninstall);
    NamesystemView view = new NamesystemView(namesystem, conf);
    RepairManager manager = new RepairManager(new ManagerKnowledge(books, view, agents, claims,
        settings, metrics, Time::monotonicNow), scheduler);
    // The thread is stopped before the queue goes back to stock, so that the last cycle has ended
    // by then.
    teardown.add(() -> stop(thread));
    ScrubParts scrub = new ScrubParts(scrubSettings, manager, agents, metrics);
    NameNodeParts parts = setup.open(
        new NameNodeBase(namesystem, conf, manager, agents, view, codes, metrics));
    view.explainBy(parts::explain);
    if (!parts.readsRecords()) {
      view.readsNoRecords();
    }
    RepairManagerServer server = RepairManagerServer.start(conf, parts.secrets(), view,
        new HeartbeatResponder(manager, parts::hear, view::blockPoolId,
            settings.scheduler.equals(MpprScheduler.NAME), supported(orderWaitMs)),
        parts.protocols());
    teardown.add(server);
    OperatorRefreshHandler door = openDoor(namesystem, manager);
    if (door != null) {
      teardown.add(() ->
          RefreshRegistry.defaultRegistry().unregister(OperatorRefreshHandler.IDENTIFIER, door));
    }
    ClusterExamination examination = new ClusterExamination(view, agents,
        new PortProbes(Time::monotonicNow), new ClusterFacts.NameNodeFacts(version(),
            OwnJars.find(ManagerService.class.getClassLoader()), settings.linkBytesPerSecond,
            settings.setLinkRate > 0));
    teardown.add(examination);
    ManagerService service = new ManagerService(manager, server, metrics, examination, scrub,
        parts, teardown);
    thread.scheduleWithFixedDelay(service.cycles.guarded(service::cycle), CYCLE_MS, CYCLE_MS,
        TimeUnit.MILLISECONDS);
    return service;
  }

  /** Returns 0 if this Hadoop cannot put off the answers to calls that wait for orders. */
  private static int supported(int orderWaitMs) {
    List<String> missing = CallAccess.missing();
    if (!missing.isEmpty()) {
      LOG.warn("DataNodes fetch orders with their regular heartbeats only, because this Hadoop"
          + " lacks {}", missing);
    }
    return missing.isEmpty() ? orderWaitMs : 0;
  }

  private static String version() {
    String version = ManagerService.class.getPackage().getImplementationVersion();
    return version == null ? HeartbeatRequest.NO_VERSION : version;
  }

  private static void stop(ExecutorService thread) {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        LOG.warn("The repair manager has not ended within {} ms", STOP_TIMEOUT_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** @return the handler of superusers' commands, or null if their senders cannot be checked */
  private static OperatorRefreshHandler openDoor(FSNamesystem namesystem, RepairManager manager) {
    List<String> missing = SuperuserAccess.missing();
    if (!missing.isEmpty()) {
      LOG.warn("Operators' commands such as 'hdfs ppr -pause' do not work here: this Hadoop lacks"
          + " {}", missing);
      return null;
    }
    OperatorRefreshHandler door = new OperatorRefreshHandler(new OperatorRefreshHandler.Guard() {
      @Override
      public void check(String operation) throws IOException {
        SuperuserAccess.check(namesystem, operation);
      }

      @Override
      public void audit(String operation, String what) throws IOException {
        SuperuserAccess.audit(namesystem, operation, what);
      }
    }, manager::submit, manager.operations());
    RefreshRegistry.defaultRegistry().register(OperatorRefreshHandler.IDENTIFIER, door);
    return door;
  }

  /**
   * Runs a cycle. If a cycle fails, the next cycle still runs. If no cycle polls the queue for a
   * minute, the queue hands all groups to stock.
   */
  private void cycle() {
    Thread.currentThread().setName("ppr-repair-manager");
    long start = System.nanoTime();
    try {
      manager.cycle();
    } finally {
      manager.cycleTook(System.nanoTime() - start);
    }
  }

  private void cycleFailed(Throwable e) {
    // The failure is counted first, in case there is not enough memory to log it.
    manager.cycleFailed();
    PEER_LOG.error(e.getClass().getName(), "A cycle of the repair manager failed", e);
  }

  /** @return port on which DataNodes reach the repair manager */
  public int port() {
    return server.address().getPort();
  }

  /** @return the manager's status at the end of its last cycle */
  public ManagerStatus status() {
    return manager.status();
  }

  /** @return takes questions about why a group is not repaired yet; any thread may ask it */
  public ExplainRequests explainDesk() {
    return manager.desk;
  }

  /** @return a supplier that collects, with each call, what is known about all DataNodes */
  public Supplier<ClusterFacts> examination() {
    return examination;
  }

  /**
   * Begins the checks in the background, if the settings ask for them. They end with this service.
   *
   * @param namespace the files of this NameNode
   */
  public void startChecks(ScrubNamespace namespace) {
    scrub.start(namespace).ifPresent(teardown::add);
  }

  /**
   * Starts the parts of the extension. {@link #close} ends them before all other parts.
   *
   * @param namenode returns the NameNode's methods, or null while there are none
   */
  public void startExtension(Supplier<? extends ClientProtocol> namenode) {
    teardown.add(parts);
    parts.start(namenode);
    useColumns(parts.book());
  }

  /**
   * Lets repairs use the columns of CORE groups.
   *
   * @param book finds the rows of a block group
   */
  public void useColumns(CoreGroupLookup book) {
    manager.useColumns(book);
  }

  /** @return what the checks in the background have found so far */
  public ScrubStatus verification() {
    return scrub.status();
  }

  /** Stops all parts and hands all groups back to stock. A second call does nothing more. */
  @Override
  public void close() {
    teardown.close();
  }

  /** Puts the parts together that check groups in the background. */
  static final class ScrubParts {
    private final ScrubSettings settings;
    private final RepairManager manager;
    private final DataNodeAgents agents;
    private final ManagerMetrics metrics;
    /** Null until the checks begin. */
    private volatile BackgroundScrubber passes;

    ScrubParts(ScrubSettings settings, RepairManager manager, DataNodeAgents agents,
        ManagerMetrics metrics) {
      this.settings = settings;
      this.manager = manager;
      this.agents = agents;
      this.metrics = metrics;
    }

    /** Begins the checks; returns what ends them, or nothing if the settings ask for none. */
    Optional<Closeable> start(ScrubNamespace namespace) {
      if (!settings.isOn()) {
        return Optional.empty();
      }
      BackgroundScrubber running = new BackgroundScrubber(settings,
          new BackgroundScrubber.Doors(namespace, new ManagerGate(manager),
              new HeartbeatOrders(agents), agents.orders),
          metrics::scrubbed, Time::monotonicNow, Clock.systemUTC());
      running.start(metrics.services);
      passes = running;
      return Optional.of(running);
    }

    ScrubStatus status() {
      BackgroundScrubber running = passes;
      return running == null ? ScrubStatus.OFF : running.status();
    }
  }

  /**
   * Answers the DataNodes' heartbeats: it keeps the reports in a heartbeat, and returns the
   * commands that wait for its sender. It plans nothing and waits for no other thread. Thread-safe.
   */
  static final class HeartbeatResponder implements HeartbeatHandler {
    private final ReconstructionQueue books;
    private final DataNodeAgents agents;
    private final RepairManager manager;
    private final BiPredicate<NodeRef, OldReads> oldReads;
    private final Supplier<String> blockPoolId;
    private final boolean wantsResident;
    private final int orderWaitMs;

    /** Makes a handler without an extension. */
    HeartbeatResponder(RepairManager manager, Supplier<String> blockPoolId, boolean wantsResident) {
      this(manager, (node, reads) -> false, blockPoolId, wantsResident, 0);
    }

    /**
     * @param oldReads takes the nodes' reports about clients that read old versions of files;
     *     returns whether the node's next heartbeat has to list all of these reads
     * @param orderWaitMs how long a DataNode's call that asks for orders may wait for them, ms; 0
     *     if DataNodes shall send no such calls
     */
    HeartbeatResponder(RepairManager manager, BiPredicate<NodeRef, OldReads> oldReads,
        Supplier<String> blockPoolId, boolean wantsResident, int orderWaitMs) {
      this.orderWaitMs = orderWaitMs;
      this.wantsResident = wantsResident;
      this.books = manager.known.books;
      this.agents = manager.known.agents;
      this.manager = manager;
      this.oldReads = oldReads;
      this.blockPoolId = blockPoolId;
    }

    @Override
    public HeartbeatResponse heartbeat(HeartbeatCaller caller, HeartbeatRequest request) {
      DataNodeAgent agent = agents.hear(request, wantsResident);
      boolean wantsReads = oldReads.test(request.node, request.oldReads);
      long term = books.term();
      if (!books.isActive()) {
        HeartbeatResponseProto.Builder inactive =
            HeartbeatResponse.inactive(term, blockPoolId.get());
        // This NameNode may acknowledge these results, because the active NameNode learns of the
        // rebuilt units by block reports.
        for (RepairResult result : request.results) {
          if (manager.tellLate(request.node.uuid, result)) {
            inactive.addAcknowledged(result.repairId);
          }
        }
        return new HeartbeatResponse(inactive.setWantsSelf(agent.lacksSelf())
            .setIgnoresResident(!wantsResident).setWantsAllOldReads(wantsReads));
      }
      HeartbeatResponseProto.Builder response =
          HeartbeatResponse.active(term, blockPoolId.get());
      List<ManagerCommand> commands = new ArrayList<>();
      books.heardOfTerm(request.newestTerm);
      noteNamed(request);
      for (RunningRepair running : request.running) {
        if (leads(request, running.repairId, running.term)) {
          manager.tracker.running(running.repairId, running.donePercent);
        }
      }
      for (RepairResult result : request.results) {
        String uuid = request.node.uuid;
        boolean isTaken = agents.orders.tell(uuid, result)
            || (leads(request, result.repairId, result.term) ? manager.tell(uuid, result)
                : manager.tellLate(uuid, result));
        if (isTaken) {
          response.addAcknowledged(result.repairId);
        }
      }
      for (ManagerCommand command : agent.takeOrders()) {
        if (command.term() == term
            && (!(command instanceof RepairCommand) || manager.tracker.sent(command.id()))) {
          commands.add(command);
        }
      }
      commands.addAll(agent.takeCancels());
      return new HeartbeatResponse(response
          .setIgnoresResident(!wantsResident)
          .setWantsAllResident(wantsResident && !agent.isResidentComplete())
          .setWantsSelf(agent.lacksSelf())
          .setWantsAllOldReads(wantsReads)
          .setPressurePercent(manager.pressure()).setLinkBytesPerS(manager.setLinkRate())
          .setOrderWaitMs(orderWaitMs), commands);
    }

    @Override
    public void awaitOrders(String uuid, int waitMs, WaitingCall call) throws IOException {
      agents.awaitOrders(uuid, waitMs, call);
    }

    private void noteNamed(HeartbeatRequest request) {
      Set<String> named = new HashSet<>();
      request.running.forEach(running -> named.add(running.repairId));
      request.results.forEach(result -> named.add(result.repairId));
      boolean isAll = request.running.size() < HeartbeatRequest.RUNNING_MAX
          && request.results.size() < HeartbeatRequest.RESULTS_MAX;
      manager.tracker.heard(request.node.uuid, named, isAll);
    }

    /**
     * Returns whether the sender of the heartbeat is the destination of the repair. Only this node
     * can report the repair's progress.
     */
    private boolean leads(HeartbeatRequest request, String repairId, long inTerm) {
      return manager.tracker.byId(repairId).filter(repair -> repair.term() == inTerm)
          .map(repair -> repair.destination().uuid.equals(request.node.uuid)).orElse(false);
    }
  }
}
