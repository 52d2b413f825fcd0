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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ResidentBlocks;

/**
 * Tells one NameNode which blocks of its pool are in the page cache: all of them first, and after
 * that what has changed. Used by one thread.
 */
@InterfaceAudience.Private
final class ResidentReport {
  private final Function<String, Collection<Long>> residentOfPool;
  /** What the NameNode has heard, null if it is to hear everything. */
  private Set<Long> heard;
  /** What it will have heard if it answers. */
  private Set<Long> telling;
  private String pool;

  /** @param residentOfPool the ids of resident blocks of a pool */
  ResidentReport(Function<String, Collection<Long>> residentOfPool) {
    this.residentOfPool = residentOfPool;
  }

  /** What the next heartbeat says. */
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

  /** The NameNode has answered. */
  void told(HeartbeatResponse response) {
    boolean samePool = response.blockPoolId().equals(pool);
    pool = response.blockPoolId();
    heard = samePool && !response.wantsAllResident() ? telling : null;
    telling = null;
  }

  /** It has not, and may have forgotten everything. */
  void lost() {
    heard = null;
    telling = null;
  }
}
