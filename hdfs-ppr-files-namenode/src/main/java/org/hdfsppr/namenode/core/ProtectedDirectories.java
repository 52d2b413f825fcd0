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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.DirectoryState;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The protected directories of this NameNode. Used by one thread. */
final class ProtectedDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(ProtectedDirectories.class);

  /** How many directories may be protected. Each round of comparisons looks up all of them. */
  static final int DIRECTORIES_MAX = 10_000;
  /**
   * How many files form a group, if neither their policy nor the user says it: t in the paper about
   * CORE.
   */
  static final int FILES_DEFAULT = 5;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreFolder folder;
  private final CoreNamespace namespace;
  private final LongConsumer whenGone;
  /** The protected directories, by their inode ids. */
  private final Map<Long, ProtectedDirectory> directories = new TreeMap<>();
  private Protections protections = Protections.NONE;

  /**
   * @param whenGone is called with the inode id of a directory that was found not to be protected
   *     any more
   */
  ProtectedDirectories(CoreFolder folder, CoreNamespace namespace, LongConsumer whenGone) {
    this.folder = folder;
    this.namespace = namespace;
    this.whenGone = whenGone;
  }

  /**
   * Adds the directories that have an entry in the namespace, and looks up all protected
   * directories.
   *
   * @throws IOException if the NameNode does not answer
   */
  void read() throws IOException {
    for (long id : folder.protectedIds()) {
      directories.putIfAbsent(id, new ProtectedDirectory(id, "/", FILES_DEFAULT, false, ""));
    }
    refresh();
  }

  /**
   * Looks up all protected directories: they may have been renamed, deleted, or changed.
   *
   * @throws IOException if the NameNode does not answer
   */
  void refresh() throws IOException {
    for (ProtectedDirectory known : new ArrayList<>(directories.values())) {
      DirectoryState now = namespace.folder(known.inodeId).orElse(null);
      if (now == null || now.attribute() == null) {
        if (!namespace.isInSafeMode() && !folder.unprotect(known.inodeId, null)) {
          // It has just been given an attribute; the next refresh reads it.
          continue;
        }
        directories.remove(known.inodeId);
        whenGone.accept(known.inodeId);
        LOG.info("The directory with inode {}, last {}, is not protected any more: it, or its"
            + " attribute, is gone", known.inodeId, PeerText.oneLine(known.path));
      } else {
        try {
          directories.put(known.inodeId,
              ProtectedDirectory.parse(known.inodeId, now.path, now.attribute()));
        } catch (BadRecordException e) {
          peerLog.warn("attribute", "The attribute trusted.{} of the protected directory {} cannot"
              + " be read, so that its groups stay as they are and no new ones are formed: {}",
              CoreNamespace.XATTR, now.path, e.getMessage());
          directories.put(known.inodeId, ProtectedDirectory.unreadable(known.inodeId,
              now.path, FILES_DEFAULT, e.getMessage()));
        }
      }
    }
    protections = new Protections(directories.values());
  }

  /**
   * Returns a protected directory; null if the directory with this inode id is not protected
   * itself.
   */
  ProtectedDirectory get(long inodeId) {
    return directories.get(inodeId);
  }

  void put(ProtectedDirectory directory) {
    directories.put(directory.inodeId, directory);
    protections = new Protections(directories.values());
  }

  void remove(long inodeId) {
    directories.remove(inodeId);
    protections = new Protections(directories.values());
  }

  /** Returns the directories in ascending order of their inode ids. */
  Collection<ProtectedDirectory> all() {
    return directories.values();
  }

  /** Returns the protections as of the last change or refresh. */
  Protections protections() {
    return protections;
  }

  void clear() {
    directories.clear();
    protections = Protections.NONE;
  }
}
