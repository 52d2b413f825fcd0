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

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Counts the records that the namespace has of versions, updates and CORE groups of files, for a
 * NameNode without the jar that reads these records. Each count is the number of entries in a
 * directory below {@code /.hdfs-ppr}. The names of these directories never change.
 */
@InterfaceAudience.Private
public final class FilesRecords {
  /** The counts of a namespace without such records. */
  public static final FilesRecords NONE = new FilesRecords(0, 0, 0, 0);
  private static final String OPERATION = "pprRecords";

  /** Versions of files that are being made, or whose old version is still kept. */
  public final int versions;
  /** Files that have, or had, updates in place. */
  public final int updates;
  /** Parity files of CORE groups. */
  public final int core;
  /** Jobs that convert files. */
  public final int jobs;

  /**
   * @param versions the number of versions
   * @param updates the number of files with records of updates
   * @param core the number of parity files of CORE groups
   * @param jobs the number of jobs
   */
  public FilesRecords(int versions, int updates, int core, int jobs) {
    this.versions = versions;
    this.updates = updates;
    this.core = core;
    this.jobs = jobs;
  }

  /**
   * Counts the records, under the namesystem's read lock. It looks only at directories, at most
   * about 800, and never at a file. It writes no line of the audit log.
   *
   * @param namesystem the running NameNode
   * @return what the namespace keeps now
   */
  public static FilesRecords look(FSNamesystem namesystem) {
    namesystem.readLock();
    try {
      INodeDirectory root = child(namesystem.getFSDirectory().getRoot(), ".hdfs-ppr");
      return new FilesRecords(
          entries(child(root, "versions")) + inShards(child(root, "conversions"))
              + inShards(child(root, "commits")),
          entries(child(root, "updates")),
          inShards(child(child(root, "core"), "groups")),
          entries(child(root, "jobs")));
    } finally {
      namesystem.readUnlock(OPERATION);
    }
  }

  private static INodeDirectory child(INodeDirectory above, String name) {
    INode found = above == null ? null
        : above.getChild(name.getBytes(StandardCharsets.UTF_8), Snapshot.CURRENT_STATE_ID);
    return found == null || !found.isDirectory() ? null : found.asDirectory();
  }

  private static int entries(INodeDirectory directory) {
    return directory == null ? 0 : directory.getChildrenNum(Snapshot.CURRENT_STATE_ID);
  }

  private static int inShards(INodeDirectory directory) {
    int entries = 0;
    if (directory != null) {
      for (INode shard : directory.getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        entries += shard.isDirectory() ? entries(shard.asDirectory()) : 1;
      }
    }
    return entries;
  }
}
