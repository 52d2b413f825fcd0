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
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerText;

/**
 * What the namespace keeps of a version, so that another NameNode, or this one after a restart,
 * knows what to do with its files. Immutable. As a text, within a {@link SealedText}, it is a JSON
 * object:
 *
 * <pre>
 * {"step":"PUBLISHING", "job":"j1", "path":"/ec/f", "inode":16390, "parent":16388, "name":"f",
 *  "user":"alice", "policy":"LRC-L2-6-4-1024k", "digest":"...", "term":3, "grace_ms":86400000,
 *  "published_ms":1767225600000, "home":"CONVERSIONS", "new":16395, "group":-9223372036854775536,
 *  "asked_ms":0}
 * </pre>
 *
 * <p>0.2.0 does not know the last four fields, and writes records without them.
 */
@InterfaceAudience.Private
public final class VersionRecord {
  private static final String KIND = "version";
  private static final int FORMAT = 1;
  private static final ObjectMapper JSON = new ObjectMapper();
  /** Stands for a time that a record does not have. */
  private static final long UNSAID = -1;

  /** Never changes once a record has it; {@link #with} changes a copy. */
  private final Fields fields;

  /**
   * The fields of a record while it is put together. Each field is immutable by itself. A field
   * that 0.2.0 does not know is optional: it has a value that stands for "not there", and {@link
   * #toBytes} leaves it out then. 0.2.0 reads past fields that it does not know.
   */
  private static final class Fields implements Cloneable {
    private VersionStep step;
    private String jobId;
    private String path;
    private long inodeId;
    private long parentId;
    private String name;
    private String user;
    private String policy;
    private String digest;
    private long term;
    private long graceMs;
    private long publishedMs;
    /** Optional; a record without it is of {@link VersionHome#FLAT}. */
    private VersionHome home = VersionHome.FLAT;
    /** Optional; 0 stands for "not there". */
    private long newInodeId;
    /** Optional; 0 stands for "not there". */
    private long newGroupId;
    /** Optional; a record without it keeps the old version for as long as was asked for. */
    private long askedMs = UNSAID;

    Fields copy() {
      try {
        return (Fields) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private VersionRecord(Fields fields) {
    this.fields = fields;
    Objects.requireNonNull(fields.step, "step");
    Objects.requireNonNull(fields.jobId, "jobId");
    Objects.requireNonNull(fields.path, "path");
    Objects.requireNonNull(fields.name, "name");
    Objects.requireNonNull(fields.user, "user");
    Objects.requireNonNull(fields.policy, "policy");
    Objects.requireNonNull(fields.digest, "digest");
  }

  /** Returns a record that differs in some fields. */
  private VersionRecord with(Consumer<Fields> change) {
    Fields copy = fields.copy();
    change.accept(copy);
    return new VersionRecord(copy);
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
    Fields fields = new Fields();
    fields.step = VersionStep.MAKING;
    fields.jobId = request.jobId;
    fields.path = file.path();
    fields.inodeId = file.inodeId();
    fields.parentId = file.parentId;
    fields.name = file.name;
    fields.user = request.user;
    fields.policy = request.policy;
    fields.digest = file.digest();
    fields.term = term;
    fields.graceMs = request.graceMs;
    return new VersionRecord(fields);
  }

  /** Returns the record of the same version in another home. */
  VersionRecord at(VersionHome home) {
    return with(changed -> changed.home = home);
  }

  /**
   * @param newInodeId inode id of the new version
   * @param newGroupId id of the new version's first block group; 0 if it has none
   * @return the record of the same version
   */
  public VersionRecord made(long newInodeId, long newGroupId) {
    return with(changed -> {
      changed.newInodeId = newInodeId;
      changed.newGroupId = newGroupId;
    });
  }

  /**
   * @param nowMs the time, ms since 1970 (UTC)
   * @return the record of the same version, with the step {@link VersionStep#PUBLISHING}
   */
  public VersionRecord publishing(long nowMs) {
    if (!step().canBecome(VersionStep.PUBLISHING)) {
      throw new IllegalStateException(this + " cannot be published again");
    }
    return with(changed -> {
      changed.step = VersionStep.PUBLISHING;
      changed.publishedMs = nowMs;
    });
  }

  /**
   * @param ms how long the old version is kept at least after the new one is published, ms, because
   *     a power cut might lose units of the new one until then. Each NameNode that becomes active
   *     reads it in the record, and keeps to it
   * @return the record of the same version
   */
  public VersionRecord keptAtLeast(long ms) {
    if (ms <= graceMs()) {
      return this;
    }
    // A NameNode of 0.2.0 keeps to the grace, and knows of nothing else.
    return with(changed -> {
      changed.askedMs = askedGraceMs();
      changed.graceMs = ms;
    });
  }

  /** @return how far the version is */
  public VersionStep step() {
    return fields.step;
  }

  /** @return whether the version has updates of the file that were committed */
  public boolean isCommit() {
    return VersionEngine.COMMITS_JOB.equals(fields.jobId);
  }

  /** @return the job that has asked for the version */
  public String jobId() {
    return fields.jobId;
  }

  /** @return the path of the file when the version was begun */
  public String path() {
    return fields.path;
  }

  /** @return id of the old version's inode; the version's directory has it as its name */
  public long inodeId() {
    return fields.inodeId;
  }

  /** @return inode id of the file's directory */
  public long parentId() {
    return fields.parentId;
  }

  /** @return name of the file in its directory */
  public String name() {
    return fields.name;
  }

  /** @return short name of the user whose permissions count */
  public String user() {
    return fields.user;
  }

  /** @return name of the new policy */
  public String policy() {
    return fields.policy;
  }

  /** @return a digest of the old version's groups and lengths */
  public String digest() {
    return fields.digest;
  }

  /** @return term of the repair manager that has begun the version */
  public long term() {
    return fields.term;
  }

  /** @return for how long the old version is kept after it is published, ms */
  public long graceMs() {
    return fields.graceMs;
  }

  /**
   * @return the grace that was asked for, ms. It may be shorter than {@link #graceMs}, see {@link
   *     #keptAtLeast}; readers are given as long as this
   */
  public long askedGraceMs() {
    return fields.askedMs == UNSAID ? fields.graceMs : fields.askedMs;
  }

  /** @return when the grace of the old version ends, ms since 1970 (UTC) */
  public long graceEndMs() {
    return fields.publishedMs + fields.graceMs;
  }

  /** Returns where the version's directory lies. */
  VersionHome home() {
    return fields.home;
  }

  /** @return the version's directory */
  public String directory() {
    return fields.home.directory(fields.inodeId);
  }

  /** @return inode id of the new version; 0 if it is not known, as in records of 0.2.0 */
  public long newInodeId() {
    return fields.newInodeId;
  }

  /** @return id of the first block group of the new version; 0 if it is not known */
  public long newGroupId() {
    return fields.newGroupId;
  }

  /** @return the record as the namespace keeps it */
  public byte[] toBytes() {
    ObjectNode object = JSON.createObjectNode();
    object.put("step", fields.step.name());
    object.put("job", fields.jobId);
    object.put("path", fields.path);
    object.put("inode", fields.inodeId);
    object.put("parent", fields.parentId);
    object.put("name", fields.name);
    object.put("user", fields.user);
    object.put("policy", fields.policy);
    object.put("digest", fields.digest);
    object.put("term", fields.term);
    object.put("grace_ms", fields.graceMs);
    object.put("published_ms", fields.publishedMs);
    if (fields.home != VersionHome.FLAT) {
      object.put("home", fields.home.name());
    }
    if (fields.newInodeId != 0) {
      object.put("new", fields.newInodeId);
    }
    if (fields.newGroupId != 0) {
      object.put("group", fields.newGroupId);
    }
    if (fields.askedMs != UNSAID) {
      object.put("asked_ms", fields.askedMs);
    }
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
      Fields fields = new Fields();
      fields.step = VersionStep.valueOf(text(object, "step"));
      fields.jobId = text(object, "job");
      fields.path = text(object, "path");
      fields.inodeId = number(object, "inode");
      fields.parentId = number(object, "parent");
      fields.name = text(object, "name");
      fields.user = text(object, "user");
      fields.policy = text(object, "policy");
      fields.digest = text(object, "digest");
      fields.term = number(object, "term");
      fields.graceMs = number(object, "grace_ms");
      fields.publishedMs = number(object, "published_ms");
      fields.home = object.has("home") ? VersionHome.valueOf(text(object, "home"))
          : VersionHome.FLAT;
      fields.newInodeId = object.has("new") ? number(object, "new") : 0;
      fields.newGroupId = object.has("group") ? number(object, "group") : 0;
      fields.askedMs = object.has("asked_ms") ? number(object, "asked_ms") : UNSAID;
      return new VersionRecord(fields);
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
    return "version of " + PeerText.oneLine(fields.path) + " (inode " + fields.inodeId + ", "
        + fields.step + ", job " + fields.jobId + ")";
  }
}
