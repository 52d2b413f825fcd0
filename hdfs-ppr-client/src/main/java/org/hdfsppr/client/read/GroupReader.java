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
package org.hdfsppr.client.read;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads any range of a block group for one stream: from the DataNodes that hold it, and what they
 * do not give, or not in time, from the others. Thread-safe.
 */
@InterfaceAudience.Private
public final class GroupReader {
  private static final Logger LOG = LoggerFactory.getLogger(GroupReader.class);
  /** For what failing DataNodes can cause with each read. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final ReadContext context;
  private final UnitReader units;
  private final LinearCode code;
  private final Rebuilder rebuilder;
  private final Segments cache;
  private final ReadAhead ahead;

  /**
   * @param units of the stream
   * @param code of its file
   */
  public GroupReader(ReadContext context, UnitReader units, LinearCode code) {
    this.context = context;
    this.units = units;
    this.code = code;
    this.rebuilder = new Rebuilder(context, units, code);
    this.cache = new Segments(context.settings().cacheBytes());
    this.ahead = new ReadAhead(context.settings().cacheBytes() / 2);
  }

  /**
   * Whether stock's stateful reads of a group are better not tried: they would wait for a DataNode
   * that is known to be slow, or are known to be refused.
   */
  public boolean isBeyondStock(GroupView group) {
    for (int unit = 0; unit < group.dataUnits(); unit++) {
      DatanodeInfo holder = group.holder(unit);
      if (group.unitBytes(unit) > 0 && !isUsable(group, unit)
          && (code.subChunks() > 1
              || holder != null && context.health().isSlow(holder.getDatanodeUuid()))) {
        return true;
      }
    }
    return false;
  }

  private boolean isUsable(GroupView group, int unit) {
    DatanodeInfo holder = group.holder(unit);
    return holder != null
        && !context.health().isLost(holder.getDatanodeUuid(), group.id().blockId(unit))
        && !context.health().isSlow(holder.getDatanodeUuid());
  }

  /**
   * Reads a run of a group's file data.
   *
   * @param from offset in the group's data, bytes
   * @param dst filled up to its limit; of its content nothing is said if this fails
   * @throws IOException if the bytes cannot be had in any way
   */
  public void read(GroupView group, long from, ByteBuffer dst) throws IOException {
    List<UnitRange> ranges = UnitRange.of(from, from + dst.remaining(), code.dataUnits(),
        group.cellBytes());
    long longest = ranges.stream().mapToLong(UnitRange::length).max().orElse(0);
    try (LinkLoad.Use use = context.load().begin(dst.remaining(), longest)) {
      read(group, from, ranges, dst, use);
    }
  }

  private void read(GroupView group, long from, List<UnitRange> ranges, ByteBuffer dst,
      LinkLoad.Use use) throws IOException {
    ByteBuffer target = dst.duplicate();
    List<Piece> pieces = new ArrayList<>();
    Rebuilder.Fetches sources = new Rebuilder.Fetches();
    long start = context.nanoClock().getAsLong();
    try {
      for (UnitRange range : ranges) {
        pieces.add(new Piece(group, range, pieces, sources, use));
      }
      pieces.forEach(Piece::begin);
      // Only now: a rebuild waits for pieces that are read, and where no thread is free all is done
      // by this one.
      pieces.forEach(Piece::goOn);
      for (Piece piece : pieces) {
        ByteBuffer bytes = await(piece, pieces, start);
        piece.range.copyTo(target, from, bytes, code.dataUnits(), group.cellBytes());
      }
      if (use.isAlone() && pieces.stream().allMatch(Piece::isFromItsDataNode)) {
        context.costs().read(dst.remaining(), context.nanoClock().getAsLong() - start);
      }
      dst.position(dst.limit());
    } finally {
      pieces.forEach(Piece::end);
    }
  }

  private ByteBuffer await(Piece piece, List<Piece> pieces, long start) throws IOException {
    IOException failure;
    try {
      return get(piece.bytes, start + context.waitNanosMost() - context.nanoClock().getAsLong());
    } catch (TimeoutException e) {
      failure = new IOException("Unit " + piece.range + " of block group " + piece.group.id()
          + " has not come for " + TimeUnit.NANOSECONDS.toSeconds(context.waitNanosMost())
          + " s", e);
    } catch (IOException e) {
      failure = e;
    }
    for (Piece other : pieces) {
      UntrustedBytesException untrusted = other.untrusted();
      if (untrusted != null) {
        if (untrusted != failure) {
          untrusted.addSuppressed(failure);
        }
        throw untrusted;
      }
    }
    throw failure;
  }

  /** Gives back what is kept. */
  public void clear() {
    cache.clear();
  }

  /** Something that is being done for a read, and can be ended. */
  final class Attempt implements UnitReader.Cancel {
    private final List<Closeable> ends = new ArrayList<>();
    private final LinkLoad.Use use;
    private final List<?> pieces;
    private boolean cancelled;
    private volatile boolean late;

    /** @param pieces all of its read, and perhaps not yet complete */
    private Attempt(LinkLoad.Use use, List<?> pieces) {
      this.use = use;
      this.pieces = pieces;
    }

    /** Takes what ends a part of it, and may be called from any thread. */
    void onCancel(Closeable end) {
      boolean late;
      synchronized (this) {
        late = cancelled;
        if (!late) {
          ends.add(end);
        }
      }
      if (late) {
        end(end);
      }
    }

    /** It turns out that the link has to carry so many bytes more for it. */
    void takesMore(long bytes) {
      use.more(bytes);
    }

    /** Whether nothing else was read meanwhile, so that its time says something. */
    boolean isAlone() {
      return pieces.size() == 1 && use.isAlone();
    }

    /** What is being read beside it. */
    int others() {
      return pieces.size() - 1 + Math.max(0, context.load().reads() - 1);
    }

    /** Somebody reads bytes of a unit for it. */
    UnitReader.Reading reading(LinkShares.Flow flow) {
      return new UnitReader.Reading() {
        @Override
        public boolean isCancelled() {
          return Attempt.this.isCancelled();
        }

        @Override
        public void arrived(int bytes) {
          flow.arrived(bytes);
        }
      };
    }

    @Override
    public synchronized boolean isCancelled() {
      return cancelled;
    }

    /** It took so long that it is ended. */
    void late(Closeable slow) {
      late = true;
      end(slow);
    }

    boolean isLate() {
      return late;
    }

    void cancel() {
      List<Closeable> open;
      synchronized (this) {
        cancelled = true;
        open = new ArrayList<>(ends);
        ends.clear();
      }
      open.forEach(this::end);
    }

    private void end(Closeable end) {
      try {
        end.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("A read that nobody waits for did not end cleanly", e);
      }
    }
  }

  /** The bytes of one unit that a read wants. */
  private final class Piece implements Rebuilder.Underway {
    private final GroupView group;
    private final UnitRange range;
    /** All pieces of the same read. */
    private final List<Piece> read;
    /** What those of them that are decoded have in common. */
    private final Rebuilder.Fetches sources;
    private final Thread reader = Thread.currentThread();
    private final CompletableFuture<ByteBuffer> bytes = new CompletableFuture<>();
    /** What its DataNode says. */
    private final CompletableFuture<ByteBuffer> directly = new CompletableFuture<>();
    private final Attempt direct;
    private final Attempt rebuilding;
    /** The bytes, if they were rebuilt before; else null. */
    private final ByteBuffer kept;
    /** Whether its DataNode is asked from the start. */
    private final boolean isRead;
    private volatile boolean hedged;
    private volatile Future<?> hedge;
    /** What comes from its DataNode. */
    private final LinkShares.Flow flow;
    private Watch watch;
    /** The reader's own. */
    private boolean isToRebuild;
    private boolean directBegun;
    private boolean rebuildBegun;
    private int open;
    private IOException failure;

    Piece(GroupView group, UnitRange range, List<Piece> read, Rebuilder.Fetches sources,
        LinkLoad.Use use) {
      this.group = group;
      this.range = range;
      this.read = read;
      this.sources = sources;
      this.direct = new Attempt(use, read);
      this.rebuilding = new Attempt(use, read);
      kept = kept();
      isRead = kept == null && isUsable(group, range.unit());
      flow = context.shares().flow();
    }

    private ByteBuffer kept() {
      if (!cache.has(blockId(), range.from(), range.to())) {
        return null;
      }
      ByteBuffer cached = ByteBuffer.allocate(range.length());
      return cache.copy(blockId(), range.from(), cached) ? cached.flip() : null;
    }

    private long blockId() {
      return group.id().blockId(range.unit());
    }

    /** To be called by the reader when all pieces of the read are there. */
    void begin() {
      if (kept != null) {
        context.counters().cached();
        directly.complete(kept.duplicate());
        bytes.complete(kept);
      } else if (isRead) {
        opened();
        if (context.delay().isOn()) {
          watch = new Watch(context, range.length(), flow);
          hedgeLater();
        }
        context.execute(this::readDirectly);
      } else {
        isToRebuild = beginRebuild();
      }
    }

    /** To be called by the reader when all pieces have begun. */
    void goOn() {
      if (isToRebuild) {
        context.execute(this::rebuildNow);
      }
    }

    private synchronized void opened() {
      directBegun = true;
      open++;
    }

    /**
     * Whatever came first: bytes that nobody may have are the reason, for nobody may try to get
     * them in yet another way.
     */
    private synchronized void failedFor(IOException e) {
      if (failure == null) {
        failure = e;
      } else if (e instanceof UntrustedBytesException
          && !(failure instanceof UntrustedBytesException)) {
        e.addSuppressed(failure);
        failure = e;
      } else if (failure != e) {
        failure.addSuppressed(e);
      }
    }

    /** One way has failed; the piece has when no other is left. */
    private void failed(IOException e) {
      boolean all;
      synchronized (this) {
        failedFor(e);
        open--;
        all = open == 0;
      }
      if (all) {
        bytes.completeExceptionally(failure);
      }
    }

    /** That its bytes must not be had in another way, if that is known; else null. */
    synchronized UntrustedBytesException untrusted() {
      return failure instanceof UntrustedBytesException ? (UntrustedBytesException) failure : null;
    }

    private void readDirectly() {
      orFail(this::tryDirectly);
    }

    private void tryDirectly() {
      long start = context.nanoClock().getAsLong();
      ByteBuffer dst = ByteBuffer.allocate(range.length());
      String uuid = group.holder(range.unit()).getDatanodeUuid();
      try (LinkShares.Flow open = flow.open()) {
        readUnit(dst, direct.reading(open));
      } catch (IOException | RuntimeException e) {
        LOG.debug("Unit {} of {} cannot be read", range, group.id(), e);
        if (!bytes.isDone() && !direct.isCancelled() && !isInterrupt(e)) {
          context.health().noteFailed(uuid, blockId(), e);
        }
        IOException why = asIoException(e);
        directly.completeExceptionally(why);
        boolean mine = !bytes.isDone() && beginRebuild();
        failed(why);
        if (mine && Thread.currentThread() == reader) {
          // Not all pieces have begun.
          isToRebuild = true;
        } else if (mine) {
          rebuildNow();
        }
        return;
      }
      context.delay().took(range.length(), context.nanoClock().getAsLong() - start);
      context.counters().unitBytes(range.length());
      dst.flip();
      directly.complete(dst);
      if (bytes.complete(dst.duplicate())) {
        context.health().noteWell(uuid);
      }
    }

    /** Once more where it is now, if the token has expired or the unit has moved. */
    private void readUnit(ByteBuffer dst, UnitReader.Reading reading) throws IOException {
      try {
        units.readUnit(group, range.unit(), range.from(), dst, reading);
      } catch (IOException e) {
        if (bytes.isDone()) {
          throw e;
        }
        GroupView fresh;
        try {
          fresh = group.refreshed(units);
        } catch (UntrustedBytesException other) {
          // Those who have the others of its group may still have what is wanted, and nobody else.
          failedFor(other);
          throw e;
        } catch (IOException none) {
          e.addSuppressed(none);
          throw e;
        }
        DatanodeInfo now = fresh.holder(range.unit());
        if (now == null
            || now.equals(group.holder(range.unit())) && !units.isTokenExpired(e)) {
          throw e;
        }
        dst.clear();
        units.readUnit(fresh, range.unit(), range.from(), dst, reading);
      }
    }

    /** Whether nothing of it was rebuilt, now or before. */
    synchronized boolean isFromItsDataNode() {
      return isRead && !rebuildBegun;
    }

    private void hedgeLater() {
      hedge = context.later(this::hedge, watch.patienceNanos());
    }

    private void hedge() {
      if (bytes.isDone() || direct.isCancelled()) {
        return;
      }
      if (!watch.isSlow(true) || !context.delay().mayHedge()) {
        hedgeLater();
      } else if (!context.tryExecute(this::hedgeNow)) {
        // A thread may be free the next time.
        context.delay().didNotHedge();
        hedgeLater();
      }
    }

    private void hedgeNow() {
      if (bytes.isDone() || !beginRebuild()) {
        context.delay().didNotHedge();
        return;
      }
      hedged = true;
      context.counters().hedge();
      rebuildNow();
    }

    /**
     * A DataNode that was left out because of what had been found out about it is asked after all,
     * if nobody else can help.
     */
    private synchronized boolean beginLastResort() {
      if (directBegun || group.holder(range.unit()) == null || bytes.isDone()) {
        return false;
      }
      directBegun = true;
      open++;
      return true;
    }

    private synchronized boolean beginRebuild() {
      if (rebuildBegun) {
        return false;
      }
      rebuildBegun = true;
      open++;
      return true;
    }

    private void rebuildNow() {
      orFail(this::tryRebuild);
    }

    /** An error, such as a class that is missing, must not leave anybody waiting either. */
    private void orFail(Runnable work) {
      FutureTask<Void> task = new FutureTask<>(work, null);
      task.run();
      try {
        get(task, 0);
      } catch (IOException | TimeoutException e) {
        IOException why = new IOException("Reading unit " + range + " of block group "
            + group.id() + " ended with an error: " + e.getMessage(), e);
        PEER_LOG.error("error", "Unit {} of {}: an error", range, group.id(), e);
        directly.completeExceptionally(why);
        bytes.completeExceptionally(why);
      }
    }

    private void tryRebuild() {
      Segments found = new Segments(Long.MAX_VALUE);
      try {
        rebuildInto(found);
        ByteBuffer dst = ByteBuffer.allocate(range.length());
        if (!found.copy(blockId(), range.from(), dst)) {
          throw new IllegalStateException("Unit " + range + " of " + group.id()
              + " was rebuilt, but not all of it");
        }
        if (bytes.complete(dst.flip()) && hedged && !directly.isDone()) {
          context.health().noteSlow(group.holder(range.unit()).getDatanodeUuid());
        }
        found.copyTo(cache);
      } catch (IOException | RuntimeException e) {
        if (!(e instanceof UntrustedBytesException) && !rebuilding.isCancelled()
            && beginLastResort()) {
          failed(asIoException(e));
          readDirectly();
        } else {
          failed(asIoException(e));
        }
      }
    }

    private void rebuildInto(Segments found) throws IOException {
      Exception last = null;
      UnitRange wanted = range;
      boolean checked = rebuilder.isCheckDue();
      Optional<Rebuilder.Choice> chosen = Optional.empty();
      if (!isLocalCheaper()) {
        try {
          wanted = ahead.widen(blockId(), range, group.unitBytes(range.unit()));
          chosen = rebuilder.byTree(group, wanted, checked, found, rebuilding);
          if (chosen.isEmpty()) {
            return;
          }
          if (chosen.get().wasLate()) {
            // No time for what nobody has asked for yet.
            wanted = range;
          }
        } catch (UntrustedBytesException e) {
          throw e;
        } catch (IOException | RuntimeException e) {
          last = e;
          wanted = range;
        }
        rebuilding.checkWanted();
      }
      try {
        rebuilder.byDecoding(group, wanted, read, sources, chosen, checked, found, rebuilding);
      } catch (UntrustedBytesException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        if (last != null) {
          e.addSuppressed(last);
        }
        throw e;
      }
    }

    /**
     * Where the other data units of the stripes are read anyway, or decoded from the same sources,
     * one parity more is all that it takes to decode here, which is no more bytes than a tree would
     * bring.
     */
    private boolean isLocalCheaper() {
      if (code.subChunks() > 1) {
        return false;
      }
      int missing = code.dataUnits();
      for (int unit = 0; unit < code.dataUnits(); unit++) {
        if (group.unitBytes(unit) <= range.from()) {
          // Zeros are known.
          missing--;
        }
      }
      for (Piece other : read) {
        if (other != this && (other.covers(range) || other.sharesSources(range))) {
          missing--;
        }
      }
      return missing <= 1;
    }

    /** Whether it is decoded as well, and wants the same bytes of the same units for that. */
    private boolean sharesSources(UnitRange wanted) {
      return !isRead && kept == null && range.from() == wanted.from()
          && range.to() == wanted.to();
    }

    @Override
    public int unit() {
      return range.unit();
    }

    @Override
    public boolean covers(UnitRange wanted) {
      return (isRead || kept != null) && range.from() <= wanted.from()
          && range.to() >= wanted.to();
    }

    @Override
    public Future<ByteBuffer> bytes() {
      return directly;
    }

    @Override
    public LinkShares.Flow flow() {
      return flow;
    }

    @Override
    public long from() {
      return range.from();
    }

    /** The read needs nothing more. */
    void end() {
      if (hedge != null) {
        hedge.cancel(false);
      }
      direct.cancel();
      rebuilding.cancel();
    }
  }

  private static boolean isInterrupt(Exception e) {
    return e instanceof InterruptedIOException && Thread.currentThread().isInterrupted();
  }

  private static IOException asIoException(Exception e) {
    return e instanceof IOException ? (IOException) e : new IOException(e.toString(), e);
  }

  /**
   * The result of something, or its failure; an interrupt of the reader ends the read. An error is
   * a failure like others: it ends what was done for one read, and has to reach who waits for it.
   */
  static <T> T get(Future<T> future, long nanos) throws IOException, TimeoutException {
    try {
      return future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception) {
        throw asIoException((Exception) e.getCause());
      }
      throw new IOException(e.getCause().toString(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The read was interrupted").initCause(e);
    }
  }
}
