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
package org.hdfsppr.it.read;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.Unit;

/**
 * The units that are lost at the moment, and whether more may be lost: never more units of a group
 * than its code always survives. A caller that undoes a loss calls {@link #mayBeBack} before and
 * {@link #isBack} after it. Between the two calls, the unit still counts as lost, but a read of it
 * does not prove that it was decoded.
 */
final class Losses {
  private final List<ReadFile> files;
  private final Set<Integer> down = new TreeSet<>();
  private final Set<Integer> surelyDown = new HashSet<>();
  /** The ids of blocks that have a wrong bit. */
  private final Set<Long> corrupt = new HashSet<>();
  /** The positions of wrong bits in data units, as file and offset. */
  private final Set<String> wrongAt = new HashSet<>();
  private long returns;

  Losses(List<ReadFile> files) {
    this.files = List.copyOf(files);
  }

  /** Returns a copy of the present state. */
  synchronized Losses copy() {
    Losses copy = new Losses(files);
    copy.down.addAll(down);
    copy.surelyDown.addAll(surelyDown);
    copy.corrupt.addAll(corrupt);
    copy.wrongAt.addAll(wrongAt);
    copy.returns = returns;
    return copy;
  }

  /**
   * Records that a node goes down. Returns {@code false}, and records nothing, if the files would
   * not survive this.
   */
  synchronized boolean takeDown(int node) {
    if (down.contains(node)) {
      return false;
    }
    for (ReadFile file : files) {
      for (BlockGroup group : file.groups) {
        if (lost(group) + (group.on(node).isPresent()
            && !corrupt.contains(id(group.on(node).get())) ? 1 : 0) > file.code.guaranteed) {
          return false;
        }
      }
    }
    down.add(node);
    surelyDown.add(node);
    return true;
  }

  /**
   * Records that a bit of a unit is flipped. Returns {@code false}, and records nothing, if the
   * file would not survive this.
   */
  synchronized boolean takeBit(ReadFile file, int group, Unit unit, long inReplica) {
    int already = lost(file.groups.get(group));
    boolean lostAlready = down.contains(unit.node) || corrupt.contains(id(unit));
    if (already + (lostAlready ? 0 : 1) > file.code.guaranteed || corrupt.contains(id(unit))) {
      return false;
    }
    corrupt.add(id(unit));
    if (file.isData(unit)) {
      wrongAt.add(file.path + "@" + file.offsetOf(group, unit, inReplica));
    }
    return true;
  }

  synchronized boolean isCorrupt(Unit unit) {
    return corrupt.contains(id(unit));
  }

  private int lost(BlockGroup group) {
    return (int) group.units.stream()
        .filter(unit -> down.contains(unit.node) || corrupt.contains(id(unit))).count();
  }

  private static long id(Unit unit) {
    return unit.block.getBlockId();
  }

  /** Records that the node is about to be started. */
  synchronized void mayBeBack(int node) {
    surelyDown.remove(node);
  }

  /**
   * Records that the node serves its replicas again. Streams that knew the node as down should be
   * opened anew.
   */
  synchronized void isBack(int node) {
    down.remove(node);
    returns++;
  }

  synchronized List<Integer> down() {
    return List.copyOf(down);
  }

  /** Returns how many losses have been undone so far. */
  synchronized long returns() {
    return returns;
  }

  /**
   * Returns whether a range has bytes that no node can serve, so that a reader must decode them.
   */
  synchronized boolean mustBeDecoded(ReadFile file, long offset, long length) {
    for (long at = offset; at < offset + length; at = file.cellEnd(at)) {
      if (file.nodeAt(at).map(surelyDown::contains).orElse(false)) {
        return true;
      }
    }
    return wrongAt.stream().anyMatch(wrong -> {
      String prefix = file.path + "@";
      if (!wrong.startsWith(prefix)) {
        return false;
      }
      long at = Long.parseLong(wrong.substring(prefix.length()));
      return at >= offset && at < offset + length;
    });
  }

  @Override
  public synchronized String toString() {
    return "down " + down + ", corrupt " + corrupt;
  }
}
