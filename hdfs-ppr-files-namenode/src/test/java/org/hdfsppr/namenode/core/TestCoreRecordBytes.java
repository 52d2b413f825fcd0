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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hdfsppr.core.membership.BadMembershipException;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.namenode.record.SealedRecordFile;
import org.hdfsppr.namenode.version.SealedText;
import org.hdfsppr.record.RecordFile;
import org.junit.jupiter.api.Test;

/** Records the bytes of a protected directory's attribute, and where parity files lie. */
class TestCoreRecordBytes {
  private static final long INODE = 16_390;

  private static byte[] directory(int files, boolean recursive, String user) {
    return new ProtectedDirectory(INODE, "/logs", files, recursive, user).toBytes();
  }

  @Test
  void bytesAreAsRecorded() throws IOException {
    String text = "{\"files\":5,\"recursive\":true,\"user\":\"alice\"}";
    RecordFile.of("core-directory", "trusted.hdfs-ppr.core of a protected directory",
        bytes -> ProtectedDirectory.parse(INODE, "/logs", bytes).toBytes())
        .record("with all below", directory(5, true, "alice"))
        .record("the least", directory(2, false, ""))
        .given("of a later version", SealedText.seal("core", 2, text))
        .given("of no version", SealedText.seal("core", 0, text))
        .given("with a field that is not known", SealedText.seal("core", 1,
            text.replace("{", "{\"colour\":\"blue\",")))
        .given("without a user", SealedText.seal("core", 1,
            text.replace(",\"user\":\"alice\"", "")))
        .given("of too many files", SealedText.seal("core", 1, text.replace("5", "64")))
        .given("nothing", "hdfs-ppr core 1 00000000\n".getBytes(StandardCharsets.UTF_8))
        .check();
  }

  @Test
  void sealedGroupsAreAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.CORE_GROUP,
        bytes -> GroupLoader.parse(bytes).toBytes(), Map.of("of two files", group()));
  }

  private static byte[] group() {
    return new CoreMembership(77, "RS-6-3-1024k", row(16_390), List.of(row(16_386), row(16_388)))
        .toBytes();
  }

  private static MemberRow row(long fileId) {
    return MemberRow.of(fileId, List.of(
        new GroupIdentity(-9223372036854775808L + 16 * fileId, 1_001, 12_345)));
  }

  /** These readers are those of 0.2.0: they leave sealed records alone, and name the format. */
  @Test
  void release020TakesSealedRecordsForLaterOnes() {
    BadMembershipException group = assertThrows(BadMembershipException.class,
        () -> CoreMembership.parse(SealedRecord.seal(SealedKind.CORE_GROUP, group())));
    assertEquals(BadMembershipException.Why.TOO_NEW, group.why);
  }

  @Test
  void placesAreAsRecorded() {
    assertEquals("hdfs-ppr.core", CoreNamespace.XATTR);
    assertEquals("hdfs-ppr.core-group", CoreFolder.XATTR);
    assertEquals("/.hdfs-ppr/core", CoreFolder.ROOT);
    assertEquals("/.hdfs-ppr/core/work", CoreFolder.WORK);
    assertEquals("/.hdfs-ppr/core/groups/06/16390", CoreFolder.parity(INODE));
  }

  @Test
  void whatRelease020HasLeftIsRead() throws IOException {
    Map<String, byte[]> left = RecordFile.of020(CoreNamespace.XATTR,
        bytes -> ProtectedDirectory.parse(INODE, "/x", bytes).toBytes());
    assertEquals(Set.of("/core/one", "/core/two"), left.keySet());
    for (String path : left.keySet()) {
      ProtectedDirectory read = ProtectedDirectory.parse(INODE, path, left.get(path));
      assertEquals(2, read.files);
      assertEquals(path.equals("/core/two"), read.recursive);
      assertEquals("root", read.user);
    }
    assertEquals(Set.of("/.hdfs-ppr/core/groups/37/16439"),
        RecordFile.of020(CoreFolder.XATTR, bytes -> bytes).keySet());
    assertEquals("/.hdfs-ppr/core/groups/37/16439", CoreFolder.parity(16_439));
  }
}
