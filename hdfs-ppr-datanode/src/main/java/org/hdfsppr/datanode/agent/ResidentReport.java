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
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ResidentBlocks;

/**
 * Reports to one NameNode the blocks of its pool that are in the page cache. The first report lists
 * all of these blocks, and later reports list the changes. Used by one thread.
 */
final class ResidentReport {
  private final Function<String, Collection<Long>> residentOfPool;
  /**
   * The blocks that the NameNode has confirmed; null if the next heartbeat must list all blocks in
   * memory.
   */
  private Set<Long> heard;
  /** The blocks that the NameNode will know once it answers the heartbeat under way. */
  private Set<Long> telling;
  /** The pool whose blocks the NameNode wants; null if it wants none. */
  private String pool;

  /** @param residentOfPool returns the ids of those blocks of a pool that are in memory */
  ResidentReport(Function<String, Collection<Long>> residentOfPool) {
    this.residentOfPool = residentOfPool;
  }

  /** Returns the report for the next heartbeat. */
  ResidentBlocks next() {
    if (pool == null) {
      telling = null;
      return ResidentBlocks.unchanged();
    }
    Collection<Long> now = residentOfPool.apply(pool);
    if (heard == null) {
      telling = new HashSet<>(first(now));
      return ResidentBlocks.all(telling);
    }
    Set<Long> present = new HashSet<>(now);
    List<Long> removed = first(minus(heard, present));
    List<Long> added = first(minus(present, heard));
    telling = new HashSet<>(heard);
    telling.removeAll(removed);
    telling.addAll(added);
    return ResidentBlocks.changed(added, removed);
  }

  private static List<Long> minus(Set<Long> these, Set<Long> those) {
    List<Long> rest = new ArrayList<>();
    for (Long each : these) {
      if (!those.contains(each)) {
        rest.add(each);
      }
    }
    return rest;
  }

  private static List<Long> first(Collection<Long> ids) {
    List<Long> list = new ArrayList<>(ids);
    return list.size() <= ResidentBlocks.BLOCKS_MAX ? list
        : list.subList(0, ResidentBlocks.BLOCKS_MAX);
  }

  /** Notes what the NameNode's answer confirms, and whether the answer asks for all blocks. */
  void answered(HeartbeatResponse response) {
    // Without a pool, the scan is not asked for blocks, and then looks at no replica.
    String now = response.ignoresResident ? null : response.blockPoolId;
    boolean samePool = now != null && now.equals(pool);
    pool = now;
    heard = samePool && !response.wantsAllResident ? telling : null;
    telling = null;
  }

  /**
   * Notes that the NameNode did not answer. It may have forgotten all blocks, so the next report
   * lists all of them.
   */
  void lost() {
    heard = null;
    telling = null;
  }
}
