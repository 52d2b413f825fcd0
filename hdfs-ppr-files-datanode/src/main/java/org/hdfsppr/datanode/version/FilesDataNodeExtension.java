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
package org.hdfsppr.datanode.version;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.datanode.command.CommandDispatcher;
import org.hdfsppr.datanode.command.HeartbeatNotes;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.host.LocalUnits;
import org.hdfsppr.datanode.repair.DataNodeExtension;
import org.hdfsppr.datanode.repair.RepairContext;
import org.hdfsppr.datanode.repair.RepairSettings;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.datanode.update.DataNodeRights;
import org.hdfsppr.datanode.update.LogReader;
import org.hdfsppr.datanode.update.TicketTokens;
import org.hdfsppr.datanode.update.UpdateHandler;
import org.hdfsppr.datanode.update.UpdateLogs;
import org.hdfsppr.datanode.update.UpdateRights;
import org.hdfsppr.datanode.update.UpdateSettings;
import org.hdfsppr.datanode.update.ViewHandler;
import org.hdfsppr.datanode.watch.OldReadsReport;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.service.Services;
import org.hdfsppr.stream.KeptConnections;

/** Adds versions of files and updates in place to a DataNode. */
@InterfaceAudience.Private
public final class FilesDataNodeExtension implements DataNodeExtension {
  @Override
  public Setup read(Configuration conf) {
    return new FilesSetup(UpdateSettings.of(conf));
  }

  /** Makes what a DataNode needs for versions and updates, according to its settings. */
  private static final class FilesSetup implements Setup {
    private final UpdateSettings settings;
    private final ForwardedChanges forwarded = new ForwardedChanges(System::nanoTime);

    FilesSetup(UpdateSettings settings) {
      this.settings = settings;
    }

    @Override
    public LocalUnits localUnits() {
      return forwarded;
    }

    @Override
    public Parts open(Base base) {
      RepairContext context = base.context;
      int stallTimeoutMs = context.settings.stallTimeoutMs;
      UpdateRights rights = new DataNodeRights(
          new TicketTokens(context.datanode, base.port, base.commonPort));
      Optional<UpdateLogs> logs = settings.logs();
      ReplicaSyncs syncs = new ReplicaSyncs(context.datanode);
      PatchTools patches = new PatchTools(
          new LogReader(logs.orElse(null), rights, base.connector, stallTimeoutMs),
          new KeptConnections(context.connector, base.timer, context.nanoClock), context.kernel,
          context.memory.spare(), stallTimeoutMs, forwarded, context.nanoClock);
      return new FilesParts(logs.map(open -> handlers(base, open, rights)).orElse(List.of()),
          VersionParts.of(context, new CommandedMakings(context, base.timer, syncs), patches,
              syncs, base.hasRepairs), forwarded, context.metrics.services);
    }

    private List<OpHandler> handlers(Base base, UpdateLogs logs, UpdateRights rights) {
      RepairContext context = base.context;
      RepairSettings of = context.settings;
      // Appends and views wait for other nodes. Each kind of request about logs gets a quarter of
      // the threads at most, so that some are left for repairs.
      int quarter = Math.max(1, of.helperThreads / 4);
      UpdateHandler updates = new UpdateHandler(rights, logs,
          block -> base.helping.openLocal(block.toExtendedBlock()), base.connector,
          new UpdateHandler.Limits(of.stallTimeoutMs, of.requestTimeoutMs(), quarter, quarter,
              settings.memoryBytes()), context.metrics,
          new AttemptGuard.Timing(base.timer, context.nanoClock));
      return List.of(updates, new ViewHandler(rights, updates, of.requestTimeoutMs(), quarter,
          settings.memoryBytes() / 2, context.metrics, base.timer));
    }
  }

  /** The handlers of updates, and the executors of commands for versions. Thread-safe. */
  static final class FilesParts implements Parts {
    private final List<OpHandler> handlers;
    /**
     * Carries out commands for versions. Empty if this version of Hadoop lacks members that it
     * needs.
     */
    final Optional<VersionParts> versions;
    private final ForwardedChanges forwarded;
    private final Services services;

    FilesParts(List<OpHandler> handlers, Optional<VersionParts> versions,
        ForwardedChanges forwarded, Services services) {
      this.handlers = handlers;
      this.versions = versions;
      this.forwarded = forwarded;
      this.services = services;
    }

    @Override
    public List<OpHandler> handlers() {
      return handlers;
    }

    @Override
    public void bind(CommandDispatcher desk) {
      versions.ifPresent(of -> desk.bind(LinkCommand.class, of.linker)
          .bind(MakeCommand.class, of.maker).bind(PatchCommand.class, of.patcher));
    }

    @Override
    public long commandFeatures() {
      return (versions.isEmpty() ? 0 : CommandFeatures.VERSIONS | CommandFeatures.PATCHES
          | CommandFeatures.CHANGE_WAYS | CommandFeatures.COLLECTED
          | CommandFeatures.BLOCK_DIGESTS)
          | (handlers.isEmpty() ? 0 : CommandFeatures.UPDATE_LOG | CommandFeatures.SEALED_TICKETS);
    }

    @Override
    public HeartbeatNotes heartbeatNotes() {
      return versions.isEmpty() ? HeartbeatNotes.NONE : new OldReadsReport(versions.get().watch);
    }

    @Override
    public void start(ScheduledExecutorService timer) {
      forwarded.watch(timer, services);
    }

    @Override
    public void close() {
      versions.ifPresent(VersionParts::close);
    }

    @Override
    public boolean awaitEnd(long timeoutMs) throws InterruptedException {
      return versions.isEmpty() || versions.get().awaitEnd(timeoutMs);
    }
  }
}
