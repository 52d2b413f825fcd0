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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.it.util.Shell;

/** The files of a finalised replica in a DataNode's volume. */
@InterfaceAudience.Private
public final class UnitFiles {
  public final Path data;

  private UnitFiles(Path data) {
    this.data = data;
  }

  /**
   * {@return the files in which a node stores a finalised replica of the block, whether they exist
   * or not}
   *
   * @param cluster a running cluster
   * @param node a DataNode, from 1
   * @param block the block, of a group or internal
   */
  public static UnitFiles of(HdfsProcessCluster cluster, int node, ExtendedBlock block) {
    return in(cluster.dataDir(node), block);
  }

  /**
   * As {@link #of}, but with the folder of the node's only volume instead of the node.
   *
   * @param volume the folder of a volume
   * @param block the block, of a group or internal
   * @return the files
   */
  public static UnitFiles in(Path volume, ExtendedBlock block) {
    Path finalized = volume.resolve("current").resolve(block.getBlockPoolId())
        .resolve("current/finalized");
    return new UnitFiles(DatanodeUtil.idToBlockDir(finalized.toFile(), block.getBlockId())
        .toPath().resolve(block.getBlockName()));
  }

  /**
   * {@return whether the finalised replica exists; the data file is proof, because the DataNode
   * moves it to this folder after the checksum file}
   */
  public boolean exists() {
    return Files.exists(data);
  }

  /**
   * {@return the replica's only checksum file, whose name contains the generation stamp}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public Path meta() throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(data.getParent(), data.getFileName() + "_*.meta")) {
      for (Path file : files) {
        return file;
      }
    }
    throw new NoSuchFileException(data + "_*.meta");
  }

  /**
   * {@return the SHA-256 of the replica's data and checksums; two replicas have the same digest
   * only if all their bytes are equal}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public String digest() throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : List.of(data, meta())) {
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
          in.transferTo(OutputStream.nullOutputStream());
        }
      }
      return StringUtils.byteToHexString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Inverts one bit of the data, as a bad disk does. The length and the stored checksums do not
   * change.
   *
   * @param offset the offset in the data file of the byte in which the lowest bit is inverted
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public void flipBit(long offset) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(data.toFile(), "rw")) {
      file.seek(offset);
      int value = file.read();
      if (value < 0) {
        throw new IOException(data + " has " + file.length() + " bytes, none at " + offset);
      }
      file.seek(offset);
      file.write(value ^ 1);
    }
  }

  /**
   * Drops the replica from the page cache, so that its next reader reads from the disk.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void dropFromCache() throws IOException, InterruptedException {
    for (Path file : List.of(data, meta())) {
      // Only clean pages can be dropped, so the file is synced first.
      Shell.run("sync", file.toString());
      Shell.run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
    }
  }
}
