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
package org.hdfsppr.namenode.files;

import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.UpdateAccess;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.commit.CommitCalls;
import org.hdfsppr.namenode.commit.CommitParts;
import org.hdfsppr.namenode.commit.CommitRpcHandler;
import org.hdfsppr.namenode.commit.CommitRunner;
import org.hdfsppr.namenode.commit.CommitSettings;
import org.hdfsppr.namenode.convert.ClientCalls;
import org.hdfsppr.namenode.convert.NameNodeFiles;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.update.LogCalls;
import org.hdfsppr.namenode.update.LogNodes;
import org.hdfsppr.namenode.update.NameNodeUpdateFolder;
import org.hdfsppr.namenode.update.NodeCalls;
import org.hdfsppr.namenode.update.NodeConnector;
import org.hdfsppr.namenode.update.TicketKeeper;
import org.hdfsppr.namenode.update.TicketParts;
import org.hdfsppr.namenode.update.TicketSettings;
import org.hdfsppr.namenode.update.UpdateRpcHandler;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.service.Services;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and connects the objects that let clients update files in place. */
final class UpdateParts {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateParts.class);

  private final TicketSettings settings;
  private final LogNodes nodes;
  private final ClientCalls calls;
  private final Services services;
  /** Null until calls about updates are answered. */
  private CommitParts commits;

  /** How long a commit may take to connect to a DataNode, ms. */
  private static final int CONNECT_MS = 5_000;

  /**
   * @param calls the RPC server's entry for calls of users
   * @param services the list of this NameNode's threads, in which the new ones are entered
   */
  UpdateParts(TicketSettings settings, LogNodes nodes, ClientCalls calls, Services services) {
    this.services = services;
    this.settings = settings;
    this.nodes = nodes;
    this.calls = calls;
  }

  /**
   * Begins to answer calls about updates. Returns what stops that; empty if this Hadoop lacks
   * something for it.
   */
  Optional<Closeable> start(FSNamesystem namesystem, Configuration conf,
      Supplier<? extends ClientProtocol> namenode, ManagerView manager) {
    List<String> missing = UpdateAccess.missing();
    if (!missing.isEmpty()) {
      LOG.warn("'hdfs ppr -updatable' does not work here: this Hadoop lacks {}", missing);
      return Optional.empty();
    }
    UpdateAccess namespace = new UpdateAccess(namesystem, conf);
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, run -> {
      Thread daemon = new Daemon(run);
      daemon.setName("ppr-update-connections");
      return daemon;
    });
    // Questions get a shorter timeout than commits, because a client waits for their answers.
    LogCalls questions = new LogCalls(nodeCalls(namesystem, conf, LogCalls.TIMEOUT_MS, timer));
    NodeCalls ofCommits = nodeCalls(namesystem, conf, CONNECT_MS, timer);
    TicketKeeper keeper = new TicketKeeper(new TicketParts(settings, namespace,
        new NameNodeUpdateFolder(namenode, namespace), nodes, questions, Time::monotonicNow),
        UUID::randomUUID, Time::now);
    keeper.start(services);
    calls.openUpdates(new UpdateRpcHandler(keeper,
        new VersionManagerGate(manager),
        new NameNodeFiles(namesystem, namenode), namespace, settings.givesOldTickets()));
    commits = new CommitParts(keeper, namespace, nodes,
        new CommitCalls(ofCommits));
    return Optional.of(() -> {
      calls.openUpdates(null);
      keeper.close();
      questions.close();
      ofCommits.close();
      timer.shutdownNow();
    });
  }

  private static NodeCalls nodeCalls(FSNamesystem namesystem, Configuration conf, int connectMs,
      ScheduledExecutorService timer) {
    return new NodeCalls(new NodeConnector(conf,
        () -> namesystem.getBlockManager().generateDataEncryptionKey(), connectMs), connectMs,
        timer, System::nanoTime);
  }

  /**
   * Begins to answer calls about commits. Returns what stops that; empty if this NameNode does not
   * answer calls about updates.
   */
  Optional<Closeable> startCommits(FSNamesystem namesystem, CommitSettings commitSettings,
      Supplier<? extends ClientProtocol> namenode, ManagerView manager, VersionEngine engine,
      ManagerMetrics metrics) {
    if (commits == null) {
      return Optional.empty();
    }
    CommitRunner open = commits.commits(engine, commitSettings, VersionHooks.current(),
        new FilesCounters(metrics)::committed, services);
    calls.openCommits(new CommitRpcHandler(open,
        new VersionManagerGate(manager),
        new NameNodeFiles(namesystem, namenode), commits.namespace));
    return Optional.of(() -> {
      calls.openCommits(null);
      open.close();
    });
  }
}
