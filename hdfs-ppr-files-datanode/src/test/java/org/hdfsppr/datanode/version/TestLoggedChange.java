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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.hdfsppr.datanode.update.UnitUpdates;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.PowerLoss;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.version.PatchJob.LoggedChange;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A data unit gets the updates of a log, and no more is read from the log than that takes. */
class TestLoggedChange {
  private static final String POOL = "BP-1";
  private static final int LENGTH = 1_500_001;
  private static final GroupId OLD = new GroupId(POOL, -1600, 1001);
  private static final GroupId MADE = new GroupId(POOL, -3200, 1002);
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 0, 0);
  private static final NodeRef SELF =
      new NodeRef("n0", "127.0.0.1", "localhost", 1, 2, "/r0");

  private final Random random = new Random(1);
  private final PowerLoss disk = new PowerLoss();
  private UpdateLog log;
  private final byte[] before = new byte[LENGTH];
  private final byte[] content = new byte[LENGTH];
  private int updatedBytes;

  @BeforeEach
  void open() throws IOException {
    log = disk.open();
    log.begin(UNIT, 1, 0, 0, true);
    random.nextBytes(before);
    System.arraycopy(before, 0, content, 0, LENGTH);
  }

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  /** Writes random bytes. All updates are of one epoch, and deltas relative to what was before. */
  private void update(int from, int length, boolean isDelta) throws IOException {
    byte[] data = new byte[length];
    random.nextBytes(data);
    NumberedUpdate update = new NumberedUpdate(
        log.state(UNIT).orElseThrow().last + 1, 1, from, length);
    log.copy(UNIT, 1, isDelta ? update.asDelta() : update, ByteBuffer.wrap(data));
    for (int i = 0; i < length; i++) {
      content[from + i] = (byte) (isDelta ? before[from + i] ^ data[i] : data[i]);
    }
    updatedBytes += length;
  }

  /** Returns the unit with the updates of the log, made window by window as a copy makes it. */
  private byte[] changed(Map<Long, Long> ranges) throws IOException {
    List<LogEntry> entries = log.entries(UNIT, 0, Integer.MAX_VALUE);
    List<NumberedUpdate> records = new ArrayList<>();
    for (LogEntry entry : entries) {
      NumberedUpdate record = new NumberedUpdate(entry.sequence, entry.epoch, entry.offset,
          entry.length);
      records.add(entry.isDelta ? record.asDelta() : record);
    }
    UnitUpdates updates = new UnitUpdates() {
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
    };
    UpdateTicket ticket = new UpdateTicket(UNIT, OLD.block(0, LENGTH), 1, 0, 2, List.of(SELF));
    PatchCommand command = new PatchCommand("c", 1,
        PatchCommand.of(OLD, MADE, LENGTH, 0, ranges).setCodec("rs").setDataUnits(3)
            .setParityUnits(2).setCellBytes(1 << 21).setDeadlineMs(1_000),
        new LogPart(ticket, 1, records.size()), List.of());
    LoggedChange change = new LoggedChange(command, updates);
    byte[] made = before.clone();
    // A copy has its window in a part of an array.
    ByteBuffer window = ByteBuffer.allocate(change.windowBytes() + 7);
    for (int at = 0; at < LENGTH; at += change.windowBytes()) {
      int length = Math.min(change.windowBytes(), LENGTH - at);
      window.clear().position(7).limit(7 + length);
      window.duplicate().put(made, at, length);
      change.apply(at, window);
      window.duplicate().get(made, at, length);
    }
    return made;
  }

  /** Many small updates cut a large one into pieces. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLargeUpdateIsReadOnceThoughOthersCutIt(boolean isDelta) throws IOException {
    update(100_000, 1_300_000, isDelta);
    for (int i = 0; i < 200; i++) {
      update(100_000 + 6_500 * i, 40, isDelta);
    }
    long read = disk.bytesRead();
    assertArrayEquals(content, changed(Map.of(100_000L, 1_400_000L)));
    read = disk.bytesRead() - read;
    // What the log checks at a time is read once more where a piece ends.
    assertTrue(read < 3 * updatedBytes, read + " bytes of " + updatedBytes + " were read");
  }

  @Test
  void whatLaterUpdatesHaveOverwrittenIsNotRead() throws IOException {
    update(0, 1_000_000, false);
    update(1_000_000, 10, false);
    update(0, 999_000, false);
    long read = disk.bytesRead();
    assertArrayEquals(content, changed(Map.of(0L, 1_000_010L)));
    read = disk.bytesRead() - read;
    assertTrue(read < 1_100_000, read + " bytes were read");
  }

  @Test
  void anUpdateOutsideOfTheRangesIsRefused() throws IOException {
    update(100, 10, false);
    assertThrows(IOException.class, () -> changed(Map.of(100L, 109L)));
  }
}
