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
package org.hdfsppr.operate;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/** A directory whose files are protected by CORE groups, and how far that is. Immutable. */
@InterfaceAudience.Private
public final class CoreDirectory {
  /** The fewest files of a group. */
  public static final int FILES_MIN = 2;
  /** The most files of a group: DataNodes make the XOR of at most 15 blocks. */
  public static final int FILES_MAX = 15;
  /** Stands for a time at which nothing has happened. */
  public static final long NEVER = 0;

  /** A number of a directory. */
  @InterfaceAudience.Private
  public enum Number {
    /** CORE groups whose parity file exists. */
    GROUPS,
    /** Files in these groups. */
    MEMBERS,
    /** Bytes of file data in them. */
    MEMBER_BYTES,
    /** Bytes of file data in the parity files. */
    PARITY_BYTES,
    /** Bytes that the parity files take on disks. */
    PARITY_SPACE_BYTES,
    /** Groups that are being made. */
    FORMING,
    /** Groups that wait for a place to be made. */
    QUEUED,
    /** Block groups of members that are not the recorded ones any more. */
    STALE,
    /** Columns that had two blocks on one DataNode when they were last looked at. */
    COLUMNS_TOGETHER
  }

  /** Absolute path */
  public final String path;
  /** How many files of a policy that does not say it form a group */
  public final int files;
  /** Whether the files of all directories below it are protected, too */
  public final boolean recursive;
  /** Short name of the user that has protected it last */
  public final String user;
  private final Map<Number, Long> numbers;
  /** How many files are in no group, by reason */
  public final Map<String, Long> waiting;
  /** Why the last group that could not be made was not; empty if all could be */
  public final String failure;
  /** When all files were last looked at, ms since 1970 (UTC); {@link #NEVER} if not yet */
  public final long walkedMs;

  private CoreDirectory(Builder builder) {
    path = builder.path;
    files = builder.files;
    recursive = builder.recursive;
    user = builder.user;
    numbers = Collections.unmodifiableMap(new TreeMap<>(builder.numbers));
    waiting = Collections.unmodifiableMap(new TreeMap<>(builder.waiting));
    failure = builder.failure;
    walkedMs = builder.walkedMs;
    if (!path.startsWith("/") || files < FILES_MIN || files > FILES_MAX
        || numbers.values().stream().anyMatch(number -> number < 0)) {
      throw new IllegalArgumentException("No protected directory is " + path + " with " + files
          + " files a group and " + numbers);
    }
  }

  /**
   * @param path absolute path
   * @param files how many files of a policy that does not say it form a group
   * @param recursive whether the files of all directories below it are protected, too
   * @return a builder with no groups
   */
  public static Builder of(String path, int files, boolean recursive) {
    return new Builder(path, files, recursive);
  }

  /**
   * @param which a number
   * @return its value
   */
  public long get(Number which) {
    return numbers.getOrDefault(which, 0L);
  }

  /** Collects the parts of a directory's state. */
  @InterfaceAudience.Private
  public static final class Builder {
    private final String path;
    private final int files;
    private final boolean recursive;
    private String user = "";
    private final Map<Number, Long> numbers = new TreeMap<>();
    private Map<String, Long> waiting = Map.of();
    private String failure = "";
    private long walkedMs = NEVER;

    private Builder(String path, int files, boolean recursive) {
      this.path = Objects.requireNonNull(path, "path");
      this.files = files;
      this.recursive = recursive;
    }

    /**
     * @param name short name of the user that has protected it last
     * @return this builder
     */
    public Builder user(String name) {
      user = Objects.requireNonNull(name, "name");
      return this;
    }

    /**
     * @param which a number
     * @param value its value
     * @return this builder
     */
    public Builder number(Number which, long value) {
      numbers.put(which, value);
      return this;
    }

    /**
     * @param filesByReason how many files are in no group, by reason
     * @return this builder
     */
    public Builder waiting(Map<String, Long> filesByReason) {
      waiting = filesByReason;
      return this;
    }

    /**
     * @param sentence why the last group that could not be made was not
     * @return this builder
     */
    public Builder failure(String sentence) {
      failure = Objects.requireNonNull(sentence, "sentence");
      return this;
    }

    /**
     * @param ms when all files were last looked at, ms since 1970 (UTC)
     * @return this builder
     */
    public Builder walkedMs(long ms) {
      walkedMs = ms;
      return this;
    }

    /**
     * @return the directory
     * @throws IllegalArgumentException if a part makes no sense
     */
    public CoreDirectory build() {
      return new CoreDirectory(this);
    }
  }
}
