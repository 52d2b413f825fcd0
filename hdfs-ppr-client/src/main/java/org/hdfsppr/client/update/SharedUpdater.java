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
package org.hdfsppr.client.update;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into a closed erasure-coded file in place, for many callers at the same time. Each write
 * waits for its own acknowledgements, and its failure affects no other write. {@link #sync} covers
 * all writes that have returned, no matter which thread made them, and the earlier writes of other
 * clients.
 *
 * <p>The updater remembers the terms and numbers of acknowledged writes that may not be on disks.
 * If a sync finds that the holders of a log may have lost some of them, the updater takes no more
 * writes, and each further sync fails, so that no caller takes lost writes for safe. Thread-safe.
 */
@InterfaceAudience.Private
public final class SharedUpdater {
  private static final Logger LOG = LoggerFactory.getLogger(SharedUpdater.class);
  /** The most writes under way. A leader takes 128 for a unit, from all clients together. */
  private static final int WRITES_MOST = 32;
  /** The most threads that help one write or one sync; each sends to one unit at a time. */
  private static final int HELPERS_MOST = 15;
  /** How often a write is tried if its leader cannot know whether it has it. */
  private static final int WRITE_TRIES = 3;

  private final UpdateContext context;
  private final String path;
  private final List<LocatedGroup> groups;
  /** Bytes of the file, which no update changes */
  public final long length;
  private final UpdateTickets tickets;
  private final LeaderRetry retry;
  private final FileLogs logs;
  private final WriterPlaces places;
  private final RangesUnderWay ranges = new RangesUnderWay();
  private final UnsyncedUpdates unsynced = new UnsyncedUpdates();
  /** Whether a sync has covered the earlier writes of other clients. */
  private volatile boolean isPastSynced;
  /** Whether a term has changed since the last sync, so that the next sync should come soon. */
  private volatile boolean isSyncUrgent;
  private volatile IOException failure;

  /**
   * Opens a file, without a call of the NameNode.
   *
   * @param context what all writers of the client share
   * @param path the file
   * @param groups all its block groups
   * @param now looks the groups up again, because each commit replaces groups
   * @throws IOException if the file is empty
   */
  public SharedUpdater(UpdateContext context, String path, List<LocatedGroup> groups,
      FileUpdater.GroupLook now) throws IOException {
    if (groups.isEmpty()) {
      throw new IOException(path + " has no bytes that could be updated");
    }
    this.context = context;
    this.path = path;
    this.groups = List.copyOf(groups);
    LocatedGroup last = groups.get(groups.size() - 1);
    this.length = last.start() + last.bytes();
    this.tickets = new UpdateTickets(context.nameNode, path, true, context.nanoClock,
        group -> LocatedGroup.inPlaceOf(group, this.groups, now.groups()));
    this.retry = context.retry(tickets);
    this.logs = new FileLogs(context, path, now);
    this.places = new WriterPlaces(WRITES_MOST, context::newWriter);
  }

  /**
   * @return whether a ticket has identified the file. Until then nothing was written, and a commit
   *     that replaces the groups makes the updater fail
   */
  public boolean knowsFile() {
    return tickets.knowsFile();
  }

  /**
   * Checks that the caller may write, by a request for a ticket.
   *
   * @throws IOException if the NameNode gives no ticket for any unit of the first group
   */
  public void requireRight() throws IOException {
    GroupId group = groups.get(0).id();
    IOException refusal = null;
    for (int unit = 0; unit < groups.get(0).dataUnits(); unit++) {
      try {
        retry.ticket(group, unit);
        return;
      } catch (IOException e) {
        // A failure at one unit may only mean that the unit is lost, so that the next unit is
        // tried.
        refusal = refusal == null ? e : refusal;
      }
    }
    throw refusal;
  }

  /**
   * Writes, and returns when all bytes survive the loss of a node, and readers see them. If it
   * fails, some of the bytes may be written; later writes are not affected.
   *
   * @param position where in the file
   * @param from the bytes, from position to limit; the position moves
   * @throws EOFException if the range goes past the end of the file
   * @throws UpdateLogFullException if commits have not emptied a full log in time
   * @throws IOException if it is not known whether all bytes are written
   */
  public void write(long position, ByteBuffer from) throws IOException {
    if (position < 0 || position > length - from.remaining()) {
      throw new EOFException("An update of " + from.remaining() + " bytes at " + position
          + " goes past the end of " + path + ", which has " + length + " bytes");
    }
    check();
    try (RangesUnderWay.Range range = ranges.begin(position, from.remaining())) {
      for (int tries = 1; ; tries++) {
        try {
          writeOnce(UnitParts.of(groups, position, from.duplicate()));
          from.position(from.limit());
          return;
        } catch (UpdatesInDoubtException e) {
          // The logs may have the write. Writing it again has the same result, unless another write
          // of these bytes came between.
          if (tries == WRITE_TRIES || range.isOverlapped()) {
            throw e;
          }
          LOG.info("{} bytes at {} of {} are written once more: {}", from.remaining(), position,
              PeerText.oneLine(path), PeerText.oneLine(String.valueOf(e.getMessage())));
        }
      }
    }
  }

  private void writeOnce(Map<Long, List<UnitWriter.Piece>> parts) throws IOException {
    WriterPlaces.Writer writer = places.take();
    boolean isDone = false;
    try {
      List<Crew.Task> tasks = new ArrayList<>();
      long before = writer.count();
      parts.forEach((key, pieces) -> {
        UnitWriter unit = unit(key, writer.name, before);
        pieces.forEach(unit::add);
        writer.advance(before + pieces.size());
        tasks.add(() -> send(key, unit, pieces));
      });
      Crew.run(tasks, context.helpers(), HELPERS_MOST);
      isDone = true;
    } finally {
      places.give(writer, isDone);
    }
  }

  private UnitWriter unit(long key, long writer, long count) {
    return new UnitWriter(context.calls, retry, groups.get(UnitKey.group(key)).id(),
        UnitKey.unit(key), writer, count);
  }

  private void send(long key, UnitWriter unit, List<UnitWriter.Piece> pieces)
      throws IOException {
    for (UnitWriter.Piece piece : pieces) {
      check();
      unit.send(piece);
      if (unsynced.add(key, piece.term(), piece.number())) {
        isSyncUrgent = true;
      }
    }
  }

  private void check() throws IOException {
    if (failure != null) {
      throw new IOException("Writes to " + path + " may be lost after a failure, and it takes no"
          + " more of them until it is opened anew: " + failure.getMessage(), failure);
    }
    if (context.isClosed()) {
      throw new IOException("The file system is closed");
    }
  }

  /**
   * Brings all writes that have returned onto the disks of all holders of their logs. The first
   * sync that succeeds also covers all earlier writes of other clients.
   *
   * @throws IOException if writes may be lost; a later sync that succeeds covers them, too
   */
  public void sync() throws IOException {
    check();
    isSyncUrgent = false;
    Map<Long, Map<Long, Long>> covered = unsynced.copy();
    boolean isFirst = !isPastSynced;
    if (isFirst) {
      logs.units().forEach(key -> covered.putIfAbsent(key, Map.of()));
    }
    List<Crew.Task> tasks = new ArrayList<>();
    covered.forEach((key, updates) -> tasks.add(() -> sync(key, updates)));
    Crew.run(tasks, context.helpers(), HELPERS_MOST);
    isPastSynced |= isFirst;
  }

  private void sync(long key, Map<Long, Long> updates) throws IOException {
    try {
      unit(key, 0, 0).sync(updates);
    } catch (UpdatesInDoubtException e) {
      if (failure == null) {
        failure = e;
        LOG.error("Writes to {} may be lost, and it takes no more of them until it is opened"
            + " anew: {}", PeerText.oneLine(path),
            PeerText.oneLine(String.valueOf(e.getMessage())));
      }
      throw e;
    }
    unsynced.remove(key, updates);
  }

  /** @return whether writes that have returned may not be on disks */
  public boolean isDirty() {
    return !unsynced.isEmpty();
  }

  /**
   * @return whether a sync should come soon, because the term of a log has changed: after further
   *     changes this class may not be able to find out whether writes are lost
   */
  public boolean isSyncUrgent() {
    return isSyncUrgent;
  }

  @Override
  public String toString() {
    return "shared updater of " + path;
  }
}
