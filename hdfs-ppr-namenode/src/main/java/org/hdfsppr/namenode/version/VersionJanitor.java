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

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the directories of versions without a worker in order, as {@link VersionFate} decides.
 * Thread-safe: two calls for one version do the same twice.
 */
@InterfaceAudience.Private
final class VersionJanitor {
  private static final Logger LOG = LoggerFactory.getLogger(VersionJanitor.class);

  /** The most old versions that are remembered, so that a look does not read their records. */
  private static final int KNOWN_MAX = 200_000;

  /** How often the janitor looks whether a snapshot still holds an old version, ms. */
  static final long HELD_MS = 600_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final EngineParts parts;
  /**
   * Until when old versions are kept, ms since 1970 (UTC), by their inodes. A kept version is not
   * looked at before.
   */
  private Map<Long, Long> knownUntilMs = Map.of();

  /** What a look at all directories has found. Immutable. */
  static final class Look {
    private final int kept;
    private final long nextMs;

    private Look(int kept, long nextMs) {
      this.kept = kept;
      this.nextMs = nextMs;
    }

    /** Returns how many old versions are kept. */
    int kept() {
      return kept;
    }

    /**
     * Returns when the janitor has to look at an old version next, ms since 1970 (UTC); the
     * greatest number for never.
     */
    long nextMs() {
      return nextMs;
    }
  }

  VersionJanitor(EngineParts parts) {
    this.parts = parts;
  }

  /**
   * Looks at all directories. One thread calls this.
   *
   * @param take takes a version, by the inode of its file, so that it gets no worker; returns false
   *     if it has one
   * @param release gives a version back
   * @param goOn whether to go on with the next directory
   * @throws IOException if this NameNode is not active
   */
  Look lookAtAll(LongPredicate take, LongConsumer release, BooleanSupplier goOn)
      throws IOException {
    int kept = 0;
    long next = Long.MAX_VALUE;
    long now = parts.wallClockMs.getAsLong();
    Map<Long, Long> keptUntilMs = new HashMap<>();
    String after = "";
    boolean hasMore = true;
    while (hasMore && goOn.getAsBoolean()) {
      VersionStore.Page page = parts.store.list(after);
      for (String name : page.names()) {
        after = name;
        long inode = number(name);
        if (inode <= 0) {
          say(name, "its name is no inode id");
        } else if (goOn.getAsBoolean() && knownUntilMs.getOrDefault(inode, now) > now) {
          kept++;
          keptUntilMs.put(inode, knownUntilMs.get(inode));
          next = Math.min(next, knownUntilMs.get(inode));
        } else if (goOn.getAsBoolean() && take.test(inode)) {
          try {
            OptionalLong untilMs = clear(inode);
            if (untilMs.isPresent()) {
              kept++;
              next = Math.min(next, untilMs.getAsLong());
              if (keptUntilMs.size() < KNOWN_MAX) {
                keptUntilMs.put(inode, untilMs.getAsLong());
              }
            }
          } finally {
            release.accept(inode);
          }
        }
      }
      hasMore = page.hasMore() && !page.names().isEmpty();
    }
    knownUntilMs = keptUntilMs;
    return new Look(kept, next);
  }

  private static long number(String name) {
    try {
      return Long.parseLong(name);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /**
   * Puts a version in order whose worker has ended.
   *
   * @return whether the version is published
   */
  boolean settle(long inodeId) {
    try {
      VersionRecord record = parts.store.read(inodeId).orElse(null);
      VersionPlaces places = record == null ? null : parts.namespace.places(record);
      clear(inodeId);
      return record != null && record.step() == VersionStep.PUBLISHING && places.isOldKept()
          && !places.isNewKept();
    } catch (IOException | RuntimeException | AssertionError e) {
      peerLog.warn(e.getClass().getName(), "The work directory {} of a version is left for later:"
          + " {}", VersionNamespace.directory(inodeId), e.toString());
      return false;
    }
  }

  /** Puts one directory in order; returns until when the old version is kept, if it is. */
  private OptionalLong clear(long inodeId) {
    try {
      Optional<VersionRecord> record = parts.store.read(inodeId);
      if (record.isEmpty()) {
        clearWithoutRecord(inodeId);
        return OptionalLong.empty();
      }
      VersionPlaces places = parts.namespace.places(record.get());
      long now = parts.wallClockMs.getAsLong();
      VersionFate fate = VersionFate.of(record.get(), places, now);
      if (!carryOut(fate, record.get(), places)) {
        return OptionalLong.empty();
      }
      long graceEndMs = record.get().graceEndMs();
      return OptionalLong.of(places.isOldHeld() && graceEndMs <= now ? now + HELD_MS : graceEndMs);
    } catch (BadRecordException e) {
      say(Long.toString(inodeId), "its record is " + e.why() + ": " + e.getMessage());
    } catch (IOException | RuntimeException | AssertionError e) {
      // The NameNode throws an AssertionError for some paths.
      peerLog.warn(e.getClass().getName(), "The work directory {} of a version is left for later:"
          + " {}", VersionNamespace.directory(inodeId), e.toString());
    }
    return OptionalLong.empty();
  }

  /** A crash between the two edits that begin a version leaves an empty directory. */
  private void clearWithoutRecord(long inodeId) throws IOException {
    if (parts.store.isEmpty(inodeId)) {
      parts.store.delete(inodeId);
    } else {
      say(Long.toString(inodeId), "it has files and no record");
    }
  }

  /** Returns whether the old version is kept, for its grace or for a snapshot. */
  private boolean carryOut(VersionFate fate, VersionRecord record, VersionPlaces places)
      throws IOException {
    switch (fate) {
      case KEEP:
        return true;
      case FINISH:
        if (parts.namespace.finish(record)) {
          LOG.info("The {} gets its path: a crash had come between the two renames", record);
          return true;
        }
        say(Long.toString(record.inodeId()), "the path was taken just now");
        return false;
      case ASK:
        say(Long.toString(record.inodeId()), record + ": " + places);
        return false;
      default:
        parts.hook.reached(VersionPoint.CLEANING, record.path());
        parts.store.delete(record.inodeId());
        LOG.debug("The work directory of the {} is deleted: {}", record, fate);
        parts.hook.reached(VersionPoint.CLEANED, record.path());
        return false;
    }
  }

  private void say(String name, String why) {
    peerLog.error("ask " + name, "The directory {}/{} is kept until an operator decides what of it"
        + " is needed: {}", VersionNamespace.VERSIONS, name, why);
  }
}
