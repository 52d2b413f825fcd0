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

import org.apache.hadoop.classification.InterfaceAudience;

/** The moments of a version at which a test lets something fail or happen, in their order. */
@InterfaceAudience.Private
public enum VersionPoint {
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
  /** The directory of a version is about to be deleted. */
  CLEANING,
  /** The directory of a version is deleted. */
  CLEANED
}
