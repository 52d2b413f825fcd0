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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.namenode.record.SealedRecordFile;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.record.RecordFile;
import org.junit.jupiter.api.Test;

/** Records the bytes of the attribute of a conversion job's directory. */
class TestJobRecordBytes {
  private static final long NOW_MS = 1_767_225_600_000L;

  private static JobRecord least() {
    return JobRecord.of(new ConversionRequest("c-1", ConversionOptions.of("RS-6-3-1024k"),
        List.of("/logs")), "alice", NOW_MS);
  }

  private static JobRecord most(List<ConversionFailure> failures) {
    ConversionOptions options = ConversionOptions.of("LRC-L2-6-4-1024k").with(o -> o.setDryRun(true)
        .setFilesOnly(true).setForce(true).setFullCheck(false).setIdleMs(60_000)
        .setGraceMs(86_400_000).setConcurrency(7).setBytesPerS(1 << 20));
    ConversionCounts counts = ConversionCounts.NONE.plusRefused("open", 3)
        .plusRefused("snapshot", 4);
    for (ConversionCounts.Number number : ConversionCounts.Number.values()) {
      counts = counts.plus(number, 100 + number.ordinal());
    }
    ConversionCounts all = counts;
    JobRecord record = JobRecord.of(new ConversionRequest("c-2", options,
        List.of("/logs", "/ec/\u00fc \"\\")), "bob", NOW_MS).with(job -> {
          job.setState(ConversionState.FAILED.number)
              .setWhy("the policy is disabled")
              .setStartedMs(NOW_MS + 1)
              .setEndedMs(NOW_MS + 2)
              .setTotalFiles(12)
              .setTotalBytes(34_567)
              .setCounts(all.toProto());
          failures.forEach(one -> job.addFailures(one.toProto()));
        });
    return new JobRecord(record.status, 1, "/ec/\u00fc \"\\/f", 5, 6);
  }

  /** Returns a job with more failures than a record holds, which leaves out the oldest ones. */
  private static JobRecord tooLong() {
    List<ConversionFailure> failures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      failures.add(new ConversionFailure("/logs/" + "x".repeat(1_000) + i, "failed", "checked",
          "failure " + i));
    }
    return most(failures);
  }

  private static byte[] ofVersion(int version, byte[] record) {
    return with(version, json(record));
  }

  private static String json(byte[] record) {
    String text = new String(record, StandardCharsets.UTF_8);
    return text.substring(text.indexOf('\n') + 1);
  }

  private static byte[] with(int version, String json) {
    CRC32 crc = new CRC32();
    crc.update(json.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "hdfs-ppr-job %d %08x\n%s", version, crc.getValue(), json)
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void sealedBytesAreAsRecorded() throws IOException {
    SealedRecordFile.check(SealedKind.JOB, bytes -> JobRecord.parse(bytes).toBytes(),
        Map.of("the least", least().toBytes()));
  }

  /** This reader is that of 0.2.0: it leaves a sealed record alone, and names its version. */
  @Test
  void release020TakesASealedRecordForALaterOne() throws IOException {
    byte[] sealed = SealedRecord.seal(SealedKind.JOB, least().toBytes());
    JobRecord.NewerRecordException e = assertThrows(JobRecord.NewerRecordException.class,
        () -> JobRecord.parseText(sealed));
    assertEquals("it has the version 2, and this software knows versions up to 1",
        e.getMessage());
  }

  @Test
  void bytesAreAsRecorded() throws IOException {
    byte[] least = least().toBytes();
    RecordFile.of("job", "trusted.hdfs-ppr.job of a conversion job's directory",
        bytes -> JobRecord.parse(bytes).toBytes())
        .record("queued", least)
        .record("with all fields", most(List.of(
            new ConversionFailure("/logs/a", "refused", "open", "It is open."),
            new ConversionFailure("/logs/b", "failed", "disk", "A disk failed."))).toBytes())
        .given("of a later version", ofVersion(2, least))
        .given("of no version", ofVersion(0, least))
        .given("with a field that is not known",
            with(1, json(least).replaceFirst("\\{", "{\"colour\":\"blue\",")))
        .given("with fields that must be there only", with(1,
            "{\"id\":\"c-1\",\"user\":\"alice\",\"state\":\"running\",\"why\":\"\","
                + "\"paths\":[\"/logs\"],\"policy\":\"RS-6-3-1024k\"}"))
        .given("without a policy", with(1,
            json(least).replace("\"policy\":\"RS-6-3-1024k\",", "")))
        .given("in a state that is not known", with(1, json(least).replace("queued", "asleep")))
        .check();
  }

  @Test
  void aLongRecordLosesItsOldestFailures() throws IOException {
    byte[] record = tooLong().toBytes();
    JobRecord read = JobRecord.parse(record);
    assertEquals("failure 19", read.status.failures.get(read.status.failures.size() - 1).sentence);
    assertEquals(13, read.status.failures.size());
    assertEquals(15 << 10, JobRecord.BYTES_MAX);
  }

  @Test
  void directoriesAreAsRecorded() {
    assertEquals("/.hdfs-ppr/jobs", NameNodeJobFolder.JOBS);
    assertEquals("hdfs-ppr.job", NameNodeJobFolder.XATTR);
  }

  private static String say(JobRecord record) {
    ConversionStatus status = record.status;
    ConversionOptions options = status.options;
    StringBuilder counts = new StringBuilder();
    for (Number number : Number.values()) {
      long count = status.counts.get(number);
      counts.append(count == 0 ? "" : " " + number + "=" + count);
    }
    return String.join(" ", status.id, status.user, status.state.word(), status.why,
        "term", record.term + "." + record.revision, "ms", "" + status.submittedMs,
        "" + status.startedMs, "" + status.endedMs, "" + status.paths,
        options.policy, options.dryRun + "/" + options.filesOnly + "/"
        + options.force + "/" + options.fullCheck, "" + options.idleMs,
        "" + options.graceMs, "" + options.concurrency, "" + options.bytesPerSecond,
        "at", record.pathIndex + ":" + record.cursor, "of",
        status.totalFiles.orElse(-1) + "/" + status.totalBytes.orElse(-1)) + counts + " "
        + status.counts.refused + " " + status.failures.size();
  }

  @Test
  void whatRelease020HasLeftIsRead() throws IOException {
    List<String> read = new ArrayList<>();
    ConversionFailure failure = null;
    for (Map.Entry<String, byte[]> one : RecordFile.of020(NameNodeJobFolder.XATTR,
        bytes -> JobRecord.parse(bytes).toBytes()).entrySet()) {
      JobRecord record = JobRecord.parse(one.getValue());
      assertEquals(one.getKey(), NameNodeJobFolder.JOBS + "/" + record.id());
      read.add(say(record));
      failure = record.status.failures.isEmpty() ? failure : record.status.failures.get(0);
    }
    String policy = " HITCHHIKER-XOR-6-3-16k ";
    assertEquals(List.of(
        "convert-20261130-042837-8krrfz root done  term 65536.3 ms 1796012918556 1796012919467"
            + " 1796012929582 [/convert/done]" + policy + "false/false/false/false 0 604800000 128"
            + " -1 at 0:/convert/done/a of 1/100 CONVERTED=1 DIRECTORIES=1 BYTES_PASSED=100"
            + " BYTES_CONVERTED=100 GROUPS=1 BYTES_LINKED=100 BYTES_MADE=300 {} 0",
        "convert-20261130-042853-d3qr5i root done  term 65536.3 ms 1796012933177 1796012934524"
            + " 1796012935088 [/convert/small]" + policy + "true/false/false/false 86400000"
            + " 86400000 128 -1 at 0:/convert/small/d of 1/100 DIRECTORIES=1 BYTES_PASSED=100"
            + " {in_use=1} 1",
        "convert-20261130-042857-rl7qct root running  term 65536.2 ms 1796012937904 1796012938011"
            + " 0 [/convert/open]" + policy + "false/false/false/false 0 3600000 3 10485760 at"
            + " 0:null of 1/100 DIRECTORIES=1 {} 0",
        "convert-20261130-042900-l0toql root queued  term 65536.1 ms 1796012940869 0 0"
            + " [/convert/waiting, /convert/small]" + policy + "false/true/true/false 0 86400000"
            + " 128 -1 at 0:null of -1/-1 {} 0",
        "convert-20261130-042901-paleli root paused  term 65536.2 ms 1796012941809 0 0"
            + " [/convert/paused]" + policy + "false/false/false/false 0 86400000 128 -1 at 0:null"
            + " of -1/-1 {} 0"), read);
    assertEquals("/convert/small/d", failure.path);
    assertEquals("refused", failure.outcome);
    assertEquals("in_use", failure.reason);
    assertEquals("/convert/small/d was written 19 s ago, and has to be idle for 86400 s; convert"
        + " it later, ask for a shorter idle time, or force it if nothing reads it",
        failure.sentence);
  }
}
