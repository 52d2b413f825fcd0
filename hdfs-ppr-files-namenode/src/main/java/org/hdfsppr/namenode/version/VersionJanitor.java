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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the directories of versions that have no making in order, as {@link VersionFate} decides.
 * Thread-safe: if two threads put the same version in order, nothing goes wrong.
 */
final class VersionJanitor {
  private static final Logger LOG = LoggerFactory.getLogger(VersionJanitor.class);

  /** How many versions {@link KeptVersions} returns at once, while it holds its lock. */
  private static final int PIECE = 1_000;
  /** If a version has a making, how long until the janitor looks at it again, ms. */
  private static final long TAKEN_MS = 10_000;

  /**
   * How often the janitor looks whether a snapshot still prevents that an old version is deleted,
   * ms.
   */
  static final long HELD_MS = OldReaders.KEPT_MS;

  /**
   * How often the janitor looks whether the units that a published version lacks are there again,
   * ms. After a restart of all nodes, block reports take minutes, and repairs take about as long.
   */
  static final long LACKING_MS = 60_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final EngineParts parts;
  private final KeptVersions known;
  /**
   * How many kept versions did not fit into {@link #known}, as of the last look at all directories.
   */
  private volatile int unknown;
  /** Decides whether old versions are kept for clients that read them. */
  final OldReaders readers;

  VersionJanitor(EngineParts parts) {
    this(parts, new KeptVersions());
  }

  VersionJanitor(EngineParts parts, KeptVersions known) {
    this.parts = parts;
    this.readers = new OldReaders(parts);
    this.known = known;
  }

  /**
   * Begins a term. This NameNode forgets what it knows, because another one may have changed it
   * meanwhile.
   */
  void begin() {
    known.clear();
  }

  /** Claims versions for the janitor, and says whether it may go on. */
  interface Turn {
    /**
     * Claims a version by its inode id, so that no making gets it; returns false if it has a
     * making.
     */
    boolean take(long inodeId);

    /** Gives a claimed version back. */
    void release(long inodeId);

    /**
     * Returns whether the janitor may go on. It asks before each version. A look may take hours.
     */
    boolean goesOn();
  }

  /** Returns how many old versions are kept in all. */
  int kept() {
    return known.size() + unknown;
  }

  /** Returns how many of the remembered old versions have their directories in this home. */
  int kept(VersionHome home) {
    return known.size(home);
  }

  /** Returns whether more old versions are kept than fit into {@link KeptVersions}. */
  boolean hasForgotten() {
    return unknown > 0;
  }

  /**
   * Looks at the versions whose graces have ended. Only one thread calls this method and {@link
   * #lookAtAll}.
   *
   * @return when the janitor has to look at an old version next, ms since 1970 (UTC); {@code
   *     Long.MAX_VALUE} for never
   */
  long lookAtDue(Turn turn) {
    for (VersionHome home : VersionHome.values()) {
      long now = parts.wallClockMs.getAsLong();
      long[] due = known.due(home, now, PIECE);
      while (due.length > 0) {
        for (long inode : due) {
          if (!turn.goesOn()) {
            return now;
          }
          look(home, inode, turn);
        }
        due = known.due(home, now, PIECE);
      }
    }
    return known.nextMs();
  }

  /**
   * Looks at the directories of all versions.
   *
   * @return when the janitor has to look at an old version next, ms since 1970 (UTC); {@code
   *     Long.MAX_VALUE} for never
   * @throws IOException if this NameNode is not active
   */
  long lookAtAll(Turn turn) throws IOException {
    findGone(turn);
    Walk walk = new Walk(turn);
    for (VersionHome home : VersionHome.values()) {
      if (home.isSharded) {
        each(home.root, turn, name -> {
          if (VersionHome.isShard(name)) {
            walk.lookBelow(home, home.root + "/" + name);
          } else {
            say(home.root + "/" + name, "its name is none of hdfs-ppr");
          }
        });
      } else {
        walk.lookBelow(home, home.root);
      }
    }
    unknown = walk.unknown;
    return Math.min(walk.nextMs, known.nextMs());
  }

  /** One look at the directories of all versions. */
  private final class Walk {
    private final Turn turn;
    private int unknown;
    private long nextMs = Long.MAX_VALUE;

    Walk(Turn turn) {
      this.turn = turn;
    }

    void lookBelow(VersionHome home, String directory) throws IOException {
      each(directory, turn, name -> {
        long inode = number(name);
        String path = directory + "/" + name;
        if (inode <= 0 || !home.directory(inode).equals(path)) {
          say(path, "its name is no inode id, or that of another directory");
        } else if (known.untilMs(home, inode).orElse(0) <= parts.wallClockMs.getAsLong()) {
          OptionalLong untilMs = look(home, inode, turn);
          if (untilMs.isPresent() && known.untilMs(home, inode).isEmpty()) {
            unknown++;
            nextMs = Math.min(nextMs, untilMs.getAsLong());
          }
        }
      });
    }
  }

  /** An action for each entry of a directory, by the name of the entry. */
  private interface NameAction {
    void accept(String name) throws IOException;
  }

  /** Calls an action with each name in a directory. */
  private void each(String directory, Turn turn, NameAction action) throws IOException {
    String after = "";
    boolean hasMore = true;
    while (hasMore && turn.goesOn()) {
      VersionStore.Page page = parts.store.list(directory, after);
      for (String name : page.names) {
        after = name;
        if (!turn.goesOn()) {
          return;
        }
        action.accept(name);
      }
      hasMore = page.hasMore;
    }
  }

  /**
   * Looks for kept old versions whose new versions users have deleted. Such an old version is not
   * needed any more, and no user's quota counts it.
   */
  private void findGone(Turn turn) throws IOException {
    for (VersionHome home : VersionHome.values()) {
      int from = 0;
      do {
        KeptVersions.Piece piece = known.piece(home, from, PIECE);
        boolean[] exist = piece.news.length == 0 ? new boolean[0]
            : parts.namespace.exist(piece.news);
        for (int i = 0; i < exist.length; i++) {
          if (!exist[i]) {
            known.look(home, piece.olds[i], 0);
          }
        }
        from = piece.next;
      } while (from > 0 && turn.goesOn());
    }
  }

  /**
   * Looks at one version; returns until when the old version is kept, ms since 1970 (UTC), or empty
   * if it is not kept.
   */
  private OptionalLong look(VersionHome home, long inode, Turn turn) {
    if (!turn.take(inode)) {
      known.look(home, inode, parts.wallClockMs.getAsLong() + TAKEN_MS);
      return OptionalLong.empty();
    }
    try {
      return clear(home, inode);
    } finally {
      turn.release(inode);
    }
  }

  /** Returns a name as a number; -1 if it is no number. */
  static long number(String name) {
    try {
      return Long.parseLong(name);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /**
   * Puts the directory of a version in order after its making has ended.
   *
   * @param hasRenames whether the making may have renamed something. The record alone does not show
   *     that, because it has the step PUBLISHING as soon as the making has tried to
   * @return whether the version is published
   */
  boolean settle(VersionRecord begun, boolean hasRenames) {
    try {
      VersionRecord record = parts.store.read(begun.home, begun.inodeId).orElse(null);
      VersionPlaces places = record == null ? null : parts.namespace.places(record);
      clear(begun.home, begun.inodeId, hasRenames);
      return record != null && VersionFate.isPublished(record, places);
    } catch (IOException | RuntimeException | AssertionError e) {
      leave(begun.directory(), e);
      return false;
    }
  }

  private void leave(String directory, Throwable e) {
    peerLog.warn(e.getClass().getName(), "The work directory {} of a version is left for later:"
        + " {}", directory, e.toString());
  }

  /**
   * Puts one directory in order; returns until when the old version is kept, ms since 1970 (UTC),
   * or empty if it is not kept.
   */
  OptionalLong clear(VersionHome home, long inodeId) {
    return clear(home, inodeId, true);
  }

  private OptionalLong clear(VersionHome home, long inodeId, boolean hasRenames) {
    String directory = home.directory(inodeId);
    OptionalLong untilMs = OptionalLong.empty();
    try {
      Optional<VersionRecord> record = parts.store.read(home, inodeId);
      if (record.isPresent()) {
        untilMs = clear(record.get(), hasRenames);
      } else {
        clearWithoutRecord(home, inodeId);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("The work directory {} of a version is gone", directory, e);
    } catch (BadRecordException e) {
      ask(directory, "its record is " + e.why + ": " + e.getMessage());
    } catch (IOException | RuntimeException | AssertionError e) {
      // The NameNode throws an AssertionError for some paths, so that this is caught as well.
      leave(directory, e);
    }
    if (untilMs.isPresent()) {
      known.keep(home, inodeId, untilMs.getAsLong());
    } else {
      known.remove(home, inodeId);
    }
    return untilMs;
  }

  /**
   * Puts one directory in order; returns until when the old version is kept, ms since 1970 (UTC),
   * or empty if it is not kept.
   */
  private OptionalLong clear(VersionRecord record, boolean hasRenames) throws IOException {
    follow(record);
    VersionPlaces places = places(record);
    long now = parts.wallClockMs.getAsLong();
    // If the old version is in the directory, something was renamed, even if the making says that
    // it renamed nothing.
    VersionFate fate = hasRenames || places.oldKept ? VersionFate.of(record, places, now)
        : VersionFate.withoutRenames(places);
    // If users have deleted the new version, the old one is not kept for clients that read it.
    if (fate == VersionFate.CLEAN && places.oldKept
        && !record.isCommit() && !places.isPathGone()) {
      OptionalLong readUntilMs = readers.keepUntil(record, now);
      if (readUntilMs.isPresent()) {
        return readUntilMs;
      }
    }
    if (fate == VersionFate.CLEAN && places.oldKept && isLacking(record)) {
      return OptionalLong.of(now + LACKING_MS);
    }
    if (!carryOut(fate, record, places)) {
      return OptionalLong.empty();
    }
    long graceEndMs = record.graceEndMs();
    return OptionalLong.of(places.oldHeld && (graceEndMs <= now || places.isPathGone())
        ? now + HELD_MS : graceEndMs);
  }

  /**
   * Begins to follow which file is the new version of a record. Later versions may supersede that
   * file, and the janitor then deletes it; the record does not show that. If the file does not
   * exist any more when this method begins to follow it, it is not known whether users or the
   * janitor have deleted it. The new version then counts as unknown. The same holds if the file is
   * only in a snapshot, because a later version may have overwritten it.
   */
  private void follow(VersionRecord record) throws IOException {
    VersionHome home = record.home;
    long inode = record.inodeId;
    if (record.step == VersionStep.MAKING || record.newInodeId == 0
        || known.made(home, inode) != 0) {
      return;
    }
    // The file is followed first, and looked for afterwards. So it is noticed if another version
    // supersedes the file in between.
    known.follow(home, inode, record.newInodeId);
    long made = known.made(home, inode);
    if (made != 0 && !parts.namespace.isAtPath(made)) {
      known.follow(home, inode, 0);
    }
  }

  /**
   * Returns where both versions are. The new version counts as gone only if users have deleted it,
   * and not if a later version has superseded it.
   */
  VersionPlaces places(VersionRecord record) throws IOException {
    while (true) {
      long made = known.made(record.home, record.inodeId);
      VersionPlaces places = parts.namespace.places(followed(record, made));
      // A version is noted as superseded before it is deleted. So if the answer is still the same,
      // the places were found before that.
      if (known.made(record.home, record.inodeId) == made) {
        return places;
      }
    }
  }

  /**
   * Returns the record with the inode id of the file that is the new version by now, or 0 if that
   * is not known.
   */
  private static VersionRecord followed(VersionRecord record, long made) {
    // With the id of its first group, the new version is found even in a file to which users have
    // joined it. The id is known for the version of the record only, not for one that superseded
    // it.
    return record.made(made, made == record.newInodeId ? record.newGroupId : 0);
  }

  /**
   * Says which unit of the old version the new one lacks. A power cut may have lost units; then the
   * file can only be repaired from the old version.
   *
   * @return the unit, as a sentence; empty if the new version lacks none. If it is not known what
   *     became of the file that the record names, the file at the path is compared as well names,
   *     also the file at the path lacks none
   */
  Optional<String> lacking(VersionRecord record) throws IOException {
    while (true) {
      long made = known.made(record.home, record.inodeId);
      Optional<String> lacking =
          parts.namespace.lacking(made == 0 ? record : followed(record, made));
      if (lacking.isEmpty() && made == 0 && record.newInodeId != 0) {
        lacking = parts.namespace.lacking(followed(record, 0));
      }
      // Otherwise the file that was compared may have been superseded and deleted meanwhile.
      if (known.made(record.home, record.inodeId) == made) {
        return lacking;
      }
    }
  }

  private boolean isLacking(VersionRecord record) throws IOException {
    Optional<String> lacking = lacking(record);
    lacking.ifPresent(why -> peerLog.warn("lacking", "The old version of {} is kept beyond its"
        + " grace: {}. It stays until the units are reported or repaired; others like it may"
        + " follow", record.path, why));
    return lacking.isPresent();
  }

  /**
   * Deletes an empty directory. A NameNode leaves it if it dies between the first two edits of a
   * version.
   */
  private void clearWithoutRecord(VersionHome home, long inodeId) throws IOException {
    if (parts.store.isEmpty(home, inodeId)) {
      parts.store.delete(home, inodeId);
    } else {
      ask(home.directory(inodeId), "it has files and no record");
    }
  }

  /**
   * Does what was decided; returns whether the old version is kept, for its grace or because of a
   * snapshot.
   */
  private boolean carryOut(VersionFate fate, VersionRecord record, VersionPlaces places)
      throws IOException {
    switch (fate) {
      case KEEP:
        return true;
      case FINISH:
        return finish(record);
      case ASK:
        ask(record.directory(), record + ": " + places);
        return false;
      default:
        if (VersionFate.isPublished(record, places)) {
          known.supersede(record.inodeId, known.made(record.home, record.inodeId));
        }
        parts.hook.reached(VersionPoint.CLEANING, record.path);
        parts.store.delete(record.home, record.inodeId);
        LOG.debug("The work directory of the {} is deleted: {}", record, fate);
        parts.hook.reached(VersionPoint.CLEANED, record.path);
        return false;
    }
  }

  /**
   * Gives the path to the new version; returns whether that has succeeded, so that the old version
   * is kept for its grace.
   */
  private boolean finish(VersionRecord record) throws IOException {
    String name = record.directory();
    try {
      PublishAnswer answer = parts.namespace.finish(record);
      if (answer.isPublished()) {
        LOG.info("The {} gets its path: a crash had come between the two renames", record);
        return true;
      }
      ask(name, answer.toString());
      return false;
    } catch (StandbyException | SafeModeException e) {
      throw e;
    } catch (IOException | RuntimeException | AssertionError e) {
      // Users miss the file at its path, so an operator has to know of it.
      ask(name, record.path + " has no file, and the new version does not get the path now: "
          + e);
      return false;
    }
  }

  /** Logs what an operator has to decide, and which snapshots have to be deleted first. */
  private void ask(String directory, String why) {
    String advice;
    try {
      ManualCleanupAdvice hand = ManualCleanupAdvice.of(parts.namespace, directory);
      advice = hand.sentence() + (hand.snapshots.isEmpty() ? ""
          : " (" + String.join(", ", hand.snapshots) + ")");
    } catch (IOException | RuntimeException | AssertionError e) {
      advice = "rename and delete nothing of it before 'hdfs ppr -clear' says which snapshots have"
          + " it (" + e + ")";
    }
    say(directory, why + "; " + advice);
  }

  private void say(String directory, String why) {
    peerLog.error("ask " + directory, "The directory {} is kept until an operator decides what of"
        + " it is needed: {}", directory, why);
  }
}
