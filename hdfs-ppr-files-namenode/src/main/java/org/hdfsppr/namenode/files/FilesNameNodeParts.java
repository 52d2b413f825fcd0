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
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ColumnAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.RecordAccess;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.util.Time;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.namenode.column.ColumnRpcHandler;
import org.hdfsppr.namenode.commit.CommitSettings;
import org.hdfsppr.namenode.convert.ConvertSettings;
import org.hdfsppr.namenode.convert.NameNodeFiles;
import org.hdfsppr.namenode.core.CoreSettings;
import org.hdfsppr.namenode.doctor.DoctorCheck;
import org.hdfsppr.namenode.extend.NameNodeBase;
import org.hdfsppr.namenode.extend.NameNodeParts;
import org.hdfsppr.namenode.files.page.CommitFamilies;
import org.hdfsppr.namenode.files.page.ConversionFamilies;
import org.hdfsppr.namenode.files.page.ConversionPages;
import org.hdfsppr.namenode.files.page.CoreFamilies;
import org.hdfsppr.namenode.files.page.CorePages;
import org.hdfsppr.namenode.finalize.FinalizeRpcHandler;
import org.hdfsppr.namenode.manage.Teardown;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.namenode.rpc.RepairManagerServer;
import org.hdfsppr.namenode.rpc.RpcProtocol;
import org.hdfsppr.namenode.update.TicketSettings;
import org.hdfsppr.namenode.version.ShardKnowledge;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionHome;
import org.hdfsppr.namenode.version.VersionNamespace;
import org.hdfsppr.namenode.version.VersionSettings;
import org.hdfsppr.namenode.web.PageSource;
import org.hdfsppr.namenode.web.metrics.MetricFamily;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.FeatureProtocol;
import org.hdfsppr.plan.NodeRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of this module in one NameNode: versions of files, conversions, CORE groups and
 * updates.
 */
@InterfaceAudience.Private
public final class FilesNameNodeParts implements NameNodeParts {
  private static final Logger LOG = LoggerFactory.getLogger(FilesNameNodeParts.class);

  /** The settings of all parts. Immutable. */
  static final class Settings {
    private final ConvertSettings convert;
    private final CoreSettings core;
    private final CommitSettings commits;
    private final VersionSettings versions;
    private final TicketSettings tickets;

    /** @throws IllegalArgumentException if a value is not allowed; the message names the key */
    Settings(Configuration conf, TicketSettings tickets) {
      this.tickets = tickets;
      this.convert = ConvertSettings.of(conf);
      this.core = CoreSettings.of(conf);
      this.commits = CommitSettings.of(conf);
      this.versions = VersionSettings.of(conf);
    }
  }

  private final Settings settings;
  private final NameNodeBase base;
  private final ConvertParts convert;
  private final EngineAssembly versions;
  private final ColumnRpcHandler columns;
  private final CoreParts core;
  private final UpdateParts updates;
  private final Teardown teardown = new Teardown();

  FilesNameNodeParts(Settings settings, NameNodeBase base) {
    this.settings = settings;
    this.base = base;
    int handlers = RepairManagerServer.handlers(base.conf);
    convert = new ConvertParts(settings.convert, base.codes, base.metrics, handlers);
    versions = new EngineAssembly(settings.versions, base.manager, base.agents, base.codes,
        base.metrics.services);
    columns = new ColumnRpcHandler(handlers);
    core = new CoreParts(settings.core, base.metrics, convert.calls);
    updates = new UpdateParts(settings.tickets,
        new UpdateNodes(base.agents, base.view, Time::monotonicNow), convert.calls,
        base.metrics.services);
  }

  @Override
  public boolean readsRecords() {
    return true;
  }

  @Override
  public SecretManager<? extends TokenIdentifier> secrets() {
    return convert.secrets(base.namesystem);
  }

  @Override
  public List<RpcProtocol<?>> protocols() {
    return List.of(FilesProtocols.users(convert.calls), FilesProtocols.columns(columns));
  }

  @Override
  public boolean hear(NodeRef node, OldReads reads) {
    return versions.reads.hear(node, reads);
  }

  @Override
  public void start(Supplier<? extends ClientProtocol> namenode) {
    FSNamesystem namesystem = base.namesystem;
    Configuration conf = base.conf;
    versions.watchSafeMode(namesystem, conf).ifPresent(teardown::add);
    updates.start(namesystem, conf, namenode, base.manager).ifPresent(teardown::add);
    VersionEngine engine = versions.start(namesystem, conf, namenode);
    if (engine == null) {
      convert.refuse();
      LOG.warn("CORE groups are neither formed here nor used for repairs and reads, because no"
          + " versions of files are made here; lost units are rebuilt by their own files");
      openColumns();
      return;
    }
    teardown.add(engine);
    RecordStore records = new RecordAccess(namesystem, conf);
    convert.start(namesystem, namenode, records, base.manager, engine, core.files())
        .ifPresent(teardown::add);
    ShardKnowledge others = ShardKnowledge.of(conf);
    convert.calls.openFinalizing(new FinalizeRpcHandler(
        new NameNodeFiles(namesystem, namenode), namenode, records,
        () -> others.lacking(FeatureProtocol.SEALED_RECORDS), Time::now));
    teardown.add(() -> convert.calls.openFinalizing(null));
    core.start(namesystem, conf, namenode, base.manager, engine).ifPresent(teardown::add);
    updates.startCommits(namesystem, settings.commits, namenode, base.manager, engine,
        base.metrics).ifPresent(teardown::add);
    openColumns();
  }

  /** Answers clients that cannot read a block and ask for its column, from now on. */
  private void openColumns() {
    List<String> missing = ColumnAccess.missing();
    if (!missing.isEmpty()) {
      LOG.warn("Clients cannot read through columns of CORE groups: this Hadoop lacks {}", missing);
      return;
    }
    columns.open(core.book(), new ColumnAccess(base.namesystem), base.manager.columnTrust(),
        core.gate(base.namesystem));
  }

  /** @return the engine that makes versions of files; null if it has not started */
  public VersionEngine engine() {
    return versions.engine();
  }

  /**
   * @return the conversion jobs: first those that have not ended, then the ended ones, the latest
   *     of them first
   */
  public List<ConversionStatus> conversions() {
    return convert.jobs();
  }

  /** @return the protected directories and their CORE groups */
  public CoreStatus core() {
    return core.status();
  }

  @Override
  public CoreGroupLookup book() {
    return core.book();
  }

  @Override
  public Optional<String> explain(String path) {
    return versionOf(path);
  }

  /**
   * Explains a path below the directories of versions: says to which version of which file it
   * belongs.
   *
   * @return the sentence; empty if the path belongs to no version
   */
  static Optional<String> versionOf(String path) {
    OptionalLong version = VersionHome.versionOf(path);
    if (version.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(path.endsWith("/" + VersionNamespace.NEW)
        ? "The group belongs to a new version of the file with inode " + version.getAsLong()
            + ", which is being made ('hdfs ppr -convert -status')."
        : "The group belongs to the old version of a converted file, which was inode "
            + version.getAsLong() + " and is deleted when its grace has ended.");
  }

  @Override
  public List<PageSource> pages() {
    return List.of(new ConversionPages(this::conversions), new CorePages(this::core));
  }

  @Override
  public List<MetricFamily> families() {
    return List.of(new ConversionFamilies(this::conversions,
        () -> Optional.ofNullable(engine()).map(VersionEngine::status), base.metrics),
        new CommitFamilies(base.metrics), new CoreFamilies(this::core, base.metrics));
  }

  @Override
  public List<DoctorCheck> checks() {
    return List.of(new SealedTicketCheck(settings.tickets.givesOldTickets()), new OldReadsCheck());
  }

  @Override
  public void close() {
    teardown.close();
  }
}
