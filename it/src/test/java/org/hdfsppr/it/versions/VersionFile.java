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
package org.hdfsppr.it.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;

/** A file that is converted: its right content and attributes, and whether it still has them. */
final class VersionFile {

  /** The codes of these tests, with the same number of data units and the same cells. */
  static final List<EcCode> CODES = codes("rs-6-3", "lrc-rs-l2-6-4", "hitchhiker-xor-6-3",
      "hitchhiker-nonxor-6-3", "less-a2-6-3", "rotated-rs-r4-6-3");

  static final long BLOCK_BYTES = 2L << 20;
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(300);
  private static final String XATTR = "user.of-the-test";

  final Path path;
  final FileContent content;
  private String attributes;

  private VersionFile(Path path, FileContent content, String attributes) {
    this.path = path;
    this.content = content;
    this.attributes = attributes;
  }

  private static List<EcCode> codes(String... labels) {
    List<EcCode> codes = new ArrayList<>();
    try {
      for (String label : labels) {
        codes.add(EcCode.parse(label));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return List.copyOf(codes);
  }

  /** Writes a file with attributes of its own, and returns when all its units are known. */
  static VersionFile write(VersionsCluster cluster, Path path, EcCode code, long bytes, long seed)
      throws IOException, InterruptedException, TimeoutException {
    DistributedFileSystem client = cluster.client();
    client.mkdirs(path.getParent());
    client.setErasureCodingPolicy(path.getParent(), code.policy());
    FileContent content = FileContent.write(client, path, BLOCK_BYTES, bytes, seed);
    client.setPermission(path, new FsPermission((short) 0640));
    client.setOwner(path, "owner" + seed % 7, "group");
    client.setXAttr(path, XATTR, ("value " + seed).getBytes("UTF-8"));
    VersionFile file = new VersionFile(path, content, attributes(client, path));
    file.awaitWhole(cluster.processes, client);
    return file;
  }

  /** Returns the same file under another path, after a rename. */
  VersionFile at(Path other) {
    return new VersionFile(other, content, attributes);
  }

  /** Returns the file that now is at the path of this one, after a client has written it anew. */
  VersionFile replaced(DistributedFileSystem client, FileContent other) throws IOException {
    return new VersionFile(path, other, attributes(client, path));
  }

  /** Takes the attributes that the file has now for right, after the test has changed them. */
  void takeAttributes(DistributedFileSystem client) throws IOException {
    attributes = attributes(client, path);
  }

  String policy(DistributedFileSystem client) throws IOException {
    ErasureCodingPolicy policy = client.getErasureCodingPolicy(path);
    return policy == null ? "none" : policy.getName();
  }

  /**
   * Returns whether stock clients read the file while units are lost. They decode parts of cells,
   * which codes of these kinds cannot: reads are refused until the units are rebuilt.
   */
  boolean isReadWithLosses(DistributedFileSystem client) throws IOException {
    String policy = policy(client);
    return !policy.startsWith("LESS") && !policy.startsWith("ROTATED");
  }

  /** Waits until the NameNode knows each unit that the file's policy wants. */
  void awaitWhole(HdfsProcessCluster cluster, DistributedFileSystem client)
      throws IOException, InterruptedException, TimeoutException {
    String[] missing = {""};
    Await.until(() -> path + " is whole: " + missing[0], WHOLE_LIMIT, POLL, () -> {
      ErasureCodingPolicy policy = client.getErasureCodingPolicy(path);
      List<BlockGroup> groups = BlockGroup.of(cluster, client, path);
      List<LocatedBlock> located = client.getClient()
          .getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE).getLocatedBlocks();
      missing[0] = "";
      for (int i = 0; i < groups.size(); i++) {
        long cells = (located.get(i).getBlockSize() + policy.getCellSize() - 1)
            / policy.getCellSize();
        long units = Math.min(cells, policy.getNumDataUnits()) + policy.getNumParityUnits();
        if (groups.get(i).isCorrupt || groups.get(i).units.size() != units
            || groups.get(i).distinctUnits() != units) {
          missing[0] += " group " + i + " has " + groups.get(i).units;
        }
      }
      return missing[0].isEmpty();
    });
  }

  /** Checks content, parity and attributes. */
  void check(VersionsCluster cluster)
      throws IOException, InterruptedException, TimeoutException {
    DistributedFileSystem client = cluster.client();
    assertTrue(content.isIn(client, path), () -> path + " has the bytes that were written");
    awaitWhole(cluster.processes, client);
    assertEquals(List.of(), new ParityOnDisk(cluster.processes, client).wrong(path));
    assertEquals(content.bytes(), client.getFileStatus(path).getLen(), () -> "length of " + path);
    assertEquals(attributes, attributes(client, path), () -> "attributes of " + path);
    assertTrue(client.isFileClosed(path), () -> path + " is closed");
  }

  private static String attributes(DistributedFileSystem client, Path path) throws IOException {
    FileStatus status = client.getFileStatus(path);
    return client.getStoragePolicy(path).getName() + " " + status.getOwner() + " "
        + status.getGroup() + " " + status.getPermission() + " " + status.getModificationTime()
        + " " + status.getBlockSize();
  }

  /** Checks that the file has the extended attribute that it was written with. */
  void checkXAttr(DistributedFileSystem client) throws IOException {
    assertTrue(new String(client.getXAttr(path, XATTR), "UTF-8").startsWith("value "),
        () -> "extended attribute of " + path);
  }

  @Override
  public String toString() {
    return path.toUri().getPath();
  }
}
