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

/** The moments of a version at which a test lets something fail or happen, in their order. */
@InterfaceAudience.Private
public enum VersionPoint {
  /** A commit of updates has a number, and no term of the file has begun for it. */
  COMMIT_BEGUN,
  /** All units of the file are in terms that belong to later commits. */
  TERMS_BEGUN,
  /** The updates of the commit are known. */
  COLLECTED,
  /** The version's directory and record are there. */
  RECORDED,
  /** The work file is there, without a group. */
  CREATED,
  /** The work file has got another group, for which nothing is ordered yet. */
  GROUP_ADDED,
  /** The links of a group are ordered. */
  LINKS_ORDERED,
  /** Enough units of a group are linked, so that the next group can be added. */
  LINKED,
  /** The data units of a group with updates are ordered. */
  PATCHES_ORDERED,
  /** The data units of a group are made, and its parity units are ordered. */
  PARITIES_ORDERED,
  /** The units that have to be made are ordered. */
  MAKES_ORDERED,
  /** All units of all groups are reported, and the work file is still open. */
  MADE,
  /** The work file is closed. */
  COMPLETED,
  /** The new version is checked. */
  VERIFIED,
  /** Under the write lock: the record says that the version is being published. */
  PUBLISH_RECORDED,
  /** Under the write lock: the new version has the attributes of the old one. */
  PUBLISH_COPIED,
  /** Under the write lock: the old version is in the work directory, its path is free. */
  PUBLISH_MOVED,
  /** The path has the new version, and the edit log may not be on disk yet. */
  PUBLISH_SWAPPED,
  /** The new version is published. */
  PUBLISHED,
  /** A commit is published, and the logs have its updates. */
  TRIMMING,
  /** The logs have dropped the updates of a commit, as far as their nodes answer. */
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
