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
package org.hdfsppr.datanode.watch;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.command.HeartbeatNotes;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.OldReads;

/**
 * Reports to one NameNode, in heartbeats, which of the old blocks that this DataNode watches for it
 * were read. The first report lists all reads, and later ones only the new reads. Used by one
 * thread.
 */
@InterfaceAudience.Private
public final class OldReadsReport implements HeartbeatNotes {
  private final OldReadWatch watch;
  private String pool;
  /**
   * The number of the last read that the NameNode has confirmed; 0 if the next report lists all
   * reads.
   */
  private int heard;
  /** The number of the last read in the heartbeat under way. */
  private int telling;

  /** @param watch lists the reads */
  public OldReadsReport(OldReadWatch watch) {
    this.watch = watch;
  }

  @Override
  public OldReads next() {
    if (pool == null) {
      telling = 0;
      return OldReads.UNSAID;
    }
    OldReadsPage page = watch.page(pool, heard);
    telling = page.last;
    return page.reads;
  }

  /** Takes note that the NameNode has got the last report, or asks for all reads again. */
  @Override
  public void answered(HeartbeatResponse response) {
    boolean isSamePool = response.blockPoolId.equals(pool);
    pool = response.blockPoolId;
    heard = isSamePool && !response.wantsAllOldReads ? telling : 0;
  }
}
