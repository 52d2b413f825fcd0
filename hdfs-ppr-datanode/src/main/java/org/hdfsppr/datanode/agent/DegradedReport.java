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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.server.DegradedReads;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.plan.GroupId;

/**
 * Tells one NameNode, while it schedules, of which groups of its pool clients read what is lost:
 * each note once. One that may have forgotten what it has heard, because it did not answer or its
 * term is another one, hears again all that is not too old. Used by one thread.
 */
@InterfaceAudience.Private
final class DegradedReport {
  private final DegradedReads reads;
  /** Null as long as no active manager has answered. */
  private String pool;
  private long term;
  /** The last note that the NameNode has heard of. */
  private long heard = DegradedReads.NOTHING;
  /** What will be that if it answers. */
  private long telling = DegradedReads.NOTHING;

  DegradedReport(DegradedReads reads) {
    this.reads = reads;
  }

  /** What the next heartbeat says. */
  List<ReadGroup> next() {
    telling = heard;
    if (pool == null) {
      return Collections.emptyList();
    }
    List<ReadGroup> groups = new ArrayList<>();
    for (DegradedReads.Note note
        : reads.after(heard, pool, HeartbeatRequest.READ_DEGRADED_MAX)) {
      GroupId group = note.group();
      groups.add(new ReadGroup(group.groupId(), group.generationStamp()));
      telling = note.number();
    }
    return groups;
  }

  /** The NameNode has answered. */
  void told(HeartbeatResponse response) {
    if (!response.isActive()) {
      lost();
      return;
    }
    boolean same = response.blockPoolId().equals(pool) && response.term() == term;
    heard = same ? telling : DegradedReads.NOTHING;
    pool = response.blockPoolId();
    term = response.term();
  }

  /** It has not, and may have forgotten everything, or it does not schedule. */
  void lost() {
    pool = null;
    heard = DegradedReads.NOTHING;
  }
}
