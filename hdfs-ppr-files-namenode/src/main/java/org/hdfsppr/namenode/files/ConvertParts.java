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
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.CallerAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.convert.ClientCalls;
import org.hdfsppr.namenode.convert.ConversionJobs;
import org.hdfsppr.namenode.convert.ConversionRpcHandler;
import org.hdfsppr.namenode.convert.ConvertDoors;
import org.hdfsppr.namenode.convert.ConvertSettings;
import org.hdfsppr.namenode.convert.NameNodeFiles;
import org.hdfsppr.namenode.convert.NameNodeJobFolder;
import org.hdfsppr.namenode.core.KeptFiles;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.leftover.LeftoverRpcHandler;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.record.RecordStore;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.steps.NameNodeThreads;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.ConversionStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and connects the objects that convert files by jobs. */
final class ConvertParts {
  private static final Logger LOG = LoggerFactory.getLogger(ConvertParts.class);
  /** How many counts of directories may wait. Each job has only one, so few do. */
  private static final int COUNTS_MAX = 1_000;

  private final ConvertSettings settings;
  private final CodeSource codes;
  private final ManagerMetrics metrics;
  /**
   * The RPC server's entry for calls of users. Before jobs can run, it asks callers to try again.
   */
  final ClientCalls calls;
  private final List<String> missing = CallerAccess.missing();
  /** Null until jobs can run. */
  private volatile ConversionJobs conversions;

  /** @param handlers how many handler threads the RPC server has */
  ConvertParts(ConvertSettings settings, CodeSource codes, ManagerMetrics metrics, int handlers) {
    this.metrics = metrics;
    this.settings = settings;
    this.codes = codes;
    this.calls = new ClientCalls(handlers);
  }

  /**
   * Returns the secret manager of the NameNode's delegation tokens; null if this Hadoop gives no
   * access to it.
   */
  SecretManager<? extends TokenIdentifier> secrets(FSNamesystem namesystem) {
    return missing.isEmpty() ? CallerAccess.secrets(namesystem) : null;
  }

  /** Has calls of users refused, because this NameNode makes no versions of files. */
  void refuse() {
    calls.refuse("This NameNode makes no versions of files; dfs.namenode.ppr.version.concurrent is"
        + " 0, or its log says why");
  }

  /**
   * Lets jobs run. Returns what stops them; empty if the callers of RPCs cannot be checked here.
   *
   * @param records reads and changes records in the namespace
   * @param core says which parity files of dissolved CORE groups still exist, and why
   */
  Optional<Closeable> start(FSNamesystem namesystem, Supplier<? extends ClientProtocol> namenode,
      RecordStore records, ManagerView manager, VersionEngine engine, KeptFiles core) {
    if (!missing.isEmpty()) {
      LOG.warn("'hdfs ppr -convert' does not work here: this Hadoop lacks {}", missing);
      calls.refuse("This NameNode's Hadoop has no way to check the callers of hdfs-ppr");
      return Optional.empty();
    }
    NameNodeFiles files = new NameNodeFiles(namesystem, namenode);
    VersionManagerGate gate = new VersionManagerGate(manager);
    ThreadPoolExecutor counting = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(COUNTS_MAX), new NameNodeThreads("ppr-count-"));
    ConversionJobs running = new ConversionJobs(settings,
        new ConvertDoors(gate, new NameNodeJobFolder(namenode, records), files, engine), codes,
        new FilesCounters(metrics)::converted, counting, Time::monotonicNow, Clock.systemUTC());
    running.start(metrics.services);
    conversions = running;
    calls.open(new ConversionRpcHandler(running, gate, engine, files));
    calls.openLeftovers(new LeftoverRpcHandler(engine, core, files, namenode, Time::monotonicNow));
    return Optional.of(() -> {
      calls.openLeftovers(null);
      calls.open(null);
      counting.shutdown();
      running.close();
    });
  }

  /**
   * Returns the jobs: first those that have not ended, then the ended ones, the latest of them
   * first.
   */
  List<ConversionStatus> jobs() {
    ConversionJobs running = conversions;
    return running == null ? List.of() : running.jobs().orElse(List.of());
  }
}
