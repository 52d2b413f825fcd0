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
package org.hdfsppr.datanode.command;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.OldReads;

/**
 * What a second jar of hdfs-ppr reports in the heartbeats to one NameNode, beside what repairs
 * report. Used by one thread.
 */
@InterfaceAudience.Private
public interface HeartbeatNotes {
  /** Reports nothing. */
  HeartbeatNotes NONE = new HeartbeatNotes() {
    @Override
    public OldReads next() {
      return OldReads.UNSAID;
    }

    @Override
    public void answered(HeartbeatResponse response) {
      // This object has reported nothing that the answer could confirm.
    }
  };

  /** @return for the next heartbeat, the blocks of old versions that clients have read here */
  OldReads next();

  /**
   * Takes the NameNode's answer, which confirms what the last heartbeat reported.
   *
   * @param response the answer
   */
  void answered(HeartbeatResponse response);
}
