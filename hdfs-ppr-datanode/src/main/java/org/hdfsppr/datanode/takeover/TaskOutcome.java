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

/** How a task ended and what it moved: what stock's metrics of erasure coding want to know. */
@InterfaceAudience.Private
public final class TaskOutcome {
  private final boolean successful;
  private final long bytesRead;
  private final long remoteBytesRead;
  private final long bytesWritten;

  private TaskOutcome(boolean successful, long bytesRead, long remoteBytesRead,
      long bytesWritten) {
    this.successful = successful;
    this.bytesRead = bytesRead;
    this.remoteBytesRead = remoteBytesRead;
    this.bytesWritten = bytesWritten;
  }

  /**
   * The blocks are rebuilt.
   *
   * @param bytesRead what this node read or received for it
   * @param remoteBytesRead the part of it that came over the network
   * @param bytesWritten of the rebuilt blocks
   */
  public static TaskOutcome succeeded(long bytesRead, long remoteBytesRead, long bytesWritten) {
    return new TaskOutcome(true, bytesRead, remoteBytesRead, bytesWritten);
  }

  /** The blocks are not rebuilt; the parameters are those of {@link #succeeded}. */
  public static TaskOutcome failed(long bytesRead, long remoteBytesRead, long bytesWritten) {
    return new TaskOutcome(false, bytesRead, remoteBytesRead, bytesWritten);
  }

  public boolean isSuccessful() {
    return successful;
  }

  public long bytesRead() {
    return bytesRead;
  }

  public long remoteBytesRead() {
    return remoteBytesRead;
  }

  public long bytesWritten() {
    return bytesWritten;
  }

  /** Counts the task as the end of stock's own does. */
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
