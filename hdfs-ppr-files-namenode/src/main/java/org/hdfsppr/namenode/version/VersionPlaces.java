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

/** Where both versions of a file are, for a version without a worker. Immutable. */
@InterfaceAudience.Private
public final class VersionPlaces {
  /** What there is at the path of the file. */
  public enum AtPath {
    /** Its directory does not exist any more. */
    NO_DIRECTORY,
    /** Nothing. */
    NOTHING,
    /** The old version. */
    OLD,
    /** Something else. */
    OTHER
  }

  /** Whether the version's directory has the old version */
  public final boolean oldKept;
  /** Whether the version's directory has the new version */
  public final boolean newKept;
  private final boolean oldExists;
  /**
   * Whether a snapshot has the old version in such a way that Hadoop cannot delete it. The rename
   * notes the blocks of a file that is in a snapshot, and Hadoop's delete of such a file then fails
   * if the file is striped, after it has taken the file out of memory and before it logs anything.
   * Version 0.2.0 renamed such files; later versions do not
   */
  public final boolean oldHeld;
  /** What there is at the path of the file */
  public final AtPath atPath;
  private final boolean newGone;

  /**
   * @param oldKept whether the version's directory has the old version
   * @param newKept whether the version's directory has the new version
   * @param oldExists whether the old version is anywhere in the namespace
   * @param oldHeld see {@link #oldHeld}
   * @param atPath what there is at the path of the file
   */
  public VersionPlaces(boolean oldKept, boolean newKept, boolean oldExists, boolean oldHeld,
      AtPath atPath) {
    this(oldKept, newKept, oldExists, oldHeld, atPath, false);
  }

  private VersionPlaces(boolean oldKept, boolean newKept, boolean oldExists, boolean oldHeld,
      AtPath atPath, boolean newGone) {
    this.newGone = newGone;
    this.oldHeld = oldHeld;
    this.oldKept = oldKept;
    this.newKept = newKept;
    this.oldExists = oldExists;
    this.atPath = atPath;
  }

  /**
   * @return the places of a new version that is nowhere any more, neither in a snapshot nor as a
   *     part of a file to which a user has joined it (concat)
   */
  public VersionPlaces withoutNew() {
    return new VersionPlaces(oldKept, newKept, oldExists, oldHeld, atPath, true);
  }

  /**
   * @return whether the new version is known to be gone, and nothing has its path. A stock stream
   *     of the old version then finds nothing at the path if it asks again, and fails as that of
   *     any deleted file does; it cannot take units of another code for those of the old version
   */
  public boolean isPathGone() {
    return newGone && (atPath == AtPath.NOTHING || atPath == AtPath.NO_DIRECTORY);
  }

  /** @return whether the old version is anywhere in the namespace */
  public boolean doesOldExist() {
    return oldExists;
  }

  @Override
  public String toString() {
    return "old " + (oldKept ? "kept" : "not kept") + (oldExists ? "" : " and gone")
        + (oldHeld ? ", held by a snapshot" : "") + ", new "
        + (newKept ? "kept" : "not kept") + (newGone ? " and gone" : "")
        + ", at the path " + atPath;
  }
}
