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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.hdfsppr.conf.Runbook;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups that stock must not decode, because their units contradict each other. They may be in
 * stock's part of the queue or in the owned part, and stay held over failovers. Guarded by the
 * monitor of the {@link SplitLowRedundancyBlocks} that has this object.
 */
final class HeldGroups {
  private static final Logger LOG = LoggerFactory.getLogger(HeldGroups.class);
  /**
   * The greatest number of groups that are kept from stock. It is high enough, because failures of
   * single disks make fewer wrong units, and the log warns long before it is reached.
   */
  static final int HELD_MAX = 100_000;
  /**
   * The time between two warnings in the log that groups are kept from stock, ms. Each warning
   * names one group.
   */
  private static final long WARNING_EVERY_MS = 60_000;

  private final Set<BlockInfo> held = new LinkedHashSet<>();
  /**
   * The lists that the queue returned to stock's last call. Stock goes through them a moment later.
   */
  private List<List<BlockInfo>> given = Collections.emptyList();
  private long warningMs = Long.MIN_VALUE / 2;

  /**
   * Returns the lists of groups that stock has chosen to schedule, without the held groups that
   * stock would decode. Stock schedules only groups that this method has returned, and does not
   * check them again; see {@link #takeBack}.
   *
   * @param isCopy decides whether stock would only copy units of a group, and decode none
   */
  List<List<BlockInfo>> without(List<List<BlockInfo>> chosen, Predicate<BlockInfo> isCopy,
      long nowMs) {
    List<List<BlockInfo>> result = new ArrayList<>(chosen.size());
    BlockInfo kept = null;
    for (List<BlockInfo> level : chosen) {
      List<BlockInfo> rest = new ArrayList<>(level.size());
      for (BlockInfo block : level) {
        if (held.contains(block) && !isCopy.test(block)) {
          kept = block;
        } else {
          rest.add(block);
        }
      }
      result.add(rest);
    }
    if (kept != null && nowMs - warningMs >= WARNING_EVERY_MS) {
      warningMs = nowMs;
      LOG.error("{} is kept from the NameNode's own scheduling, which would decode it: its units"
          + " contradict each other although their checksums are right. So are all others of the"
          + " {} such groups that have lost units; they are repaired once the wrong unit is found. "
          + Runbook.CONTRADICTING_UNITS + " says how", kept, held.size());
    }
    given = result;
    return result;
  }

  /**
   * Removes a held group from the lists that stock is about to go through. The queue calls this
   * when the group has changed after stock chose it and before stock looks at its units. A list
   * never changes while stock goes through it, because stock then holds the monitor and calls
   * nothing that leads to this method.
   */
  void takeBack(BlockInfo block) {
    if (held.contains(block)) {
      given.forEach(level -> level.remove(block));
    }
  }

  /** Forgets the lists that stock got, because the queue was cleared. Held groups stay held. */
  void forgetGiven() {
    given = Collections.emptyList();
  }

  /** Keeps stock from decoding a group; returns false if too many groups are held already. */
  boolean add(BlockInfo block) {
    if (held.size() >= HELD_MAX && !held.contains(block)) {
      return false;
    }
    held.add(block);
    takeBack(block);
    return true;
  }

  boolean remove(Block block) {
    return held.remove(block);
  }

  /** Returns some of the groups, first those whose last look is longest ago. */
  List<BlockInfo> takeSome(int max) {
    List<BlockInfo> taken = new ArrayList<>(Math.min(max, held.size()));
    Iterator<BlockInfo> next = held.iterator();
    while (taken.size() < max && next.hasNext()) {
      taken.add(next.next());
    }
    held.removeAll(taken);
    held.addAll(taken);
    return taken;
  }

  int size() {
    return held.size();
  }
}
