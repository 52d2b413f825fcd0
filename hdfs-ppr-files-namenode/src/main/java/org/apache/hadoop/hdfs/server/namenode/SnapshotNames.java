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
 * Names the snapshots that have files, so that operators know which ones to delete. The caller
 * holds the namesystem's lock, for reading at least.
 */
final class SnapshotNames {
  /** The most snapshots of one directory that are named. */
  static final int NAMED_MAX = 20;

  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final FileInspection look;

  SnapshotNames(FSNamesystem namesystem, FileInspection look) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.look = look;
  }

  /** Returns the snapshots that have noted something of a file beside it. */
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
   * Returns the snapshots that forbid a rename of the file at a path. Hadoop fails to delete a file
   * that was renamed while one of them had it. Empty if there is none.
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

  /** Adds the last snapshots of a directory: a file that stays where it is is in all since then. */
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
