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
 * What becomes of a version's directory that has no worker. Its record, the places of both
 * versions, and the time decide; on a doubt nothing is deleted.
 */
@InterfaceAudience.Private
public enum VersionFate {
  /** The directory is deleted: the file is as it was. */
  UNDO,
  /** A crash came between the two renames: the new version gets the path. */
  FINISH,
  /**
   * The version is published, and the grace of the old one has not ended, or a snapshot holds it.
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
      // The renames come after the record of PUBLISHING.
      return withoutRenames(places);
    }
    if (!places.oldKept) {
      return ofUnmoved(places);
    }
    if (places.newKept) {
      return places.atPath == VersionPlaces.AtPath.NOTHING ? FINISH : ASK;
    }
    // A clock that was set back makes the grace longer, never shorter than the clock says.
    boolean isOver = nowMs >= record.graceEndMs() || places.isPathGone();
    return isOver && !places.oldHeld ? CLEAN : KEEP;
  }

  /** Returns what becomes of the directory of a version for which nothing was renamed. */
  static VersionFate withoutRenames(VersionPlaces places) {
    // Without renames, the directory cannot have an old version.
    return places.oldKept ? ASK : UNDO;
  }

  /**
   * @param record the version's record
   * @param places what is where
   * @return whether the new version has got its path. The old one is kept, or a snapshot had it, so
   *     that the new one has overwritten it
   */
  static boolean isPublished(VersionRecord record, VersionPlaces places) {
    return record.step == VersionStep.PUBLISHING && !places.newKept
        && places.atPath != VersionPlaces.AtPath.OLD;
  }

  private static VersionFate ofUnmoved(VersionPlaces places) {
    if (!places.newKept) {
      // A snapshot has the old version, if anything has: there is nothing to lose here.
      return CLEAN;
    }
    // The new version was never published. While the old one exists, the new one is not needed.
    return places.doesOldExist() ? UNDO : ASK;
  }
}
