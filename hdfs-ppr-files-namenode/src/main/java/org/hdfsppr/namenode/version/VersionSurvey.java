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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the directories of versions for an operator, and on request deletes those that may be
 * deleted. Only {@link VersionFate} decides which ones these are; the operator cannot influence
 * that. Used by one thread.
 */
final class VersionSurvey {
  private static final Logger LOG = LoggerFactory.getLogger(VersionSurvey.class);

  private final EngineParts parts;
  private final VersionJanitor janitor;
  private final VersionJanitor.Turn turn;
  private final Leftovers.Builder left;
  private final boolean isCleared;
  private final BooleanSupplier hasTime;
  private long cleared;

  /**
   * @param turn claims a version during the look, so that no making gets it
   * @param left gets an item for each directory that is left
   * @param isCleared whether to delete the directories that may be deleted
   * @param hasTime returns whether there is time to go on
   */
  VersionSurvey(EngineParts parts, VersionJanitor janitor, VersionJanitor.Turn turn,
      Leftovers.Builder left, boolean isCleared, BooleanSupplier hasTime) {
    this.parts = parts;
    this.janitor = janitor;
    this.turn = turn;
    this.left = left;
    this.isCleared = isCleared;
    this.hasTime = hasTime;
  }

  /** Looks at the directories in all homes. */
  void run() throws IOException {
    boolean isWhole = true;
    for (VersionHome home : VersionHome.values()) {
      isWhole &= lookAt(home);
    }
    left.cleared = cleared;
    if (!isWhole) {
      left.unfinished = "there are too many directories of versions for one look; the numbers are"
          + " those of some of them";
    }
  }

  private boolean lookAt(VersionHome home) throws IOException {
    boolean isWhole = home.isSharded ? each(home.root, name -> {
      String shard = home.root + "/" + name;
      boolean isShardWhole = each(shard, inode -> lookAt(home, shard, inode));
      removeIfEmpty(shard, isShardWhole);
      return isShardWhole;
    }) : each(home.root, inode -> lookAt(home, home.root, inode));
    removeIfEmpty(home.root, isWhole);
    return isWhole;
  }

  /**
   * An action for each entry of a directory, by the entry's name; returns false if there was no
   * time for all of it.
   */
  private interface NameAction {
    boolean accept(String name) throws IOException;
  }

  private boolean each(String directory, NameAction action) throws IOException {
    String after = "";
    VersionStore.Page page;
    do {
      page = parts.store.list(directory, after);
      for (String name : page.names) {
        after = name;
        if (!hasTime.getAsBoolean() || !action.accept(name)) {
          return false;
        }
      }
    } while (page.hasMore);
    return true;
  }

  private void removeIfEmpty(String directory, boolean isWhole) throws IOException {
    if (isCleared && isWhole) {
      parts.store.deleteIfEmpty(directory);
    }
  }

  private boolean lookAt(VersionHome home, String above, String name) {
    String path = above + "/" + name;
    long inode = VersionJanitor.number(name);
    if (inode <= 0 || !home.directory(inode).equals(path)) {
      add(Kind.CONVERSION, new Item(Kind.CONVERSION, State.ASK, path, "",
          "its name is none of hdfs-ppr, and nothing deletes it", 0, List.of()));
      return true;
    }
    if (!turn.take(inode)) {
      Kind kind = home == VersionHome.COMMITS ? Kind.COMMIT : Kind.CONVERSION;
      add(kind, new Item(kind, State.WORKING, path, "", "a version is being made", 0, List.of()));
      return true;
    }
    try {
      lookAt(home, inode);
    } finally {
      turn.release(inode);
    }
    return true;
  }

  private void lookAt(VersionHome home, long inode) {
    String path = home.directory(inode);
    Kind kind = home == VersionHome.COMMITS ? Kind.COMMIT : Kind.CONVERSION;
    try {
      Optional<VersionRecord> record = parts.store.read(home, inode);
      Item item;
      if (record.isPresent()) {
        item = item(kind, record.get());
      } else {
        item = parts.store.isEmpty(home, inode)
            ? new Item(kind, State.FREE, path, "", "", 0, List.of())
            : asking(kind, path, "", "it has files and no record");
      }
      if (isCleared && item.state == State.FREE) {
        janitor.clear(home, inode);
        if (!parts.store.isThere(home, inode)) {
          cleared++;
          return;
        }
      }
      add(item.kind, item);
    } catch (FileNotFoundException e) {
      LOG.debug("The directory {} of a version has gone meanwhile", path, e);
    } catch (BadRecordException e) {
      addUnreadable(kind, path, e);
    } catch (IOException | RuntimeException | AssertionError e) {
      // The NameNode throws an AssertionError for some paths, so that this is caught as well.
      addUnseen(kind, path, e);
    }
  }

  private void addUnreadable(Kind kind, String path, BadRecordException e) {
    try {
      add(kind, asking(kind, path, "", "its record is " + e.why));
    } catch (IOException | RuntimeException | AssertionError unseen) {
      addUnseen(kind, path, unseen);
    }
  }

  private void addUnseen(Kind kind, String path, Throwable e) {
    LOG.warn("The directory {} of a version cannot be looked at", path, e);
    add(kind, new Item(kind, State.ASK, path, "", "it cannot be looked at now, as the NameNode's"
        + " log says", 0, List.of()));
  }

  /** Returns an item for a directory about which an operator has to decide, with advice. */
  private Item asking(Kind kind, String path, String file, String why) throws IOException {
    ManualCleanupAdvice advice = ManualCleanupAdvice.of(parts.namespace, path);
    return new Item(kind, State.ASK, path, file, why + "; " + advice.sentence(), 0,
        advice.snapshots);
  }

  private void add(Kind kind, Item item) {
    left.count(kind, item.state, 1);
    left.name(item);
  }

  private Item item(Kind homeKind, VersionRecord record) throws IOException {
    VersionPlaces places = janitor.places(record);
    Kind kind = record.isCommit() ? Kind.COMMIT : homeKind;
    VersionFate fate = VersionFate.of(record, places, parts.wallClockMs.getAsLong());
    OptionalLong readUntilMs = fate == VersionFate.CLEAN
        ? janitor.readers.keptUntil(record.inodeId) : OptionalLong.empty();
    if (readUntilMs.isPresent()) {
      return item(kind, State.GRACE, record, "clients still read it", readUntilMs.getAsLong(),
          List.of());
    }
    Optional<String> lacking = fate == VersionFate.CLEAN && places.oldKept
        ? janitor.lacking(record) : Optional.empty();
    if (lacking.isPresent()) {
      // The end is given as 0, because it is not known when the missing units will be there.
      return item(kind, State.GRACE, record, lacking.get(), 0, List.of());
    }
    switch (fate) {
      case UNDO:
      case CLEAN:
      case FINISH:
        return item(kind, State.FREE, record, "", 0, List.of());
      case KEEP:
        return places.oldHeld
            ? item(kind, State.HELD, record, "Hadoop fails to delete it while a snapshot has it,"
                + " and NameNodes may then not start: delete the snapshot, and nothing by hand", 0,
                parts.namespace.snapshots(record.inodeId))
            : item(kind, State.GRACE, record, whyKept(record), record.graceEndMs(), List.of());
      default:
        return asking(kind, record.directory(), record.path, places.toString());
    }
  }

  /**
   * Returns why an old version is still kept. Its grace may be longer than the one that the request
   * asks for; then the rest is not for clients that read it.
   */
  private String whyKept(VersionRecord record) {
    long beyondMs = record.graceMs - record.askedGraceMs;
    return parts.wallClockMs.getAsLong() < record.graceEndMs() - beyondMs
        ? "streams that were opened before may need it"
        : "a power cut may still lose units of the new version, because not all DataNodes say that"
            + " theirs are on the disks";
  }

  private static Item item(Kind kind, State state, VersionRecord record, String why, long untilMs,
      List<String> snapshots) {
    return new Item(kind, state, record.directory(), record.path, why, untilMs, snapshots);
  }
}
