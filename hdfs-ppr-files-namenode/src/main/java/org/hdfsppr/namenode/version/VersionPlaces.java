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

/** Where the old and the new version of a file are, for a version without a making. Immutable. */
@InterfaceAudience.Private
public final class VersionPlaces {
  /** What there is at the path of the file. */
  public enum AtPath {
    /** The parent directory of the path does not exist any more. */
    NO_DIRECTORY,
    /** There is nothing at the path. */
    NOTHING,
    /** The old version is at the path. */
    OLD,
    /** Something else is at the path, such as the new version. */
    OTHER
  }

  /** Whether the old version is in the version's directory */
  public final boolean oldKept;
  /** Whether the new version is in the version's directory */
  public final boolean newKept;
  private final boolean oldExists;
  /**
   * Whether a snapshot has the old version in such a way that Hadoop fails to delete it. If a file
   * that is in a snapshot is renamed, Hadoop stores its blocks with the file. If the file is
   * striped, a later delete fails after Hadoop has removed the file from memory, and before it logs
   * anything. Version 0.2.0 renamed such files; later versions do not
   */
  public final boolean oldHeld;
  /** What there is at the path of the file */
  public final AtPath atPath;
  private final boolean newGone;

  /**
   * @param oldKept whether the version's directory has the old version
   * @param newKept whether the version's directory has the new version
   * @param oldExists whether the old version is anywhere in the namespace
   * @param oldHeld whether a snapshot has the old version in such a way that Hadoop fails to delete
   *     it
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
   * @return the same places for a new version that does not exist any more: it is not in a snapshot
   *     either, and no user has joined it to another file (concat)
   */
  public VersionPlaces withoutNew() {
    return new VersionPlaces(oldKept, newKept, oldExists, oldHeld, atPath, true);
  }

  /**
   * @return whether it is known that the new version does not exist any more, and nothing is at the
   *     path. Then the old version need not be kept for streams that read it: if such a stream asks
   *     the NameNode for locations again, it finds no file, and fails as for any deleted file. It
   *     cannot get units of the new code, and take them for units of the old one
   */
  public boolean isPathGone() {
    return newGone && (atPath == AtPath.NOTHING || atPath == AtPath.NO_DIRECTORY);
  }

  /** @return whether the old version exists, at any path or in a snapshot */
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
