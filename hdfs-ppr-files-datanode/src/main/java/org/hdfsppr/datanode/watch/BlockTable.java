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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Ids of blocks, and for each of them when it was last read. A place takes 20 bytes, and a third of
 * the places at least is empty, so that {@link #BLOCKS_MAX} blocks take 40 MiB. Not thread-safe.
 *
 * <pre>
 *   place     0      1      2      3     ...
 *   ids       id     0      id     id          0: the place is empty
 *   numbers   7      0      0      9           0: not read; reads are numbered from 1
 *   seconds   120    0      0      131         when it was read, s since a caller's begin
 *   since     100    0      90     90          since when it is watched, as the line above
 * </pre>
 */
final class BlockTable {
  /** The most blocks: at 10 units a second on each node, those of a grace of a day. */
  static final int BLOCKS_MAX = 1 << 20;
  private static final int PLACES_MIN = 1 << 10;
  private static final int HASH_BITS = 32;
  /** How many of the last reads are found without a look at all places, which takes a while. */
  private static final int RECENT = 1 << 12;
  /** Spreads ids, because those of a group's units follow each other. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] ids = new long[PLACES_MIN];
  private int[] numbers = new int[PLACES_MIN];
  private int[] seconds = new int[PLACES_MIN];
  private int[] since = new int[PLACES_MIN];
  private int size;
  private int lastNumber;
  /** The blocks of the last reads, by the last bits of their numbers. */
  private final long[] recent = new long[RECENT];
  /** The ring of recent blocks begins behind this number. */
  private int recentFrom;

  BlockTable() {
    this(0);
  }

  /** @param lastNumber the number behind which reads are numbered; callers may know those before */
  BlockTable(int lastNumber) {
    this.lastNumber = lastNumber;
    this.recentFrom = lastNumber;
  }

  int size() {
    return size;
  }

  /** Returns the number of the last read. */
  int lastNumber() {
    return lastNumber;
  }

  private int home(long id) {
    return (int) (id * SPREAD >>> HASH_BITS) & ids.length - 1;
  }

  /** Returns the place of a block, or the empty one where it would be. */
  private int place(long id) {
    int place = home(id);
    while (ids[place] != 0 && ids[place] != id) {
      place = place + 1 & ids.length - 1;
    }
    return place;
  }

  boolean contains(long id) {
    return id != 0 && ids[place(id)] == id;
  }

  /**
   * Adds a block that was not read. If it is there already, it counts as watched since now.
   *
   * @return false if the table is full
   */
  boolean add(long id, int second) {
    if (id == 0) {
      return true;
    }
    if (contains(id)) {
      since[place(id)] = second;
      return true;
    }
    if (size == BLOCKS_MAX) {
      return false;
    }
    if ((size + 1) * 3L > ids.length * 2L) {
      grow();
    }
    int place = place(id);
    ids[place] = id;
    since[place] = second;
    size++;
    return true;
  }

  /** Returns since when a block of the table is watched. */
  int since(long id) {
    return since[place(id)];
  }

  private void grow() {
    long[] oldIds = ids;
    int[] oldNumbers = numbers;
    int[] oldSeconds = seconds;
    int[] oldSince = since;
    ids = new long[oldIds.length * 2];
    numbers = new int[ids.length];
    seconds = new int[ids.length];
    since = new int[ids.length];
    for (int i = 0; i < oldIds.length; i++) {
      if (oldIds[i] != 0) {
        int place = place(oldIds[i]);
        ids[place] = oldIds[i];
        numbers[place] = oldNumbers[i];
        seconds[place] = oldSeconds[i];
        since[place] = oldSince[i];
      }
    }
  }

  /** Notes that a block is read, unless it is not here, or a read in the same second is noted. */
  void read(long id, int second) {
    int place = place(id);
    if (id == 0 || ids[place] != id || numbers[place] != 0 && seconds[place] == second) {
      return;
    }
    if (lastNumber == Integer.MAX_VALUE) {
      renumber();
    }
    seconds[place] = second;
    numbers[place] = ++lastNumber;
    recent[lastNumber & RECENT - 1] = id;
  }

  /** Numbers all reads anew. A caller that knows a higher number has to begin anew. */
  private void renumber() {
    lastNumber = 0;
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != 0) {
        numbers[i] = ++lastNumber;
      }
    }
    recentFrom = lastNumber;
  }

  void remove(long id) {
    int hole = place(id);
    if (id == 0 || ids[hole] != id) {
      return;
    }
    size--;
    // Blocks behind the hole move up, unless they would come before their home.
    for (int i = hole + 1 & ids.length - 1; ids[i] != 0; i = i + 1 & ids.length - 1) {
      int fromHome = i - home(ids[i]) & ids.length - 1;
      int fromHole = i - hole & ids.length - 1;
      if (fromHome >= fromHole) {
        ids[hole] = ids[i];
        numbers[hole] = numbers[i];
        seconds[hole] = seconds[i];
        since[hole] = since[i];
        hole = i;
      }
    }
    ids[hole] = 0;
    numbers[hole] = 0;
    seconds[hole] = 0;
    since[hole] = 0;
  }

  /**
   * Returns the ids of blocks in some places.
   *
   * @param from the first place
   * @param count how many places, at most
   */
  long[] ids(int from, int count) {
    long[] found = new long[Math.max(0, Math.min(count, ids.length - from))];
    int n = 0;
    for (int i = from; i < from + found.length; i++) {
      if (ids[i] != 0) {
        found[n++] = ids[i];
      }
    }
    return Arrays.copyOf(found, n);
  }

  int places() {
    return ids.length;
  }

  /** A read as {@link #readsAfter} returns it. Immutable. */
  static final class Numbered {
    final long id;
    final int number;
    final int second;

    Numbered(long id, int number, int second) {
      this.id = id;
      this.number = number;
      this.second = second;
    }
  }

  /**
   * Returns the reads with the lowest numbers above one, ascending.
   *
   * @param after the number
   * @param most how many reads, at most; if there are as many, others may follow
   */
  List<Numbered> readsAfter(int after, int most) {
    return after >= recentFrom && lastNumber - after <= RECENT ? recentAfter(after, most)
        : allAfter(after, most);
  }

  private List<Numbered> recentAfter(int after, int most) {
    List<Numbered> found = new ArrayList<>();
    for (int number = after + 1; number <= lastNumber && found.size() < most; number++) {
      long id = recent[number & RECENT - 1];
      int place = place(id);
      // The block may have been read again since, or be forgotten.
      if (ids[place] == id && numbers[place] == number) {
        found.add(new Numbered(id, number, seconds[place]));
      }
    }
    return found;
  }

  private List<Numbered> allAfter(int after, int most) {
    // The highest number comes first, so that it can make room for lower ones.
    PriorityQueue<Numbered> lowest =
        new PriorityQueue<>((a, b) -> Integer.compare(b.number, a.number));
    for (int i = 0; i < ids.length; i++) {
      if (numbers[i] > after && (lowest.size() < most || numbers[i] < lowest.peek().number)) {
        if (lowest.size() == most) {
          lowest.poll();
        }
        lowest.add(new Numbered(ids[i], numbers[i], seconds[i]));
      }
    }
    List<Numbered> found = new ArrayList<>(lowest);
    found.sort((a, b) -> Integer.compare(a.number, b.number));
    return found;
  }
}
