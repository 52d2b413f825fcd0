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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a path is, as the NameNode has it at one moment. Immutable. */
@InterfaceAudience.Private
public final class FileFacts {
  /** What there is at a path. */
  @InterfaceAudience.Private
  public enum Kind {
    /** Nothing. */
    MISSING,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link. */
    SYMLINK,
    /** A file. */
    FILE
  }

  private final String path;
  private final Kind kind;
  private final long inodeId;
  private final List<FileGroup> groups;
  private final PolicyFacts policy;
  private final long mtime;
  private final long atime;
  private final long atimePrecisionMs;
  private final String open;
  private final boolean encrypted;
  private final boolean unreadable;
  private final boolean snapshotted;
  private final boolean updated;
  private final boolean inSnapshot;
  private final boolean reserved;
  private final String snapshotRule;
  private final boolean held;
  private final boolean grown;
  private final String denied;
  private final long spaceBytes;
  private final long spaceLeftBytes;
  private final long namesLeft;
  private final String storagePolicy;
  private final boolean safeMode;

  private FileFacts(Builder builder) {
    path = Objects.requireNonNull(builder.path, "path");
    kind = Objects.requireNonNull(builder.kind, "kind");
    inodeId = builder.inodeId;
    groups = Collections.unmodifiableList(new ArrayList<>(builder.groups));
    policy = builder.policy;
    mtime = builder.mtime;
    atime = builder.atime;
    atimePrecisionMs = builder.atimePrecisionMs;
    open = builder.open;
    encrypted = builder.encrypted;
    unreadable = builder.unreadable;
    snapshotted = builder.snapshotted;
    updated = builder.updated;
    inSnapshot = builder.inSnapshot;
    reserved = builder.reserved;
    snapshotRule = builder.snapshotRule;
    held = builder.held;
    grown = builder.grown;
    denied = builder.denied;
    spaceBytes = builder.spaceBytes;
    spaceLeftBytes = builder.spaceLeftBytes;
    namesLeft = builder.namesLeft;
    storagePolicy = builder.storagePolicy;
    safeMode = builder.safeMode;
  }

  /**
   * Begins the facts of a path.
   *
   * @param path absolute path
   * @param kind what there is
   * @param inodeId id of its inode; 0 if there is nothing
   * @return a builder; by default nothing is in the way of a version
   */
  public static Builder of(String path, Kind kind, long inodeId) {
    return new Builder(path, kind, inodeId);
  }

  /** @return absolute path */
  public String path() {
    return path;
  }

  /** @return what there is at the path */
  public Kind kind() {
    return kind;
  }

  /** @return id of the inode; 0 if there is nothing */
  public long inodeId() {
    return inodeId;
  }

  /** @return the block groups in the order of the file; empty if the blocks are replicated */
  public List<FileGroup> groups() {
    return groups;
  }

  /** @return bytes of the block groups */
  public long bytes() {
    return groups.stream().mapToLong(FileGroup::bytes).sum();
  }

  /** @return how many units the group that has lost most has lost */
  public int lostUnitsMax() {
    return groups.stream().mapToInt(FileGroup::lostUnits).max().orElse(0);
  }

  /** @return the policy of the file; null if its blocks are replicated */
  public PolicyFacts policy() {
    return policy;
  }

  /** @return when the file was last written, ms since 1970 (UTC) */
  public long mtime() {
    return mtime;
  }

  /** @return when the file was last read, as the NameNode notes it, ms since 1970 (UTC) */
  public long atime() {
    return atime;
  }

  /** @return reads within this time after a noted one are not noted, ms; 0 if none is */
  public long atimePrecisionMs() {
    return atimePrecisionMs;
  }

  /** @return why the file counts as open, as the end of a sentence; null if it is closed */
  public String open() {
    return open;
  }

  /** @return whether logs of DataNodes may have updates of it that are in no version */
  public boolean isUpdated() {
    return updated;
  }

  /** @return whether the file lies in an encryption zone */
  public boolean isEncrypted() {
    return encrypted;
  }

  /** @return whether the latest snapshot above has the file, so that its version overwrites it */
  public boolean isSnapshotted() {
    return snapshotted;
  }

  /** @return whether superusers may not read it: security.hdfs.unreadable.by.superuser */
  public boolean isUnreadable() {
    return unreadable;
  }

  /** @return whether the path leads into a snapshot */
  public boolean isInSnapshot() {
    return inSnapshot;
  }

  /** @return whether the path is one that the extension or the NameNode reserves */
  public boolean isReserved() {
    return reserved;
  }

  /** @return the directory whose snapshots forbid the renames; null if there is none */
  public String snapshotRule() {
    return snapshotRule;
  }

  /** @return whether the file was renamed while a snapshot had it; stock cannot delete it then */
  public boolean isHeld() {
    return held;
  }

  /** @return whether blocks of the file are newer than the last snapshot that has it */
  public boolean isGrown() {
    return grown;
  }

  /** @return what the user may not do, as a sentence; null if the user may write */
  public String denied() {
    return denied;
  }

  /** @return what the file counts in space quotas, bytes */
  public long spaceBytes() {
    return spaceBytes;
  }

  /** @return what the tightest space quota of the path leaves; may be negative */
  public long spaceLeftBytes() {
    return spaceLeftBytes;
  }

  /** @return what the tightest name quota of the path leaves; may be negative */
  public long namesLeft() {
    return namesLeft;
  }

  /** @return name of the storage policy that counts for the file; null if there is none */
  public String storagePolicy() {
    return storagePolicy;
  }

  /** @return whether the NameNode is in safe mode */
  public boolean isSafeMode() {
    return safeMode;
  }

  @Override
  public String toString() {
    return kind + " " + path + " (inode " + inodeId + ", " + groups.size() + " groups)";
  }

  /** Collects facts. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final String path;
    private final Kind kind;
    private final long inodeId;
    private List<FileGroup> groups = Collections.emptyList();
    private PolicyFacts policy;
    private long mtime;
    private long atime;
    private long atimePrecisionMs;
    private String open;
    private boolean encrypted;
    private boolean unreadable;
    private boolean snapshotted;
    private boolean updated;
    private boolean inSnapshot;
    private boolean reserved;
    private String snapshotRule;
    private boolean held;
    private boolean grown;
    private String denied;
    private long spaceBytes;
    private long spaceLeftBytes = Long.MAX_VALUE;
    private long namesLeft = Long.MAX_VALUE;
    private String storagePolicy;
    private boolean safeMode;

    private Builder(String path, Kind kind, long inodeId) {
      this.path = path;
      this.kind = kind;
      this.inodeId = inodeId;
    }

    /**
     * @param list the block groups in the order of the file
     * @return this builder
     */
    public Builder groups(List<FileGroup> list) {
      groups = list;
      return this;
    }

    /**
     * @param value the policy of the file; null if its blocks are replicated
     * @return this builder
     */
    public Builder policy(PolicyFacts value) {
      policy = value;
      return this;
    }

    /**
     * @param value when the file was last written, ms since 1970 (UTC)
     * @return this builder
     */
    public Builder mtime(long value) {
      mtime = value;
      return this;
    }

    /**
     * @param value when the file was last read, as the NameNode notes it, ms since 1970 (UTC)
     * @return this builder
     */
    public Builder atime(long value) {
      atime = value;
      return this;
    }

    /**
     * @param value reads within this time after a noted one are not noted, ms; 0 if none is
     * @return this builder
     */
    public Builder atimePrecisionMs(long value) {
      atimePrecisionMs = value;
      return this;
    }

    /**
     * @param value why the file counts as open, as the end of a sentence; null if it is closed
     * @return this builder
     */
    public Builder open(String value) {
      open = value;
      return this;
    }

    /**
     * @param value whether logs of DataNodes may have updates of it that are in no version
     * @return this
     */
    public Builder updated(boolean value) {
      updated = value;
      return this;
    }

    /**
     * @param value whether the file lies in an encryption zone
     * @return this builder
     */
    public Builder encrypted(boolean value) {
      encrypted = value;
      return this;
    }

    /**
     * @param value see {@link FileFacts#isSnapshotted}
     * @return this
     */
    public Builder snapshotted(boolean value) {
      snapshotted = value;
      return this;
    }

    /**
     * @param value whether superusers may not read it
     * @return this
     */
    public Builder unreadable(boolean value) {
      unreadable = value;
      return this;
    }

    /**
     * @param value whether the path leads into a snapshot
     * @return this builder
     */
    public Builder inSnapshot(boolean value) {
      inSnapshot = value;
      return this;
    }

    /**
     * @param value whether the path is one that the extension or the NameNode reserves
     * @return this builder
     */
    public Builder reserved(boolean value) {
      reserved = value;
      return this;
    }

    /**
     * @param value the directory whose snapshots forbid the renames; null if there is none
     * @return this builder
     */
    public Builder snapshotRule(String value) {
      snapshotRule = value;
      return this;
    }

    /**
     * @param value whether the file was renamed while a snapshot had it, so that stock cannot
     *     delete it
     * @return this builder
     */
    public Builder held(boolean value) {
      held = value;
      return this;
    }

    /**
     * @param value whether blocks of the file are newer than the last snapshot that has it
     * @return this builder
     */
    public Builder grown(boolean value) {
      grown = value;
      return this;
    }

    /**
     * @param value what the user may not do, as a sentence; null if the user may write
     * @return this builder
     */
    public Builder denied(String value) {
      denied = value;
      return this;
    }

    /**
     * @param value what the file counts in space quotas, bytes
     * @return this builder
     */
    public Builder spaceBytes(long value) {
      spaceBytes = value;
      return this;
    }

    /**
     * @param value what the tightest space quota of the path leaves; may be negative
     * @return this builder
     */
    public Builder spaceLeftBytes(long value) {
      spaceLeftBytes = value;
      return this;
    }

    /**
     * @param value what the tightest name quota of the path leaves; may be negative
     * @return this builder
     */
    public Builder namesLeft(long value) {
      namesLeft = value;
      return this;
    }

    /**
     * @param value name of the storage policy that counts for the file; null if there is none
     * @return this builder
     */
    public Builder storagePolicy(String value) {
      storagePolicy = value;
      return this;
    }

    /**
     * @param value whether the NameNode is in safe mode
     * @return this builder
     */
    public Builder safeMode(boolean value) {
      safeMode = value;
      return this;
    }

    /** @return the facts */
    public FileFacts build() {
      return new FileFacts(this);
    }
  }
}
