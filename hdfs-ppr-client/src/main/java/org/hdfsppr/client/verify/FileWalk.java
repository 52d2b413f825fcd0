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
package org.hdfsppr.client.verify;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * Finds the block groups of files and of all files below directories. It lists directories in
 * parts, as the NameNode hands them out, and remembers only the directories that it has still to
 * list; the NameNode bounds how many a directory may have. Used by one thread.
 */
@InterfaceAudience.Private
final class FileWalk {
  private final DistributedFileSystem fs;
  private long replicatedFiles;

  FileWalk(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /** The files that were found and have no block groups, because they are not erasure-coded. */
  long replicatedFiles() {
    return replicatedFiles;
  }

  /**
   * Finds all groups of a file or below a directory.
   *
   * @param groups takes each group
   * @param problems takes a sentence about each directory below that cannot be listed
   * @throws IOException if the path itself does not exist or cannot be listed
   */
  void walk(Path path, Consumer<GroupSpot> groups, Consumer<String> problems)
      throws IOException {
    Deque<Path> ahead = new ArrayDeque<>();
    list(path, ahead, groups);
    while (!ahead.isEmpty()) {
      Path next = ahead.pop();
      try {
        list(next, ahead, groups);
      } catch (FileNotFoundException e) {
        // It was deleted meanwhile, so that there is nothing to check any more.
        continue;
      } catch (IOException e) {
        problems.accept(next.toUri().getPath() + " could not be listed: "
            + Sentences.of(e));
      }
    }
  }

  private void list(Path path, Deque<Path> ahead, Consumer<GroupSpot> groups)
      throws IOException {
    RemoteIterator<LocatedFileStatus> entries = fs.listLocatedStatus(path);
    while (entries.hasNext()) {
      LocatedFileStatus entry = entries.next();
      if (entry.isDirectory()) {
        ahead.push(entry.getPath());
      } else if (entry.isFile()) {
        groupsOf(entry, groups);
      }
    }
  }

  private void groupsOf(LocatedFileStatus file, Consumer<GroupSpot> groups) {
    LocatedBlocks blocks = file instanceof HdfsLocatedFileStatus
        ? ((HdfsLocatedFileStatus) file).getLocatedBlocks() : null;
    if (blocks == null || !file.isErasureCoded()) {
      replicatedFiles++;
      return;
    }
    String name = file.getPath().toUri().getPath();
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (block instanceof LocatedStripedBlock) {
        groups.accept(new GroupSpot(name, block.getStartOffset(),
            block.getBlock().getBlockId()));
      }
    }
  }
}
