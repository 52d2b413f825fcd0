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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.version.VersionPlaces.AtPath;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of versions without a worker: every row of the table; and the records. */
class TestVersionFate {
  private static final long PUBLISHED_MS = 1_000_000;
  private static final long GRACE_MS = 5_000;

  static VersionRecord making() {
    return making(17);
  }

  static VersionRecord making(long inodeId) {
    FileFacts facts = FileFacts.of("/ec/\u00e4 f", FileFacts.Kind.FILE, inodeId)
        .with(f -> f.groups = List.of(new FileGroup(new GroupId("pool", -16, 1_001), 5,
        0))).build();
    return VersionRecord.begin(VersionRequest.of("j1", "/ec/\u00e4 f", inodeId).user("alice")
            .policy("P").graceMs(GRACE_MS).build(),
        new TargetFile(facts, 12, "\u00e4 f", FsPermission.getFileDefault(), 1 << 20, null), 3);
  }

  @ParameterizedTest
  @CsvSource({
      // step, old kept, new kept, old exists, at the path, after the grace -> fate
      "MAKING,     false, false, true,  OLD,          false, UNDO",
      "MAKING,     false, true,  true,  OLD,          false, UNDO",
      "MAKING,     false, true,  true,  NOTHING,      false, UNDO",
      "MAKING,     false, true,  false, OTHER,        true,  UNDO",
      "MAKING,     false, true,  false, NO_DIRECTORY, true,  UNDO",
      "MAKING,     true,  true,  true,  NOTHING,      true,  ASK",
      "PUBLISHING, false, true,  true,  OLD,          true,  UNDO",
      "PUBLISHING, false, true,  true,  NOTHING,      true,  UNDO",
      "PUBLISHING, false, true,  true,  OTHER,        true,  UNDO",
      "PUBLISHING, false, true,  false, OTHER,        true,  ASK",
      "PUBLISHING, false, true,  false, NOTHING,      true,  ASK",
      "PUBLISHING, false, false, true,  OTHER,        false, CLEAN",
      "PUBLISHING, true,  true,  true,  NOTHING,      true,  FINISH",
      "PUBLISHING, true,  true,  true,  OTHER,        true,  ASK",
      "PUBLISHING, true,  true,  true,  OLD,          true,  ASK",
      "PUBLISHING, true,  true,  true,  NO_DIRECTORY, true,  ASK",
      "PUBLISHING, true,  false, true,  OTHER,        false, KEEP",
      "PUBLISHING, true,  false, true,  NOTHING,      false, KEEP",
      "PUBLISHING, true,  false, true,  OTHER,        true,  CLEAN",
      "PUBLISHING, true,  false, true,  NO_DIRECTORY, true,  CLEAN"})
  void everyRow(VersionStep step, boolean oldKept, boolean newKept, boolean oldExists,
      AtPath atPath, boolean isAfterGrace, VersionFate fate) {
    VersionRecord record =
        step == VersionStep.MAKING ? making() : making().publishing(PUBLISHED_MS);
    long now = PUBLISHED_MS + GRACE_MS - (isAfterGrace ? 0 : 1);
    assertEquals(fate, VersionFate.of(record,
        new VersionPlaces(oldKept, newKept, oldExists, false, atPath), now));
  }

  /** Hadoop fails to delete such a version, and its memory then differs from its edit log. */
  @Test
  void anOldVersionThatASnapshotHoldsIsKeptAfterItsGrace() {
    VersionRecord record = making().publishing(PUBLISHED_MS);
    for (long ms : new long[] {0, GRACE_MS, 1_000 * GRACE_MS}) {
      assertEquals(VersionFate.KEEP, VersionFate.of(record,
          new VersionPlaces(true, false, true, true, AtPath.OTHER), PUBLISHED_MS + ms));
    }
    assertEquals(VersionFate.FINISH, VersionFate.of(record,
        new VersionPlaces(true, true, true, true, AtPath.NOTHING), PUBLISHED_MS));
  }

  @ParameterizedTest
  @CsvSource({
      // at the path, held -> fate, in the grace, of a version whose new one is nowhere any more
      "NOTHING,      false, CLEAN",
      "NO_DIRECTORY, false, CLEAN",
      "OTHER,        false, KEEP",
      "NOTHING,      true,  KEEP"})
  void whatHasNoNewVersionAnyMore(AtPath atPath, boolean isHeld, VersionFate fate) {
    assertEquals(fate, VersionFate.of(making().publishing(PUBLISHED_MS),
        new VersionPlaces(true, false, true, isHeld, atPath).withoutNew(), PUBLISHED_MS));
    assertEquals(VersionFate.KEEP, VersionFate.of(making().publishing(PUBLISHED_MS),
        new VersionPlaces(true, false, true, isHeld, atPath), PUBLISHED_MS));
  }

  @Test
  void recordsComeBackAsTheyWere() throws Exception {
    VersionRecord record =
        making().at(VersionHome.COMMITS).made(21, -32).publishing(PUBLISHED_MS);
    VersionRecord read = VersionRecord.parse(record.toBytes());
    assertEquals(new String(record.toBytes(), StandardCharsets.UTF_8),
        new String(read.toBytes(), StandardCharsets.UTF_8));
    assertEquals(VersionStep.PUBLISHING, read.step);
    assertEquals("\u00e4 f", read.name);
    assertEquals("/.hdfs-ppr/commits/11/17", read.directory());
    assertEquals(21, read.newInodeId);
    assertEquals(-32, read.newGroupId);
    assertEquals(GRACE_MS, read.askedGraceMs);
    assertEquals(PUBLISHED_MS + GRACE_MS, read.graceEndMs());
    assertThrows(IllegalStateException.class, () -> read.publishing(0));
  }

  /** A NameNode of 0.2.0 knows of the grace alone, so that this is what the record extends. */
  @Test
  void theGraceLastsUntilTheNewVersionIsDurable() throws Exception {
    assertEquals(PUBLISHED_MS + GRACE_MS, VersionRecord.parse(making()
        .keptAtLeast(GRACE_MS - 1).publishing(PUBLISHED_MS).toBytes()).graceEndMs());
    assertEquals(PUBLISHED_MS + GRACE_MS + 1, VersionRecord.parse(making()
        .keptAtLeast(GRACE_MS + 1).publishing(PUBLISHED_MS).toBytes()).graceEndMs());
  }

  /** Readers get what their owner has asked for. */
  @Test
  void aLongerGraceIsNotOneThatWasAskedFor() throws Exception {
    assertEquals(GRACE_MS, making().keptAtLeast(GRACE_MS).askedGraceMs);
    VersionRecord longer = VersionRecord.parse(making().keptAtLeast(GRACE_MS + 1)
        .keptAtLeast(GRACE_MS + 2).toBytes());
    assertEquals(GRACE_MS, longer.askedGraceMs);
    assertEquals(GRACE_MS + 2, longer.graceMs);
  }

  /** The text is one that 0.2.0 wrote. 0.2.0 reads past fields that it does not know. */
  @Test
  void recordsOfTheReleaseBeforeAreReadAndWrittenAlike() throws Exception {
    String text = "{\"step\":\"PUBLISHING\",\"job\":\"j1\",\"path\":\"/ec/f\",\"inode\":16390,"
        + "\"parent\":16388,\"name\":\"f\",\"user\":\"alice\",\"policy\":\"LRC-L2-6-4-1024k\","
        + "\"digest\":\"d\",\"term\":3,\"grace_ms\":86400000,\"published_ms\":1767225600000}";
    byte[] sealed = SealedText.seal("version", 1, text);
    assertEquals(new String(sealed, StandardCharsets.UTF_8),
        new String(VersionRecord.parse(sealed).toBytes(), StandardCharsets.UTF_8));
    VersionRecord read = VersionRecord.parse(SealedText.seal("version", 1,
        text.replace("{\"step\"", "{\"later\":{\"x\":1},\"step\"")));
    assertEquals(16_390, read.inodeId);
    assertEquals(1_767_225_600_000L + 86_400_000, read.graceEndMs());
  }

  @Test
  void tooOldAndTooNewAndCorruptRecordsAreToldApart() {
    String good = new String(making().toBytes(), StandardCharsets.UTF_8);
    assertEquals(BadRecordException.Why.TOO_NEW, why(good.replace("version 1 ", "version 2 ")));
    assertEquals(BadRecordException.Why.TOO_OLD, why(good.replace("version 1 ", "version 0 ")));
    for (String bad : new String[] {"", "\n", good.replace("alice", "malice"),
        good.substring(0, good.length() - 1), good.substring(1),
        good.replace("ppr version", "ppr job"),
        new String(SealedText.seal("version", 1, "{}"), StandardCharsets.UTF_8),
        new String(SealedText.seal("version", 1, "["), StandardCharsets.UTF_8),
        new String(SealedText.seal("version", 1, good.substring(good.indexOf('\n') + 1)
            .replace("MAKING", "BAKING")), StandardCharsets.UTF_8)}) {
      assertEquals(BadRecordException.Why.CORRUPT, why(bad), bad);
    }
    assertTrue(good.startsWith("hdfs-ppr version 1 "), good);
  }

  private static BadRecordException.Why why(String text) {
    return assertThrows(BadRecordException.class, () ->
        VersionRecord.parse(text.getBytes(StandardCharsets.UTF_8))).why;
  }
}
