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
package org.hdfsppr.datanode.update.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;

/** Compares the overlay with an array that has the last writer of each byte. */
@InterfaceAudience.Private
class TestRangeOverlay {
  private static final UnitId UNIT = new UnitId(new UUID(1, 2), 0, 0);
  private static final int UNIT_BYTES = 64;

  private static LogEntry entry(long sequence, long epoch, int offset, int length) {
    return new LogEntry(new RecordHeader(RecordKind.UPDATE,
        UNIT, 1, 0, new NumberedUpdate(sequence, epoch, offset, length)), UNIT, null, 0);
  }

  @Test
  void hasTheLastWriterOfEachByte() {
    long seed = Long.getLong("overlay.seed", 21);
    System.out.println("-Doverlay.seed=" + seed);
    Random random = new Random(seed);
    for (int history = 0; history < 2_000; history++) {
      RangeOverlay overlay = new RangeOverlay();
      LogEntry[] writers = new LogEntry[UNIT_BYTES];
      long epoch = 1;
      int adds = random.nextInt(20);
      for (int i = 1; i <= adds; i++) {
        int offset = random.nextInt(UNIT_BYTES);
        LogEntry entry = entry(i, epoch, offset, 1 + random.nextInt(UNIT_BYTES - offset));
        overlay.add(entry);
        Arrays.fill(writers, offset, offset + entry.length, entry);
        if (random.nextInt(5) == 0) {
          epoch++;
        }
        if (random.nextInt(8) == 0) {
          long to = epoch - 1;
          overlay.dropTo(to);
          for (int at = 0; at < UNIT_BYTES; at++) {
            writers[at] = writers[at] != null && writers[at].epoch <= to ? null : writers[at];
          }
        }
        assertTrue(overlay.size() <= 2 * i, "pieces are bounded");
      }
      int from = random.nextInt(UNIT_BYTES);
      int length = random.nextInt(UNIT_BYTES - from + 1);
      LogEntry[] seen = new LogEntry[UNIT_BYTES];
      List<RangeOverlay.Piece> pieces = overlay.within(from, length);
      long end = from;
      for (RangeOverlay.Piece piece : pieces) {
        assertTrue(piece.offset >= end && piece.length > 0, "pieces ascend");
        end = piece.end();
        Arrays.fill(seen, (int) piece.offset, (int) piece.end(), piece.entry);
      }
      assertTrue(end <= from + length, "pieces end with the range");
      assertEquals(Arrays.asList(writers).subList(from, from + length),
          Arrays.asList(seen).subList(from, from + length), "history " + history);
    }
  }
}
