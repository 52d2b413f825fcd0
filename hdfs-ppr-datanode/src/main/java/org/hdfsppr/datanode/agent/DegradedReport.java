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
package org.hdfsppr.datanode.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hdfsppr.datanode.server.DegradedReads;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.plan.GroupId;

/**
 * Reports block groups whose lost units clients read. The reports go to one NameNode while its
 * repair manager is active, and contain the groups of its block pool. Each note of {@link
 * DegradedReads} is reported once. But a NameNode that did not answer, or that has a new term, may
 * have forgotten the notes. Later reports then repeat all notes that are not too old. Used by one
 * thread.
 */
final class DegradedReport {
  private final DegradedReads reads;
  /** The block pool of the NameNode; null while no active manager has answered. */
  private String pool;
  private long term;
  /** The number of the last note that the NameNode has confirmed. */
  private long heard = DegradedReads.NOTHING;
  /**
   * The number of the last note in the heartbeat under way. The NameNode's answer confirms all
   * notes up to this number.
   */
  private long telling = DegradedReads.NOTHING;

  DegradedReport(DegradedReads reads) {
    this.reads = reads;
  }

  /** Returns the groups that the next heartbeat reports. */
  List<ReadGroup> next() {
    telling = heard;
    if (pool == null) {
      return Collections.emptyList();
    }
    List<ReadGroup> groups = new ArrayList<>();
    for (DegradedReads.Note note
        : reads.after(heard, pool, HeartbeatRequest.READ_DEGRADED_MAX)) {
      GroupId group = note.group;
      groups.add(new ReadGroup(group.groupId, group.generationStamp));
      telling = note.number;
    }
    return groups;
  }

  /** Notes which groups the NameNode's answer confirms. */
  void answered(HeartbeatResponse response) {
    if (!response.active) {
      lost();
      return;
    }
    boolean same = response.blockPoolId.equals(pool) && response.term == term;
    heard = same ? telling : DegradedReads.NOTHING;
    pool = response.blockPoolId;
    term = response.term;
  }

  /**
   * Notes that the NameNode did not answer or is not active. It may have forgotten all notes, so
   * later reports repeat them.
   */
  void lost() {
    pool = null;
    heard = DegradedReads.NOTHING;
  }
}
