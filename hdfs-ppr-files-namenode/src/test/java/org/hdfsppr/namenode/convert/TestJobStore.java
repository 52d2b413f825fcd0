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
package org.hdfsppr.namenode.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.junit.jupiter.api.Test;

/** Tests the text of a job's record, and that a store writes over nothing that it has not read. */
class TestJobStore {
  private static JobRecord record(String... paths) {
    return JobRecord.of(new ConversionRequest("j-1", ConversionOptions.of("P").with(o -> o
        .setForce(true).setIdleMs(7).setGraceMs(8).setConcurrency(9)
        .setBytesPerS(1 << 20)), List.of(paths)),
        "alice", 11);
  }

  private static JobRecord full() {
    JobRecord job = record("/a", "/\u00e4 \"b\"").with(status -> status
        .setState(ConversionState.PAUSED.number)
        .setWhy("why")
        .setStartedMs(12)
        .setTotalFiles(5)
        .setTotalBytes(6)
        .setCounts(ConversionCounts.NONE.plus(Number.CONVERTED, 3)
            .plus(Number.BYTES_MOVED, 1L << 60).plusRefused("open", 2).toProto())
        .addFailures(new ConversionFailure("/a/x", "refused", "open", "it is open").toProto()));
    return new JobRecord(job.status, 1, "/\u00e4 \"b\"/c", 7, 42);
  }

  private static JobRecord with(String path, List<ConversionFailure> failures, String cursor) {
    JobRecord job = record(path).with(status ->
        failures.forEach(one -> status.addFailures(one.toProto())));
    return new JobRecord(job.status, 0, cursor, 0, 0);
  }

  @Test
  void aRecordIsReadAsItWasWritten() throws IOException {
    byte[] text = full().toBytes();
    JobRecord read = JobRecord.parse(text);
    assertArrayEquals(text, read.toBytes());
    assertEquals(ConversionState.PAUSED, read.status.state);
    assertEquals("/\u00e4 \"b\"/c", read.cursor);
    assertEquals(1, read.pathIndex);
    assertEquals(1L << 60, read.status.counts.get(Number.BYTES_MOVED));
    assertEquals(42, read.revision);
    assertEquals(7, read.term);
    assertEquals(9, read.status.options.concurrency);
    assertEquals(6, read.status.totalBytes.getAsLong());
    assertEquals("it is open", read.status.failures.get(0).sentence);
  }

  @Test
  void damageAndNewerVersionsAreToldApart() throws IOException {
    byte[] text = full().toBytes();
    for (int i = 0; i < text.length; i++) {
      byte[] wrong = text.clone();
      wrong[i] ^= 1;
      int at = i;
      assertThrows(IOException.class, () -> JobRecord.parse(wrong), () -> "byte " + at);
      byte[] torn = Arrays.copyOf(text, i);
      assertThrows(JobRecord.BrokenRecordException.class, () -> JobRecord.parse(torn));
    }
    assertThrows(JobRecord.NewerRecordException.class,
        () -> JobRecord.parse("hdfs-ppr-job 2 what follows".getBytes(StandardCharsets.UTF_8)));
  }

  /** However long names are, the text fits into an attribute, and no file is left out. */
  @Test
  void aLongRecordIsCut() throws IOException {
    String name = "/" + "n".repeat(255);
    String root = "/root" + name.repeat(12);
    List<ConversionFailure> failures = new ArrayList<>();
    for (int i = 0; i < ConversionStatus.FAILURES_MAX; i++) {
      failures.add(new ConversionFailure(root + name.repeat(5) + "/" + i, "failed", "", "no"));
    }
    byte[] text = with(root, failures, null).toBytes();
    assertTrue(text.length <= JobRecord.BYTES_MAX);
    JobRecord read = JobRecord.parse(text);
    assertEquals(failures.get(15).path,
        read.status.failures.get(read.status.failures.size() - 1).path);
    text = with(root, failures, root + ("/" + "\u20ac".repeat(255)).repeat(16)).toBytes();
    assertTrue(text.length <= JobRecord.BYTES_MAX, "length " + text.length);
    read = JobRecord.parse(text);
    assertEquals(List.of(), read.status.failures);
    assertTrue(read.cursor == null || read.cursor.endsWith("/\u0000"), read.cursor);
  }

  /** Such a cursor comes of a record that was cut before. */
  @Test
  void aLongRecordOfTheRootIsCutAgain() throws IOException {
    List<ConversionFailure> failures = new ArrayList<>();
    for (int i = 0; i < ConversionStatus.FAILURES_MAX; i++) {
      failures.add(new ConversionFailure(("/" + "n".repeat(255)).repeat(9) + i, "failed", "",
          "no"));
    }
    byte[] text = with("/", failures, "/\u0000").toBytes();
    JobRecord read = JobRecord.parse(text);
    assertEquals("/\u0000", read.cursor);
    List<ConversionFailure> left = read.status.failures;
    assertEquals(failures.get(15).path, left.get(left.size() - 1).path);
  }

  @Test
  void aRecordOfAnotherNameNodeIsNotWrittenOver() throws IOException {
    PaperFolder folder = new PaperFolder();
    JobStore one = new JobStore(folder);
    JobStore other = new JobStore(folder);
    JobRecord mine = one.add(record("/a"), 1);
    JobRecord theirs = other.load().get(0);
    other.update(theirs, 2);
    assertThrows(JobStore.ForeignRecordException.class, () -> one.update(mine, 1));
    assertEquals(2, JobRecord.parse(folder.texts.get("j-1")).term);
    other.remove("j-1");
    assertThrows(JobStore.ForeignRecordException.class, () -> one.update(mine, 1));
  }

  /** Another NameNode writes between the look of this one and its writing. */
  @Test
  void aRecordIsNotWrittenOverBetweenLookAndWriting() throws IOException {
    PaperFolder folder = new PaperFolder();
    JobStore store = new JobStore(folder);
    JobRecord mine = store.add(record("/a"), 1);
    byte[] other = mine.next(2).toBytes();
    folder.beforeTheNextWrite = () -> folder.texts.put(mine.id(), other);
    assertThrows(JobStore.ForeignRecordException.class, () -> store.update(mine, 1));
    assertArrayEquals(other, folder.texts.get(mine.id()));
    assertThrows(ConversionRefusedException.class, () -> store.add(mine, 1));
    assertArrayEquals(other, folder.texts.get(mine.id()));
  }

  @Test
  void whatCannotBeReadStaysAndWhatWasNeverWrittenGoes() throws IOException {
    PaperFolder folder = new PaperFolder();
    folder.texts.put("broken", "hdfs-ppr-job 1 00000000\n{}".getBytes(StandardCharsets.UTF_8));
    folder.texts.put("empty", new byte[0]);
    folder.texts.put("other", full().toBytes());
    JobStore store = new JobStore(folder);
    store.add(record("/a"), 1);
    assertEquals(1, store.load().size());
    assertEquals(List.of("broken", "j-1", "other"), new ArrayList<>(folder.texts.keySet()));
  }
}
