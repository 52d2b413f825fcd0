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
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.blockmanagement.SpreadAccess;
import org.apache.hadoop.hdfs.server.namenode.CallerAccess;
import org.apache.hadoop.hdfs.server.namenode.CoreAccess;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.hdfs.server.namenode.RecordAccess;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.column.ColumnGate;
import org.hdfsppr.namenode.convert.ClientCalls;
import org.hdfsppr.namenode.convert.NameNodeFiles;
import org.hdfsppr.namenode.core.CoreDoors;
import org.hdfsppr.namenode.core.CoreGroupIndex;
import org.hdfsppr.namenode.core.CoreGroupManager;
import org.hdfsppr.namenode.core.CoreRpcHandler;
import org.hdfsppr.namenode.core.CoreSettings;
import org.hdfsppr.namenode.core.KeptFiles;
import org.hdfsppr.namenode.core.NameNodeCoreFolder;
import org.hdfsppr.namenode.core.SpreadRpcHandler;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.plan.GroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and connects the objects that keep CORE groups. */
final class CoreParts {
  private static final Logger LOG = LoggerFactory.getLogger(CoreParts.class);

  private final CoreSettings settings;
  private final ManagerMetrics metrics;
  private final ClientCalls calls;
  /** Null until this NameNode keeps CORE groups. */
  private volatile CoreGroupManager keeper;
  /** Null until this NameNode keeps CORE groups. */
  private volatile CoreNamespace namespace;
  private volatile CoreGroupLookup groups = CoreGroupLookup.NONE;

  /** @param calls the RPC server's entry for calls of users */
  CoreParts(CoreSettings settings, ManagerMetrics metrics, ClientCalls calls) {
    this.settings = settings;
    this.metrics = metrics;
    this.calls = calls;
  }

  /**
   * Returns an object that finds the CORE group of a block group. It finds none until this NameNode
   * keeps CORE groups.
   */
  CoreGroupLookup book() {
    return new CoreGroupLookup() {
      @Override
      public Optional<CoreRows> rowsOf(long blockGroup) {
        return groups.rowsOf(blockGroup);
      }

      @Override
      public List<GroupId> recordedBeside(long blockGroup) {
        return groups.recordedBeside(blockGroup);
      }

      @Override
      public boolean isComplete() {
        CoreGroupManager running = keeper;
        return running == null || running.status().isPresent();
      }
    };
  }

  /**
   * Returns an object that knows which parity files of dissolved groups still exist, and why. It
   * knows nothing until this NameNode keeps CORE groups.
   */
  KeptFiles files() {
    return new KeptFiles() {
      @Override
      public Optional<Set<Long>> dissolved() {
        CoreGroupManager running = keeper;
        return running == null ? Optional.empty() : running.dissolved();
      }

      @Override
      public Optional<List<String>> holders(long inodeId) throws IOException {
        CoreNamespace looks = namespace;
        return looks == null ? Optional.empty() : looks.holders(inodeId);
      }
    };
  }

  /**
   * Begins to keep CORE groups. Returns what stops that; empty if this Hadoop lacks something for
   * it.
   */
  Optional<Closeable> start(FSNamesystem namesystem, Configuration conf,
      Supplier<? extends ClientProtocol> namenode, ManagerView manager, VersionEngine engine) {
    List<String> missing = CoreAccess.missing();
    missing = missing.isEmpty() ? CallerAccess.missing() : missing;
    if (!missing.isEmpty()) {
      LOG.warn("'hdfs ppr -core' does not work here: this Hadoop lacks {}", missing);
      return Optional.empty();
    }
    CoreAccess access = new CoreAccess(namesystem, conf);
    CoreGroupIndex book = new CoreGroupIndex(access);
    VersionManagerGate gate = new VersionManagerGate(manager);
    CoreGroupManager running = new CoreGroupManager(settings, new CoreDoors(gate,
        new NameNodeCoreFolder(namenode, new RecordAccess(namesystem, conf)), access,
        manager::places, engine), book,
            new FilesCounters(metrics),
        Time::monotonicNow, Time::now);
    running.start(metrics.services);
    namespace = access;
    keeper = running;
    groups = book;
    NameNodeFiles users = new NameNodeFiles(namesystem, namenode);
    calls.openCore(new CoreRpcHandler(running, gate, users, access,
        new SpreadRpcHandler(running, users, new SpreadAccess(namesystem)), status -> {
          ManagerStatus repairs = manager.lastStatus();
          return status.withLosses(repairs.get(StatusNumber.RECOVERABLE_THROUGH_CORE),
              repairs.get(StatusNumber.UNRECOVERABLE));
        }));
    return Optional.of(() -> {
      calls.openCore(null);
      groups = CoreGroupLookup.NONE;
      running.close();
    });
  }

  /**
   * Returns an object that checks that all CORE groups are known here. On a NameNode that keeps
   * none, it only checks that the NameNode is active.
   */
  ColumnGate gate(FSNamesystem namesystem) {
    return () -> {
      namesystem.checkOperation(OperationCategory.WRITE);
      CoreGroupManager running = keeper;
      if (running != null && running.status().isEmpty()) {
        throw new RetriableException(
            "This NameNode has not read its CORE groups yet; try again");
      }
    };
  }

  /** Returns the protected directories and their groups. */
  CoreStatus status() {
    CoreGroupManager running = keeper;
    return running == null ? CoreStatus.NONE
        : running.status().orElse(CoreStatus.NONE);
  }
}
