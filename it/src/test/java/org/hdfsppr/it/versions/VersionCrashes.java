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
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A version stops at a named moment, and the NameNode or a DataNode is killed there, or a user
 * changes the file. Afterwards the file has the right bytes, parities and attributes under one of
 * its two policies, and nothing else is left.
 *
 * <p>{@code -Dfaults.seed=N} chooses other content.
 */
abstract class VersionCrashes extends Crashes {
  private static final EcCode FROM = VersionFile.CODES.get(0);
  private static final EcCode TO = VersionFile.CODES.get(1);

  /** Two full groups, and one whose last stripe is not full. */
  private static final long FILE_BYTES =
      2 * VersionFile.BLOCK_BYTES * FROM.dataUnits() + (9L << 20) + 123;
  private static final long QUOTA_FILES = 1000;
  private static final long QUOTA_BYTES = 1L << 40;

  private int written;

  VersionCrashes(String name, boolean ha) {
    super(name, ha, Map.of());
  }

  /** What a DataNode does for a version: the unit of the old group that it holds, and when. */
  enum Role {
    /** Links a data unit. */
    LINKER(0, VersionPoint.LINKS_ORDERED),
    /** Sends a data unit to the nodes that make new ones. */
    SOURCE(2, VersionPoint.MAKES_ORDERED),
    /** Holds an old parity, in whose place a new one is made. */
    MAKER(8, VersionPoint.MAKES_ORDERED);

    private final int unit;
    private final VersionPoint point;

    Role(int unit, VersionPoint point) {
      this.unit = unit;
      this.point = point;
    }
  }

  private VersionFile write() throws IOException, InterruptedException, TimeoutException {
    Path folder = new Path("/versions/" + written++);
    VersionFile file =
        VersionFile.write(cluster(), new Path(folder, "f"), FROM, FILE_BYTES, SEED + written);
    cluster().client().setQuota(folder, QUOTA_FILES, QUOTA_BYTES);
    return file;
  }

  private void checkAll(VersionFile file)
      throws IOException, InterruptedException, TimeoutException {
    new NothingLeft(cluster()).await(file.path.getParent());
    file.check(cluster());
  }

  static VersionPoint[] points() {
    return VersionPoint.ofConversions();
  }

  /** The job goes on after the NameNode's death, and so does the command that waits for it. */
  @ParameterizedTest
  @MethodSource("points")
  void nameNodeIsKilled(VersionPoint point) throws Exception {
    VersionFile file = write();
    cluster().stops.request(point);
    try (PprCommand command = ConvertCall.start(cluster(), TO, file.path)) {
      cluster().stops.awaitStopped(STOP_LIMIT);
      cluster().killActiveNameNode();
      assertEquals(0, command.await(ConvertCall.LIMIT), command::text);
    }
    checkAll(file);
    file.checkXAttr(cluster().client());
    assertEquals(TO.policy(), file.policy(cluster().client()));
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void dataNodeIsKilled(Role role) throws Exception {
    VersionFile file = write();
    int node = BlockGroup.of(cluster().processes, cluster().client(), file.path).get(0)
        .replicasOf(role.unit).get(0).node;
    cluster().stops.request(role.point);
    try (PprCommand command = ConvertCall.start(cluster(), TO, file.path)) {
      cluster().stops.awaitStopped(STOP_LIMIT);
      cluster().processes.kill(node);
      cluster().stops.clear();
      // The version may be made without this node, or be given up: the file is right in both cases.
      command.await(ConvertCall.LIMIT);
    }
    assertTrue(file.content.isIn(cluster().client(), file.path), "content without the node");
    cluster().heal();
    checkAll(file);
    ConvertCall.run(cluster(), TO, file.path);
    checkAll(file);
    assertEquals(TO.policy(), file.policy(cluster().client()));
  }

  static Stream<Arguments> changes() {
    return Stream.of(FileChange.values()).flatMap(change ->
        Stream.of(VersionPoint.LINKED, VersionPoint.VERIFIED)
            .map(point -> Arguments.of(change, point)));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void fileIsChanged(FileChange change, VersionPoint point) throws Exception {
    VersionFile file = write();
    cluster().stops.request(point);
    VersionFile changed;
    try (PprCommand command = ConvertCall.start(cluster(), TO, file.path)) {
      cluster().stops.awaitStopped(STOP_LIMIT);
      changed = change.on(cluster().client(), file, SEED + 1000 + written);
      cluster().stops.clear();
      command.await(ConvertCall.LIMIT);
    }
    DistributedFileSystem client = cluster().client();
    if (change == FileChange.SNAPSHOT) {
      Path folder = changed.path.getParent();
      assertTrue(changed.content.isIn(client, new Path(folder, ".snapshot/"
          + FileChange.SNAPSHOT_NAME + "/f")),
          "content of the snapshot");
      client.deleteSnapshot(folder, FileChange.SNAPSHOT_NAME);
      client.disallowSnapshot(folder);
    }
    checkAll(changed);
    ConvertCall.run(cluster(), TO, changed.path);
    checkAll(changed);
    assertEquals(TO.policy(), changed.policy(client));
  }

  @ParameterizedTest
  @EnumSource(value = VersionPoint.class, names = {"GROUP_ADDED", "LINKED", "MADE", "VERIFIED"})
  void fileIsDeleted(VersionPoint point) throws Exception {
    VersionFile file = write();
    cluster().stops.request(point);
    try (PprCommand command = ConvertCall.start(cluster(), TO, file.path)) {
      cluster().stops.awaitStopped(STOP_LIMIT);
      assertTrue(cluster().client().delete(file.path, false));
      cluster().stops.clear();
      command.await(ConvertCall.LIMIT);
    }
    new NothingLeft(cluster()).await(file.path.getParent());
    assertEquals(0, cluster().client().listStatus(file.path.getParent()).length);
  }
}
