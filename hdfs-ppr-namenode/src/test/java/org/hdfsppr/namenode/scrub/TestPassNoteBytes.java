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
package org.hdfsppr.namenode.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.hdfsppr.record.RecordFile;
import org.junit.jupiter.api.Test;

/** Records the bytes of the attribute that says how far background checks of a path are. */
class TestPassNoteBytes {
  private static final Instant BEGAN = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant ENDED = Instant.parse("2026-01-03T04:05:06.789Z");

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void bytesAreAsRecorded() throws IOException {
    PassNote ended = PassNote.NONE.begun(BEGAN)
        .advanced("/ec/z", new ScrubCounts(12, 11, 2, 1, 1_234)).finished(ENDED);
    RecordFile.of("scrub-note", "trusted.hdfs-ppr.scrub of a path that is checked",
        bytes -> PassNote.parse(bytes).toBytes())
        .record("before the first pass", PassNote.NONE.toBytes())
        .record("before the first file", PassNote.NONE.begun(BEGAN).toBytes())
        .record("between two passes", ended.toBytes())
        .record("in the second pass", ended.begun(ENDED)
            .advanced("/ec/\u00fc \"\\", new ScrubCounts(5, 4, 3, 2, 1)).toBytes())
        .given("of a later version", text("{\"version\":2,\"pass\":1}"))
        .given("of an earlier version", text("{\"version\":0,\"pass\":1}"))
        .given("without a version", text("{\"pass\":1}"))
        .given("with a field that is not known", text("{\"version\":1,\"pass\":1,\"colour\":2}"))
        .given("without the begin of the last pass", text("{\"version\":1,\"pass\":1,"
            + "\"last\":{\"finished\":\"2026-01-03T04:05:06Z\",\"groups\":1}}"))
        .given("with a time that is none", text("{\"version\":1,\"started\":\"noon\"}"))
        .given("no object", text("[]"))
        .check();
  }

  @Test
  void nameIsAsRecorded() {
    assertEquals("hdfs-ppr.scrub", NameNodeNamespace.XATTR);
  }

  @Test
  void whatRelease020HasLeftIsRead() throws IOException {
    Map<String, byte[]> left = RecordFile.of020(NameNodeNamespace.XATTR,
        bytes -> PassNote.parse(bytes).toBytes());
    assertEquals(Set.of("/scrubbed"), left.keySet());
    PassNote read = PassNote.parse(left.get("/scrubbed"));
    assertEquals(1, read.pass);
    assertEquals(null, read.started);
    assertEquals(Instant.parse("2026-11-30T04:37:14.766Z"), read.lastStarted);
    assertEquals(Instant.parse("2026-11-30T04:37:16.114Z"), read.lastFinished);
    assertEquals("2 2 0 0 800", String.join(" ", "" + read.last.groups,
        "" + read.last.checked, "" + read.last.contradictions,
        "" + read.last.notChecked, "" + read.last.bytes));
  }
}
