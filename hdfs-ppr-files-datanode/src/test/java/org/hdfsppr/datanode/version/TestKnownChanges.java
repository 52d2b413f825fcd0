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
package org.hdfsppr.datanode.version;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.datanode.update.LogReader;
import org.hdfsppr.datanode.update.UpdateLogs;
import org.hdfsppr.datanode.update.UpdateRights;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.stream.FreshBuffers;
import org.hdfsppr.stream.KeptConnections;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The node of a parity unit uses what it knows of unit 0, the only one, if that is right. */
class TestKnownChanges {
  private static final String POOL = "BP-1";
  private static final int CELL = 1 << 20;
  /** More than a digest reads at once, and no multiple of it. */
  private static final int LENGTH = 300_001;
  private static final GroupId OLD = new GroupId(POOL, -1600, 1001);
  private static final GroupId MADE = new GroupId(POOL, -3200, 1002);
  private static final UUID FILE = new UUID(1, 2);
  private static final UnitId UNIT = new UnitId(FILE, 0, 0);
  private static final long SEED = 5;
  private static final int PARITY = 4;
  private static final NodeRef SELF =
      new NodeRef("n4", "127.0.0.1", "localhost", 1, 2, "/r4");

  /** Everything is allowed that these tests do not do. */
  private static final UpdateRights RIGHTS = new UpdateRights() {
    @Override
    public NodeRef self() {
      return SELF;
    }

    @Override
    public String mayWrite(SignedTicket ticket) {
      return null;
    }

    @Override
    public String mayRead(SignedTicket ticket) {
      return null;
    }

    @Override
    public String isPeer(SignedTicket ticket) {
      return null;
    }

    @Override
    public String mayBegin(SignedTicket ticket) {
      return null;
    }

    @Override
    public SignedTicket asPeer(SignedTicket ticket) {
      return ticket;
    }
  };

  @TempDir
  Path directory;
  private UpdateLogs logs;
  private final ScheduledExecutorService timer = TransferServer.timer();
  private PatchTools tools;
  private final NavigableMap<Long, Long> ranges = new TreeMap<>();
  /** Unit 0 before and after its updates. */
  private final byte[] before = new byte[LENGTH];
  private final byte[] after = new byte[LENGTH];
  private String endedBecause;

  @BeforeEach
  void open() throws IOException {
    logs = new UpdateLogs(directory, LogLimits.of(LogLimits.BYTES_MIN));
    tools = new PatchTools(new LogReader(logs, RIGHTS, (node, block, token) -> {
      throw new AssertionError("no other node is asked");
    }, 1_000), new KeptConnections((node, block, token) -> {
      throw new AssertionError("no other node is asked");
    }, timer, System::nanoTime), Kernels.select(PprKeys.KERNEL_DEFAULT), new FreshBuffers(), 1_000,
        new ForwardedChanges(System::nanoTime), System::nanoTime);
    Random random = new Random(1);
    random.nextBytes(before);
    System.arraycopy(before, 0, after, 0, LENGTH);
    UpdateLog log = logs.log(POOL);
    log.begin(UNIT, 9, 0, 0, true);
    int[][] updates = {{100, 2_000}, {262_000, 1_000}, {LENGTH - 10, 10}};
    for (int i = 0; i < updates.length; i++) {
      int from = updates[i][0];
      byte[] data = new byte[updates[i][1]];
      random.nextBytes(data);
      LogEntry entry = log.copy(UNIT, 9, new NumberedUpdate(i + 1, 1, from, data.length),
          ByteBuffer.wrap(data));
      System.arraycopy(data, 0, after, from, data.length);
      ranges.put((long) from, (long) from + data.length);
      keep(entry, before);
    }
  }

  @AfterEach
  void close() {
    tools.close();
    timer.shutdownNow();
    logs.close();
  }

  private void keep(LogEntry entry, byte[] unit) {
    logs.oldBytes.put(UNIT, 9, entry.sequence, 1, OLD.block(0, LENGTH), entry.offset,
        ByteBuffer.wrap(unit, (int) entry.offset, entry.length));
  }

  private static UnitSource unit(byte[] bytes, NavigableMap<Long, Long> readable) {
    return new UnitSource() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public void read(long offset, ByteBuffer dst) throws IOException {
        Map.Entry<Long, Long> range = readable.floorEntry(offset);
        if (range == null || offset + dst.remaining() > range.getValue()) {
          throw new IOException(dst.remaining() + " bytes at " + offset + " were not to be read");
        }
        dst.put(bytes, (int) offset, dst.remaining());
      }

      @Override
      public void close() {
        throw new AssertionError("the caller closes it");
      }
    };
  }

  /** Computes the digest as the node of unit 0 does, which reads no more than it has to. */
  private int digest(byte[] made) throws IOException {
    return ChangeDigest.between(unit(before, ranges), unit(made, ranges), ranges, SEED, tools,
        () -> endedBecause);
  }

  private PatchSource source(LogPart log) {
    PatchSource source = PatchSource.changed(0, SELF, PatchSource.DIRECT, ranges, Map.of(),
        Map.of());
    return log == null ? source : source.withLog(log);
  }

  private LogPart log(int digest) {
    return log(0, 1, 3, digest);
  }

  private LogPart log(long committed, long first, long last, int digest) {
    UpdateTicket ticket = new UpdateTicket(UNIT, OLD.block(0, LENGTH), 9, 0, committed + 1,
        List.of(SELF))
        .ofVersion(committed);
    return new LogPart(ticket, first, last).withDigest(SEED, digest);
  }

  private KnownChanges known(PatchSource source) throws IOException {
    return known(command(source));
  }

  private PatchCommand command(PatchSource source) {
    PatchProto.Builder rest = PatchCommand.of(OLD, MADE, LENGTH, PARITY, ranges).setCodec("rs")
        .setDataUnits(3).setParityUnits(2).setCellBytes(CELL).setDeadlineMs(1_000);
    if (!source.forwarded.isEmpty()) {
      rest.setForwarder(PatchCommand.keeper(new UnitHolder(PARITY, SELF)));
    }
    return new PatchCommand("c", 1, rest, null, List.of(source));
  }

  private KnownChanges known(PatchCommand command) throws IOException {
    return new KnownChanges(command, Codes.forCodec(new Configuration(false), "rs", 3, 2),
        tools, () -> endedBecause);
  }

  private void assertAsked(PatchSource source) throws IOException {
    assertAsked(source, 0);
  }

  /** @param wrong how many changes were calculated and are wrong */
  private void assertAsked(PatchSource source, long wrong) throws IOException {
    KnownChanges known = known(source);
    assertEquals(Set.of(), known.changes.keySet());
    assertEquals(1, known.asked());
    assertEquals(wrong, known.wrong());
  }

  @Test
  void aChangeIsUsedIfItIsThatOfTheBlocks() throws IOException {
    KnownChanges known = known(source(log(digest(after))));
    assertEquals(0, known.asked());
    assertEquals(0, known.wrong());
    assertEquals(Set.of(0), known.changes.keySet());
    ByteBuffer read = ByteBuffer.allocate(LENGTH);
    known.changes.get(0).read(0, read);
    byte[] sum = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      sum[i] = (byte) (before[i] ^ after[i]);
    }
    assertArrayEquals(sum, read.array());
    // The check of the parity unit has failed.
    known.distrust();
    assertAsked(source(log(digest(after))));
  }

  /** One old byte is that of another version. Until the next commit, none is used then. */
  @Test
  void aWrongOldByteIsSeen() throws IOException {
    LogEntry last = logs.log(POOL).entries(UNIT, 2, 1).get(0);
    byte[] other = before.clone();
    other[LENGTH - 5]++;
    keep(last, other);
    assertEquals(3, logs.oldBytes.ranges());
    assertAsked(source(log(digest(after))), 1);
    keep(last, before);
    assertAsked(source(log(digest(after))));
  }

  /** The node of the data unit has made something else of the updates. */
  @Test
  void aWrongNewByteIsSeen() throws IOException {
    byte[] other = after.clone();
    other[262_100]++;
    assertNotEquals(digest(after), digest(other));
    assertAsked(source(log(digest(other))), 1);
  }

  @Test
  void aChangeThatCannotBeComparedIsNotUsed() throws IOException {
    assertAsked(source(null));
    assertEquals(Set.of(0), known(source(log(digest(after)))).changes.keySet());
  }

  private PatchSource forwarded(int digest) {
    return PatchSource.changed(0, SELF, PatchSource.DIRECT, Map.of(), ranges, Map.of())
        .withLog(log(digest));
  }

  /** Returns the change that the node keeps for others; no other node is asked for it. */
  private byte[] kept(KnownChanges known, PatchCommand command) throws IOException {
    LinearCode code = Codes.forCodec(new Configuration(false), command.codec, 3, 2);
    ParitySums sums = new ParitySums(command, code, null, tools, known.changes);
    ParityChange change = new ParityChange(command, code, sums, known.changes.keySet());
    assertEquals(0, change.forward(tools.forwarded, directory, () -> endedBecause));
    byte[] kept = new byte[LENGTH];
    UnitSource reads = tools.forwarded.open(
        ForwardedChanges.name(MADE.block(0, LENGTH)).toExtendedBlock());
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      int from = (int) (long) range.getKey();
      reads.read(from, ByteBuffer.wrap(kept, from, (int) (range.getValue() - from)));
    }
    return kept;
  }

  /** A node that keeps changes for others does not ask for those that it knows. */
  @Test
  void aKnownChangeIsForwarded() throws IOException {
    PatchCommand command = command(forwarded(digest(after)));
    KnownChanges known = known(command);
    assertEquals(0, known.asked());
    byte[] sum = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      sum[i] = (byte) (before[i] ^ after[i]);
    }
    assertArrayEquals(sum, kept(known, command));
  }

  /** The others of the rack would get it. */
  @Test
  void aWrongChangeIsNotForwarded() throws IOException {
    byte[] other = after.clone();
    other[262_100]++;
    assertAsked(forwarded(digest(other)), 1);
  }

  @Test
  void oldBytesThatCannotBeReadAreAskedFor() throws IOException {
    int digest = digest(after);
    logs.oldBytes.close();
    assertAsked(source(log(digest)));
  }

  /**
   * Has deltas in the log instead of what the updates write, those of the third one of a later
   * epoch, which has written some bytes that the first one wrote.
   *
   * @return the unit after the first two
   */
  private byte[] logDeltas() throws IOException {
    UpdateLog log = logs.log(POOL);
    byte[] second = after.clone();
    System.arraycopy(before, LENGTH - 10, second, LENGTH - 10, 10);
    System.arraycopy(second, 0, after, 0, LENGTH);
    Arrays.fill(after, 1_000, 3_000, (byte) 9);
    log.begin(UNIT, 10, 0, 0, true);
    int[][] updates = {{100, 2_000}, {262_000, 1_000}, {1_000, 2_000}};
    ranges.remove((long) LENGTH - 10);
    ranges.put(100L, 3_000L);
    for (int i = 0; i < updates.length; i++) {
      byte[] data = new byte[updates[i][1]];
      byte[] from = i == 2 ? second : before;
      byte[] to = i == 2 ? after : second;
      for (int at = 0; at < data.length; at++) {
        data[at] = (byte) (from[updates[i][0] + at] ^ to[updates[i][0] + at]);
      }
      log.copy(UNIT, 10, new NumberedUpdate(i + 1, i == 2 ? 2 : 1, updates[i][0], data.length)
          .asDelta(), ByteBuffer.wrap(data));
    }
    return second;
  }

  @Test
  void deltasAreUsedIfTheyAreThoseOfTheBlocks() throws IOException {
    logDeltas();
    KnownChanges known = known(source(log(digest(after))));
    assertEquals(Set.of(0), known.changes.keySet());
    ByteBuffer read = ByteBuffer.allocate(LENGTH);
    known.changes.get(0).read(0, read);
    byte[] sum = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      sum[i] = (byte) (before[i] ^ after[i]);
    }
    assertArrayEquals(sum, read.array());
    // The check of the parity unit has failed.
    known.distrust();
    assertAsked(source(log(digest(after))));
  }

  /** Deltas stay in the log, and those of the file are not used until the next commit. */
  @Test
  void wrongDeltasAreSeenAndNotUsedAgain() throws IOException {
    byte[] second = logDeltas();
    byte[] other = after.clone();
    other[1_500]++;
    assertAsked(source(log(digest(other))), 1);
    assertAsked(source(log(digest(after))));
    // The next commit has the epoch of the third update only.
    System.arraycopy(second, 0, before, 0, LENGTH);
    assertEquals(Set.of(0), known(source(log(1, 3, 3, digest(after)))).changes.keySet());
    // An update that is in the version already is not added a second time.
    assertAsked(source(log(1, 1, 3, digest(after))));
  }

  /** A damaged byte may be read right the next time, or not. It is not tried for this commit. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChangeThatCannotBeReadIsAskedFor(boolean hasDeltas) throws IOException {
    if (hasDeltas) {
      logDeltas();
    }
    LogPart log = log(digest(after));
    byte[] data = logs.log(POOL).read(logs.log(POOL).entries(UNIT, 1, 1).get(0));
    Path segment;
    try (Stream<Path> files = Files.walk(directory)) {
      segment = files.filter(file -> holds(file, data)).findFirst().orElseThrow();
    }
    damage(segment, data);
    assertAsked(source(log));
    damage(segment, data);
    logs.log(POOL).read(logs.log(POOL).entries(UNIT, 1, 1).get(0));
    assertAsked(source(log));
  }

  private static int indexOf(byte[] whole, byte[] part) {
    for (int at = 0; at + part.length <= whole.length; at++) {
      if (Arrays.equals(whole, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    return -1;
  }

  private static boolean holds(Path file, byte[] data) {
    try {
      return Files.isRegularFile(file) && indexOf(Files.readAllBytes(file), data) >= 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Inverts a byte of a file behind some data, or brings it back. */
  private static void damage(Path file, byte[] data) throws IOException {
    byte[] head = Arrays.copyOf(data, data.length - 1);
    byte[] all = Files.readAllBytes(file);
    int at = indexOf(all, head) + head.length;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {(byte) ~all[at]}), at);
    }
  }

  @Test
  void aJobThatHasToEndEnds() throws IOException {
    int digest = digest(after);
    endedBecause = "the manager has cancelled it";
    assertThrows(InterruptedIOException.class, () -> known(source(log(digest))));
    assertThrows(InterruptedIOException.class, () -> digest(after));
    endedBecause = null;
    assertEquals(Set.of(0), known(source(log(digest))).changes.keySet());
  }

  /** Bytes between updates, and units without any, have a difference of zero. */
  @Test
  void widerRangesChangeNoDigest() throws IOException {
    NavigableMap<Long, Long> all = new TreeMap<>(Map.of(0L, (long) LENGTH));
    assertEquals(digest(after), ChangeDigest.between(unit(before, all), unit(after, all), all,
        SEED, tools, () -> null));
    assertEquals(0, digest(before));
    byte[] zeros = new byte[LENGTH];
    Arrays.fill(zeros, (byte) 0);
    assertEquals(0, ChangeDigest.of(unit(zeros, all), SEED, tools, () -> null));
  }
}
