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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.hdfsppr.record.RecordFile;
import org.junit.jupiter.api.Test;

/** Records the bytes of the attribute that makes a parity file a CORE group. */
class TestMembershipBytes {
  private static final int FORMAT_AT = 4;

  private static MemberRow row(long fileId, int blockGroups) {
    GroupIdentity[] identities = new GroupIdentity[blockGroups];
    for (int i = 0; i < blockGroups; i++) {
      identities[i] = new GroupIdentity(-9223372036854775808L + 16 * (1000 * fileId + i), 1001 + i,
          i < blockGroups - 1 ? 12 << 20 : 12_345);
    }
    return MemberRow.of(fileId, List.of(identities));
  }

  private static CoreMembership whole() {
    return new CoreMembership(77, "CORE-T5-12-2-1024k", row(16_390, 2),
        List.of(row(16_386, 2), row(16_387, 1), row(16_388, 2)));
  }

  private static CoreMembership least() {
    return new CoreMembership(1, "P", row(3, 1), List.of(row(1, 1), row(2, 1)));
  }

  /** The files have too many block groups for a record, which has digests in their place. */
  private static CoreMembership large() {
    return new CoreMembership(78, "RS-6-3-1024k", row(16_390, 400),
        List.of(row(16_386, 400), row(16_387, 399)));
  }

  private static CoreMembership takenOut() {
    return new CoreMembership(79, "RS-6-3-1024k", row(16_390, 1),
        List.of(row(16_386, 1), row(16_388, 1)), 5);
  }

  private static byte[] ofFormat(int format, byte[] record) {
    byte[] other = record.clone();
    other[FORMAT_AT] = (byte) format;
    CRC32C crc = new CRC32C();
    crc.update(other, 0, other.length - Integer.BYTES);
    ByteBuffer.wrap(other).putInt(other.length - Integer.BYTES, (int) crc.getValue());
    return other;
  }

  @Test
  void bytesAreAsRecorded() throws IOException {
    byte[] whole = whole().toBytes();
    RecordFile.of("core-membership", "trusted.hdfs-ppr.core-group of a parity file",
        bytes -> CoreMembership.parse(bytes).toBytes())
        .record("of three files", whole)
        .record("of two files, the least", least().toBytes())
        .record("with digests", large().toBytes())
        .record("of a group without three of its five files", takenOut().toBytes())
        .given("of a later version", ofFormat(3, whole))
        .given("of no version", ofFormat(0, whole))
        .given("a byte too long", Arrays.copyOf(whole, whole.length + 1))
        .check();
  }

  @Test
  void whatRelease020HasLeftIsRead() throws IOException {
    Map<String, byte[]> left = RecordFile.of020("hdfs-ppr.core-group",
        bytes -> CoreMembership.parse(bytes).toBytes());
    assertEquals(Set.of("/.hdfs-ppr/core/groups/37/16439"), left.keySet());
    CoreMembership group = CoreMembership.parse(left.values().iterator().next());
    assertEquals(16_439, group.groupId);
    assertEquals("RS-6-3-16k", group.policy);
    assertEquals(2, group.formedFiles);
    assertEquals(16_439, group.parity.fileId);
    assertEquals(1, group.parity.blockGroups);
    assertEquals(100, group.parity.length);
    assertEquals(List.of(
        MemberRow.of(16_430, List.of(new GroupIdentity(-9223372036854775584L, 1014, 100))),
        MemberRow.of(16_431, List.of(new GroupIdentity(-9223372036854775568L, 1015, 100)))),
        group.files);
  }

  /** Each attribute of that release has a test that reads it, in the module of its reader. */
  @Test
  void attributesOfRelease020AreTheseAndNoOthers() throws IOException {
    String known = "commits core core-group file first-inode gone-since job latest-term scrub terms"
        + " updatable update version";
    assertEquals(known, RecordFile.allOf020("namespace.txt").keySet().stream()
        .filter(name -> name.contains(" trusted.hdfs-ppr."))
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .collect(Collectors.toCollection(TreeSet::new)).stream()
        .collect(Collectors.joining(" ")));
  }
}
