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
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.wire.PeerText;

/**
 * What the namespace stores about a version, so that another NameNode, or this one after a restart,
 * knows what to do with the version's files. Immutable. As a text, within a {@link SealedText}, it
 * is a JSON object:
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

  /** How far the version has got */
  public final VersionStep step;
  /** Id of the job that has asked for the version */
  public final String jobId;
  /** The path of the file when the version began */
  public final String path;
  /** Inode id of the old version; it is also the name of the version's directory */
  public final long inodeId;
  /** Inode id of the file's parent directory */
  public final long parentId;
  /** Name of the file in that directory */
  public final String name;
  /** Short name of the user whose permissions are checked */
  public final String user;
  /** Name of the new policy */
  public final String policy;
  /** A digest of the ids and lengths of the old version's groups */
  public final String digest;
  /** The term of the repair manager in which the version began */
  public final long term;
  /** For how long the old version is kept after the new one is published, ms */
  public final long graceMs;
  private final long publishedMs;
  /**
   * Where the version's directory lies. A record that does not say it has {@link VersionHome#FLAT}
   */
  final VersionHome home;
  /** Inode id of the new version; 0 if it is not known, as in records of 0.2.0 */
  public final long newInodeId;
  /** Id of the first block group of the new version; 0 if it is not known */
  public final long newGroupId;
  /**
   * The grace that the request asks for, ms. Reads of the old version count only for this time.
   * {@link #graceMs} may be longer, see {@link #keptAtLeast}
   */
  public final long askedGraceMs;

  private VersionRecord(JsonNode object) throws IOException {
    step = VersionStep.valueOf(text(object, "step"));
    jobId = text(object, "job");
    path = text(object, "path");
    inodeId = number(object, "inode");
    parentId = number(object, "parent");
    name = text(object, "name");
    user = text(object, "user");
    policy = text(object, "policy");
    digest = text(object, "digest");
    term = number(object, "term");
    graceMs = number(object, "grace_ms");
    publishedMs = number(object, "published_ms");
    home = object.has("home") ? VersionHome.valueOf(text(object, "home")) : VersionHome.FLAT;
    newInodeId = object.has("new") ? number(object, "new") : 0;
    newGroupId = object.has("group") ? number(object, "group") : 0;
    askedGraceMs = object.has("asked_ms") ? number(object, "asked_ms") : graceMs;
  }

  private static VersionRecord of(ObjectNode object) {
    try {
      return new VersionRecord(object);
    } catch (IOException e) {
      throw new IllegalStateException("A record of a version lacks a field", e);
    }
  }

  /** Returns a copy of this record in which some fields of the JSON object differ. */
  private VersionRecord with(Consumer<ObjectNode> change) {
    ObjectNode object = toJson();
    change.accept(object);
    return of(object);
  }

  /**
   * Begins the record of a version.
   *
   * @param request the request for the version
   * @param file the file in its present state
   * @param term term of the repair manager
   * @return the record, with the step {@link VersionStep#MAKING}
   */
  static VersionRecord begin(VersionRequest request, TargetFile file, long term) {
    return of(JSON.createObjectNode()
        .put("step", VersionStep.MAKING.name())
        .put("job", request.jobId)
        .put("path", file.path())
        .put("inode", file.inodeId())
        .put("parent", file.parentId)
        .put("name", file.name)
        .put("user", request.user)
        .put("policy", request.policy)
        .put("digest", file.digest())
        .put("term", term)
        .put("grace_ms", request.graceMs)
        .put("published_ms", 0));
  }

  /** Returns the record of the same version with another home. */
  VersionRecord at(VersionHome home) {
    return with(changed -> changed.put("home", home.name()));
  }

  /**
   * @param newInodeId inode id of the new version
   * @param newGroupId id of the new version's first block group; 0 if it has none
   * @return the record of the same version with these ids
   */
  public VersionRecord made(long newInodeId, long newGroupId) {
    return with(changed -> changed.put("new", newInodeId).put("group", newGroupId));
  }

  /**
   * @param nowMs the time, ms since 1970 (UTC)
   * @return the record of the same version, with the step {@link VersionStep#PUBLISHING}
   */
  public VersionRecord publishing(long nowMs) {
    if (!step.canBecome(VersionStep.PUBLISHING)) {
      throw new IllegalStateException(this + " cannot be published again");
    }
    return with(changed -> changed.put("step", VersionStep.PUBLISHING.name())
        .put("published_ms", nowMs));
  }

  /**
   * @param ms for how long the old version must be kept after the new one is published, ms, because
   *     a power cut might lose units of the new one until then. It is in the record so that each
   *     NameNode that becomes active obeys it
   * @return the record of the same version with at least this grace
   */
  public VersionRecord keptAtLeast(long ms) {
    if (ms <= graceMs) {
      return this;
    }
    // A NameNode of 0.2.0 knows no other field than the grace, so that it obeys this one, too.
    return with(changed -> changed.put("asked_ms", askedGraceMs).put("grace_ms", ms));
  }

  /**
   * @param other the record that the namespace has
   * @return whether both are records of one making of a version, which may be at different steps.
   *     Records of two makings differ in the old version, the job or the term
   */
  public boolean isOfSameVersion(VersionRecord other) {
    return inodeId == other.inodeId && home == other.home && term == other.term
        && jobId.equals(other.jobId) && digest.equals(other.digest)
        && policy.equals(other.policy);
  }

  /** @return whether the version was made to commit updates of the file */
  public boolean isCommit() {
    return VersionEngine.COMMITS_JOB.equals(jobId);
  }

  /** @return when the grace of the old version ends, ms since 1970 (UTC) */
  public long graceEndMs() {
    return publishedMs + graceMs;
  }

  /** @return the version's directory */
  public String directory() {
    return home.directory(inodeId);
  }

  /** @return the record as the namespace keeps it, in the form of 0.2.0 */
  public byte[] toBytes() {
    try {
      return SealedText.seal(KIND, FORMAT, JSON.writeValueAsString(toJson()));
    } catch (IOException e) {
      throw new IllegalStateException("The record of a version cannot be written", e);
    }
  }

  /**
   * Returns the JSON object, in which a field that 0.2.0 does not know is left out if it has no
   * value. 0.2.0 ignores such fields.
   */
  private ObjectNode toJson() {
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
    if (home != VersionHome.FLAT) {
      object.put("home", home.name());
    }
    if (newInodeId != 0) {
      object.put("new", newInodeId);
    }
    if (newGroupId != 0) {
      object.put("group", newGroupId);
    }
    if (askedGraceMs != graceMs) {
      object.put("asked_ms", askedGraceMs);
    }
    return object;
  }

  /**
   * @param bytes a record as the namespace stores it, sealed or in the form of 0.2.0
   * @return the record
   * @throws BadRecordException if the record is too old, too new, or corrupt
   */
  public static VersionRecord parse(byte[] bytes) throws BadRecordException {
    String text = SealedText.open(KIND, FORMAT, FORMAT,
        SealedRecord.open(SealedKind.VERSION, bytes));
    try {
      return new VersionRecord(JSON.readTree(text));
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
    return "version of " + PeerText.oneLine(path) + " (inode " + inodeId + ", "
        + step + ", job " + jobId + ")";
  }
}
