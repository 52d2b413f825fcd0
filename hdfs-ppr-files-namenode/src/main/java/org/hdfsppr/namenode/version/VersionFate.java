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

/**
 * What the janitor does with the directory of a version that has no making. That depends on the
 * version's record, on where both versions are, and on the time. In case of doubt, nothing is
 * deleted.
 */
@InterfaceAudience.Private
public enum VersionFate {
  /** The directory is deleted: the file is as it was. */
  UNDO,
  /** The NameNode died between the two renames: the new version gets the path. */
  FINISH,
  /**
   * The directory is kept. The version is published, and the grace of the old one has not ended, or
   * a snapshot prevents that the old one is deleted.
   */
  KEEP,
  /** The version is published, and the directory is deleted with the old version. */
  CLEAN,
  /** Everything is kept until an operator decides. */
  ASK;

  /**
   * @param record the version's record
   * @param places where both versions are
   * @param nowMs the time, ms since 1970 (UTC)
   * @return what becomes of the directory
   */
  public static VersionFate of(VersionRecord record, VersionPlaces places, long nowMs) {
    if (record.step == VersionStep.MAKING) {
      // Nothing was renamed: the renames come after the record has the step PUBLISHING.
      return withoutRenames(places);
    }
    if (!places.oldKept) {
      return ofUnmoved(places);
    }
    if (places.newKept) {
      return places.atPath == VersionPlaces.AtPath.NOTHING ? FINISH : ASK;
    }
    // If the clock was set back, the grace becomes longer. It never ends earlier than the clock
    // says.
    boolean isOver = nowMs >= record.graceEndMs() || places.isPathGone();
    return isOver && !places.oldHeld ? CLEAN : KEEP;
  }

  /** Returns what becomes of the directory if the caller knows that nothing was renamed. */
  static VersionFate withoutRenames(VersionPlaces places) {
    // Only a rename can have put the old version into the directory, so its presence is a
    // contradiction.
    return places.oldKept ? ASK : UNDO;
  }

  /**
   * @param record the version's record
   * @param places where both versions are
   * @return whether the new version has got the path. Then the old one is in the directory, or only
   *     in a snapshot, if the new one has overwritten it
   */
  static boolean isPublished(VersionRecord record, VersionPlaces places) {
    return record.step == VersionStep.PUBLISHING && !places.newKept
        && places.atPath != VersionPlaces.AtPath.OLD;
  }

  private static VersionFate ofUnmoved(VersionPlaces places) {
    if (!places.newKept) {
      // If the old version still exists, then in a snapshot. Nothing in the directory is needed.
      return CLEAN;
    }
    // The new version was never published. It is needed only if the old one does not exist any
    // more.
    return places.doesOldExist() ? UNDO : ASK;
  }
}
