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
package org.hdfsppr.namenode.update;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the tags of files without updates below a directory that is to be updatable no more. If
 * one of the files has updates that are in no version, all of them stay updatable. Used by one
 * thread.
 */
final class TagClearing {
  private static final Logger LOG = LoggerFactory.getLogger(TagClearing.class);
  /** The longest time of one call, ms. A caller waits 8 s and asks again; the next call goes on. */
  private static final long CALL_MS_MOST = 5_000;
  /**
   * How much longer a call may take to end the terms of one file, ms: the next call would have to
   * begin this file anew. If the file's logs were looked at within {@link #CALL_MS_MOST}, the file
   * has no more groups than this time is enough for.
   */
  private static final long FILE_MS_MOST = 30_000;
  /**
   * After a call, no other one begins for this many times its duration. The same thread gives all
   * tickets, so that most of its time is left to writers and readers.
   */
  private static final int REST_TIMES = 4;
  /** The most directories that are remembered because no call about them has come to its end. */
  private static final int UNFINISHED_MOST = 64;
  /** How many files a refusal names. */
  private static final int NAMED_MOST = 3;

  /** A file with a tag. Immutable. */
  private static final class Tagged {
    private final UpdateTag tag;
    private final String path;

    Tagged(UpdateTag tag, String path) {
      this.tag = tag;
      this.path = path;
    }
  }

  private final TicketParts parts;
  private final FileRecords records;
  private final LongSupplier clockMs;
  private final LongSupplier wallClockMs;
  /**
   * Directories that are not updatable any more, but still have files with tags. The value is the
   * attribute that made the files updatable before.
   */
  private final Map<Long, String> unfinished = new LinkedHashMap<>();
  private long restsToMs;

  /**
   * @param clockMs the time, monotonic, ms
   * @param wallClockMs the time of day, ms since 1970 (UTC)
   */
  TagClearing(TicketParts parts, FileRecords records, LongSupplier clockMs,
      LongSupplier wallClockMs) {
    this.parts = parts;
    this.records = records;
    this.clockMs = clockMs;
    this.wallClockMs = wallClockMs;
    this.restsToMs = clockMs.getAsLong();
  }

  /**
   * Makes the files of a directory updatable no more, and removes their tags.
   *
   * @param directory the inode of the directory
   * @return whether something has changed; nothing changes if the directory itself is not updatable
   * @throws UpdateRefusedException if a file has updates; the directory stays as it was
   * @throws RetriableException if this takes longer than a call, after which the next call goes on;
   *     or if the last call was a moment ago
   */
  boolean clear(long directory) throws IOException {
    String before = parts.folder.updatable(directory).orElse(unfinished.get(directory));
    if (before == null) {
      return false;
    }
    long beginMs = clockMs.getAsLong();
    if (restsToMs - beginMs > 0) {
      throw new RetriableException("The files of a directory were looked at a moment ago; try"
          + " again");
    }
    boolean isEnded = false;
    try {
      boolean isChanged = clearNow(directory);
      isEnded = true;
      return isChanged;
    } catch (UpdateRefusedException e) {
      // An earlier call may have removed the attribute.
      parts.folder.setUpdatable(directory, before);
      isEnded = true;
      throw e;
    } finally {
      long nowMs = clockMs.getAsLong();
      restsToMs = nowMs + REST_TIMES * (nowMs - beginMs);
      note(directory, isEnded ? null : before);
    }
  }

  private void note(long directory, String before) {
    unfinished.remove(directory);
    if (before != null) {
      unfinished.put(directory, before);
    }
    if (unfinished.size() > UNFINISHED_MOST) {
      unfinished.remove(unfinished.keySet().iterator().next());
    }
  }

  private boolean clearNow(long directory) throws IOException {
    long untilMs = clockMs.getAsLong() + CALL_MS_MOST;
    PendingUpdates pending = new PendingUpdates(parts);
    List<Tagged> files = below(directory, untilMs);
    List<String> updated = new ArrayList<>();
    for (Tagged file : files) {
      check(untilMs);
      if (!pending.isFree(file.tag.file, () -> check(untilMs))) {
        updated.add(file.path);
      }
    }
    refuse(updated);
    boolean isChanged = parts.folder.setUpdatable(directory, null);
    for (Tagged file : files) {
      check(untilMs);
      if (parts.namespace.file(file.tag.inodeId, 0).isUpdatable) {
        // Another directory above the file makes it updatable.
        continue;
      }
      long fileUntilMs = clockMs.getAsLong() + FILE_MS_MOST;
      if (!end(file, fileUntilMs)
          || !pending.isFree(file.tag.file, () -> check(fileUntilMs))) {
        // A writer with an earlier ticket was faster.
        updated.add(file.path);
        continue;
      }
      records.untag(file.tag, wallClockMs.getAsLong());
      LOG.info("{} has no updates, and is no file of updates any more",
          PeerText.oneLine(file.path));
      isChanged = true;
    }
    refuse(updated);
    return isChanged;
  }

  private static void refuse(List<String> updated) throws UpdateRefusedException {
    if (!updated.isEmpty()) {
      throw new UpdateRefusedException("Files have updates that are in no version of them, or it is"
          + " not known whether they have: " + String.join(", ",
              updated.subList(0, Math.min(NAMED_MOST, updated.size())))
          + (updated.size() > NAMED_MOST ? " and " + (updated.size() - NAMED_MOST) + " more" : "")
          + ". They stay updatable. Put the updates into versions with 'hdfs ppr -commit PATH'"
          + " first, or delete the files");
    }
  }

  private void check(long untilMs) throws RetriableException {
    if (clockMs.getAsLong() - untilMs >= 0) {
      throw new RetriableException("There are many updated files or groups of files, and not all of"
          + " them are looked at yet; try again");
    }
  }

  private List<Tagged> below(long directory, long untilMs) throws IOException {
    List<Tagged> below = new ArrayList<>();
    List<UUID> page = parts.folder.files(null);
    while (!page.isEmpty()) {
      for (UUID file : page) {
        check(untilMs);
        if (!records.goneSince(file).isPresent()) {
          // Of two versions, at most one is at a path of a user, and has a tag of its own inode.
          for (long inode : records.inodes(file)) {
            add(below, file, inode, directory);
          }
        }
      }
      page = parts.folder.files(page.get(page.size() - 1));
    }
    return below;
  }

  private void add(List<Tagged> below, UUID file, long inode, long directory)
      throws IOException {
    UpdateNamespace.FileState state = parts.namespace.state(inode, directory);
    if (!state.isBelow || state.tag == null || !state.isAtPath) {
      return;
    }
    String path = parts.namespace.file(inode, 0).path;
    UpdateTag tag = UpdateTag.parse(state.tag, path);
    if (tag.file.equals(file) && tag.inodeId == inode) {
      below.add(new Tagged(tag, path));
    }
  }

  /**
   * Begins a later term at all units of a file, so that from now on no leader of an earlier term
   * acknowledges an update; returns whether it has begun everywhere. Writers get no tickets of
   * these terms.
   */
  private boolean end(Tagged file, long untilMs) throws IOException {
    for (int ordinal : parts.folder.groups(file.tag.file)) {
      check(untilMs);
      UpdatableFile facts = parts.namespace.file(file.tag.inodeId, ordinal);
      GroupTerms terms = TermRecord.read(parts.namespace, parts.folder, file.tag.file,
          ordinal).terms();
      if (terms.all().isEmpty()) {
        continue;
      }
      if (facts.group == null) {
        return false;
      }
      List<UpdateTicket> tickets = new TicketRound(parts, facts, new TicketRequest(facts.path,
          facts.group, true, Map.of()), file.tag, true).runAll();
      if (tickets.size() < terms.all().size()) {
        return false;
      }
      for (UpdateTicket ticket : tickets) {
        if (!parts.questions.begin(parts.namespace.sign(ticket, AccessMode.WRITE))) {
          return false;
        }
      }
    }
    return true;
  }
}
