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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.StockAvoidance;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.SuperuserAccess;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.Time;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.rpc.LiveDataNodes;
import org.hdfsppr.namenode.rpc.RepairManagerServer;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.MpprScheduler;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.Scheduler;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.schedule.Schedulers;
import org.hdfsppr.plan.NodeRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that runs for repairs in one NameNode, put together. */
@InterfaceAudience.Private
public final class ManagerService implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerService.class);
  /** A quarter of the time between heartbeats, by which commands go out. */
  private static final long CYCLE_MS = 250;
  private static final long STOP_TIMEOUT_MS = 5_000;
  /** The chunk and k that the paper states m-PPR's weights for; groups have their own. */
  private static final double CHUNK_BYTES = 64 << 20;
  private static final int DATA_UNITS = 6;

  private final BlockManagerAccess books;
  private final RepairManager manager;
  private final ManagerMetrics metrics;
  private final ScheduledExecutorService thread;
  private final RepairManagerServer server;
  private final OperatorDoor door;

  private ManagerService(BlockManagerAccess books, RepairManager manager, ManagerMetrics metrics,
      ScheduledExecutorService thread, RepairManagerServer server, OperatorDoor door) {
    this.door = door;
    this.books = books;
    this.manager = manager;
    this.metrics = metrics;
    this.thread = thread;
    this.server = server;
  }

  /**
   * Reads the settings, takes the queue over, and opens the port for DataNodes.
   *
   * @throws IOException if one of that is not possible; nothing runs then and all is stock's
   * @throws IllegalArgumentException naming a setting that makes no sense; likewise
   */
  public static ManagerService start(FSNamesystem namesystem, Configuration conf)
      throws IOException {
    ManagerSettings settings = ManagerSettings.of(conf);
    CodeSource codes = policy -> Codes.forCodec(conf, policy.codec(), policy.dataUnits(),
        policy.parityUnits());
    Scheduler scheduler = Schedulers.byName(settings.scheduler(),
        new SchedulerOptions(new CodeReads(codes), settings.checkOneIn(),
            new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, CHUNK_BYTES, DATA_UNITS)),
        new Random());
    Agents agents = new Agents(Time::monotonicNow);
    PolicyClaims claims = new PolicyClaims(codes);
    ManagerMetrics metrics = ManagerMetrics.register();
    BlockManagerAccess books = null;
    RepairManagerServer server = null;
    ScheduledThreadPoolExecutor thread =
        new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
    boolean started = false;
    try {
      books = BlockManagerAccess.install(namesystem, claims, agents::repairPort,
          metrics::rescueFailed);
      View view = new View(namesystem, conf);
      RepairManager manager = new RepairManager(books, view, agents, claims, scheduler, settings,
          metrics, Time::monotonicNow);
      server = RepairManagerServer.start(conf, null, view,
          new Heartbeats(books, agents, manager, view::blockPoolId,
              scheduler instanceof MpprScheduler));
      ManagerService service = new ManagerService(books, manager, metrics, thread, server,
          openDoor(namesystem, manager));
      thread.scheduleWithFixedDelay(service::cycle, CYCLE_MS, CYCLE_MS, TimeUnit.MILLISECONDS);
      started = true;
      return service;
    } finally {
      if (!started) {
        thread.shutdownNow();
        if (server != null) {
          server.close();
        }
        if (books != null) {
          books.uninstall();
        }
        metrics.unregister();
      }
    }
  }

  /** @return where superusers' commands come in, or null if their senders cannot be checked */
  private static OperatorDoor openDoor(FSNamesystem namesystem, RepairManager manager) {
    List<String> missing = SuperuserAccess.missing();
    if (!missing.isEmpty()) {
      LOG.warn("'hdfs ppr -undoubt' and '-readmit' do not work here: this Hadoop lacks {}",
          missing);
      return null;
    }
    OperatorDoor door = new OperatorDoor(new OperatorDoor.Guard() {
      @Override
      public void check(String operation) throws IOException {
        SuperuserAccess.check(namesystem, operation);
      }

      @Override
      public void audit(String operation, String what) throws IOException {
        SuperuserAccess.audit(namesystem, operation, what);
      }
    }, manager::submit, manager.operations());
    RefreshRegistry.defaultRegistry().register(OperatorDoor.IDENTIFIER, door);
    return door;
  }

  /**
   * A cycle that fails must not be the last one. If none comes as far as the queue for a minute,
   * the queue hands all to stock.
   */
  private void cycle() {
    Thread.currentThread().setName("ppr-repair-manager");
    try {
      manager.cycle();
    } catch (Throwable e) {
      // Whatever it is: an error that got out would end all cycles without a word.
      LOG.error("A cycle of the repair manager failed", e);
      manager.cycleFailed();
    }
  }

  /** Where DataNodes reach it. */
  public int port() {
    return server.address().getPort();
  }

  /** Hands everything back to stock. May be called twice. */
  @Override
  public void close() {
    if (door != null) {
      RefreshRegistry.defaultRegistry().unregister(OperatorDoor.IDENTIFIER, door);
    }
    server.close();
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        LOG.warn("The repair manager has not ended within {} ms", STOP_TIMEOUT_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      books.uninstall();
      metrics.unregister();
    }
  }

  /** The NameNode's DataNodes. */
  private static final class View implements NameNodeView, LiveDataNodes {
    private final FSNamesystem namesystem;
    private final StockAvoidance avoidance;

    View(FSNamesystem namesystem, Configuration conf) {
      this.namesystem = namesystem;
      this.avoidance = new StockAvoidance(namesystem.getBlockManager(), conf);
    }

    private DatanodeManager datanodes() {
      return namesystem.getBlockManager().getDatanodeManager();
    }

    @Override
    public List<LiveNode> liveNodes() {
      List<LiveNode> nodes = new ArrayList<>();
      for (DatanodeDescriptor node
          : datanodes().getDatanodeListForReport(DatanodeReportType.LIVE)) {
        nodes.add(new LiveNode(new NodeRef(node.getDatanodeUuid(), node.getIpAddr(),
            node.getHostName(), node.getXferPort(), NodeRef.NO_REPAIR_PORT,
            node.getNetworkLocation()), node.isInService() && BlockManagerAccess.isKnown(node),
            avoidance.avoids(node)));
      }
      return nodes;
    }

    @Override
    public List<GroupPolicy> policies() {
      List<GroupPolicy> policies = new ArrayList<>();
      for (ErasureCodingPolicyInfo info : ErasureCodingPolicyManager.getInstance().getPolicies()) {
        ErasureCodingPolicy policy = info.getPolicy();
        policies.add(new GroupPolicy(policy.getCodecName(), policy.getNumDataUnits(),
            policy.getNumParityUnits(), policy.getCellSize()));
      }
      return policies;
    }

    @Override
    public String blockPoolId() {
      return namesystem.getBlockPoolId();
    }

    /** With dfs.namenode.replication.max-streams at 0, stock hands out no repairs. */
    @Override
    public boolean allowsRepairs() {
      return namesystem.getBlockManager().getMaxReplicationStreams() > 0;
    }

    @Override
    public boolean isLive(String uuid, String ipAddr) {
      DatanodeDescriptor node = datanodes().getDatanode(uuid);
      return node != null && node.isAlive() && node.getIpAddr().equals(ipAddr);
    }
  }
}
