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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.namenode.record.SealedRecordFile;
import org.hdfsppr.record.RecordFile;
import org.junit.jupiter.api.Test;

/** Records the bytes of the attribute of a version's directory, and where the directory lies. */
class TestVersionRecordBytes {
  private static final long INODE = 16_390;
  private static final long HOUR_MS = 3_600_000;
  private static final long NOW_MS = 1_767_225_600_000L;

  private static VersionRecord begun(String job, String path, String name) {
    FileFacts facts = FileFacts.of(path, FileFacts.Kind.FILE, INODE).build();
    return VersionRecord.begin(VersionRequest.of(job, path, INODE).user("alice")
        .policy("LRC-L2-6-4-1024k").graceMs(HOUR_MS).build(),
        new TargetFile(facts, 16_388, name, FsPermission.getFileDefault(), 1 << 20, null), 3);
  }

  private static VersionRecord begun() {
    return begun("c-17", "/ec/f", "f");
  }

  private static String text(VersionRecord record) {
    String text = new String(record.toBytes(), StandardCharsets.UTF_8);
    return text.substring(text.indexOf('\n') + 1);
  }

  @Test
  void bytesAreAsRecorded() throws IOException {
    String text = text(begun());
    RecordFile.of("version", "trusted.hdfs-ppr.version of a version's directory",
        bytes -> VersionRecord.parse(bytes).toBytes())
        .record("being made, as 0.2.0 writes it", begun().toBytes())
        .record("being published, as 0.2.0 writes it", begun().publishing(NOW_MS).toBytes())
        .record("with all fields", begun("c-17", "/ec/\u00fc \"\\", "\u00fc \"\\")
            .at(VersionHome.CONVERSIONS).made(16_395, -9223372036854775536L)
            .keptAtLeast(24 * HOUR_MS).publishing(NOW_MS).toBytes())
        .record("of a commit", begun(VersionEngine.COMMITS_JOB, "/ec/f", "f")
            .at(VersionHome.COMMITS).made(16_395, 0).publishing(NOW_MS).toBytes())
        .given("of a later version", SealedText.seal("version", 2, text))
        .given("of no version", SealedText.seal("version", 0, text))
        .given("of another kind", SealedText.seal("core", 1, text))
        .given("with a field that is not known", SealedText.seal("version", 1,
            text.replace("{", "{\"colour\":\"blue\",")))
        .given("without a field", SealedText.seal("version", 1,
            text.replace("\"term\":3,", "")))
        .given("of a step that is not known", SealedText.seal("version", 1,
            text.replace("MAKING", "COOKING")))
        .given("of a home that is not known", SealedText.seal("version", 1,
            text.replace("{", "{\"home\":\"MOON\",")))
        .check();
  }

  @Test
  void sealedBytesAreAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.VERSION, bytes -> VersionRecord.parse(bytes).toBytes(),
        Map.of("being published", begun().publishing(NOW_MS).toBytes()));
  }

  /** This reader is that of 0.2.0: it leaves a sealed record alone, and names its format. */
  @Test
  void release020TakesASealedRecordForALaterOne() {
    byte[] sealed = SealedRecord.seal(SealedKind.VERSION, begun().toBytes());
    BadRecordException e = assertThrows(BadRecordException.class,
        () -> SealedText.open("version", 1, 1, sealed));
    assertEquals(BadRecordException.Why.TOO_NEW, e.why);
  }

  @Test
  void directoriesAreAsRecorded() {
    assertEquals("/.hdfs-ppr", VersionNamespace.ROOT);
    assertEquals("hdfs-ppr.version", VersionNamespace.XATTR);
    assertEquals("/.hdfs-ppr/versions/16390", VersionHome.FLAT.directory(INODE));
    assertEquals("/.hdfs-ppr/conversions/06/16390", VersionHome.CONVERSIONS.directory(INODE));
    assertEquals("/.hdfs-ppr/commits/06/16390", VersionHome.COMMITS.directory(INODE));
    for (VersionHome home : VersionHome.values()) {
      assertEquals(INODE, VersionHome.versionOf(home.directory(INODE) + "/new").getAsLong());
      assertEquals(INODE, VersionHome.versionOf(home.directory(INODE) + "/old").getAsLong());
    }
  }

  private static String say(VersionRecord record) {
    return String.join(" ", record.directory(), record.step.name(), record.jobId,
        record.path, "" + record.inodeId, "" + record.parentId, record.name, record.user,
        record.policy, record.digest.substring(0, 8), "" + record.term,
        "" + record.graceMs, "" + record.askedGraceMs,
        "" + (record.graceEndMs() - record.graceMs), record.home.name(),
        "" + record.newInodeId, "" + record.newGroupId);
  }

  @Test
  void whatRelease020HasLeftIsRead() throws IOException {
    List<String> read = new ArrayList<>();
    for (Map.Entry<String, byte[]> one : RecordFile.of020(VersionNamespace.XATTR,
        bytes -> VersionRecord.parse(bytes).toBytes()).entrySet()) {
      VersionRecord record = VersionRecord.parse(one.getValue());
      assertEquals(one.getKey(), record.directory());
      read.add(say(record));
    }
    assertEquals(List.of(
        "/.hdfs-ppr/versions/16389 MAKING commits /images/committing 16389 16386 committing root"
            + " RS-6-3-16k e31c7604 65536 0 0 0 FLAT 0 0",
        "/.hdfs-ppr/versions/16409 PUBLISHING convert-20261130-042837-8krrfz /convert/done/a 16409"
            + " 16408 a root HITCHHIKER-XOR-6-3-16k bef853fb 65536 604800000 604800000"
            + " 1796012929422 FLAT 0 0",
        "/.hdfs-ppr/versions/16411 MAKING convert-20261130-042857-rl7qct /convert/open/b 16411"
            + " 16410 b root HITCHHIKER-XOR-6-3-16k d7159f1f 65536 3600000 3600000 0 FLAT 0 0"),
        read);
  }
}
