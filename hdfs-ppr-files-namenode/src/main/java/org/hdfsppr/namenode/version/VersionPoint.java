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

import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The moments in the life of a version at which a test can make something fail or happen, in their
 * order.
 */
@InterfaceAudience.Private
public enum VersionPoint {
  /** A commit of updates has got its number. No holder of a log has begun a new term for it yet. */
  COMMIT_BEGUN,
  /**
   * The logs of all units of the file are in new terms. Updates from now on belong to later
   * commits.
   */
  TERMS_BEGUN,
  /** It is known which updates belong to the commit. */
  COLLECTED,
  /** The version's directory exists, with the record. */
  RECORDED,
  /** The work file exists, without a group. */
  CREATED,
  /** The work file has got a further group, for which no order was given yet. */
  GROUP_ADDED,
  /** DataNodes were ordered to link units of a group. */
  LINKS_ORDERED,
  /** As many units of a group are linked as stock wants before it adds the next group. */
  LINKED,
  /** DataNodes were ordered to patch those data units of a group that have updates. */
  PATCHES_ORDERED,
  /** The data units of a group are made, and DataNodes were ordered to make its parity units. */
  PARITIES_ORDERED,
  /** DataNodes were ordered to make those units that are not links. */
  MAKES_ORDERED,
  /** DataNodes have reported all units of all groups, and the work file is still open. */
  MADE,
  /** The work file is closed. */
  COMPLETED,
  /** The new version is checked. */
  VERIFIED,
  /** Under the write lock: the record says that the version is being published. */
  PUBLISH_RECORDED,
  /** Under the write lock: the new version has got the attributes of the old one. */
  PUBLISH_COPIED,
  /** Under the write lock: the old version is in the version's directory, and its path is free. */
  PUBLISH_MOVED,
  /** The path has the new version, and the edit log may not be on disk yet. */
  PUBLISH_SWAPPED,
  /** The new version is published. */
  PUBLISHED,
  /** A commit is published, and the logs still have its updates. */
  TRIMMING,
  /** The logs have dropped the updates of a commit, except on nodes that do not answer. */
  TRIMMED,
  /** The directory of a version is about to be deleted. */
  CLEANING,
  /** The directory of a version is deleted. */
  CLEANED;

  private static final Set<VersionPoint> ONLY_COMMITS = EnumSet.of(COMMIT_BEGUN, TERMS_BEGUN,
      COLLECTED, PATCHES_ORDERED, PARITIES_ORDERED, TRIMMING, TRIMMED);

  /** @return the moments of a version without updates, in their order */
  public static VersionPoint[] ofConversions() {
    return EnumSet.complementOf(EnumSet.copyOf(ONLY_COMMITS)).toArray(new VersionPoint[0]);
  }

  /** @return the moments of a version with updates, in their order */
  public static VersionPoint[] ofCommits() {
    return EnumSet.complementOf(EnumSet.of(MAKES_ORDERED)).toArray(new VersionPoint[0]);
  }
}
