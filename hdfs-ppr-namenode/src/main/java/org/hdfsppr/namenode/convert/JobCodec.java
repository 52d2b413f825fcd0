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
import java.util.zip.CRC32;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.namenode.walk.TreeWalk;

/**
 * The text of a {@link JobRecord}, which an extended attribute has:
 *
 * <pre>
 * hdfs-ppr-job 1 0a1b2c3d
 * {"id":"c-1", "user":"alice", "state":"running", "paths":["/logs"], "policy":"LRC-...", ...}
 * </pre>
 *
 * The first line has the version of the text and the CRC32 of all bytes behind the line. A reader
 * skips fields that it does not know; a writer that changes what a field means raises the version.
 */
@InterfaceAudience.Private
final class JobCodec {
  static final int VERSION = 1;
  /**
   * The most bytes of a text. HDFS allows 16,384 bytes for the name and the value of an attribute,
   * dfs.namenode.fs-limits.max-xattr-size.
   */
  static final int BYTES_MAX = 15 << 10;
  /**
   * The bytes of a new job's text that have to be left for what changes: counts of all reasons, the
   * totals, and why the job is in its state.
   */
  static final int CHANGING_BYTES = 4 << 10;
  private static final String MAGIC = "hdfs-ppr-job";
  private static final String FIRST = "/\u0000";
  private static final ObjectMapper JSON = new ObjectMapper();

  private JobCodec() {
  }

  /** A text that is no record, or is damaged. */
  static final class BrokenRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenRecordException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** A record that has too many bytes for an extended attribute. */
  static final class LongRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    LongRecordException(JobRecord record, int bytes, int bytesMax) {
      super("the record of job " + record.id() + " has " + bytes + " bytes, and has room for "
          + bytesMax + "; characters that JSON escapes count for up to six");
    }
  }

  /** Returns whether a new job's text has room for all that will change. */
  static boolean hasRoom(JobRecord record) {
    return text(record).length <= BYTES_MAX - CHANGING_BYTES;
  }

  /** A record that a newer version of hdfs-ppr has written. */
  static final class NewerRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    NewerRecordException(int version) {
      super("it has the version " + version + ", and this software knows versions up to "
          + VERSION);
    }
  }

  /**
   * Encodes a record. If the text is too long, it leaves out the oldest failures, and then names a
   * directory above the last file, so that a job that goes on looks at some files again.
   *
   * @throws LongRecordException if the text is too long without all that
   */
  static byte[] encode(JobRecord record) throws LongRecordException {
    JobRecord shorter = record;
    byte[] text = text(shorter);
    while (text.length > BYTES_MAX) {
      List<ConversionFailure> failures = shorter.failures;
      JobRecord.Builder next = shorter.toBuilder();
      if (!failures.isEmpty()) {
        next.failures(failures.subList(1, failures.size()));
      } else if (shorter.cursor != null) {
        next.cursor(shorter.pathIndex, above(shorter));
      } else {
        throw new LongRecordException(record, text.length, BYTES_MAX);
      }
      shorter = next.build();
      text = text(shorter);
    }
    return text;
  }

  /**
   * Returns a shorter cursor before which all files are done, too: one before the first name of a
   * directory. No name in HDFS is less than {@link #FIRST}.
   */
  private static String above(JobRecord record) {
    String root = record.request.paths.get(record.pathIndex);
    String last = record.cursor;
    String file = last.endsWith(FIRST) ? last.substring(0, last.length() - FIRST.length()) : last;
    String shorter = file.substring(0, file.lastIndexOf('/')) + FIRST;
    return TreeWalk.isBelow(shorter, root) ? shorter : null;
  }

  private static byte[] text(JobRecord record) {
    byte[] json;
    try {
      json = JSON.writeValueAsBytes(object(record));
    } catch (IOException e) {
      throw new IllegalStateException("The record of job " + record.id() + " cannot be written",
          e);
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

  private static ObjectNode object(JobRecord record) {
    ObjectNode object = JSON.createObjectNode();
    ConversionOptions options = record.request.options;
    object.put("id", record.id());
    object.put("user", record.user);
    object.put("state", record.state.word());
    object.put("why", record.why);
    object.put("term", record.term);
    object.put("revision", record.revision);
    object.put("submitted_ms", record.submittedMs);
    object.put("started_ms", record.startedMs);
    object.put("ended_ms", record.endedMs);
    ArrayNode paths = object.putArray("paths");
    record.request.paths.forEach(paths::add);
    object.put("policy", options.policy);
    object.put("dry_run", options.dryRun);
    object.put("files_only", options.filesOnly);
    object.put("force", options.isForced());
    object.put("full_check", options.fullCheck);
    object.put("idle_ms", options.idleMs);
    object.put("grace_ms", options.graceMs);
    object.put("concurrency", options.concurrency);
    object.put("bytes_per_s", options.bytesPerSecond);
    object.put("path_index", record.pathIndex);
    object.put("cursor", record.cursor);
    object.put("total_files", record.totalFiles);
    object.put("total_bytes", record.totalBytes);
    ObjectNode counts = object.putObject("counts");
    for (Number number : Number.values()) {
      counts.put(name(number), record.counts.get(number));
    }
    ObjectNode refused = object.putObject("refused");
    record.counts.refused.forEach(refused::put);
    ArrayNode failures = object.putArray("failures");
    for (ConversionFailure failure : record.failures) {
      failures.addObject().put("path", failure.path).put("outcome", failure.outcome)
          .put("reason", failure.reason).put("sentence", failure.sentence);
    }
    return object;
  }

  private static String name(Number number) {
    return number.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a record.
   *
   * @throws NewerRecordException if this software is too old for the record
   * @throws BrokenRecordException if the text is no record, or is damaged
   */
  static JobRecord decode(byte[] text) throws IOException {
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
      return record(JSON.readTree(text, end + 1, text.length - end - 1));
    } catch (IOException | IllegalArgumentException | StackOverflowError e) {
      throw new BrokenRecordException("it cannot be read: " + e.getMessage(), e);
    }
  }

  private static JobRecord record(JsonNode object) {
    List<String> paths = new ArrayList<>();
    object.path("paths").forEach(path -> paths.add(path.asText()));
    ConversionOptions options = ConversionOptions.of(text(object, "policy"))
        .dryRun(object.path("dry_run").asBoolean())
        .filesOnly(object.path("files_only").asBoolean())
        .force(object.path("force").asBoolean())
        .fullCheck(object.path("full_check").asBoolean(true))
        .idleMs(object.path("idle_ms").asLong(ConversionOptions.UNSET))
        .graceMs(object.path("grace_ms").asLong(ConversionOptions.UNSET))
        .concurrency(object.path("concurrency").asInt((int) ConversionOptions.UNSET))
        .bytesPerSecond(object.path("bytes_per_s").asLong(ConversionOptions.UNSET))
        .build();
    ConversionRequest request = new ConversionRequest(text(object, "id"), options, paths);
    int index = object.path("path_index").asInt();
    if (index < 0 || index >= paths.size()) {
      throw new IllegalArgumentException("path_index " + index + " of " + paths.size());
    }
    ConversionCounts.Builder counts = new ConversionCounts.Builder();
    for (Number number : Number.values()) {
      counts.add(number, object.path("counts").path(name(number)).asLong());
    }
    for (Iterator<Map.Entry<String, JsonNode>> i = object.path("refused").fields(); i.hasNext();) {
      Map.Entry<String, JsonNode> one = i.next();
      counts.refused(one.getKey(), one.getValue().asLong());
    }
    List<ConversionFailure> failures = new ArrayList<>();
    for (JsonNode one : object.path("failures")) {
      failures.add(new ConversionFailure(text(one, "path"), text(one, "outcome"),
          text(one, "reason"), text(one, "sentence")));
    }
    return JobRecord.of(request, text(object, "user"), object.path("submitted_ms").asLong())
        .state(ConversionState.ofWord(text(object, "state")), text(object, "why"))
        .times(object.path("started_ms").asLong(), object.path("ended_ms").asLong())
        .cursor(index, object.path("cursor").textValue())
        .totals(object.path("total_files").asLong(JobRecord.UNKNOWN),
            object.path("total_bytes").asLong(JobRecord.UNKNOWN))
        .counts(counts.build())
        .failures(failures)
        .written(object.path("term").asLong(), object.path("revision").asLong())
        .build();
  }

  private static String text(JsonNode object, String field) {
    String text = object.path(field).textValue();
    if (text == null) {
      throw new IllegalArgumentException("it has no " + field);
    }
    return text;
  }
}
