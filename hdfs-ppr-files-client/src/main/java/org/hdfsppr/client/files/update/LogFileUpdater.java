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
package org.hdfsppr.client.files.update;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.UpdatesInDoubtException;
import org.hdfsppr.operate.GroupReplacedException;

/**
 * Writes into a closed erasure-coded file in place, through the update logs of its units. Writes
 * return before they are acknowledged. Threads of the client send them to the leaders; a caller of
 * {@code hflush}, {@code hsync} or {@code close} sends some itself. Thread-safe.
 */
@InterfaceAudience.Private
public final class LogFileUpdater extends FileUpdater {
  /** Looks up the current block groups of a file. */
  public interface GroupLook {
    /**
     * @return the groups, in their order in the file
     * @throws IOException if the NameNode does not answer
     */
    List<LocatedGroup> groups() throws IOException;
  }

  /** How often an open is tried at most if commits replace the file's groups meanwhile. */
  private static final int VERSIONS_MOST = 8;

  /** After which time a waiting caller looks again whether the file system was closed, ms. */
  private static final long LOOK_MS = 1_000;

  private final UpdateContext context;
  private final LeaderRetry retry;
  /** The random number by which leaders recognize the updates of this updater. */
  private final long number;
  private final String path;
  private final List<LocatedGroup> groups;
  private final long length;
  /**
   * The writers of units, by the index of the group and of the unit in one number. Guarded by this,
   * like all fields below.
   */
  private final Map<Long, UnitWriter> writers = new HashMap<>();
  /** The units that have updates, but no thread that sends them yet. */
  private final Set<UnitWriter> unbegun = new LinkedHashSet<>();
  private final PiecesUnderWay pieces = new PiecesUnderWay();
  /**
   * How many callers wait until no update is under way. While there are any, no update can be
   * added.
   */
  private int waitForAll;
  private boolean isSyncing;
  private boolean isClosed;
  /** Whether a close has ended, after all updates were acknowledged. */
  private boolean isEnded;
  /**
   * The first failure. After it, all calls of the updater fail. Threads that send updates read it
   * without the lock.
   */
  private volatile IOException failure;

  private LogFileUpdater(UpdateContext context, UpdateTickets tickets, String path,
      List<LocatedGroup> groups) {
    this.context = context;
    this.retry = context.retry(tickets, () -> failure != null);
    this.number = context.newWriter();
    this.path = path;
    this.groups = List.copyOf(groups);
    LocatedGroup last = groups.get(groups.size() - 1);
    this.length = last.start() + last.bytes();
  }

  /**
   * Opens a file.
   *
   * @param context what all writers of the client share
   * @param path the file
   * @param groups all its block groups
   * @param now looks the groups up again; this is needed because each commit replaces groups
   * @return the updater of the file
   * @throws IOException if the NameNode refuses it
   */
  public static LogFileUpdater open(UpdateContext context, String path, List<LocatedGroup> groups,
      GroupLook now) throws IOException {
    List<LocatedGroup> located = groups;
    for (int versions = 1; true; versions++) {
      if (located.isEmpty()) {
        throw new IOException(path + " has no bytes that could be updated");
      }
      LogFileUpdater updater = openVersion(context, path, located, now);
      try {
        // This asks for a ticket that is not needed yet, so that a missing right makes the open
        // fail, and not the first update.
        updater.retry.ticket(located.get(0).id(), 0);
        return updater;
      } catch (GroupReplacedException e) {
        if (versions == VERSIONS_MOST) {
          throw e;
        }
        // A commit has replaced the groups after they were looked up. Nothing was written yet, so
        // this opens the new version.
        located = now.groups();
      }
    }
  }

  private static LogFileUpdater openVersion(UpdateContext context, String path,
      List<LocatedGroup> groups, GroupLook now) {
    UpdateTickets tickets = new UpdateTickets(context.nameNode, path, true,
        context.nanoClock, group -> LocatedGroup.inPlaceOf(group, groups, now.groups()));
    return new LogFileUpdater(context, tickets, path, groups);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void write(long position, ByteBuffer data) throws IOException {
    if (position < 0 || position > length - data.remaining()) {
      throw new EOFException("An update of " + data.remaining() + " bytes at " + position
          + " goes past the end of " + path + ", which has " + length + " bytes");
    }
    check();
    long at = position;
    int index = 0;
    while (data.hasRemaining()) {
      while (at >= groups.get(index).start() + groups.get(index).bytes()) {
        index++;
      }
      at += writeCell(index, at - groups.get(index).start(), data);
    }
  }

  /** Adds an update of the data, at most up to the end of a cell. Returns how many bytes it has. */
  private int writeCell(int index, long inGroup, ByteBuffer data) throws IOException {
    LocatedGroup group = groups.get(index);
    int cellBytes = group.cellBytes();
    long cell = inGroup / cellBytes;
    int unit = (int) (cell % group.dataUnits());
    int inCell = (int) (inGroup % cellBytes);
    byte[] part = new byte[(int) Math.min(Math.min(data.remaining(), cellBytes - inCell),
        group.bytes() - inGroup)];
    data.get(part);
    add(index, unit, new UnitWriter.Piece(cell / group.dataUnits() * cellBytes + inCell, part));
    return part.length;
  }

  private void add(int index, int unit, UnitWriter.Piece piece) throws IOException {
    UnitWriter writer;
    boolean isNeeded;
    synchronized (this) {
      while (isSyncing || waitForAll > 0 || !pieces.hasRoom(piece.length())) {
        checkNow();
        await();
      }
      checkNow();
      pieces.add(piece);
      writer = writers.computeIfAbsent((long) index << Integer.SIZE | unit, key ->
          new UnitWriter(context.calls, retry, groups.get(index).id(), unit, number));
      writer.add(piece);
      isNeeded = ask(writer);
    }
    if (isNeeded) {
      execute(writer);
    }
  }

  /**
   * Ensures that a thread sends the unit's updates. Returns whether the caller has to start a task
   * of the pool for that.
   */
  private boolean ask(UnitWriter writer) {
    if (writer.isBusy()) {
      return false;
    }
    unbegun.add(writer);
    return writer.ask();
  }

  private void execute(UnitWriter writer) throws IOException {
    try {
      context.writers().execute(() -> run(writer));
    } catch (RejectedExecutionException e) {
      fail(new IOException("The file system is closed", e));
      check();
    } catch (OutOfMemoryError e) {
      fail(new IOException("No thread could be started for updates of " + path, e));
      check();
    }
  }

  /** Sends the unit's updates on a thread of the pool, unless another thread sends them. */
  private void run(UnitWriter writer) {
    try {
      if (come(writer)) {
        send(writer, Integer.MAX_VALUE);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private synchronized boolean come(UnitWriter writer) {
    writer.come();
    return begin(writer);
  }

  /** Claims the unit for this thread. Returns false if another thread sends its updates. */
  private boolean begin(UnitWriter writer) {
    boolean isFirst = unbegun.remove(writer);
    if (isFirst) {
      writer.begin();
    }
    return isFirst;
  }

  /**
   * Sends updates of a unit that this thread has claimed by {@link #begin}.
   *
   * @return false if the unit may have more updates, so that another thread has to go on
   */
  private boolean send(UnitWriter writer, int most) throws IOException {
    try {
      UnitWriter.Piece next = next(writer);
      boolean isCaller = most < Integer.MAX_VALUE;
      for (int sent = 0; next != null && sent < most; sent++) {
        if (isCaller && Thread.currentThread().isInterrupted()) {
          return false;
        }
        writer.send(next);
        done(writer, next);
        next = next(writer);
      }
      return next == null;
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      // This makes the updater fail. Otherwise it would wait for ever for updates that this thread
      // does not send any more.
      fail(new IOException("An update of " + path + " ended with an error: " + e, e));
      return true;
    }
  }

  /** Sends updates of a unit, claimed by {@link #begin}, on the caller's thread. */
  private void sendOwn(UnitWriter writer) throws IOException {
    boolean isDone = false;
    try {
      isDone = send(writer, PiecesUnderWay.PIECES_MOST);
    } catch (IOException e) {
      // After an interrupt, the caller does not wait any more, but the pool sends the update.
      if (!Thread.currentThread().isInterrupted()) {
        fail(e);
      }
    }
    if (!isDone && leave(writer)) {
      execute(writer);
    }
  }

  private synchronized boolean leave(UnitWriter writer) {
    if (failure != null) {
      return false;
    }
    writer.leave();
    return ask(writer);
  }

  private synchronized UnitWriter.Piece next(UnitWriter writer) {
    return failure != null ? null : writer.next();
  }

  private synchronized void done(UnitWriter writer, UnitWriter.Piece piece) {
    if (failure == null) {
      writer.done();
      pieces.done(piece);
      notifyAll();
    }
  }

  private synchronized void fail(IOException why) {
    if (failure == null) {
      // Updates that were not sent are dropped. If they were sent later, they could overwrite newer
      // writes of another updater.
      failure = why;
      writers.values().forEach(UnitWriter::drop);
      unbegun.clear();
      pieces.drop();
    }
    notifyAll();
  }

  private synchronized void check() throws IOException {
    checkNow();
  }

  private void checkNow() throws IOException {
    if (failure != null) {
      throw new IOException("An update of " + path + " has failed: " + failure.getMessage(),
          failure);
    }
    if (isClosed) {
      throw new IOException("The updater of " + path + " is closed");
    }
  }

  private void await() throws IOException {
    try {
      wait(LOOK_MS);
      if (context.isClosed()) {
        throw new IOException("The file system is closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The writer of " + path + " does not wait any more");
    }
  }

  @Override
  public void hflush() throws IOException {
    long upTo;
    synchronized (this) {
      upTo = pieces.last();
    }
    flush(upTo, null);
  }

  /**
   * Waits until no update is under way.
   *
   * @param then as for {@link #flush}
   */
  private void flushAll(Runnable then) throws IOException {
    synchronized (this) {
      waitForAll++;
    }
    try {
      flush(Long.MAX_VALUE, then);
    } finally {
      synchronized (this) {
        waitForAll--;
        notifyAll();
      }
    }
  }

  /**
   * Waits until updates are acknowledged. If no thread sends some of them yet, the caller's thread
   * does. Otherwise it would wake another thread and be woken by it, which takes as long as all the
   * rest for a short update.
   *
   * @param upTo the number of the last update that has to be acknowledged
   * @param then runs at the end, while no sync runs and no other update can be added; null if
   *     nothing has to run
   */
  private void flush(long upTo, Runnable then) throws IOException {
    for (UnitWriter own = take(upTo, then); own != null; own = take(upTo, then)) {
      sendOwn(own);
    }
  }

  /**
   * Waits until there is something to do. Returns a unit whose updates the caller has to send, or
   * null if all updates up to the number are acknowledged.
   */
  private synchronized UnitWriter take(long upTo, Runnable then) throws IOException {
    checkNow();
    while (pieces.hasAny(upTo) || then != null && isSyncing) {
      for (UnitWriter own : unbegun) {
        if (own.waits(upTo) && !Thread.currentThread().isInterrupted()) {
          begin(own);
          return own;
        }
      }
      await();
      checkNow();
    }
    if (then != null) {
      then.run();
    }
    return null;
  }

  @Override
  public void hsync() throws IOException {
    List<UnitWriter> unsynced = new ArrayList<>();
    flushAll(() -> {
      isSyncing = true;
      writers.values().stream().filter(writer -> !writer.isSynced()).forEach(unsynced::add);
    });
    try {
      sync(unsynced);
      synchronized (this) {
        unsynced.forEach(UnitWriter::synced);
      }
    } finally {
      synchronized (this) {
        isSyncing = false;
        notifyAll();
      }
    }
  }

  /** Syncs the logs of units, all at the same time. */
  private void sync(List<UnitWriter> unsynced) throws IOException {
    List<Future<?>> syncs = new ArrayList<>();
    try {
      for (UnitWriter writer : unsynced) {
        syncs.add(context.writers().submit(() -> {
          writer.sync();
          return null;
        }));
      }
      for (Future<?> sync : syncs) {
        sync.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The writer of " + path + " does not wait any more");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UpdatesInDoubtException) {
        fail((IOException) e.getCause());
      }
      throw new IOException("Updates of " + path + " may not be on disks: "
          + e.getCause().getMessage(), e.getCause());
    } catch (RejectedExecutionException | CancellationException e) {
      throw new IOException("The file system is closed", e);
    } finally {
      syncs.forEach(sync -> sync.cancel(true));
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (isClosed) {
        return;
      }
    }
    try {
      flushAll(() -> {
        isClosed = true;
        isEnded = true;
      });
    } catch (IOException e) {
      synchronized (this) {
        if (!isEnded) {
          throw e;
        }
        // This failure does not count: another thread has closed the updater meanwhile, after all
        // updates were acknowledged.
      }
    } finally {
      synchronized (this) {
        isClosed = true;
        notifyAll();
      }
    }
  }

  @Override
  public String toString() {
    return "updater of " + path;
  }
}
