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
 * When a directory is made not updatable any more, removes the tags of the files below it. If the
 * logs have updates of one of the files that no version has, all of the files stay updatable. Used
 * by one thread.
 */
final class TagClearing {
  private static final Logger LOG = LoggerFactory.getLogger(TagClearing.class);
  /**
   * How long one call may take, ms. Then it is refused, and a later call goes on. A caller waits 8
   * s for the answer, and asks again.
   */
  private static final long CALL_MS_MOST = 5_000;
  /**
   * How long a call may take to end the terms of one file, ms, beyond {@link #CALL_MS_MOST}: the
   * next call would have to begin with this file anew. The time is enough: a call gets here only if
   * it has looked at the logs of all groups within {@link #CALL_MS_MOST}.
   */
  private static final long FILE_MS_MOST = 30_000;
  /**
   * After a call, the next one may begin only after this many times the call's duration: with 4,
   * calls take at most a fifth of the thread's time. The same thread gives writers and readers
   * their tickets.
   */
  private static final int REST_TIMES = 4;
  /** How many directories with unfinished calls are remembered at most. */
  private static final int UNFINISHED_MOST = 64;
  /** How many of the files with updates are named in the refusal. */
  private static final int NAMED_MOST = 3;

  /** A file that has a tag. Immutable. */
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
   * Directories, by inode, that are not updatable any more, but still have files with tags. The
   * value is the text of the attribute that was removed from the directory.
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
   * Makes the files of a directory not updatable any more, and removes their tags.
   *
   * @param directory the inode of the directory
   * @return whether something was changed; false if the directory itself is not updatable
   * @throws UpdateRefusedException if logs have updates of a file; the directory stays updatable
   * @throws RetriableException if the time of a call is over; the next call goes on. Also if the
   *     last call was too short a time ago
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
      // Restores the attribute, which an earlier call may have removed.
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
        // The file keeps its tag, because another directory above it also makes it updatable.
        continue;
      }
      long fileUntilMs = clockMs.getAsLong() + FILE_MS_MOST;
      if (!end(file, fileUntilMs)
          || !pending.isFree(file.tag.file, () -> check(fileUntilMs))) {
        // After the first look at the logs, a writer with an earlier ticket has written.
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
          // After a commit a record may name two versions. At most one of them is at a path of a
          // user, and has a tag with its own inode.
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
   * Begins a later term at all units of a file that have one, so that from now on no update of an
   * earlier term is acknowledged. Returns whether it has begun everywhere. Writers get no tickets
   * of the new terms.
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
