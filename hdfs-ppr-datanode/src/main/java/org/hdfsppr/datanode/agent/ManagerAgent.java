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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.io.FileAdvice;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.datanode.command.CommandDispatcher;
import org.hdfsppr.datanode.repair.RepairService;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerAddress;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.OwnJars;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairManagerClientTranslator;
import org.hdfsppr.manage.RepairManagerProtocol;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.service.Services;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges heartbeats with the repair managers of all configured NameNodes, active and standby.
 * The heartbeats report this DataNode's state, and the answers bring the managers' commands. An
 * operator may add or remove NameNodes while the DataNode runs. While a manager does not answer,
 * its heartbeats become rarer.
 */
@InterfaceAudience.Private
public final class ManagerAgent {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerAgent.class);
  /**
   * The longest time for which a call waits for a connection or for an answer, ms. After that time
   * the heartbeat counts as not answered.
   */
  private static final int CALL_TIMEOUT_MS = 5_000;
  private static final long STOP_TIMEOUT_MS = 5_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final HeartbeatActors links;
  private final List<Thread> threads = new ArrayList<>();
  private boolean stopped;

  private ManagerAgent(HeartbeatActors links) {
    this.links = links;
  }

  /**
   * Starts the heartbeats, unless their interval is 0.
   *
   * @param datanode the DataNode that runs the service
   * @param service the service that carries out commands
   * @return the running agent; {@link #stop} ends it
   * @throws IOException if the configuration names no NameNode
   * @throws IllegalArgumentException if a setting has a value that is not allowed; the message
   *     names the setting, and nothing runs then
   */
  public static ManagerAgent start(DataNode datanode, RepairService service) throws IOException {
    Configuration conf = datanode.getConf();
    int intervalMs = intervalMs(conf);
    LoadMeter meter = new LoadMeter(datanode, service, System::nanoTime);
    ResidentScan scan = new ResidentScan(
        new DataNodeReplicas(datanode, service::mostlyCached), System::nanoTime);
    NodeSelf about = about(conf, service);
    HeartbeatActor.Self self = new HeartbeatActor.Self() {
      @Override
      public NodeRef node() {
        return service.self();
      }

      @Override
      public NodeLoad load() {
        return meter.load();
      }

      @Override
      public String softwareVersion() {
        return version();
      }

      @Override
      public long requestFeatures() {
        return service.requestFeatures();
      }

      @Override
      public long commandFeatures() {
        return service.commandFeatures();
      }

      @Override
      public NodeSelf about() {
        return about;
      }

      @Override
      public long wallClockMs() {
        return System.currentTimeMillis();
      }

      @Override
      public List<String> unreachable() {
        return service.unreachablePeers();
      }
    };
    ManagerAgent agent = new ManagerAgent(new HeartbeatActors(
        new LinkFactory(service, self, scan, intervalMs)));
    if (intervalMs == 0) {
      LOG.info("This DataNode asks no repair manager for orders: {} is 0",
          PprKeys.DATANODE_HEARTBEAT_MS_KEY);
      return agent;
    }
    NamenodeWatch watch =
        new NamenodeWatch(datanode::getConf, agent.links::follow, System::nanoTime);
    if (FileAdvice.isPossible() || service.hasChunkCache()) {
      // The scan finds blocks only in the page cache or in the chunk cache, so it needs one of
      // them.
      scan.whenFirstAsked(() ->
          agent.run("ppr-resident-scan", service.metrics.services, scan::take));
    }
    watch.begin();
    agent.run("ppr-namenodes", service.metrics.services, watch::take);
    return agent;
  }

  /**
   * Starts a thread for a service, unless this agent has stopped.
   *
   * @param step takes one step of the service; the thread calls it again and again
   */
  private synchronized void run(String name, Services services, ServiceSteps.Step step) {
    if (stopped) {
      return;
    }
    ServiceSteps steps = services.open(name,
        e -> peerLog.error(e.getClass().getName(), "A step of {} failed", name, e));
    Daemon thread = new Daemon(() -> steps.run(step));
    thread.setName(name);
    threads.add(thread);
    thread.start();
  }

  /** Makes the nameservices, actors and clients that {@link HeartbeatActors} needs. */
  private static final class LinkFactory implements HeartbeatActors.Factory {
    private final RepairService service;
    private final HeartbeatActor.Self self;
    private final ResidentScan scan;
    private final int intervalMs;

    LinkFactory(RepairService service, HeartbeatActor.Self self, ResidentScan scan,
        int intervalMs) {
      this.service = service;
      this.self = self;
      this.scan = scan;
      this.intervalMs = intervalMs;
    }

    @Override
    public Nameservice nameservice(String name, Runnable whenEnded) {
      CommandDispatcher desk = new CommandDispatcher()
          .bind(RepairCommand.class, service.commandedRepairs())
          .bind(ScrubCommand.class, service.commandedChecks());
      service.parts.bind(desk);
      return new Nameservice(name, desk, service.metrics, whenEnded,
          (percent, linkRate) -> service.press(name, percent, linkRate));
    }

    @Override
    public HeartbeatActor link(Configuration conf, HeartbeatActors.Target target,
        Nameservice nameservice) {
      return new HeartbeatActor(target.toString(), nameservice, self,
          clients(conf, target, CALL_TIMEOUT_MS), service.metrics, intervalMs,
          new HeartbeatActor.Reports(new ResidentReport(scan::resident),
              new DegradedReport(service.degradedReads), service.parts.heartbeatNotes()));
    }

    /**
     * The timeout differs from that of heartbeats, so that Hadoop's RPC uses another connection.
     */
    @Override
    public HeartbeatActor.Clients waitClients(Configuration conf, HeartbeatActors.Target target) {
      return clients(conf, target, RepairManagerProtocol.KEPT_MS_MAX + CALL_TIMEOUT_MS);
    }

    private static HeartbeatActor.Clients clients(Configuration conf, HeartbeatActors.Target target,
        int timeoutMs) {
      return () -> new RpcClient(RepairManagerClientTranslator.of(
          ManagerAddress.of(conf, target.nameserviceId, target.namenodeId, target.namenode),
          UserGroupInformation.getLoginUser(), conf, timeoutMs));
    }
  }

  private static int intervalMs(Configuration conf) {
    return new SettingsReader(conf).intMillis(PprKeys.DATANODE_HEARTBEAT_MS_KEY,
        PprKeys.DATANODE_HEARTBEAT_MS_DEFAULT, 0, HeartbeatRequest.INTERVAL_MS_MAX);
  }

  /** Collects the facts about this node that change only with a restart. */
  private static NodeSelf about(Configuration conf, RepairService service) {
    Map<String, String> settings = OwnSettings.of(conf);
    return new NodeSelf(VersionInfo.getVersion(), System.getProperty("java.version", "unknown"),
        service.kernelName(), Kernels.whyJava(settings.get(PprKeys.KERNEL_KEY)), settings,
        OwnJars.find(ManagerAgent.class.getClassLoader()));
  }

  private static String version() {
    String version = ManagerAgent.class.getPackage().getImplementationVersion();
    return version == null ? HeartbeatRequest.NO_VERSION : version;
  }

  /** Sends heartbeats to a manager by Hadoop's RPC. */
  private static final class RpcClient implements HeartbeatActor.Client {
    private final RepairManagerClientTranslator translator;

    RpcClient(RepairManagerClientTranslator translator) {
      this.translator = translator;
    }

    @Override
    public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
      return translator.heartbeat(request);
    }

    @Override
    public boolean awaitOrders(String uuid, int waitMs) throws IOException {
      return translator.awaitOrders(uuid, waitMs);
    }

    @Override
    public void close() {
      translator.close();
    }
  }

  /** Ends the heartbeats. Running jobs go on, and no NameNode learns their results. */
  public void stop() {
    List<Thread> own;
    synchronized (this) {
      // From now on, a heartbeat that is under way starts no more threads.
      stopped = true;
      own = new ArrayList<>(threads);
    }
    own.forEach(Thread::interrupt);
    List<Thread> ending = links.stop();
    ending.addAll(own);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_TIMEOUT_MS);
    try {
      for (Thread thread : ending) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, leftMs));
        if (thread.isAlive()) {
          LOG.warn("{} has not ended within {} ms", thread.getName(), STOP_TIMEOUT_MS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lists the settings of hdfs-ppr on a DataNode, including defaults. Values are normalised, so
   * that {@code 10s} and {@code 10000} count as the same.
   */
  static final class OwnSettings {
    private static final String OF_DATANODES = "dfs.datanode.ppr.";
    private static final String OF_ALL = "dfs.ppr.";
    /** The prefix of settings that are named like those of all daemons, but only NameNodes read. */
    private static final String OF_NAMENODES = PprKeys.REPAIR_DELAY_KEY;
    private static final String TIME = ".ms";
    private static final String DIRECTORY = ".dir";
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final Pattern SIZE = Pattern.compile("[0-9]+[kmgtpe]");

    private OwnSettings() {
    }

    /**
     * Returns the settings of a DataNode, by name.
     *
     * @param conf the DataNode's configuration, whose values have been checked
     */
    static Map<String, String> of(Configuration conf) {
      Configuration defaults = new Configuration(false);
      defaults.setClassLoader(OwnSettings.class.getClassLoader());
      defaults.addResource(SettingsReader.DEFAULTS);
      Map<String, String> settings = new TreeMap<>();
      for (Map.Entry<String, String> one : defaults) {
        String key = one.getKey();
        if (key.startsWith(OF_DATANODES)
            || key.startsWith(OF_ALL) && !key.startsWith(OF_NAMENODES)) {
          settings.put(key, value(conf, key, one.getValue()));
        }
      }
      return settings;
    }

    private static String value(Configuration conf, String key, String defaultValue) {
      String value = conf.getTrimmed(key, defaultValue).toLowerCase(Locale.ROOT);
      Configuration one = new Configuration(false);
      one.set(key, value);
      if (NUMBER.matcher(value).matches()) {
        return value;
      }
      if (key.endsWith(DIRECTORY)) {
        // Paths are not reported: they are private to the host, and hosts may have different ones.
        return value.equals(defaultValue) ? value : "set";
      }
      if (key.endsWith(TIME)) {
        return Long.toString(one.getTimeDuration(key, 0, TimeUnit.MILLISECONDS));
      }
      return SIZE.matcher(value).matches() ? Long.toString(one.getLongBytes(key, 0)) : value;
    }
  }
}
