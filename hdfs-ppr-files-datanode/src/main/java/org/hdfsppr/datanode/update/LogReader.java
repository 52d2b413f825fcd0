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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.LatestUpdates;
import org.hdfsppr.update.append.ListLogRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.ChannelInput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the updates of a unit that a commit puts into a version: in the log of this node if it has
 * all of them, otherwise in the log of another holder. A log has all of them if it has the complete
 * history up to the ticket's term or a later one, and if none of their numbers is missing.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class LogReader {
  private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);
  /**
   * How many distrusted files this node remembers at most, see {@link #distrust}. When a further
   * file is distrusted, the node forgets the file that it has remembered for the longest time.
   */
  private static final int DISTRUSTED_MOST = 1 << 10;

  private final UpdateLogs logs;
  /** Knows which blocks of this node were made from which others for later versions */
  public final BlockLineage lineage;
  private final UpdateRights rights;
  private final TransferConnector connector;
  private final int timeoutMs;
  /**
   * For each distrusted file, the number of the last commit that its version had then. While a
   * ticket of the file names no later commit, this node makes no changes of the file. Guarded by
   * itself.
   */
  private final Map<UUID, Long> distrusted = new LinkedHashMap<UUID, Long>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<UUID, Long> eldest) {
      return size() > DISTRUSTED_MOST;
    }
  };

  /**
   * @param logs the logs of this node; null if it has none
   * @param rights makes the tickets for other holders
   * @param connector connects to other holders
   * @param timeoutMs how long the connection to a holder may be silent, ms
   */
  public LogReader(UpdateLogs logs, UpdateRights rights, TransferConnector connector,
      int timeoutMs) {
    this.logs = logs;
    // Without logs the lineage stays empty.
    this.lineage = logs == null ? new BlockLineage() : logs.lineage;
    this.rights = rights;
    this.connector = connector;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Finds updates.
   *
   * @param ticket a ticket of a term in which all holders have the updates
   * @param first the number of the first update
   * @param last the number of the last update
   * @return the updates with the numbers {@code first} to {@code last}, none missing; the caller
   *     closes them
   * @throws IOException if no holder that answers has all of them
   */
  public UnitUpdates open(UpdateTicket ticket, long first, long last) throws IOException {
    IOException failure = new IOException("No holder of the log of " + ticket + " has updates "
        + first + " to " + last);
    if (logs != null && ticket.holders.contains(rights.self())) {
      try {
        return Local.open(logs.log(ticket.poolId()), ticket, first, last);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    for (NodeRef holder : ticket.holders) {
      if (holder.equals(rights.self())) {
        continue;
      }
      try {
        return Remote.open(connector, holder,
            rights.asPeer(SignedTicket.of(ticket, new Token<>())), timeoutMs, first, last);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw named(failure);
  }

  /**
   * Calculates the change that a commit makes to a data unit, from this node's own log and the
   * overwritten bytes that this node has kept.
   *
   * @param part the updates that the new version has and the old one has not
   * @param ranges the ranges of the unit that the updates may write: the first byte of each, and
   *     the byte after its last one
   * @param isOfFile says whether a block is that of the old version, or an earlier one from which
   *     that was made
   * @param length bytes of the unit
   * @return the change; empty if this node lacks some of the updates or of the bytes that they have
   *     overwritten, or if the file is distrusted, see {@link #distrust}
   */
  public Optional<UnitSource> ownChange(LogPart part,
      NavigableMap<Long, Long> ranges, Predicate<BlockRef> isOfFile, long length) {
    UpdateTicket ticket = part.ticket;
    if (logs == null || !ticket.holders.contains(rights.self()) || isDistrusted(ticket)) {
      return Optional.empty();
    }
    try {
      UpdateLog log = logs.log(ticket.poolId());
      Local local = Local.open(log, ticket, part.first, part.last);
      boolean hasDeltas = local.entries.stream().anyMatch(entry -> entry.isDelta);
      return hasDeltas
          ? DeltaChange.of(log, local.entries, ranges, ticket.committed, length,
              () -> distrust(ticket))
          : OwnChange.of(log, logs.oldBytes, local.entries, ranges, isOfFile, length,
              () -> distrust(ticket));
    } catch (IOException e) {
      LOG.debug("The change of {} is not known here", part, e);
      return Optional.empty();
    }
  }

  /**
   * Keeps this node from calculating changes of a file until the next commit of the file is
   * published, because a change was wrong or could not be read. Wrong bytes in the log, or among
   * the overwritten bytes, stay there until a published commit lets this node drop them. Until then
   * each further try would fail, too. Other nodes send the changes of the file instead.
   *
   * @param ticket the ticket with which the change was made
   */
  public void distrust(UpdateTicket ticket) {
    synchronized (distrusted) {
      distrusted.merge(ticket.unit.file, ticket.committed, Math::max);
    }
  }

  private boolean isDistrusted(UpdateTicket ticket) {
    synchronized (distrusted) {
      Long commit = distrusted.get(ticket.unit.file);
      boolean isIt = commit != null && ticket.committed <= commit;
      if (commit != null && !isIt) {
        distrusted.remove(ticket.unit.file);
      }
      return isIt;
    }
  }

  /** Returns the failure with a text that has the answers of all holders. */
  private static IOException named(IOException failure) {
    StringBuilder text = new StringBuilder(failure.getMessage());
    for (Throwable each : failure.getSuppressed()) {
      text.append("; ").append(each.getMessage());
    }
    return new IOException(text.toString(), failure);
  }

  /** Returns why a log does not have the history of a ticket, or null. */
  private static String whyNot(UpdateTicket ticket, LogPosition position) {
    return position.term < ticket.term || !position.complete
        ? "its log is in term " + position.term + (position.complete ? "" : ", not complete")
            + ", and term " + ticket.term + " is wanted" : null;
  }

  /** Checks that a list has exactly the updates with the numbers {@code first} to {@code last}. */
  private static void check(List<NumberedUpdate> records, long first, long last)
      throws IOException {
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).sequence != first + i) {
        throw new IOException("its log has update " + records.get(i).sequence
            + " where update " + (first + i) + " is wanted");
      }
    }
    if (records.size() != last - first + 1) {
      throw new IOException("its log has " + records.size() + " of the updates " + first + " to "
          + last);
    }
  }

  /** Updates in the log of this node. */
  private static final class Local implements UnitUpdates {
    private final UpdateLog log;
    private final List<LogEntry> entries;
    private final List<NumberedUpdate> records = new ArrayList<>();

    private Local(UpdateLog log, List<LogEntry> entries) {
      this.log = log;
      this.entries = entries;
      entries.forEach(entry -> records.add(EntryData.record(entry)));
    }

    static Local open(UpdateLog log, UpdateTicket ticket, long first, long last)
        throws IOException {
      Optional<UnitState> state = log.state(ticket.unit);
      String why = whyNot(ticket, LogRefusals.position(log, ticket.unit));
      if (why != null || state.isEmpty()) {
        throw new IOException("this DataNode: " + why);
      }
      Local local = new Local(log, log.entries(ticket.unit, first - 1,
          (int) Math.min(Integer.MAX_VALUE, last - first + 1)));
      check(local.records, first, last);
      return local;
    }

    @Override
    public List<NumberedUpdate> records() {
      return records;
    }

    @Override
    public void read(int index, int from, ByteBuffer into) throws IOException {
      log.read(entries.get(index), from, into);
    }

    @Override
    public void close() {
      // The log stays open.
    }
  }

  /** Updates in the log of another node. */
  private static final class Remote implements UnitUpdates {
    private final TransferConnection connection;
    private final ChannelInput in;
    private final SignedTicket signed;
    private final List<NumberedUpdate> records = new ArrayList<>();
    private final RecentUpdates recent = new RecentUpdates(this::get);

    private Remote(TransferConnection connection, SignedTicket signed) {
      this.connection = connection;
      this.in = new ChannelInput(connection.in());
      this.signed = signed;
    }

    static Remote open(TransferConnector connector, NodeRef holder, SignedTicket signed,
        int timeoutMs,
        long first, long last) throws IOException {
      TransferConnection connection = connector.connect(holder,
          signed.ticket.block.toExtendedBlock(), signed.token);
      Remote remote = new Remote(connection, signed);
      boolean isOpen = false;
      try {
        connection.setTimeout(timeoutMs);
        remote.list(first, last);
        check(remote.records, first, last);
        isOpen = true;
        return remote;
      } catch (IOException e) {
        throw new IOException("DataNode " + holder + ": " + e.getMessage(), e);
      } finally {
        if (!isOpen) {
          connection.close();
        }
      }
    }

    private UpdateAnswer ask(UpdateRequest request) throws IOException {
      UpdateFraming.write(connection.out(), request, new byte[0]);
      UpdateAnswer answer = UpdateFraming.readAnswer(in, request);
      if (!answer.isDone()) {
        throw new IOException(answer.toString());
      }
      String why = whyNot(signed.ticket, answer.position);
      if (why != null) {
        throw new IOException(why);
      }
      return answer;
    }

    private void list(long first, long last) throws IOException {
      long after = first - 1;
      while (after < last) {
        List<NumberedUpdate> page = ask(new ListLogRequest(signed, after)).records;
        if (page.isEmpty()) {
          return;
        }
        for (NumberedUpdate record : page) {
          if (record.sequence <= last) {
            records.add(record);
          }
        }
        after = page.get(page.size() - 1).sequence;
      }
    }

    @Override
    public List<NumberedUpdate> records() {
      return records;
    }

    @Override
    public void read(int index, int from, ByteBuffer into) throws IOException {
      into.put(recent.data(index, records.get(index).length), from, into.remaining());
    }

    private byte[] get(int index) throws IOException {
      NumberedUpdate wanted = records.get(index);
      UpdateAnswer answer = ask(new ReadLogRequest(signed, wanted.sequence - 1, 1));
      byte[] data = UpdateFraming.readData(in, answer.payload);
      NumberedUpdate sent = answer.records.isEmpty() ? null : answer.records.get(0);
      if (sent == null || sent.sequence != wanted.sequence || sent.offset != wanted.offset
          || sent.length != wanted.length || data.length != wanted.length
          || sent.isDelta != wanted.isDelta) {
        throw new IOException("A holder's log has another update " + wanted.sequence + " of "
            + signed.ticket + " by now");
      }
      return data;
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }

  /**
   * The change that a commit makes to a data unit, calculated from deltas in the log of this node.
   * A change is the new version of the unit XOR the old one. The epoch of an update is the number
   * of the commit to which it belongs; a new version may have the updates of several epochs. For
   * each byte, the change is the XOR of the last delta of each epoch that has written the byte. The
   * first of these deltas is relative to the old version, and each later one to the unit's bytes at
   * the end of the epoch before. Bytes that no update has written do not change. Used by one
   * thread.
   */
  static final class DeltaChange implements UnitSource {
    private final UpdateLog log;
    private final Runnable whenUnreadable;
    private final List<LogEntry> entries;
    private final long length;
    /** For each epoch, which update has written each byte last. */
    private final NavigableMap<Long, LatestUpdates> latest = new TreeMap<>();

    private DeltaChange(UpdateLog log, Runnable whenUnreadable, List<LogEntry> entries,
        long length) {
      this.log = log;
      this.whenUnreadable = whenUnreadable;
      this.entries = new ArrayList<>(entries);
      this.length = length;
    }

    /**
     * Finds the change.
     *
     * @param log the log of this node
     * @param entries the updates of the log that the new version has and the old one has not
     * @param ranges the ranges of the unit that the updates may write: the first byte of each, and
     *     the byte after its last one
     * @param committed the number of the last commit that the old version has
     * @param length bytes of the unit
     * @param whenUnreadable runs if the change cannot be read, so that the next try asks other
     *     nodes for the change
     * @return the change; empty if, for any byte, the last update of an epoch is no delta
     */
    static Optional<UnitSource> of(UpdateLog log, List<LogEntry> entries,
        NavigableMap<Long, Long> ranges, long committed, long length, Runnable whenUnreadable) {
      DeltaChange change = new DeltaChange(log, whenUnreadable, entries, length);
      for (int i = 0; i < entries.size(); i++) {
        LogEntry entry = entries.get(i);
        long end = entry.offset + entry.length;
        Map.Entry<Long, Long> range = ranges.floorEntry(entry.offset);
        if (range == null || range.getValue() < end || end > length || entry.epoch <= committed) {
          return Optional.empty();
        }
        change.latest.computeIfAbsent(entry.epoch, none -> new LatestUpdates())
            .add(entry.offset, end, i);
      }
      boolean isWhole = change.latest.values().stream().flatMap(layer ->
          layer.within(0, length).stream()).allMatch(piece ->
          entries.get(piece.update).isDelta);
      return isWhole ? Optional.of(change) : Optional.empty();
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      byte[] change = new byte[into.remaining()];
      try {
        for (LatestUpdates layer : latest.values()) {
          for (LatestUpdates.Piece piece : layer.within(offset, offset + change.length)) {
            add(piece, offset, change);
          }
        }
      } catch (IOException e) {
        whenUnreadable.run();
        throw new IOException("The change of " + entries.get(0).unit + " was known here, and"
            + " cannot be read: " + e.getMessage(), e);
      }
      into.put(change);
    }

    private void add(LatestUpdates.Piece piece, long offset, byte[] change) throws IOException {
      LogEntry entry = entries.get(piece.update);
      byte[] delta = new byte[(int) (piece.to - piece.from)];
      log.read(entry, (int) (piece.from - entry.offset), ByteBuffer.wrap(delta));
      int at = (int) (piece.from - offset);
      for (int i = 0; i < delta.length; i++) {
        change[at + i] ^= delta[i];
      }
    }

    @Override
    public void close() {
      // The log stays open.
    }
  }

  /**
   * Caches the data of the most recently used updates. Another holder sends each update as a whole,
   * and a commit often reads a part of one update, then parts of others, then the first update
   * again. Used by one thread.
   */
  static final class RecentUpdates {
    /**
     * How many bytes are cached at most: two updates of the greatest length. Each patch has a cache
     * of its own.
     */
    static final int BYTES_MOST = 2 * UpdateBounds.UPDATE_BYTES_MAX;

    /** Gets the data of an update. */
    @FunctionalInterface
    interface Source {
      byte[] data(int index) throws IOException;
    }

    private final Source source;
    /** The cached data, by the index of the update; the least recently used first. */
    private final Map<Integer, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);
    private int keptBytes;

    /** @param source gets the data of updates that are not in the cache */
    RecentUpdates(Source source) {
      this.source = source;
    }

    /**
     * Returns the data of an update.
     *
     * @param index the index of the update
     * @param length the length of its data, bytes
     */
    byte[] data(int index, int length) throws IOException {
      byte[] data = kept.get(index);
      if (data == null) {
        makeRoom(length);
        data = source.data(index);
        kept.put(index, data);
        keptBytes += data.length;
      }
      return data;
    }

    private void makeRoom(int length) {
      Iterator<byte[]> oldest = kept.values().iterator();
      while (oldest.hasNext() && keptBytes > BYTES_MOST - length) {
        keptBytes -= oldest.next().length;
        oldest.remove();
      }
    }

    int bytes() {
      return keptBytes;
    }
  }
}
