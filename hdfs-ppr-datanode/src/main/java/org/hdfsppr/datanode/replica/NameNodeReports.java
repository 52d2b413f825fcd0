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
 * Reports corrupt replicas to the NameNode, with the messages that stock sends after its block
 * scanner or a read. The reader has compared the bytes with the stored sums, so the block scanner
 * has nothing left to confirm.
 *
 * <p>If a report cannot be sent, the repair still learns of the corruption. This class logs the
 * failure, and the scanner or the next reader finds the replica again.
 */
@InterfaceAudience.Private
public final class NameNodeReports implements BadReplicas {
  /**
   * Limits the rate of log lines. Until the NameNode drops a corrupt replica, many readers may ask
   * for it, and each would cause a line.
   */
  private static final PeerLog LOG = new PeerLog(LoggerFactory.getLogger(NameNodeReports.class));
  /**
   * The most reports that may wait. A DataNode finds far fewer corrupt replicas while a NameNode is
   * slow to answer.
   */
  private static final int WAITING_MOST = 256;
  /**
   * Sends the reports on a thread of its own, so that no repair waits for them. A report is a call
   * to every NameNode, and may wait long for a NameNode that is down. The process has one such
   * thread, which ends when there is nothing to report.
   */
  private static final ThreadPoolExecutor REPORTERS = reporters();

  private final DataNode dn;

  /** @param dn the DataNode in whose name this object reports */
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
      // This call reports at once, as stock's reconstruction does. dn.reportBadBlocks would wait
      // for the next heartbeat. A report that comes after the repair could hit the rebuilt replica.
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

  /** A report to the NameNodes. */
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
          + " the block scanner or the next reader will report it", block, WAITING_MOST);
    }
  }
}
