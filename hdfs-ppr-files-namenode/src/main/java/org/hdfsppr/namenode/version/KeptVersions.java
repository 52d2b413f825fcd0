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
package org.hdfsppr.namenode.version;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Remembers which old versions are kept, and until when. So the {@link VersionJanitor} need not
 * read all records in the namespace to find the versions whose graces end. Thread-safe.
 */
final class KeptVersions {
  /**
   * How many versions are remembered at most. One takes 24 bytes in tables that are at least 3/8
   * full, so that all take 256 MiB. That is little compared with the NameNode's own data, of which
   * each version takes more than 1 KiB of the heap, for two files and a directory. The janitor
   * finds further versions in the namespace.
   */
  static final int KNOWN_MAX = 4_000_000;

  /**
   * When this many versions have been superseded, all entries are changed so that they name the
   * successors, and the list of successors is cleared.
   */
  static final int HEIRS_MAX = 1_024;

  private final int most;
  private final Map<VersionHome, Table> tables = new EnumMap<>(VersionHome.class);
  /**
   * The successors of superseded versions, as long as entries may still name the superseded ones.
   * In this table, the old version of an entry is the superseded version, the new one is its
   * successor, and the time has no meaning.
   */
  private Table heirs = new Table();
  private int size;

  KeptVersions() {
    this(KNOWN_MAX);
  }

  KeptVersions(int most) {
    this.most = most;
    for (VersionHome home : VersionHome.values()) {
      tables.put(home, new Table());
    }
  }

  /** Forgets all versions. */
  synchronized void clear() {
    tables.replaceAll((home, table) -> new Table());
    heirs = new Table();
    size = 0;
  }

  /**
   * The versions whose directories lie in one {@link VersionHome}: a hash table with open
   * addressing. An entry is three numbers: the inode id of the old version, never 0; the inode id
   * of the new version, 0 if it is not known; and when the janitor has to look at the version, ms
   * since 1970 (UTC).
   */
  private static final class Table {
    private static final int SLOTS_MIN = 64;

    private long[] olds = new long[SLOTS_MIN];
    private long[] news = new long[SLOTS_MIN];
    private long[] untils = new long[SLOTS_MIN];
    private int size;

    private static int home(long old, int slots) {
      long mixed = old * 0x9e3779b97f4a7c15L;
      return (int) (mixed >>> 32) & slots - 1;
    }

    /** Returns the slot of a version in the table, or the free slot that it would get. */
    private int slot(long old) {
      int slot = home(old, olds.length);
      while (olds[slot] != 0 && olds[slot] != old) {
        slot = slot + 1 & olds.length - 1;
      }
      return slot;
    }

    private void set(int slot, long old, long made, long untilMs) {
      olds[slot] = old;
      news[slot] = made;
      untils[slot] = untilMs;
    }

    /** Puts a version into the table; returns whether it was not there before. */
    boolean put(long old, long made, long untilMs) {
      if (4 * (size + 1) > 3 * olds.length) {
        resize(2 * olds.length);
      }
      int slot = slot(old);
      boolean isNew = olds[slot] == 0;
      set(slot, old, made, untilMs);
      size += isNew ? 1 : 0;
      return isNew;
    }

    private void resize(int slots) {
      long[] oldsBefore = olds;
      long[] newsBefore = news;
      long[] untilsBefore = untils;
      olds = new long[slots];
      news = new long[slots];
      untils = new long[slots];
      for (int i = 0; i < oldsBefore.length; i++) {
        if (oldsBefore[i] != 0) {
          set(slot(oldsBefore[i]), oldsBefore[i], newsBefore[i], untilsBefore[i]);
        }
      }
    }

    /**
     * Removes a version; returns whether it was there. Entries behind it move into the gap, so that
     * a search still finds them.
     */
    boolean remove(long old) {
      int gap = slot(old);
      if (olds[gap] == 0) {
        return false;
      }
      int mask = olds.length - 1;
      for (int next = gap + 1 & mask; olds[next] != 0; next = next + 1 & mask) {
        int home = home(olds[next], olds.length);
        if ((next - home & mask) >= (next - gap & mask)) {
          set(gap, olds[next], news[next], untils[next]);
          gap = next;
        }
      }
      set(gap, 0, 0, 0);
      size--;
      if (olds.length > SLOTS_MIN && 8 * size < olds.length) {
        resize(olds.length / 2);
      }
      return true;
    }
  }

  /**
   * Remembers a version.
   *
   * @param old inode id of the old version
   * @param made inode id of the new version; 0 if it is not known
   * @param untilMs when the janitor has to look at the version, ms since 1970 (UTC)
   * @return false if as many versions are remembered already as may be
   */
  synchronized boolean put(VersionHome home, long old, long made, long untilMs) {
    Table table = tables.get(home);
    if (size >= most && table.olds[table.slot(old)] == 0) {
      return false;
    }
    size += table.put(old, made, untilMs) ? 1 : 0;
    return true;
  }

  /**
   * Remembers which file is the new version of an old one. If a later version supersedes that file,
   * {@link #made} returns the later one. If the old version was not remembered before, the janitor
   * has to look at it at once.
   *
   * @param old inode id of the old version
   * @param made inode id of the new version; 0 if it is not known
   */
  synchronized void follow(VersionHome home, long old, long made) {
    put(home, old, made, untilMs(home, old).orElse(0));
  }

  /**
   * Remembers an old version, and its new version if this class knows it already.
   *
   * @param old inode id of the old version
   * @param untilMs when the janitor has to look at the version, ms since 1970 (UTC)
   */
  synchronized void keep(VersionHome home, long old, long untilMs) {
    put(home, old, made(home, old), untilMs);
  }

  /**
   * Returns the inode id of the file that is the new version of an old one. If later versions have
   * superseded that file, this is the last of them. 0 if it is not known.
   */
  synchronized long made(VersionHome home, long old) {
    Table table = tables.get(home);
    int slot = table.slot(old);
    return table.olds[slot] == 0 ? 0 : heir(table.news[slot]);
  }

  /**
   * Takes note that a version has superseded another one, which may itself be the new version of an
   * earlier one. The caller calls this before the superseded one is deleted.
   *
   * @param before inode id of the superseded version
   * @param made inode id of the version that superseded it; 0 if it is not known
   */
  synchronized void supersede(long before, long made) {
    // The inode id of a successor is always greater. With this check, a wrong record cannot make a
    // cycle of successors.
    heirs.put(before, made > before ? made : 0, 0);
    if (heirs.size < HEIRS_MAX) {
      return;
    }
    for (Table table : tables.values()) {
      for (int i = 0; i < table.olds.length; i++) {
        table.news[i] = heir(table.news[i]);
      }
    }
    heirs = new Table();
  }

  private long heir(long made) {
    long last = made;
    // 0 marks free slots, so it is not looked up.
    for (int slot = heirs.slot(last); last != 0 && heirs.olds[slot] != 0;
        slot = heirs.slot(last)) {
      last = heirs.news[slot];
    }
    return last;
  }

  /**
   * Sets the time at which the janitor has to look at a version. Does nothing if the version is not
   * remembered.
   */
  synchronized void look(VersionHome home, long old, long untilMs) {
    Table table = tables.get(home);
    int slot = table.slot(old);
    if (table.olds[slot] != 0) {
      table.untils[slot] = untilMs;
    }
  }

  /** Forgets a version. */
  synchronized void remove(VersionHome home, long old) {
    size -= tables.get(home).remove(old) ? 1 : 0;
  }

  /**
   * Returns when the janitor has to look at a version, ms since 1970 (UTC); empty if the version is
   * not remembered.
   */
  synchronized OptionalLong untilMs(VersionHome home, long old) {
    Table table = tables.get(home);
    int slot = table.slot(old);
    return table.olds[slot] == 0 ? OptionalLong.empty() : OptionalLong.of(table.untils[slot]);
  }

  synchronized int size() {
    return size;
  }

  synchronized int size(VersionHome home) {
    return tables.get(home).size;
  }

  /**
   * Returns when the janitor has to look at any version next, ms since 1970 (UTC); {@code
   * Long.MAX_VALUE} if no version is remembered.
   */
  synchronized long nextMs() {
    long next = Long.MAX_VALUE;
    for (Table table : tables.values()) {
      for (int i = 0; i < table.olds.length; i++) {
        next = table.olds[i] == 0 ? next : Math.min(next, table.untils[i]);
      }
    }
    return next;
  }

  /**
   * Returns the old versions at which the janitor has to look by now, at most {@code most} of them.
   */
  synchronized long[] due(VersionHome home, long nowMs, int most) {
    Table table = tables.get(home);
    long[] due = new long[Math.min(most, table.size)];
    int count = 0;
    for (int i = 0; i < table.olds.length && count < due.length; i++) {
      if (table.olds[i] != 0 && table.untils[i] <= nowMs) {
        due[count++] = table.olds[i];
      }
    }
    return Arrays.copyOf(due, count);
  }

  /**
   * Returns a part of the old versions whose new version is known.
   *
   * @param from 0, or {@link Piece#next} of the part before
   * @param most how many versions the part may have, at most
   */
  synchronized Piece piece(VersionHome home, int from, int most) {
    Table table = tables.get(home);
    long[] olds = new long[most];
    long[] news = new long[most];
    int count = 0;
    int slot = from;
    for (; slot < table.olds.length && count < most; slot++) {
      if (table.olds[slot] != 0 && table.news[slot] != 0) {
        long made = heir(table.news[slot]);
        olds[count] = table.olds[slot];
        news[count] = made;
        count += made == 0 ? 0 : 1;
      }
    }
    return new Piece(Arrays.copyOf(olds, count), Arrays.copyOf(news, count),
        slot < table.olds.length ? slot : 0);
  }

  /**
   * Some old versions, with the file that is the new version of each by now. If a table grows or
   * shrinks between two such parts, some versions may be left out until the next round.
   */
  static final class Piece {
    final long[] olds;
    final long[] news;
    /** Where the next part begins; 0 if this is the last one. */
    final int next;

    private Piece(long[] olds, long[] news, int next) {
      this.olds = olds;
      this.news = news;
      this.next = next;
    }
  }
}
