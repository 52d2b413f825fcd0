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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.TransferConnection;
import org.hdfsppr.stream.TransferConnector;
import org.hdfsppr.update.append.AppendRequest;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;

/**
 * A NameNode, and leaders of units whose logs lose with the power what was not synced. It stands
 * for the DataNodes of a file of some block groups. Thread-safe.
 */
final class ModelLogs {
  static final int CELL = 1 << 10;
  static final int UNIT = 4 * CELL;
  static final int K = 2;
  static final int GROUP = K * UNIT;
  private static final byte[] NO_DATA = new byte[0];
  /** As many terms as a log knows. */
  private static final long TERMS_MOST = 16;

  private static final class Update {
    private final long offset;
    private final byte[] data;

    Update(long offset, byte[] data) {
      this.offset = offset;
      this.data = data;
    }
  }

  /** The log of a unit, which all its holders have. */
  private static final class Log {
    private final List<Update> updates = new ArrayList<>();
    private int synced;
    private long term = 1;
    private long base;
    private int syncs;
    /** By term, with what it began; what a leader knows that was there all the time. */
    private final NavigableMap<Long, Long> bases = new TreeMap<>(Map.of(1L, 0L));

    /** Another holder begins a term, with all that the log has. */
    void beginTerm() {
      term++;
      base = updates.size();
      bases.put(term, base);
      bases.headMap(term - TERMS_MOST).clear();
    }
  }

  private final UUID file = UUID.randomUUID();
  private final int groups;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong writers = new AtomicLong();
  /** By {@link UnitKey}. Guarded by this, like all that changes. */
  private final Map<Long, Log> logs = new TreeMap<>();
  /** What the next appends are answered instead of being done. */
  private final Deque<UpdateStatus> refusals = new ArrayDeque<>();
  /** What the next appends wait for. */
  private Runnable beforeAppend = () -> { };
  private List<String> origins = new ArrayList<>();

  ModelLogs(int groups) {
    this.groups = groups;
  }

  /** Returns what a process of clients has. */
  UpdateContext context() {
    return context(new Leaders());
  }

  /** As the other method, for a process that connects to others than these leaders. */
  UpdateContext context(TransferConnector connector) {
    return new UpdateContext(new NameNode(), connector, nanos::get, writers::incrementAndGet);
  }

  SharedUpdater open(UpdateContext context) throws IOException {
    List<LocatedGroup> all = all();
    return new LogSharedUpdater(context, "/f", all, () -> all);
  }

  FileUpdater openForOne(UpdateContext context) throws IOException {
    List<LocatedGroup> all = all();
    return LogFileUpdater.open(context, "/f", all, () -> all);
  }

  private List<LocatedGroup> all() {
    List<LocatedGroup> all = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      all.add(group(i));
    }
    return all;
  }

  private static LocatedGroup group(int index) {
    return new LocatedGroup(new LocatedStripedBlock(new ExtendedBlock("pool",
        -1024L * (groups0() - index), GROUP, 1), new DatanodeInfo[0], new String[0],
        new StorageType[0], new byte[0], (long) index * GROUP, false, null),
        new ErasureCodingPolicy(new ECSchema("rs", K, 1), CELL));
  }

  private static int groups0() {
    return 1000;
  }

  private static int indexOf(long groupId) {
    return (int) (groups0() + groupId / 1024);
  }

  synchronized void refuse(UpdateStatus... next) {
    refusals.addAll(List.of(next));
  }

  /** Returns how many of these answers were not given yet. */
  synchronized int refusalsLeft() {
    return refusals.size();
  }

  synchronized void beforeAppend(Runnable what) {
    beforeAppend = what;
  }

  synchronized void passTime(long passed) {
    nanos.addAndGet(passed);
  }

  synchronized List<String> origins() {
    return List.copyOf(origins);
  }

  /** Has another holder begin a term at each log, with all that the logs have. */
  synchronized void beginTerms() {
    logs.values().forEach(Log::beginTerm);
  }

  synchronized long term(long unit) {
    return logs.get(unit).term;
  }

  /** Leaders start anew, and know nothing of terms from before. */
  synchronized void forgetTerms() {
    logs.values().forEach(log -> log.bases.clear());
  }

  /** All holders lose what was not synced. They begin a term with the rest. */
  synchronized void losePower() {
    for (Log log : logs.values()) {
      log.updates.subList(log.synced, log.updates.size()).clear();
    }
    beginTerms();
  }

  /** Returns the units that have logs. */
  synchronized List<Long> units() {
    return List.copyOf(logs.keySet());
  }

  synchronized int syncs() {
    return logs.values().stream().mapToInt(log -> log.syncs).sum();
  }

  synchronized byte[] bytes() {
    byte[] bytes = new byte[groups * GROUP];
    logs.forEach((key, log) -> log.updates.forEach(update -> {
      for (int i = 0; i < update.data.length; i++) {
        long at = update.offset + i;
        long stripe = at / CELL;
        bytes[(int) (UnitKey.group(key) * (long) GROUP
            + (stripe * K + UnitKey.unit(key)) * CELL + at % CELL)] = update.data[i];
      }
    }));
    return bytes;
  }

  private final class NameNode implements TicketsOnly {
    @Override
    public List<UnitGrant> tickets(TicketRequest request) {
      synchronized (ModelLogs.this) {
        List<UnitGrant> grants = new ArrayList<>();
        int index = indexOf(request.group.groupId);
        for (int unit = 0; unit < K; unit++) {
          long key = UnitKey.of(index, unit);
          if (!request.isWrite && !logs.containsKey(key)) {
            grants.add(UnitGrant.noLog(unit, 0));
            continue;
          }
          Log log = logs.computeIfAbsent(key, any -> new Log());
          if (request.failed(unit) == log.term) {
            log.beginTerm();
          }
          grants.add(UnitGrant.of(unit, SignedTicket.of(new UpdateTicket(new UnitId(file, index,
              unit),
              request.group.block(unit, UNIT), log.term, log.term - 1, 1,
              List.of(new NodeRef("n" + unit, "127.0.0.1", "localhost", 1, 2, "/r"))),
              new Token<>())));
        }
        return grants;
      }
    }
  }

  private final class Leaders implements TransferConnector {
    @Override
    public TransferConnection connect(NodeRef node, ExtendedBlock block,
        Token<BlockTokenIdentifier> token) {
      return new AnsweredConnection(false, ModelLogs.this::answer);
    }
  }

  private byte[] answer(byte[] bytes) throws IOException {
    // Two bytes are the version, and one is the opcode.
    ChannelInput in = new ChannelInput(new ByteArrayInputStream(bytes, 3, bytes.length - 3));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (bytes[2] == (byte) ViewFraming.OP_VIEW) {
      ViewRequest request = ViewFraming.readRequest(in);
      ViewFraming.write(out, request, sync(request));
      return out.toByteArray();
    }
    AppendRequest append = (AppendRequest) UpdateFraming.readRequest(in);
    byte[] data = UpdateFraming.readData(in, append.payload);
    Runnable before;
    synchronized (this) {
      before = beforeAppend;
    }
    before.run();
    UpdateFraming.write(out, append(append, data), NO_DATA);
    if (Thread.currentThread().isInterrupted()) {
      // The leader has it, and the caller does not hear of it.
      throw new InterruptedIOException("The caller's thread is interrupted");
    }
    return out.toByteArray();
  }

  private Log log(UpdateTicket ticket) {
    return logs.get(UnitKey.of(ticket.unit.group, ticket.unit.unit));
  }

  private synchronized ViewAnswer sync(ViewRequest request) throws IOException {
    Log log = log(request.ticket());
    if (request.ticket().term != log.term) {
      return ViewAnswer.refused(UpdateStatus.STALE_TERM, "term " + log.term + " has begun");
    }
    if (!request.isSync) {
      throw new IOException("only syncs are asked for");
    }
    log.synced = log.updates.size();
    log.syncs++;
    return ViewAnswer.done(log.term, log.base, log.bases, List.of(), NO_DATA);
  }

  private synchronized UpdateAnswer append(AppendRequest append, byte[] data) {
    Log log = log(append.ticket());
    origins.add(append.origin.toString());
    UpdateStatus refusal = refusals.poll();
    if (refusal == null && append.ticket().term != log.term) {
      refusal = UpdateStatus.STALE_TERM;
    }
    if (refusal != null) {
      return UpdateAnswer.refused(refusal, "as the test wants it", null, LogPosition.NOTHING);
    }
    log.updates.add(new Update(append.offset, data));
    return UpdateAnswer.done(new LogPosition(log.term, log.updates.size(), 1, true));
  }
}
