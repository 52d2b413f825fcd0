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
package org.hdfsppr.client.command;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * The block groups of a file, as the NameNode shows them to this user: those that lack units, and
 * the others. Immutable.
 */
final class FileGroups {
  /** The names of the groups that lack units, in the order of the file. */
  final List<String> lacking;
  /** The names of the groups that lack no unit, in the order of the file. */
  final List<String> whole;

  private FileGroups(List<String> lacking, List<String> whole) {
    this.lacking = lacking;
    this.whole = whole;
  }

  /**
   * Asks the NameNode for a file's groups.
   *
   * @param conf names the file system
   * @param name the path of a file, absolute or below the user's home
   * @throws IOException if the user may not read the file, or if it is not an erasure-coded file;
   *     the message is a sentence
   */
  static FileGroups of(Configuration conf, String name) throws IOException {
    Path path = new Path(name);
    try (FileSystem fileSystem = FileSystem.newInstance(path.toUri().getScheme() == null
        ? FileSystem.getDefaultUri(conf) : path.toUri(), conf)) {
      if (!(fileSystem instanceof DistributedFileSystem)) {
        throw new IOException("'" + name + "' is in " + fileSystem.getUri() + ", which is no HDFS");
      }
      DistributedFileSystem hdfs = (DistributedFileSystem) fileSystem;
      String file = hdfs.makeQualified(path).toUri().getPath();
      HdfsFileStatus status = hdfs.getClient().getFileInfo(file);
      if (status == null) {
        throw new FileNotFoundException("There is no file '" + file + "'");
      }
      if (status.isDirectory()) {
        throw new IOException("'" + file + "' is a directory: name one of its files");
      }
      if (status.getErasureCodingPolicy() == null) {
        throw new IOException("'" + file + "' is not erasure-coded: HDFS repairs it by copying");
      }
      return of(hdfs.getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE),
          status.getErasureCodingPolicy());
    } catch (ConnectException | NoRouteToHostException | SocketTimeoutException
        | UnknownHostException e) {
      throw new IOException("'" + name + "' cannot be looked up: no NameNode answers", e);
    }
  }

  private static FileGroups of(LocatedBlocks blocks, ErasureCodingPolicy policy) {
    List<String> lacking = new ArrayList<>();
    List<String> whole = new ArrayList<>();
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (block instanceof LocatedStripedBlock) {
        String name = BlockName.of(block.getBlock().getBlockId());
        (isWhole((LocatedStripedBlock) block, policy) ? whole : lacking).add(name);
      }
    }
    return new FileGroups(lacking, whole);
  }

  private static boolean isWhole(LocatedStripedBlock group, ErasureCodingPolicy policy) {
    // A short group has no bytes for its last units, which then do not exist.
    long cells = (group.getBlockSize() + policy.getCellSize() - 1) / policy.getCellSize();
    long units = Math.min(cells, policy.getNumDataUnits()) + policy.getNumParityUnits();
    long found = 0;
    // A unit that is being moved has two places.
    boolean[] isFound = new boolean[policy.getNumDataUnits() + policy.getNumParityUnits()];
    for (byte unit : group.getBlockIndices()) {
      found += isFound[unit] ? 0 : 1;
      isFound[unit] = true;
    }
    return found >= units && !group.isCorrupt();
  }
}
