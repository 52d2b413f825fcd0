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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.Block;
import org.hdfsppr.conf.Runbook;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups that stock must not decode, in either part of the queue, before and after failovers.
 * Guarded by the monitor of the queue that it belongs to.
 */
@InterfaceAudience.Private
final class HeldGroups {
  private static final Logger LOG = LoggerFactory.getLogger(HeldGroups.class);
  /** Failures of single disks do not make this many wrong units; the log warns long before. */
  static final int HELD_MAX = 100_000;
  /** How often the log says that groups are kept from stock, with one of them. */
  private static final long WARNING_EVERY_MS = 60_000;

  private final Set<BlockInfo> held = new LinkedHashSet<>();
  /** The lists that stock got in its last call, and goes through a moment later. */
  private List<List<BlockInfo>> given = Collections.emptyList();
  private long warningMs = Long.MIN_VALUE / 2;

  /**
   * Each group gets to stock's scheduling through this method. Stock does
   * not see a held group that it would decode. Stock does not look twice at its choice; see
   * {@link #takeBack}.
   *
   * @param isCopy whether stock would copy units of a group, and decode none
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
   * Takes a group out of the lists that stock is about to go through: the group has changed after
   * stock chose it and before stock looks at its units. Stock goes through the lists with the
   * monitor held, and calls nothing meanwhile that leads here.
   */
  void takeBack(BlockInfo block) {
    if (held.contains(block)) {
      given.forEach(level -> level.remove(block));
    }
  }

  /** The queue starts afresh; held groups stay held. */
  void forgetGiven() {
    given = Collections.emptyList();
  }

  /** @return false if too many groups are held already */
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

  /** Some of the groups; those come first that were not looked at for the longest time. */
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
