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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.proto.ClientProtos.ConversionStatusProto;

/**
 * What the namespace keeps of a job: the user's request, the state, up to which file all files are
 * done, and the counts up to that file. Immutable. An extended attribute has it as a text:
 *
 * <pre>
 * hdfs-ppr-job 1 0a1b2c3d
 * {"id":"c-1", "user":"alice", "state":"running", "paths":["/logs"], "policy":"LRC-...", ...}
 * </pre>
 *
 * The first line has the version of the text and the CRC32 of all bytes behind the line. A reader
 * skips fields that it does not know; a writer that changes what a field means raises the version.
 */
final class JobRecord {
  static final int VERSION = 1;
  /**
   * How many bytes a text may have. HDFS allows 16,384 bytes for the name and the value of an
   * attribute by default, dfs.namenode.fs-limits.max-xattr-size.
   */
  static final int BYTES_MAX = 15 << 10;
  /**
   * How many bytes a new job's text has to leave free for what grows later: the counts by reason,
   * the totals, and the reason of the job's state.
   */
  static final int CHANGING_BYTES = 4 << 10;
  private static final String MAGIC = "hdfs-ppr-job";
  private static final String FIRST = "/\u0000";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Stands for the total files or bytes in a text while they are not known. */
  private static final long UNKNOWN = -1;

  /**
   * What users see of the job, with the counts up to the cursor. The job acts with the rights of
   * its user.
   */
  final ConversionStatus status;
  /** The index, among the paths of the job, of the path that the job is walking over. */
  final int pathIndex;
  /**
   * All files up to this one are done, in the order of the walk over the present path; null if none
   * is known to be.
   */
  final String cursor;
  /** The term, as of {@link ConvertGate#term}, in which the record was written. */
  final long term;
  /** How often the record has been written. */
  final long revision;

  JobRecord(ConversionStatus status, int pathIndex, String cursor, long term, long revision) {
    this.status = status;
    this.pathIndex = pathIndex;
    this.cursor = cursor;
    this.term = term;
    this.revision = revision;
  }

  /** Makes the record of a new job, which is queued. */
  static JobRecord of(ConversionRequest request, String user, long submittedMs) {
    return new JobRecord(ConversionStatus.of(request.id, ConversionState.QUEUED, request.options)
        .with(job -> job.setUser(user).addAllPaths(request.paths).setSubmittedMs(submittedMs)),
        0, null, 0, 0);
  }

  /** Returns a copy in which what users see is changed. */
  JobRecord with(Consumer<ConversionStatusProto.Builder> change) {
    return new JobRecord(status.with(change), pathIndex, cursor, term, revision);
  }

  /** Returns a copy that is at another place. */
  private JobRecord at(int index, String file) {
    return new JobRecord(status, index, file, term, revision);
  }

  /** Returns a copy as it is to be written next, in this term. */
  JobRecord next(long inTerm) {
    return new JobRecord(status, pathIndex, cursor, inTerm, revision + 1);
  }

  /**
   * Returns a copy in another state.
   *
   * @throws IllegalStateException if a job may not go from its state to the other one
   */
  JobRecord become(ConversionState next, String reason, long nowMs) {
    if (!status.state.mayBecome(next)) {
      throw new IllegalStateException(
          "Job " + id() + " cannot go from " + status.state + " to " + next);
    }
    return with(job -> {
      job.setState(next.number).setWhy(reason);
      if (next == ConversionState.RUNNING && status.startedMs == ConversionStatus.NEVER) {
        job.setStartedMs(nowMs);
      }
      if (next.isEnd()) {
        job.setEndedMs(nowMs);
      }
    });
  }

  /** Returns a copy that also covers a file that is done; all files before it must be done. */
  JobRecord advanced(int index, String file, FileResult result) {
    return noted(result).at(index, file);
  }

  /**
   * Returns a copy with the result of a directory, or of a file of a cancelled job; the place of
   * the job stays.
   */
  JobRecord noted(FileResult result) {
    return with(job -> {
      job.setCounts(status.counts.plus(result.counts).toProto());
      if (result.failure != null) {
        job.addFailures(result.failure.toProto());
      }
      while (job.getFailuresCount() > ConversionStatus.FAILURES_MAX) {
        job.removeFailures(0);
      }
    });
  }

  String id() {
    return status.id;
  }

  @Override
  public String toString() {
    return id() + " of " + status.user + " is " + status.state.word() + " at " + pathIndex
        + ", revision " + revision;
  }

  /** The text is not the record of a job, or is damaged. */
  static final class BrokenRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenRecordException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The record has too many bytes for an extended attribute. */
  static final class LongRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    LongRecordException(JobRecord record, int bytes, int bytesMax) {
      super("the record of job " + record.id() + " has " + bytes + " bytes, and has room for "
          + bytesMax + "; characters that JSON escapes count for up to six");
    }
  }

  /** Returns whether the text of a new job leaves enough room for what grows later. */
  boolean hasRoom() {
    return text().length <= BYTES_MAX - CHANGING_BYTES;
  }

  /** A newer version of hdfs-ppr has written the record. */
  static final class NewerRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    NewerRecordException(int version) {
      super("it has the version " + version + ", and this software knows versions up to "
          + VERSION);
    }
  }

  /**
   * Encodes the record. If the text is too long, leaves out the oldest failures. If it is still too
   * long, it sets the cursor back to a directory above, whose name is shorter. A job that goes on
   * from such a record looks at some files again.
   *
   * @throws LongRecordException if even that is not enough
   */
  byte[] toBytes() throws LongRecordException {
    JobRecord shorter = this;
    byte[] text = text();
    while (text.length > BYTES_MAX) {
      if (!shorter.status.failures.isEmpty()) {
        shorter = shorter.with(job -> job.removeFailures(0));
      } else if (shorter.cursor != null) {
        shorter = shorter.at(shorter.pathIndex, shorter.above());
      } else {
        throw new LongRecordException(this, text.length, BYTES_MAX);
      }
      text = shorter.text();
    }
    return text;
  }

  /**
   * Returns a shorter cursor, before which all files are done, too: it is a directory above the
   * present one, and {@link #FIRST}, which is less than each name in HDFS. So all files in that
   * directory come after the cursor.
   */
  private String above() {
    String root = status.paths.get(pathIndex);
    String file =
        cursor.endsWith(FIRST) ? cursor.substring(0, cursor.length() - FIRST.length()) : cursor;
    int end = file.lastIndexOf('/');
    if (end < 0) {
      // The cursor is already before the first name in the root directory.
      return null;
    }
    String shorter = file.substring(0, end) + FIRST;
    return TreeWalk.isBelow(shorter, root) ? shorter : null;
  }

  private byte[] text() {
    byte[] json;
    try {
      json = JSON.writeValueAsBytes(toJson());
    } catch (IOException e) {
      throw new IllegalStateException("The record of job " + id() + " cannot be written", e);
    }
    byte[] head = (MAGIC + " " + VERSION + " " + sum(json, 0) + "\n")
        .getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[head.length + json.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(json, 0, all, head.length, json.length);
    return all;
  }

  private static String sum(byte[] bytes, int from) {
    CRC32 crc = new CRC32();
    crc.update(bytes, from, bytes.length - from);
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  private ObjectNode toJson() {
    ObjectNode object = JSON.createObjectNode();
    ConversionOptions options = status.options;
    object.put("id", id());
    object.put("user", status.user);
    object.put("state", status.state.word());
    object.put("why", status.why);
    object.put("term", term);
    object.put("revision", revision);
    object.put("submitted_ms", status.submittedMs);
    object.put("started_ms", status.startedMs);
    object.put("ended_ms", status.endedMs);
    status.paths.forEach(object.putArray("paths")::add);
    object.put("policy", options.policy);
    object.put("dry_run", options.dryRun);
    object.put("files_only", options.filesOnly);
    object.put("force", options.force);
    object.put("full_check", options.fullCheck);
    object.put("idle_ms", options.idleMs);
    object.put("grace_ms", options.graceMs);
    object.put("concurrency", options.concurrency);
    object.put("bytes_per_s", options.bytesPerSecond);
    object.put("path_index", pathIndex);
    object.put("cursor", cursor);
    object.put("total_files", status.totalFiles.orElse(UNKNOWN));
    object.put("total_bytes", status.totalBytes.orElse(UNKNOWN));
    ObjectNode numbers = object.putObject("counts");
    for (Number number : Number.values()) {
      numbers.put(number.field.getName(), status.counts.get(number));
    }
    ObjectNode refused = object.putObject("refused");
    status.counts.refused.forEach(refused::put);
    ArrayNode some = object.putArray("failures");
    for (ConversionFailure failure : status.failures) {
      some.addObject().put("path", failure.path).put("outcome", failure.outcome)
          .put("reason", failure.reason).put("sentence", failure.sentence);
    }
    return object;
  }

  /**
   * Parses a record.
   *
   * @param record the value of the attribute, sealed or not
   * @throws BadRecordException if the record is sealed, and too old, too new or corrupt
   * @throws NewerRecordException if this software is too old for the record
   * @throws BrokenRecordException if the text is no record, or is damaged
   */
  static JobRecord parse(byte[] record) throws IOException {
    return parseText(SealedRecord.open(SealedKind.JOB, record));
  }

  /** Parses a record that is not sealed; release 0.2.0 has only these. */
  static JobRecord parseText(byte[] text) throws IOException {
    int end = 0;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    String[] head = new String(text, 0, end, StandardCharsets.US_ASCII).split(" ");
    if (head.length < 2 || !MAGIC.equals(head[0]) || !head[1].matches("[0-9]{1,6}")) {
      throw new BrokenRecordException("it is no record of a job", null);
    }
    if (Integer.parseInt(head[1]) > VERSION) {
      throw new NewerRecordException(Integer.parseInt(head[1]));
    }
    if (head.length != 3 || Integer.parseInt(head[1]) < 1 || end == text.length
        || !head[2].equals(sum(text, end + 1))) {
      throw new BrokenRecordException("its checksum is wrong", null);
    }
    try {
      return parse(JSON.readTree(text, end + 1, text.length - end - 1));
    } catch (IOException | IllegalArgumentException | StackOverflowError e) {
      throw new BrokenRecordException("it cannot be read: " + e.getMessage(), e);
    }
  }

  private static JobRecord parse(JsonNode object) {
    List<String> paths = new ArrayList<>();
    object.path("paths").forEach(path -> paths.add(path.asText()));
    ConversionOptions options = ConversionOptions.of(text(object, "policy")).with(read -> read
        .setDryRun(object.path("dry_run").asBoolean())
        .setFilesOnly(object.path("files_only").asBoolean())
        .setForce(object.path("force").asBoolean())
        .setFullCheck(object.path("full_check").asBoolean(true))
        .setIdleMs(object.path("idle_ms").asLong(ConversionOptions.UNSET))
        .setGraceMs(object.path("grace_ms").asLong(ConversionOptions.UNSET))
        .setConcurrency(object.path("concurrency").asInt((int) ConversionOptions.UNSET))
        .setBytesPerS(object.path("bytes_per_s").asLong(ConversionOptions.UNSET)));
    ConversionRequest request = new ConversionRequest(text(object, "id"), options, paths);
    int index = object.path("path_index").asInt();
    if (index < 0 || index >= paths.size()) {
      throw new IllegalArgumentException("path_index " + index + " of " + paths.size());
    }
    ConversionCounts counts = ConversionCounts.NONE;
    for (Number number : Number.values()) {
      counts = counts.plus(number, object.path("counts").path(number.field.getName()).asLong());
    }
    for (Iterator<Map.Entry<String, JsonNode>> i = object.path("refused").fields(); i.hasNext();) {
      Map.Entry<String, JsonNode> one = i.next();
      counts = counts.plusRefused(one.getKey(), one.getValue().asLong());
    }
    JobRecord record = of(request, text(object, "user"), object.path("submitted_ms").asLong())
        .noted(new FileResult(counts, null)).with(job -> {
          for (JsonNode one : object.path("failures")) {
            job.addFailures(new ConversionFailure(text(one, "path"), text(one, "outcome"),
                text(one, "reason"), text(one, "sentence")).toProto());
          }
          job.setState(ConversionState.ofWord(text(object, "state")).number)
              .setWhy(text(object, "why"))
              .setStartedMs(object.path("started_ms").asLong())
              .setEndedMs(object.path("ended_ms").asLong());
          if (object.path("total_files").asLong(UNKNOWN) != UNKNOWN) {
            job.setTotalFiles(object.path("total_files").asLong());
          }
          if (object.path("total_bytes").asLong(UNKNOWN) != UNKNOWN) {
            job.setTotalBytes(object.path("total_bytes").asLong());
          }
        });
    return new JobRecord(record.status, index, object.path("cursor").textValue(),
        object.path("term").asLong(), object.path("revision").asLong());
  }

  private static String text(JsonNode object, String field) {
    String text = object.path(field).textValue();
    if (text == null) {
      throw new IllegalArgumentException("it has no " + field);
    }
    return text;
  }
}
