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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.convert.ParityOnDisk;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;

/** The only protected files of a cluster, which form one CORE group, and what must hold of it. */
final class ProtectedFolder {
  private static final int FILES = 3;
  private static final EcCode CODE = VersionFile.CODES.get(0);

  /** A full block group, and one whose last stripe is not full. */
  private static final long FILE_BYTES =
      VersionFile.BLOCK_BYTES * CODE.dataUnits() + (3L << 20) + 123;

  /** By that much each file is shorter than the one before. */
  private static final long SHORTER_BYTES = (1L << 20) + 17;

  /** One unit more than the code of a file bears. */
  private static final int[] TOO_MANY = {0, 2, 4, 7};

  private static final int CHUNK_BYTES = 1 << 20;

  private final VersionsCluster cluster;
  private final CoreCalls core;
  private final Path folder;
  private final List<VersionFile> files = new ArrayList<>();

  private ProtectedFolder(VersionsCluster cluster, Path folder) {
    this.cluster = cluster;
    this.core = new CoreCalls(cluster);
    this.folder = folder;
  }

  /** Writes the files. They are not protected yet. */
  static ProtectedFolder write(VersionsCluster cluster, Path folder, long seed)
      throws IOException, InterruptedException, TimeoutException {
    ProtectedFolder made = new ProtectedFolder(cluster, folder);
    for (int i = 0; i < FILES; i++) {
      made.files.add(VersionFile.write(cluster, new Path(folder, "f" + i), CODE,
          FILE_BYTES - i * SHORTER_BYTES, seed + i));
    }
    return made;
  }

  /** Protects the files. The group is formed in the background. */
  void protect() throws IOException, InterruptedException {
    core.protect(folder, FILES);
  }

  /** Dissolves the group, and has it formed once more, so that its record is written anew. */
  void formAnew() throws IOException, InterruptedException, TimeoutException {
    core.unprotect(folder);
    core.awaitKept(0);
    protect();
    awaitGroup();
  }

  /** Waits until all files are in one group, and the group records them as they are now. */
  void awaitGroup() throws IOException, InterruptedException, TimeoutException {
    JsonNode[] status = {null};
    Await.until(() -> "the group of " + folder + " is whole: " + status[0],
        CoreCalls.FORMED_LIMIT, CoreCalls.POLL, () -> {
          status[0] = new ObjectMapper().readTree(core.run("-status", "-json"));
          return status[0].path("groups").asInt() == 1
              && status[0].path("members").asInt() == FILES
              && status[0].path("stale").asInt() == 0 && status[0].path("forming").asInt() == 0
              && status[0].path("queued").asInt() == 0;
        });
  }

  /** Loses more units of the first file than its code bears; returns what was lost. */
  List<Unit> loseBeyondRow() throws IOException, InterruptedException, TimeoutException {
    BlockGroup group = groups(files.get(0).path).get(0);
    List<Unit> lost = IntStream.of(TOO_MANY).mapToObj(unit -> group.replicasOf(unit).get(0))
        .collect(Collectors.toList());
    LossKind.REPORT.lose(cluster.processes, cluster.client(), lost);
    return lost;
  }

  /** Returns the nodes that hold a unit of the files' first block groups. */
  List<Integer> holders(int unit) throws IOException {
    List<Integer> nodes = new ArrayList<>();
    for (VersionFile file : files) {
      groups(file.path).get(0).replicasOf(unit).forEach(replica -> nodes.add(replica.node));
    }
    return nodes;
  }

  private List<BlockGroup> groups(Path file) throws IOException {
    return BlockGroup.of(cluster.processes, cluster.client(), file);
  }

  /** Waits until no unit of the files is lost. */
  void awaitWhole() throws IOException, InterruptedException, TimeoutException {
    for (VersionFile file : files) {
      file.awaitWhole(cluster.processes, cluster.client());
    }
  }

  /**
   * Checks that the files have their bytes, parities and attributes, that the parity file is the
   * sum of them, that no block is lost, and that neither the namespace nor a disk has anything
   * else.
   */
  void check() throws IOException, InterruptedException, TimeoutException {
    awaitGroup();
    Path parity = core.awaitKept(1).get(0);
    for (VersionFile file : files) {
      file.check(cluster);
    }
    new NothingLeft(cluster).await(folder);
    assertEquals(List.of(),
        new ParityOnDisk(cluster.processes, cluster.client()).wrong(parity));
    assertSum(parity);
  }

  /** The XOR of all files and the parity file is zero. */
  private void assertSum(Path parity) throws IOException {
    DistributedFileSystem client = cluster.client();
    assertEquals(FILE_BYTES, client.getFileStatus(parity).getLen(), "length of the parity file");
    List<InputStream> streams = new ArrayList<>();
    try {
      streams.add(client.open(parity));
      for (VersionFile file : files) {
        streams.add(client.open(file.path));
      }
      for (long done = 0; done < FILE_BYTES; done += CHUNK_BYTES) {
        byte[] sum = new byte[CHUNK_BYTES];
        for (InputStream stream : streams) {
          byte[] bytes = stream.readNBytes(CHUNK_BYTES);
          for (int i = 0; i < bytes.length; i++) {
            sum[i] ^= bytes[i];
          }
        }
        assertTrue(isZero(sum), "the sum of the group's files from byte " + done + " on");
      }
    } finally {
      for (InputStream stream : streams) {
        stream.close();
      }
    }
  }

  private static boolean isZero(byte[] bytes) {
    for (byte value : bytes) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  /** Ends the protection and deletes the files, and waits until nothing of them is left. */
  void delete() throws IOException, InterruptedException, TimeoutException {
    core.unprotect(folder);
    core.awaitKept(0);
    assertTrue(cluster.client().delete(folder, true), () -> folder + " is deleted");
    new NothingLeft(cluster).await(folder.getParent());
  }
}
