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
package org.hdfsppr.namenode.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hdfsppr.namenode.update.RecordedFile;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.namenode.version.CommitPlan;
import org.hdfsppr.namenode.version.UnitPatch;

/** The updates that a commit has collected from the logs of a file. Used by one thread. */
final class Collected {
  final String path;
  final UpdateTag tag;
  final long commit;
  private final RecordedFile record;
  private final String strategy;
  final boolean hasUntrimmed;
  private final Map<Integer, List<UnitPatch>> groups = new HashMap<>();
  private long updates;
  private long bytes;

  /**
   * @param path the file
   * @param tag the file's tag when the commit began
   * @param commit the number of the commit
   * @param record the attribute that names the file's inode, which the version changes together
   *     with the path
   * @param strategy how the changes of data units get to the parity units
   * @param hasUntrimmed whether some log still has updates of earlier commits, which the file's
   *     version has already
   */
  Collected(String path, UpdateTag tag, long commit, RecordedFile record, String strategy,
      boolean hasUntrimmed) {
    this.hasUntrimmed = hasUntrimmed;
    this.strategy = strategy;
    this.record = record;
    this.path = path;
    this.tag = tag;
    this.commit = commit;
  }

  void add(UnitPatch patch, long patchUpdates, long patchBytes) {
    groups.computeIfAbsent(patch.ticket.unit.group, group -> new ArrayList<>()).add(patch);
    updates += patchUpdates;
    bytes += patchBytes;
  }

  long updates() {
    return updates;
  }

  long bytes() {
    return bytes;
  }

  int groups() {
    return groups.size();
  }

  CommitPlan plan() {
    return new CommitPlan(UpdateTag.XATTR, tag.toBytes(),
        inode -> tag.committed(inode, commit).toBytes(),
        List.of(new CommitPlan.Beside(record.directory, RecordedFile.XATTR, record.before(),
            inode -> RecordedFile.of(inode, tag.inodeId))), strategy, groups);
  }
}
