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
import java.util.Objects;
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

  /** Stands for the total files or bytes while they are not known. */
  static final long UNKNOWN = -1;

  /** The values from which this record was made; they are not changed any more. */
  private final Builder fields;
  final ConversionRequest request;
  /** The short name of the user that submitted the job; the job acts with this user's rights. */
  final String user;
  final ConversionState state;
  /**
   * The reason of the job's state; empty if there is none to show. It names no file, because other
   * users see it.
   */
  final String why;
  final long submittedMs;
  final long startedMs;
  final long endedMs;
  /** The index, among the paths of the request, of the path that the job is walking over. */
  final int pathIndex;
  /**
   * All files up to this one are done, in the order of the walk over the present path; null if none
   * is known to be.
   */
  final String cursor;
  final ConversionCounts counts;
  final List<ConversionFailure> failures;
  final long totalFiles;
  final long totalBytes;
  /** The term, as of {@link ConvertGate#term}, in which the record was written. */
  final long term;
  /** How often the record has been written. */
  final long revision;

  private JobRecord(Builder builder) {
    fields = builder;
    request = Objects.requireNonNull(builder.request, "request");
    user = Objects.requireNonNull(builder.user, "user");
    state = Objects.requireNonNull(builder.state, "state");
    why = Objects.requireNonNull(builder.why, "why");
    submittedMs = builder.submittedMs;
    startedMs = builder.startedMs;
    endedMs = builder.endedMs;
    pathIndex = builder.pathIndex;
    cursor = builder.cursor;
    counts = Objects.requireNonNull(builder.counts, "counts");
    failures = List.copyOf(builder.failures);
    totalFiles = builder.totalFiles;
    totalBytes = builder.totalBytes;
    term = builder.term;
    revision = builder.revision;
  }

  /** Makes the record of a new job, which is queued. */
  static JobRecord of(ConversionRequest request, String user, long submittedMs) {
    return new JobRecord(new Builder(request, user, submittedMs));
  }

  /** Returns a copy in which some fields are changed. */
  JobRecord with(Consumer<Builder> change) {
    Builder next = fields.copy();
    change.accept(next);
    return new JobRecord(next);
  }

  /**
   * Returns a copy in another state.
   *
   * @throws IllegalStateException if a job may not go from its state to the other one
   */
  JobRecord become(ConversionState next, String reason, long nowMs) {
    if (!state.mayBecome(next)) {
      throw new IllegalStateException("Job " + id() + " cannot go from " + state + " to " + next);
    }
    return with(builder -> {
      builder.state = next;
      builder.why = reason;
      if (next == ConversionState.RUNNING && startedMs == ConversionStatus.NEVER) {
        builder.startedMs = nowMs;
      }
      if (next.isEnd()) {
        builder.endedMs = nowMs;
      }
    });
  }

  /** Returns a copy that also covers a file that is done; all files before it must be done. */
  JobRecord advanced(int index, String file, ConversionCounts more, ConversionFailure failure) {
    return with(builder -> {
      builder.pathIndex = index;
      builder.cursor = file;
      builder.count(more, failure);
    });
  }

  /**
   * Returns a copy with further counts, for a directory, or for a file of a cancelled job; the
   * place of the job stays.
   */
  JobRecord noted(ConversionCounts more, ConversionFailure failure) {
    return with(builder -> builder.count(more, failure));
  }

  String id() {
    return request.id;
  }

  @Override
  public String toString() {
    return id() + " of " + user + " is " + state.word() + " at " + pathIndex + ", revision "
        + revision;
  }

  /** The fields of a record that is being made. */
  static final class Builder implements Cloneable {
    private final ConversionRequest request;
    private final String user;
    private final long submittedMs;
    ConversionState state = ConversionState.QUEUED;
    String why = "";
    long startedMs = ConversionStatus.NEVER;
    long endedMs = ConversionStatus.NEVER;
    int pathIndex;
    String cursor;
    ConversionCounts counts = ConversionCounts.NONE;
    List<ConversionFailure> failures = List.of();
    long totalFiles = UNKNOWN;
    long totalBytes = UNKNOWN;
    long term;
    long revision;

    private Builder(ConversionRequest request, String user, long submittedMs) {
      this.request = request;
      this.user = user;
      this.submittedMs = submittedMs;
    }

    private void count(ConversionCounts more, ConversionFailure failure) {
      counts = counts.plus(more);
      if (failure != null) {
        List<ConversionFailure> all = new ArrayList<>(failures);
        all.add(failure);
        failures = all.subList(Math.max(0, all.size() - ConversionStatus.FAILURES_MAX),
            all.size());
      }
    }

    private Builder copy() {
      try {
        return (Builder) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
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
      List<ConversionFailure> failures = shorter.failures;
      if (!failures.isEmpty()) {
        shorter = shorter.with(next -> next.failures = failures.subList(1, failures.size()));
      } else if (shorter.cursor != null) {
        String above = shorter.above();
        shorter = shorter.with(next -> next.cursor = above);
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
    String root = request.paths.get(pathIndex);
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
    ConversionOptions options = request.options;
    object.put("id", id());
    object.put("user", user);
    object.put("state", state.word());
    object.put("why", why);
    object.put("term", term);
    object.put("revision", revision);
    object.put("submitted_ms", submittedMs);
    object.put("started_ms", startedMs);
    object.put("ended_ms", endedMs);
    request.paths.forEach(object.putArray("paths")::add);
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
    object.put("total_files", totalFiles);
    object.put("total_bytes", totalBytes);
    ObjectNode numbers = object.putObject("counts");
    for (Number number : Number.values()) {
      numbers.put(name(number), counts.get(number));
    }
    ObjectNode refused = object.putObject("refused");
    counts.refused.forEach(refused::put);
    ArrayNode some = object.putArray("failures");
    for (ConversionFailure failure : failures) {
      some.addObject().put("path", failure.path).put("outcome", failure.outcome)
          .put("reason", failure.reason).put("sentence", failure.sentence);
    }
    return object;
  }

  private static String name(Number number) {
    return number.name().toLowerCase(Locale.ROOT);
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
    Builder record = new Builder(request, text(object, "user"),
        object.path("submitted_ms").asLong());
    for (Number number : Number.values()) {
      record.counts =
          record.counts.plus(number, object.path("counts").path(name(number)).asLong());
    }
    for (Iterator<Map.Entry<String, JsonNode>> i = object.path("refused").fields(); i.hasNext();) {
      Map.Entry<String, JsonNode> one = i.next();
      record.counts = record.counts.plusRefused(one.getKey(), one.getValue().asLong());
    }
    List<ConversionFailure> failures = new ArrayList<>();
    for (JsonNode one : object.path("failures")) {
      failures.add(new ConversionFailure(text(one, "path"), text(one, "outcome"),
          text(one, "reason"), text(one, "sentence")));
    }
    record.state = ConversionState.ofWord(text(object, "state"));
    record.why = text(object, "why");
    record.startedMs = object.path("started_ms").asLong();
    record.endedMs = object.path("ended_ms").asLong();
    record.pathIndex = index;
    record.cursor = object.path("cursor").textValue();
    record.totalFiles = object.path("total_files").asLong(UNKNOWN);
    record.totalBytes = object.path("total_bytes").asLong(UNKNOWN);
    record.failures = failures;
    record.term = object.path("term").asLong();
    record.revision = object.path("revision").asLong();
    return new JobRecord(record);
  }

  private static String text(JsonNode object, String field) {
    String text = object.path(field).textValue();
    if (text == null) {
      throw new IllegalArgumentException("it has no " + field);
    }
    return text;
  }
}
