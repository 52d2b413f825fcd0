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
package org.hdfsppr.datanode.repair;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.FilesKeys;
import org.hdfsppr.datanode.command.CommandDispatcher;
import org.hdfsppr.datanode.command.HeartbeatNotes;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.host.LocalUnits;
import org.hdfsppr.datanode.server.OpHandler;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.stream.TransferConnector;

/**
 * What a second jar of hdfs-ppr adds to a DataNode. (The jar hdfs-ppr-files-datanode adds versions
 * of files and updates in place.) {@link RepairService} finds the extension by {@link
 * org.hdfsppr.loader.Extensions} and calls {@link #read}, {@link Setup#open} and {@link
 * Parts#start} in this order, each once. Every method of the interfaces here adds nothing by
 * default.
 */
@InterfaceAudience.Private
public interface DataNodeExtension {
  /**
   * The extension of a DataNode without a second jar. It adds nothing. It refuses to start if the
   * settings name a directory of update logs: a repair would rebuild a unit without the updates
   * that its log has.
   */
  DataNodeExtension NONE = conf -> {
    FilesKeys.checkDataNode(conf);
    return new Setup() { };
  };

  /**
   * Reads and checks the settings, before the port for repairs is open.
   *
   * @param conf the DataNode's configuration
   * @return the checked settings, which open the parts
   * @throws IllegalArgumentException if a setting has a value that is not allowed; the message
   *     names the setting, and the DataNode takes no part in repairs
   */
  Setup read(Configuration conf);

  /** The checked settings of an extension. */
  interface Setup {
    /**
     * @return units of the extension that other nodes may read here although they are no replicas
     */
    default LocalUnits localUnits() {
      return LocalUnits.NONE;
    }

    /**
     * Makes the parts before the port accepts connections.
     *
     * @param base the parts of repairs that the extension may use
     * @return the parts; if this method throws an exception, it leaves no thread running
     */
    default Parts open(Base base) {
      return new Parts() { };
    }
  }

  /** The parts that an extension adds. Thread-safe, except for {@link #heartbeatNotes}. */
  interface Parts {
    /** @return handlers of further opcodes; the server for repairs closes them */
    default List<OpHandler> handlers() {
      return List.of();
    }

    /**
     * Binds the executors of further kinds of commands.
     *
     * @param desk the dispatcher of the commands of one nameservice
     */
    default void bind(CommandDispatcher desk) {
    }

    /** @return further bits of {@link CommandFeatures} that this node announces */
    default long commandFeatures() {
      return 0;
    }

    /** @return an object for the reports in heartbeats to one NameNode; one thread uses it */
    default HeartbeatNotes heartbeatNotes() {
      return HeartbeatNotes.NONE;
    }

    /**
     * Begins the tasks that run from time to time, just before the port accepts connections.
     *
     * @param timer runs the tasks; the server for repairs shuts the timer down
     */
    default void start(ScheduledExecutorService timer) {
    }

    /** Makes all running work of the extension end soon, and starts no more. */
    default void close() {
    }

    /**
     * Waits until all work of the extension has ended.
     *
     * @param timeoutMs the longest wait for the work of one kind of commands, ms
     * @return whether all work has ended
     * @throws InterruptedException if the current thread is interrupted
     */
    default boolean awaitEnd(long timeoutMs) throws InterruptedException {
      return true;
    }
  }

  /** The parts of repairs that an extension may use. Immutable; the parts are thread-safe. */
  final class Base {
    /** The parts of repairs that this DataNode leads */
    public final RepairContext context;
    /** Gives the requests of other nodes access to this DataNode */
    public final DataNodeHost helping;
    /** Connects to other DataNodes on behalf of requests */
    public final TransferConnector connector;
    /** The port on which this DataNode serves repairs */
    public final int port;
    /** The port for repairs that all DataNodes are configured with; 0 if there is no common port */
    public final int commonPort;
    /** The timer of the server for repairs; the server shuts it down */
    public final ScheduledExecutorService timer;
    /** Returns whether repairs that this DataNode leads run or wait now */
    public final BooleanSupplier hasRepairs;

    Base(RepairContext context, DataNodeHost helping, TransferConnector connector, int port,
        int commonPort, ScheduledExecutorService timer, BooleanSupplier hasRepairs) {
      this.context = context;
      this.helping = helping;
      this.connector = connector;
      this.port = port;
      this.commonPort = commonPort;
      this.timer = timer;
      this.hasRepairs = hasRepairs;
    }
  }
}
