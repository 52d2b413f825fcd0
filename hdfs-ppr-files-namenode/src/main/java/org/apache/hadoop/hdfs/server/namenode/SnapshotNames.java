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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileWithSnapshotFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Finds the names of the snapshots that have files, so that operators know which ones to delete.
 * The caller holds the namesystem's lock, at least for reading.
 */
final class SnapshotNames {
  /** How many snapshots of one directory are named at most. */
  static final int NAMED_MAX = 20;

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final FileInspection look;

  SnapshotNames(FSNamesystem namesystem, FileInspection look) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.look = look;
  }

  /**
   * Returns the paths of the snapshots that have stored something about a file in the file's inode.
   */
  List<String> noting(INode inode) throws IOException {
    FileWithSnapshotFeature feature = inode == null || !inode.isFile() ? null
        : inode.asFile().getFileWithSnapshotFeature();
    Set<Integer> ids = new HashSet<>();
    if (feature != null) {
      feature.getDiffs().asList().iterator()
          .forEachRemaining(diff -> ids.add(diff.getSnapshotId()));
    }
    return ids.isEmpty() ? List.of() : of(ids);
  }

  private List<String> of(Set<Integer> ids) throws IOException {
    List<String> paths = new ArrayList<>();
    SnapshottableDirectoryStatus[] all =
        namesystem.getSnapshotManager().getSnapshottableDirListing(null);
    for (SnapshottableDirectoryStatus one
        : all == null ? new SnapshottableDirectoryStatus[0] : all) {
      String path = one.getFullPath().toUri().getPath();
      INode top = directory.getINode(path);
      for (Snapshot snapshot
          : top.asDirectory().getDirectorySnapshottableFeature().getSnapshotList()) {
        if (ids.contains(snapshot.getId())) {
          paths.add(Snapshot.getSnapshotPath(path, snapshot.getRoot().getLocalName()));
        }
      }
    }
    return paths;
  }

  /**
   * Returns the paths of the snapshots because of which the file at a path must not be renamed:
   * Hadoop fails to delete a file that was renamed while a snapshot had it. Empty if there are
   * none.
   */
  List<String> forbiddingRename(INodesInPath at) throws IOException {
    INode file = at.getLastINode();
    Set<String> names = new LinkedHashSet<>();
    if (SnapshotReferences.isHeld(file)) {
      names.addAll(noting(file));
    }
    if (file != null && SnapshotReferences.isInSnapshot(at)) {
      for (int i = 0; i < at.length() - 1; i++) {
        INode above = at.getINode(i);
        if (above.isDirectory() && above.asDirectory().isSnapshottable()) {
          addThoseWith(at, above.asDirectory(), names);
        }
      }
    }
    return List.copyOf(names);
  }

  /**
   * Adds the latest snapshots of a directory that have the file. A file that has not been moved is
   * in all snapshots since it was created there.
   */
  private void addThoseWith(INodesInPath at, INodeDirectory above, Set<String> names)
      throws IOException {
    List<Snapshot> snapshots = new ArrayList<>();
    above.getDirectorySnapshottableFeature().getSnapshotList().forEach(snapshots::add);
    snapshots.sort(Comparator.comparingInt(Snapshot::getId).reversed());
    String top = above.getFullPathName();
    String below = at.getPath().substring("/".equals(top) ? 1 : top.length() + 1);
    for (Snapshot one : snapshots.subList(0, Math.min(NAMED_MAX, snapshots.size()))) {
      String path = Snapshot.getSnapshotPath(top, one.getRoot().getLocalName());
      INode there = look.resolve(path + "/" + below, FSDirectory.DirOp.READ_LINK).getLastINode();
      if (there == null || there.getId() != at.getLastINode().getId()) {
        return;
      }
      names.add(path);
    }
  }
}
