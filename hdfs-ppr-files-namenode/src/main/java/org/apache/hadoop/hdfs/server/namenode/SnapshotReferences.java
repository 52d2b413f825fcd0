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
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileWithSnapshotFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Finds out what snapshots have stored about a file. The caller holds the namesystem's lock, at
 * least for reading.
 *
 * <p>If a file is renamed while a snapshot has it, stock stores the list of its blocks with the
 * inode. If the file is striped, stock then fails to delete it
 * (INodeFile.collectBlocksBeyondSnapshot): it throws an exception after it has removed the file
 * from memory, and before it logs the deletion. A later edit that concerns the file or a directory
 * above it ends each NameNode that replays the edit. See docs/hadoop-renamed-snapshot-files.md.
 */
final class SnapshotReferences {

  private SnapshotReferences() {
  }

  /**
   * Returns whether stock stores the list of blocks when this file is renamed. The condition is
   * that of FSDirRenameOp.RenameOperation.
   */
  static boolean isInSnapshot(INodesInPath at) {
    return at.getLastINode().isInLatestSnapshot(at.getLatestSnapshotId());
  }

  /**
   * Returns whether stock fails to delete a file, because it stored the list of the file's blocks
   * when the file was renamed. Stock reads the last list when the file is deleted, and earlier
   * lists when later snapshots are deleted.
   */
  static boolean isHeld(INode inode) {
    if (inode == null || !inode.isFile() || !inode.asFile().isStriped()) {
      return false;
    }
    FileWithSnapshotFeature snapshots = inode.asFile().getFileWithSnapshotFeature();
    if (snapshots != null) {
      for (FileDiff diff : snapshots.getDiffs()) {
        if (diff.getBlocks() != null) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns whether blocks were added to a file since the last snapshot that has it. Stock deletes
   * these blocks when another file takes the path.
   */
  static boolean hasGrown(INodesInPath at) {
    INodeFile file = at.getLastINode().asFile();
    FileWithSnapshotFeature snapshots = file.getFileWithSnapshotFeature();
    FileDiff last = snapshots == null ? null : snapshots.getDiffs().getLast();
    // If the inode has no diff for the latest snapshot, stock creates one before it deletes
    // anything. That diff has all blocks of the file, so that none is deleted.
    return last != null && isInSnapshot(at)
        && Snapshot.ID_INTEGER_COMPARATOR.compare(last.getSnapshotId(),
            at.getLatestSnapshotId()) >= 0
        && last.getFileSize() < file.computeFileSize();
  }

  /** Returns whether an inode has a path outside snapshots. */
  static boolean isAtPath(FSDirectory directory, INode inode) {
    INode at = inode;
    while (at != null && at.getId() != directory.getRoot().getId()) {
      INodeDirectory parent = at.getParent();
      INode child = parent == null ? null
          : parent.getChild(at.getLocalNameBytes(), Snapshot.CURRENT_STATE_ID);
      if (child == null || child.getId() != at.getId()) {
        return false;
      }
      at = parent;
    }
    return at != null;
  }
}
