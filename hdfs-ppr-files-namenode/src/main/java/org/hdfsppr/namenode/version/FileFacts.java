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
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a path is, as the NameNode has it at one moment. Immutable. */
@InterfaceAudience.Private
public final class FileFacts {
  /** The kind of the inode at the path. */
  public enum Kind {
    /** There is no inode at the path. */
    MISSING,
    /** A directory. */
    DIRECTORY,
    /** A symbolic link. */
    SYMLINK,
    /** A file. */
    FILE
  }

  /** Absolute path */
  public final String path;
  /** What kind of inode there is at the path */
  public final Kind kind;
  /** Id of the inode; 0 if there is nothing */
  public final long inodeId;
  /** The block groups in the order of the file; empty if the blocks are replicated */
  public final List<FileGroup> groups;
  /** The policy of the file; null if its blocks are replicated */
  public final PolicyFacts policy;
  /** When the file was last written, ms since 1970 (UTC) */
  public final long mtime;
  /** When the file was last read, as the NameNode notes it, ms since 1970 (UTC) */
  public final long atime;
  /**
   * The NameNode records no read within this time after a recorded one, ms; 0 if it records none
   */
  public final long atimePrecisionMs;
  /** Why the file counts as open, as the end of a sentence; null if it is closed */
  public final String open;
  /** Whether the file lies in an encryption zone */
  public final boolean encrypted;
  /** Whether superusers may not read it: security.hdfs.unreadable.by.superuser */
  public final boolean unreadable;
  /**
   * Whether the latest snapshot of a directory above has the file. Then a new version overwrites
   * the file, and does not move it away
   */
  public final boolean snapshotted;
  /**
   * Whether DataNodes may have updates of the file in their logs that no version of the file has
   */
  public final boolean updated;
  /** Whether the path leads into a snapshot */
  public final boolean inSnapshot;
  /** Whether the path is one that this extension or the NameNode reserves */
  public final boolean reserved;
  /**
   * The snapshottable directory because of which the NameNode must not rename the file; null if
   * there is none
   */
  public final String snapshotRule;
  /** Whether the file was renamed while a snapshot had it; stock fails to delete such a file */
  public final boolean held;
  /**
   * Whether the file was appended to since the last snapshot that has it, so that it has blocks
   * that the snapshot does not have
   */
  public final boolean grown;
  /**
   * Which permission the user lacks to write to the file, as a sentence; null if the user may write
   */
  public final String denied;
  /** How many bytes the file counts in space quotas */
  public final long spaceBytes;
  /**
   * How many bytes may still be added until the tightest space quota of the path is full; may be
   * negative
   */
  public final long spaceLeftBytes;
  /**
   * How many names may still be added until the tightest name quota of the path is full; may be
   * negative
   */
  public final long namesLeft;
  /** Name of the storage policy that applies to the file; null if there is none */
  public final String storagePolicy;
  /** Whether the NameNode is in safe mode */
  public final boolean safeMode;

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
   * @return a builder; by default, nothing prevents a new version of the file
   */
  public static Builder of(String path, Kind kind, long inodeId) {
    return new Builder(path, kind, inodeId);
  }

  /** @return how many bytes of file data the block groups have */
  public long bytes() {
    return groups.stream().mapToLong(group -> group.bytes).sum();
  }

  /** @return how many units are lost of the group that has lost the most */
  public int lostUnitsMax() {
    return groups.stream().mapToInt(group -> group.lostUnits).max().orElse(0);
  }

  @Override
  public String toString() {
    return kind + " " + path + " (inode " + inodeId + ", " + groups.size() + " groups)";
  }

  /** Collects facts. The fields are those of {@link FileFacts}. Not thread-safe. */
  public static final class Builder {
    private final String path;
    private final Kind kind;
    private final long inodeId;
    public List<FileGroup> groups = Collections.emptyList();
    public PolicyFacts policy;
    public long mtime;
    public long atime;
    public long atimePrecisionMs;
    public String open;
    public boolean encrypted;
    public boolean unreadable;
    public boolean snapshotted;
    public boolean updated;
    public boolean inSnapshot;
    public boolean reserved;
    public String snapshotRule;
    public boolean held;
    public boolean grown;
    public String denied;
    public long spaceBytes;
    public long spaceLeftBytes = Long.MAX_VALUE;
    public long namesLeft = Long.MAX_VALUE;
    public String storagePolicy;
    public boolean safeMode;

    private Builder(String path, Kind kind, long inodeId) {
      this.path = path;
      this.kind = kind;
      this.inodeId = inodeId;
    }

    /**
     * @param change sets fields
     * @return this builder
     */
    public Builder with(Consumer<Builder> change) {
      change.accept(this);
      return this;
    }

    /** @return the facts */
    public FileFacts build() {
      return new FileFacts(this);
    }
  }
}
