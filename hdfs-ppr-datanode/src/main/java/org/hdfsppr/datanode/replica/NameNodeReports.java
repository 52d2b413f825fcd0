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
package org.hdfsppr.datanode.replica;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * Reports corrupt replicas to the NameNode, by the messages that stock uses after its block scanner
 * or a read. The reader found the mismatch itself, with the stored sums, so there is nothing left
 * for the block scanner to confirm.
 *
 * <p>A report that cannot be sent must not hide the corruption from the repair: it is logged, and
 * the scanner or the next reader will find the replica again.
 */
@InterfaceAudience.Private
public final class NameNodeReports implements BadReplicas {
  /** A reader may come for a corrupt replica as often as it likes, until the NameNode drops it. */
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(NameNodeReports.class));
  /** Far more corrupt replicas than a DataNode meets while a NameNode is slow to answer. */
  private static final int WAITING_MOST = 256;
  /**
   * The reports are calls to every NameNode, and one that is down lets its caller wait for long: no
   * repair must. One thread for the process; it ends when there is nothing to report.
   */
  private static final ThreadPoolExecutor REPORTERS = reporters();

  private final DataNode dn;

  public NameNodeReports(DataNode dn) {
    this.dn = dn;
  }

  private static ThreadPoolExecutor reporters() {
    ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(WAITING_MOST), new Daemon.DaemonFactory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public void local(ExtendedBlock block, IOException cause) {
    LOG.warn("here: " + block.getLocalBlock(),
        "Replica of {} on this DataNode is corrupt; telling the NameNode", block, cause);
    report(block, () -> {
      // At once, as stock's reconstruction reports what it finds, and not with the next heartbeat
      // as dn.reportBadBlocks would: a report that comes after the repair could hit its result.
      DatanodeInfo self = new DatanodeInfo.DatanodeInfoBuilder()
          .setNodeID(dn.getDNRegistrationForBP(block.getBlockPoolId())).build();
      dn.reportRemoteBadBlock(self, block);
    });
  }

  @Override
  public void remote(DatanodeInfo source, ExtendedBlock block, IOException cause) {
    LOG.warn("elsewhere: " + block.getLocalBlock(),
        "Replica of {} on {} is corrupt; telling the NameNode", block, source, cause);
    report(block, () -> dn.reportRemoteBadBlock(source, block));
  }

  /** A call to the NameNodes. */
  private interface Report {
    void send() throws IOException;
  }

  private static void report(ExtendedBlock block, Report report) {
    try {
      REPORTERS.execute(() -> {
        try {
          report.send();
        } catch (IOException | RuntimeException e) {
          LOG.warn("not sent", "Could not report the corrupt replica of {}", block, e);
        }
      });
    } catch (RejectedExecutionException e) {
      LOG.warn("too many", "The corrupt replica of {} is not reported, {} reports wait already;"
          + " the block scanner or the next reader will", block, WAITING_MOST);
    }
  }
}
