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
 * A hash table of the ids of watched blocks. For each block it has the time of its last read, and a
 * number that says which reads came later. A place takes 20 bytes, and at least a third of the
 * places is empty, so that {@link #BLOCKS_MAX} blocks take 40 MiB. Not thread-safe.
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
  /**
   * How many blocks the table has at most. If each node gets 10 units of new versions a second,
   * these are the old units of a day, which is a usual grace.
   */
  static final int BLOCKS_MAX = 1 << 20;
  private static final int PLACES_MIN = 1 << 10;
  private static final int HASH_BITS = 32;
  /**
   * How many of the last reads {@link #readsAfter} finds directly. For earlier ones it has to look
   * at all places, which takes a while.
   */
  private static final int RECENT = 1 << 12;
  /**
   * A factor that spreads ids over the table, because the ids of a group's units are consecutive.
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] ids = new long[PLACES_MIN];
  private int[] numbers = new int[PLACES_MIN];
  private int[] seconds = new int[PLACES_MIN];
  private int[] since = new int[PLACES_MIN];
  private int size;
  private int lastNumber;
  /** A ring with the blocks of the last reads; the last bits of a read's number are its index. */
  private final long[] recent = new long[RECENT];
  /** The ring {@link #recent} has only reads with larger numbers than this. */
  private int recentFrom;

  BlockTable() {
    this(0);
  }

  /**
   * @param lastNumber the number after which this table numbers reads. Callers may know the numbers
   *     that an earlier table has given
   */
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

  /** Returns the place of a block; if the block is not in the table, the empty place for it. */
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
   * Adds a block that was not read. If it is there already, this only renews the time since which
   * it is watched.
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

  /**
   * Returns since when a block of the table is watched, s since a time that the caller has chosen.
   */
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

  /**
   * Records that a block was read, if it is in the table. Of several reads in a second, only the
   * first is recorded.
   */
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

  /**
   * Numbers all reads anew from 1, after the numbers have run out. A caller that knows a higher
   * number has to ask for all reads again.
   */
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
    // The blocks that follow the hole move up into it, so that they are still found. A block stays
    // if the hole is before the place at which the search for the block begins.
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
   * Returns the ids of the blocks in a range of places.
   *
   * @param from the first place
   * @param count how many places the range has; it may go past the last one
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

  /**
   * A read: the block, its number, and its time, s since a time that the caller has chosen.
   * Immutable.
   */
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
   * Returns reads with larger numbers than {@code after}, by ascending number.
   *
   * @param after the number of the last read that the caller knows
   * @param most how many reads to return at most; if the list has this many, there may be more
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
      // If the block was read again since, that read has a larger number. The block may also have
      // been removed.
      if (ids[place] == id && numbers[place] == number) {
        found.add(new Numbered(id, number, seconds[place]));
      }
    }
    return found;
  }

  private List<Numbered> allAfter(int after, int most) {
    // The queue has the highest number first. If the queue is full, that one makes room for a lower
    // number.
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
