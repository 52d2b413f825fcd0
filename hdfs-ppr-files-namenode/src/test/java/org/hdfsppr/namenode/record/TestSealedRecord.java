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
package org.hdfsppr.namenode.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.namenode.record.BadRecordException.Why;
import org.junit.jupiter.api.Test;

/**
 * The form of records that are finalized. The tests of each kind's bytes have the readers behind
 * it.
 */
class TestSealedRecord {
  private static final byte[] CONTENT = {1, 0, 0, 0, 0, 0, 0, 64, 5, 0, 0, 0, 0, 0, 0, 64, 4};

  /** The length of the lead and the magic, which shows that a record is sealed. */
  private static int marks(SealedKind kind) {
    return kind.lead().length + 4;
  }

  private static BadRecordException refused(SealedKind kind, byte[] value) {
    return assertThrows(BadRecordException.class, () -> SealedRecord.open(kind, value));
  }

  @Test
  void aRecordIsReadInBothForms() throws BadRecordException {
    for (SealedKind kind : SealedKind.values()) {
      byte[] sealed = SealedRecord.seal(kind, CONTENT);
      assertArrayEquals(CONTENT, SealedRecord.open(kind, sealed), kind.toString());
      assertArrayEquals(CONTENT, SealedRecord.open(kind.attribute, sealed), kind.toString());
      assertSame(CONTENT, SealedRecord.open(kind, CONTENT), kind.toString());
      assertArrayEquals(new byte[0],
          SealedRecord.open(kind, SealedRecord.seal(kind, new byte[0])));
    }
    assertNull(SealedRecord.open("hdfs-ppr.job", null));
    byte[] other = SealedRecord.seal(SealedKind.TERMS, CONTENT);
    assertSame(other, SealedRecord.open("user.x", other));
    assertEquals(Optional.empty(), SealedKind.of("hdfs-ppr.scrub"));
    assertEquals(Optional.empty(), SealedKind.of("hdfs-ppr.updatable"));
  }

  /** Only a value that has lost the magic comes through, to the reader of 0.2.0's records. */
  @Test
  void noDamagedRecordIsTakenForAnother() throws BadRecordException {
    for (SealedKind kind : SealedKind.values()) {
      byte[] sealed = SealedRecord.seal(kind, CONTENT);
      for (int bit = 0; bit < sealed.length * Byte.SIZE; bit++) {
        byte[] flipped = sealed.clone();
        flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        if (bit / Byte.SIZE >= kind.lead().length && bit / Byte.SIZE < marks(kind)) {
          assertSame(flipped, SealedRecord.open(kind, flipped), kind + " bit " + bit);
        } else {
          assertEquals(Why.CORRUPT, refused(kind, flipped).why, kind + " bit " + bit);
        }
      }
      for (int length = 0; length < sealed.length; length++) {
        byte[] cut = Arrays.copyOf(sealed, length);
        if (length < marks(kind)) {
          assertSame(cut, SealedRecord.open(kind, cut), kind + " of " + length);
        } else {
          assertEquals(Why.CORRUPT, refused(kind, cut).why, kind + " of " + length);
        }
      }
    }
  }

  @Test
  void oldNewAndCorruptRecordsAreToldApart() {
    BadRecordException newer =
        refused(SealedKind.TERMS, SealedRecord.seal(SealedKind.TERMS, 2, CONTENT));
    assertEquals(Why.TOO_NEW, newer.why);
    assertEquals("the sealed record trusted.hdfs-ppr.terms cannot be read: its form is 2, and this"
        + " software knows forms up to 1: upgrade hdfs-ppr on this NameNode", newer.getMessage());
    BadRecordException older =
        refused(SealedKind.TERMS, SealedRecord.seal(SealedKind.TERMS, 0, CONTENT));
    assertEquals(Why.TOO_OLD, older.why);
    assertTrue(older.getMessage().contains("forms from 1"), older.getMessage());
    BadRecordException copied =
        refused(SealedKind.TERMS, SealedRecord.seal(SealedKind.COMMITS, CONTENT));
    assertEquals(Why.CORRUPT, copied.why);
    assertTrue(copied.getMessage().contains("of the kind 8 and not 6"), copied.getMessage());
  }

  @Test
  void kindsDiffer() {
    Set<Byte> numbers = new HashSet<>();
    Set<String> attributes = new HashSet<>();
    for (SealedKind kind : SealedKind.values()) {
      assertTrue(numbers.add(kind.number), kind.toString());
      assertTrue(attributes.add(kind.attribute), kind.toString());
      assertEquals(Optional.of(kind), SealedKind.of(kind.attribute));
    }
  }

  @Test
  void theMarkThatRecordsAreFinalizedIsAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.FINALIZED,
        bytes -> ByteBuffer.allocate(Long.BYTES).putLong(FinalizedMark.parse(bytes)).array(),
        Map.of("since 2026", FinalizedMark.of(1_767_225_600_000L)));
  }
}
