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
package org.hdfsppr.datanode.takeover;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;

/** How a task ended and how many bytes it moved, for stock's metrics of erasure coding. */
@InterfaceAudience.Private
public final class TaskOutcome {
  private final boolean successful;
  /** Bytes of units that all nodes together read for the task */
  public final long bytesRead;
  /** The part of {@link #bytesRead} that nodes on other machines read */
  public final long remoteBytesRead;
  /** Bytes of the rebuilt blocks */
  public final long bytesWritten;

  private TaskOutcome(boolean successful, long bytesRead, long remoteBytesRead,
      long bytesWritten) {
    this.successful = successful;
    this.bytesRead = bytesRead;
    this.remoteBytesRead = remoteBytesRead;
    this.bytesWritten = bytesWritten;
  }

  /**
   * Returns the outcome of a task whose blocks are rebuilt.
   *
   * @param bytesRead bytes of units that all nodes together read for the task
   * @param remoteBytesRead the part of {@code bytesRead} that nodes on other machines read
   * @param bytesWritten bytes of the rebuilt blocks
   * @return the outcome
   */
  public static TaskOutcome succeeded(long bytesRead, long remoteBytesRead, long bytesWritten) {
    return new TaskOutcome(true, bytesRead, remoteBytesRead, bytesWritten);
  }

  /**
   * Returns the outcome of a task whose blocks are not rebuilt.
   *
   * @param bytesRead bytes of units that all nodes together read for the task
   * @param remoteBytesRead the part of {@code bytesRead} that nodes on other machines read
   * @param bytesWritten bytes of the blocks that were rebuilt before the failure
   * @return the outcome
   */
  public static TaskOutcome failed(long bytesRead, long remoteBytesRead, long bytesWritten) {
    return new TaskOutcome(false, bytesRead, remoteBytesRead, bytesWritten);
  }

  /**
   * Counts the task as stock does at the end of its own tasks.
   *
   * @param metrics the metrics of the DataNode that had the task
   */
  public void count(DataNodeMetrics metrics) {
    if (!successful) {
      metrics.incrECFailedReconstructionTasks();
    }
    metrics.incrECReconstructionTasks();
    metrics.incrECReconstructionBytesRead(bytesRead);
    metrics.incrECReconstructionRemoteBytesRead(remoteBytesRead);
    metrics.incrECReconstructionBytesWritten(bytesWritten);
  }

  @Override
  public String toString() {
    return (successful ? "rebuilt" : "failed") + ", " + bytesRead + " bytes read, "
        + remoteBytesRead + " of them remote, " + bytesWritten + " written";
  }
}
