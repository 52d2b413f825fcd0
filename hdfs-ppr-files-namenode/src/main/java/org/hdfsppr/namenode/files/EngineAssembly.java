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

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceAccess;
import org.apache.hadoop.hdfs.server.namenode.RecordAccess;
import org.apache.hadoop.hdfs.server.namenode.SafeModeAccess;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.version.CodePathCache;
import org.hdfsppr.namenode.version.EngineParts;
import org.hdfsppr.namenode.version.OldReadReports;
import org.hdfsppr.namenode.version.PooledVersionEngine;
import org.hdfsppr.namenode.version.SafeModeWatch;
import org.hdfsppr.namenode.version.ShardKnowledge;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionHook;
import org.hdfsppr.namenode.version.VersionHooks;
import org.hdfsppr.namenode.version.VersionSettings;
import org.hdfsppr.namenode.version.VersionStore;
import org.hdfsppr.service.Services;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and connects the objects that make versions of files. */
final class EngineAssembly {
  private static final Logger LOG = LoggerFactory.getLogger(EngineAssembly.class);

  private final VersionSettings settings;
  private final ManagerView manager;
  private final DataNodeAgents agents;
  private final CodeSource codes;
  private final Services services;
  private final String run = UUID.randomUUID().toString();
  /** What DataNodes report about clients that read old versions */
  final OldReadReports reads = OldReadReports.begin();
  /** Null until the engine runs. */
  private volatile VersionEngine engine;

  /** @param services the list of this NameNode's threads, in which the new ones are entered */
  EngineAssembly(VersionSettings settings, ManagerView manager, DataNodeAgents agents,
      CodeSource codes, Services services) {
    this.services = services;
    this.settings = settings;
    this.manager = manager;
    this.agents = agents;
    this.codes = codes;
  }

  /**
   * Watches the safe mode of a NameNode that starts. Versions that were being made when the last
   * NameNode process ended may hold it up, so this is also done if this NameNode makes no versions.
   */
  Optional<SafeModeWatch> watchSafeMode(FSNamesystem namesystem, Configuration conf) {
    List<String> missing = SafeModeAccess.missing();
    if (!missing.isEmpty()) {
      LOG.warn("Unfinished versions of files may hold this NameNode up in safe mode while a"
          + " DataNode is away: this Hadoop lacks {}", missing);
      return Optional.empty();
    }
    return Optional.of(SafeModeWatch.start(new SafeModeAccess(namesystem, conf), services));
  }

  /** Starts the engine and returns it; null if this NameNode cannot make versions. */
  VersionEngine start(FSNamesystem namesystem, Configuration conf,
      Supplier<? extends ClientProtocol> namenode) {
    List<String> missing = NamespaceAccess.missing();
    if (!missing.isEmpty()) {
      LOG.warn("No versions of files are made here ('hdfs ppr -convert'): this Hadoop lacks {}",
          missing);
      return null;
    }
    VersionHook hook = VersionHooks.current();
    NamespaceAccess namespace = new NamespaceAccess(namesystem, conf, hook);
    if (!namespace.keepsAttributes()) {
      LOG.warn("No versions of files are made here ('hdfs ppr -convert'):"
          + " dfs.namenode.xattrs.enabled is false");
      return null;
    }
    PooledVersionEngine works = new PooledVersionEngine(new EngineParts(
            new EngineParts.Files(namespace, new VersionStore(namenode,
                new RecordAccess(namesystem, conf), ShardKnowledge.of(conf))),
            new EngineParts.DataNodes(new VersionHeartbeatOrders(agents), agents.orders, run,
                reads),
            new EngineParts.Manager(new VersionManagerGate(manager),
                manager.madeGroups()),
            new CodePathCache(codes),
            settings, hook,
            new EngineParts.Clocks(Time::monotonicNow, Time::now)), run);
    works.start(services);
    engine = works;
    return works;
  }

  /** Returns the engine; null if it has not started. */
  VersionEngine engine() {
    return engine;
  }
}
