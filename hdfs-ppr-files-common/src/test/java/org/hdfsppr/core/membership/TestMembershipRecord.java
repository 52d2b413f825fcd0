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
package org.hdfsppr.core.membership;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Tests the record of a CORE group: what it keeps, what it refuses, and what it finds stale. */
class TestMembershipRecord {
  private static final String POLICY = "CORE-T5-12-2-1024k";

  private static List<GroupIdentity> identities(int row, int count) {
    List<GroupIdentity> identities = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      identities.add(new GroupIdentity(-9223372036854775808L + 16L * (10_000 * row + i), 1001 + i,
          i < count - 1 ? 12L << 27 : 12345));
    }
    return identities;
  }

  private static MemberRow row(int row, int count) {
    return MemberRow.of(16386 + row, identities(row, count));
  }

  private static CoreMembership group(int files, int blockGroups) {
    List<MemberRow> rows = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      rows.add(row(i, blockGroups));
    }
    return new CoreMembership(77, POLICY, row(files, blockGroups), rows);
  }

  @Test
  void recordsReadAsTheyWereWritten() throws BadMembershipException {
    for (int files : new int[] {2, 3, 5, 63}) {
      for (int blockGroups : new int[] {1, 2, 100}) {
        CoreMembership group = group(files, blockGroups);
        byte[] record = group.toBytes();
        CoreMembership read = CoreMembership.parse(record);
        assertEquals(record.length <= CoreMembership.BYTES_MAX
            && read.files.get(0).isExact() ? group : group.toDigests(), read);
        assertArrayEquals(record, read.toBytes());
        assertEquals(group.groupId, read.groupId);
        assertEquals(POLICY, read.policy);
        assertEquals(group.files.get(1).length, read.files.get(1).length);
      }
    }
  }

  /** Five files keep identities of 134 block groups each. Beyond that, each row has a digest. */
  @Test
  void largeGroupsHaveDigests() throws BadMembershipException {
    byte[] exact = group(5, 134).toBytes();
    assertTrue(exact.length <= CoreMembership.BYTES_MAX);
    assertEquals(group(5, 134), CoreMembership.parse(exact));
    byte[] digests = group(5, 135).toBytes();
    CoreMembership read = CoreMembership.parse(digests);
    assertTrue(read.files.stream().noneMatch(MemberRow::isExact));
    assertEquals(135, read.files.get(0).blockGroups);
    assertTrue(digests.length < 300, "" + digests.length);
    byte[] most = group(63, 5000).toBytes();
    assertTrue(most.length < 3000, "" + most.length);
    assertEquals(group(63, 5000).toDigests(), CoreMembership.parse(most));
  }

  @Test
  void exactRowsSayWhichBlockGroupsAreStale() {
    MemberRow row = row(1, 4);
    List<GroupIdentity> now = identities(1, 4);
    assertEquals(bits(), row.stale(now));
    assertEquals(bits(0, 1, 2, 3), row.stale(List.of()));
    assertEquals(bits(3), row.stale(now.subList(0, 3)));
    GroupIdentity third = now.get(2);
    for (GroupIdentity other : List.of(
        new GroupIdentity(third.groupId + 16, third.generationStamp, third.length),
        new GroupIdentity(third.groupId, third.generationStamp + 1, third.length),
        new GroupIdentity(third.groupId, third.generationStamp, third.length - 1))) {
      List<GroupIdentity> changed = new ArrayList<>(now);
      changed.set(2, other);
      assertEquals(bits(2), row.stale(changed));
      assertEquals(bits(0, 1, 2, 3), row.toDigest().stale(changed));
    }
    List<GroupIdentity> gap = new ArrayList<>(now);
    gap.set(1, null);
    assertEquals(bits(1), row.stale(gap));
    assertEquals(bits(0, 1, 2, 3), row.toDigest().stale(gap));
    List<GroupIdentity> appended = new ArrayList<>(now);
    appended.add(new GroupIdentity(-16, 5000, 1));
    assertEquals(bits(), row.stale(appended));
    assertEquals(bits(), row.toDigest().stale(appended));
    assertEquals(bits(), row.toDigest().stale(now));
    assertEquals(bits(0, 1, 2, 3), row.toDigest().stale(now.subList(0, 3)));
    List<GroupIdentity> swapped = List.of(now.get(1), now.get(0), now.get(2), now.get(3));
    assertEquals(bits(0, 1), row.stale(swapped));
    assertEquals(bits(0, 1, 2, 3), row.toDigest().stale(swapped));
  }

  private static BitSet bits(int... set) {
    BitSet bits = new BitSet();
    Arrays.stream(set).forEach(bits::set);
    return bits;
  }

  @Test
  void impossibleGroupsAreRefused() {
    MemberRow parity = row(9, 2);
    List<MemberRow> rows = List.of(row(0, 2), row(1, 2));
    for (String policy : List.of("", "A B", "caf\u00e9", "x".repeat(129))) {
      assertThrows(IllegalArgumentException.class,
          () -> new CoreMembership(1, policy, parity, rows));
    }
    assertThrows(IllegalArgumentException.class, () -> new CoreMembership(0, POLICY, parity, rows));
    assertThrows(IllegalArgumentException.class,
        () -> new CoreMembership(1, POLICY, parity, rows.subList(0, 1)));
    assertThrows(IllegalArgumentException.class,
        () -> new CoreMembership(1, POLICY, parity, List.of(row(0, 2), row(0, 2))));
    assertThrows(IllegalArgumentException.class,
        () -> new CoreMembership(1, POLICY, parity, List.of(row(0, 2), row(9, 2))));
    assertThrows(IllegalArgumentException.class,
        () -> new CoreMembership(1, POLICY, parity, List.of(row(0, 2), row(1, 3))));
    // A column in which no member has a block is no relation.
    assertThrows(IllegalArgumentException.class,
        () -> new CoreMembership(1, POLICY, row(9, 3), rows));
    assertThrows(IllegalArgumentException.class, () -> new CoreMembership(1, POLICY, parity,
        List.of(row(0, 2), MemberRow.of(5, identities(0, 2)))));
    assertThrows(IllegalArgumentException.class, () -> MemberRow.of(1, List.of()));
    assertThrows(IllegalArgumentException.class, () -> MemberRow.of(0, identities(1, 1)));
    assertThrows(IllegalArgumentException.class, () -> MemberRow.of(1, List.of(
        new GroupIdentity(-32, 1, Long.MAX_VALUE), new GroupIdentity(-16, 1, 1))));
    assertThrows(IllegalArgumentException.class, () -> new GroupIdentity(0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new GroupIdentity(-1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new GroupIdentity(-1, 1, 0));
    assertThrows(IllegalStateException.class, () -> parity.toDigest().identities());
  }

  /** No single change of a byte and no lost end goes unnoticed. */
  @Test
  void damagedRecordsAreCorrupt() {
    byte[] record = group(3, 2).toBytes();
    for (int i = 0; i < record.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = record.clone();
        damaged[i] ^= 1 << bit;
        assertCorrupt(damaged);
      }
      assertCorrupt(Arrays.copyOf(record, i));
      assertCorrupt(Arrays.copyOf(record, record.length + i + 1));
    }
    assertCorrupt(new byte[0]);
    assertCorrupt(new byte[CoreMembership.BYTES_MAX + 1]);
  }

  private static void assertCorrupt(byte[] record) {
    BadMembershipException e =
        assertThrows(BadMembershipException.class, () -> CoreMembership.parse(record));
    assertEquals(BadMembershipException.Why.CORRUPT, e.why);
  }

  @Test
  void newerFormatsAreNamedAsSuch() {
    byte[] record = group(3, 2).toBytes();
    record[4] = 3;
    BadMembershipException e = assertThrows(BadMembershipException.class,
        () -> CoreMembership.parse(sealed(record)));
    assertEquals(BadMembershipException.Why.TOO_NEW, e.why);
    assertTrue(e.getMessage().contains("format is 3"), e.getMessage());
  }

  /** Members can be taken out of a group. Records of whole groups stay as they were. */
  @Test
  void groupsFromWhichMembersWereTakenOutHaveAFormatOfTheirOwn() throws BadMembershipException {
    for (int blockGroups : new int[] {2, 200}) {
      CoreMembership whole = group(4, blockGroups);
      CoreMembership less = new CoreMembership(whole.groupId, POLICY, whole.parity,
          whole.files, 5);
      byte[] record = less.toBytes();
      assertEquals(2, record[4]);
      assertEquals(whole.toBytes().length + 1, record.length);
      CoreMembership read = CoreMembership.parse(record);
      assertEquals(5, read.formedFiles);
      assertEquals(4, read.files.size());
      assertEquals(blockGroups == 2 ? less : less.toDigests(), read);
      assertArrayEquals(record, read.toBytes());
      assertTrue(!read.equals(CoreMembership.parse(whole.toBytes())));
      // A whole group has one way to be written only.
      for (int formed : new int[] {0, 3, 4, 64, 255}) {
        byte[] wrong = record.clone();
        wrong[4 + 1 + 8 + 1 + POLICY.length() + 1] = (byte) formed;
        assertCorrupt(sealed(wrong));
      }
    }
    CoreMembership group = group(4, 2);
    for (int formed : new int[] {3, 64}) {
      assertThrows(IllegalArgumentException.class, () ->
          new CoreMembership(1, POLICY, group.parity, group.files, formed));
    }
  }

  private static byte[] sealed(byte[] record) {
    CRC32C crc = new CRC32C();
    crc.update(record, 0, record.length - 4);
    ByteBuffer.wrap(record).putInt(record.length - 4, (int) crc.getValue());
    return record;
  }

  /**
   * Changes bytes and lengths of records and makes the checksums fit again. Each such record is
   * refused in the declared way, or is the record of a group that is written in the same bytes.
   */
  @Test
  void forgedRecordsAreRefusedOrRight() {
    Random random = new Random(6);
    int refused = 0;
    int read = 0;
    for (int i = 0; i < 60_000; i++) {
      CoreMembership group = group(2 + random.nextInt(4), 1 + random.nextInt(3));
      byte[] record = (random.nextBoolean() ? group : group.toDigests()).toBytes();
      for (int j = random.nextInt(3); j >= 0; j--) {
        int at = 5 + random.nextInt(record.length - 9);
        record[at] = random.nextBoolean() ? (byte) random.nextInt(256)
            : (byte) (record[at] ^ 1 << random.nextInt(8));
      }
      if (random.nextInt(4) == 0) {
        record = Arrays.copyOf(record, Math.max(20, record.length + random.nextInt(60) - 30));
      }
      try {
        assertArrayEquals(record, CoreMembership.parse(sealed(record)).toBytes());
        read++;
      } catch (BadMembershipException e) {
        assertEquals(BadMembershipException.Why.CORRUPT, e.why);
        refused++;
      }
    }
    assertTrue(refused > 5_000 && read > 5_000, refused + " refused, " + read + " read");
  }

  @Test
  void membershipsAreValues() {
    assertEquals(group(3, 2), group(3, 2));
    assertEquals(group(3, 2).hashCode(), group(3, 2).hashCode());
    assertNotEquals(group(3, 2), group(3, 3));
    assertNotEquals(group(3, 2), group(3, 2).toDigests());
    assertFalse(group(3, 2).parity.isExact());
  }
}
