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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What the namespace keeps of a version, so that another NameNode, or this one after a restart,
 * knows what to do with its files. Immutable. As a text, within a {@link SealedText}, it is a JSON
 * object:
 *
 * <pre>
 * {"step":"PUBLISHING", "job":"j1", "path":"/ec/f", "inode":16390, "parent":16388, "name":"f",
 *  "user":"alice", "policy":"LRC-L2-6-4-1024k", "digest":"...", "term":3, "grace_ms":86400000,
 *  "published_ms":1767225600000}
 * </pre>
 */
@InterfaceAudience.Private
public final class VersionRecord {
  private static final String KIND = "version";
  private static final int FORMAT = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final VersionStep step;
  private final String jobId;
  private final String path;
  private final long inodeId;
  private final long parentId;
  private final String name;
  private final String user;
  private final String policy;
  private final String digest;
  private final long term;
  private final long graceMs;
  private final long publishedMs;

  private VersionRecord(VersionStep step, String jobId, String path, long inodeId, long parentId,
      String name, String user, String policy, String digest,
      long term, long graceMs, long publishedMs) {
    this.step = step;
    this.jobId = Objects.requireNonNull(jobId, "jobId");
    this.path = Objects.requireNonNull(path, "path");
    this.inodeId = inodeId;
    this.parentId = parentId;
    this.name = Objects.requireNonNull(name, "name");
    this.user = Objects.requireNonNull(user, "user");
    this.policy = Objects.requireNonNull(policy, "policy");
    this.digest = Objects.requireNonNull(digest, "digest");
    this.term = term;
    this.graceMs = graceMs;
    this.publishedMs = publishedMs;
  }

  /**
   * Begins the record of a version.
   *
   * @param request what is wanted
   * @param file the file as it is
   * @param term term of the repair manager
   * @return the record, with the step {@link VersionStep#MAKING}
   */
  static VersionRecord begin(VersionRequest request, TargetFile file, long term) {
    return new VersionRecord(VersionStep.MAKING, request.jobId(), file.path(), file.inodeId(),
        file.parentId(), file.name(), request.user(), request.policy(), file.digest(), term,
        request.graceMs(), 0);
  }

  /**
   * @param nowMs the time, ms since 1970 (UTC)
   * @return the record of the same version, with the step {@link VersionStep#PUBLISHING}
   */
  public VersionRecord publishing(long nowMs) {
    if (!step.canBecome(VersionStep.PUBLISHING)) {
      throw new IllegalStateException(this + " cannot be published again");
    }
    return new VersionRecord(VersionStep.PUBLISHING, jobId, path, inodeId, parentId, name, user,
        policy, digest, term, graceMs, nowMs);
  }

  /** @return how far the version is */
  public VersionStep step() {
    return step;
  }

  /** @return the job that has asked for the version */
  public String jobId() {
    return jobId;
  }

  /** @return the path of the file when the version was begun */
  public String path() {
    return path;
  }

  /** @return id of the old version's inode; the version's directory has it as its name */
  public long inodeId() {
    return inodeId;
  }

  /** @return inode id of the file's directory */
  public long parentId() {
    return parentId;
  }

  /** @return name of the file in its directory */
  public String name() {
    return name;
  }

  /** @return short name of the user whose permissions count */
  public String user() {
    return user;
  }

  /** @return name of the new policy */
  public String policy() {
    return policy;
  }

  /** @return a digest of the old version's groups and lengths */
  public String digest() {
    return digest;
  }

  /** @return term of the repair manager that has begun the version */
  public long term() {
    return term;
  }

  /** @return for how long the old version is kept after it is published, ms */
  public long graceMs() {
    return graceMs;
  }

  /** @return when the grace of the old version ends, ms since 1970 (UTC) */
  public long graceEndMs() {
    return publishedMs + graceMs;
  }

  /** @return the record as the namespace keeps it */
  public byte[] toBytes() {
    ObjectNode object = JSON.createObjectNode();
    object.put("step", step.name());
    object.put("job", jobId);
    object.put("path", path);
    object.put("inode", inodeId);
    object.put("parent", parentId);
    object.put("name", name);
    object.put("user", user);
    object.put("policy", policy);
    object.put("digest", digest);
    object.put("term", term);
    object.put("grace_ms", graceMs);
    object.put("published_ms", publishedMs);
    try {
      return SealedText.seal(KIND, FORMAT, JSON.writeValueAsString(object));
    } catch (IOException e) {
      throw new IllegalStateException("The record of a version cannot be written", e);
    }
  }

  /**
   * @param bytes a record as the namespace keeps it
   * @return the record
   * @throws BadRecordException if the record is too old, too new, or corrupt
   */
  public static VersionRecord parse(byte[] bytes) throws BadRecordException {
    String text = SealedText.open(KIND, FORMAT, FORMAT, bytes);
    try {
      JsonNode object = JSON.readTree(text);
      return new VersionRecord(VersionStep.valueOf(text(object, "step")), text(object, "job"),
          text(object, "path"), number(object, "inode"), number(object, "parent"),
          text(object, "name"), text(object, "user"), text(object, "policy"),
          text(object, "digest"), number(object, "term"), number(object, "grace_ms"),
          number(object, "published_ms"));
    } catch (IOException | IllegalArgumentException | StackOverflowError e) {
      throw new BadRecordException(BadRecordException.Why.CORRUPT, e.toString());
    }
  }

  private static String text(JsonNode object, String field) throws IOException {
    String text = object.path(field).textValue();
    if (text == null) {
      throw new IOException("it has no " + field);
    }
    return text;
  }

  private static long number(JsonNode object, String field) throws IOException {
    if (!object.path(field).isIntegralNumber()) {
      throw new IOException("it has no number " + field);
    }
    return object.path(field).longValue();
  }

  @Override
  public String toString() {
    return "version of " + path + " (inode " + inodeId + ", " + step + ", job " + jobId + ")";
  }
}
