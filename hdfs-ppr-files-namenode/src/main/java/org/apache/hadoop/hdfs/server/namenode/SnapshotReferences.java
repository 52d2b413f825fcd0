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
 * What snapshots have of a file. The caller holds the namesystem's lock, for reading at least.
 *
 * <p>If a file is renamed while a snapshot has it, stock notes its blocks beside it. Stock then
 * fails to delete the file if it is striped, after it has taken the file out of memory and before
 * it logs the deletion (INodeFile.collectBlocksBeyondSnapshot). The next edit that concerns the
 * file or a directory above it ends each NameNode that replays it. See
 * docs/hadoop-renamed-snapshot-files.md.
 */
final class SnapshotReferences {

  private SnapshotReferences() {
  }

  /**
   * Returns whether a rename of this file notes its blocks. The condition is stock's
   * (FSDirRenameOp.RenameOperation).
   */
  static boolean isInSnapshot(INodesInPath at) {
    return at.getLastINode().isInLatestSnapshot(at.getLatestSnapshotId());
  }

  /**
   * Returns whether stock fails to delete a file: its blocks were noted when it was renamed. Stock
   * looks at the last note when the file is deleted, and at earlier ones when later snapshots are.
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
   * them when another file takes the path.
   */
  static boolean hasGrown(INodesInPath at) {
    INodeFile file = at.getLastINode().asFile();
    FileWithSnapshotFeature snapshots = file.getFileWithSnapshotFeature();
    FileDiff last = snapshots == null ? null : snapshots.getDiffs().getLast();
    // Without a note of the latest snapshot, stock makes one before it deletes, of all blocks.
    return last != null && isInSnapshot(at)
        && Snapshot.ID_INTEGER_COMPARATOR.compare(last.getSnapshotId(),
            at.getLatestSnapshotId()) >= 0
        && last.getFileSize() < file.computeFileSize();
  }

  /** Returns whether an inode has a path, and is not only in snapshots. */
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
