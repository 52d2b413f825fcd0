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
package org.hdfsppr.datanode.users;

import java.lang.reflect.Field;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.loader.HadoopMembers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the bytes that users have read from, and written to, a DataNode, how many connections it
 * serves at the moment, and what the threads of these connections do.
 */
@InterfaceAudience.Private
public final class UserBytes {
  private static final Logger LOG = LoggerFactory.getLogger(UserBytes.class);

  /**
   * Counts the bytes that users have read, since the start. The count may fall for a moment,
   * because it is a difference of two counters. null if this version of Hadoop has no such counter
   */
  public final LongSupplier read;
  /**
   * Counts the bytes that users have written, since the start. The count may fall for a moment,
   * because it is a difference of two counters. null if this version of Hadoop has no such counter
   */
  public final LongSupplier written;
  /**
   * How many connections this DataNode serves on stock's port at the moment, of clients and of
   * other DataNodes; a client keeps its connection for some seconds after a read. null if this
   * version of Hadoop has no such gauge
   */
  public final IntSupplier connections;
  /** Looks whether users move bytes at this moment */
  final UserThreads threads;

  /**
   * @param datanode the DataNode
   * @param repairs counts the bytes that repairs read and write on the DataNode; stock's counters
   *     contain them, too
   */
  public UserBytes(DataNode datanode, RepairTraffic repairs) {
    read = counter(datanode, "bytesRead",
        () -> repairs.bytesRead() - repairs.bytesFromMemory());
    written = counter(datanode, "bytesWritten", repairs::bytesWritten);
    connections = gauge(datanode, "dataNodeActiveXceiversCount");
    threads = new UserThreads(group(datanode), System::nanoTime);
  }

  /** Takes counters and a gauge. Each may be null, except {@code threads}. */
  UserBytes(LongSupplier read, LongSupplier written, IntSupplier connections,
      UserThreads threads) {
    this.read = read;
    this.written = written;
    this.connections = connections;
    this.threads = threads;
  }

  /**
   * Returns an object that gets the group of the threads that serve connections. It gets null if
   * this version of Hadoop has no such group.
   */
  private static Supplier<ThreadGroup> group(DataNode datanode) {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(DataNode.class));
    Field field = hadoop.field("DataNode", "threadGroup", ThreadGroup.class);
    if (field == null) {
      LOG.debug("Whether users move bytes at a moment stays unknown: this Hadoop lacks {}",
          hadoop.missing());
      return () -> null;
    }
    return () -> HadoopMembers.get(field, datanode, ThreadGroup.class);
  }

  private static IntSupplier gauge(DataNode datanode, String name) {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(DataNodeMetrics.class));
    Field field = hadoop.field("DataNodeMetrics", name, MutableGaugeInt.class);
    if (field == null) {
      LOG.debug("How many connections are served stays unknown: this Hadoop lacks {}",
          hadoop.missing());
      return null;
    }
    return HadoopMembers.get(field, datanode.getMetrics(), MutableGaugeInt.class)::value;
  }

  /**
   * Returns an object that gets the users' part of one of stock's counters. Returns null if this
   * version of Hadoop lacks the counter. This class reads the counter itself, because a snapshot of
   * stock's metrics would reset their averages.
   *
   * @param notUsers the part of the counter that users did not cause. This class reads it after the
   *     counter: it then includes each byte of a repair that the counter includes
   */
  private static LongSupplier counter(DataNode datanode, String name, LongSupplier notUsers) {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(DataNodeMetrics.class));
    Field field = hadoop.field("DataNodeMetrics", name, MutableCounterLong.class);
    if (field == null) {
      LOG.warn("The load of users stays unknown: this Hadoop lacks {}", hadoop.missing());
      return null;
    }
    MutableCounterLong counter =
        HadoopMembers.get(field, datanode.getMetrics(), MutableCounterLong.class);
    return () -> {
      long all = counter.value();
      return all - notUsers.getAsLong();
    };
  }
}
