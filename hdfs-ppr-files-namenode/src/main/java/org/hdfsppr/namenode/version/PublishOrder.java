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
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * An order to publish a version: what the file has to be at that moment, and what takes its place.
 * Immutable.
 */
@InterfaceAudience.Private
public final class PublishOrder {
  /** With this value, the version is published whatever the access time of the file is. */
  public static final long ANY_ATIME = Long.MAX_VALUE;

  /** The version's record */
  public final VersionRecord record;
  /** The file as it was when the version began */
  public final TargetFile file;
  /** Inode id of the new version */
  public final long newInodeId;
  /** The groups of the new version */
  public final List<FileGroup> newGroups;
  /**
   * The version is published only if the access time of the file is not later than this, ms since
   * 1970 (UTC)
   */
  public final long atimeMax;
  /** Null if the new version has the content of the old one. */
  private final CommitPlan commit;
  /** How long it takes until all units of the new version survive a power cut, ms */
  public final long durableInMs;
  /**
   * How often the namesystem's lock was held for this order without a publication, because the edit
   * log was too slow
   */
  public final int holdsInVain;

  /** Creates the order for a version that has the content of the old one. */
  PublishOrder(VersionRecord record, TargetFile file, long newInodeId, List<FileGroup> newGroups,
      long atimeMax) {
    this(record, file, newInodeId, newGroups, atimeMax, null);
  }

  /**
   * @param record the version's record, which does not say yet that the version is published
   * @param file the file as it was when the version began
   * @param newInodeId inode id of the new version
   * @param newGroups the groups of the new version
   * @param atimeMax the latest access time of the file with which the version may be published, ms
   *     since 1970 (UTC), or {@link #ANY_ATIME}
   * @param commit the updates that are in the new version; null if its content is the old one
   */
  public PublishOrder(VersionRecord record, TargetFile file, long newInodeId,
      List<FileGroup> newGroups, long atimeMax, CommitPlan commit) {
    this.durableInMs = 0;
    this.holdsInVain = 0;
    this.commit = commit;
    this.record = Objects.requireNonNull(record, "record");
    this.file = Objects.requireNonNull(file, "file");
    this.newInodeId = newInodeId;
    this.newGroups = Collections.unmodifiableList(new ArrayList<>(newGroups));
    this.atimeMax = atimeMax;
  }

  private PublishOrder(PublishOrder like, long atimeMax, long durableInMs, int holdsInVain) {
    this.record = like.record;
    this.file = like.file;
    this.newInodeId = like.newInodeId;
    this.newGroups = like.newGroups;
    this.commit = like.commit;
    this.atimeMax = atimeMax;
    this.durableInMs = durableInMs;
    this.holdsInVain = holdsInVain;
  }

  /**
   * @param ms how long it takes until all units of the new version survive a power cut, ms
   * @return the same order with this time
   */
  PublishOrder durableIn(long ms) {
    return new PublishOrder(this, atimeMax, ms, holdsInVain);
  }

  /**
   * @param ms the latest access time of the file with which the version may be published, ms since
   *     1970 (UTC)
   * @return the same order with this time
   */
  PublishOrder readBy(long ms) {
    return new PublishOrder(this, ms, durableInMs, holdsInVain);
  }

  /**
   * @param times how often the namesystem's lock was held for this order without a publication
   * @return the same order with this number
   */
  PublishOrder afterHoldsInVain(int times) {
    return new PublishOrder(this, atimeMax, durableInMs, times);
  }

  /** @return the updates that are in the new version; empty if its content is the old one */
  public Optional<CommitPlan> commit() {
    return Optional.ofNullable(commit);
  }
}
