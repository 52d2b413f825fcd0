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
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Masters;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.params.provider.Arguments;

/** Two NameNodes of which the second one runs the older release. */
final class MixedPair {
  /** The number of the NameNode with the jars of this build. */
  static final int NEW = 1;
  /** The number of the NameNode with the older jars. */
  static final int OLDER = 2;
  /** The NameNode with the older jars, for the harness. */
  static final String OLDER_NAME = "nn2";

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Path[] SHARDS =
      {new Path("/.hdfs-ppr/conversions/*/*"), new Path("/.hdfs-ppr/commits/*/*")};

  private final VersionsCluster cluster;

  MixedPair(VersionsCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Returns moments, each with either NameNode active.
   *
   * @param property names a property that chooses moments, with commas between them
   */
  static Stream<Arguments> eachActive(String property, VersionPoint... moments) {
    return Moments.chosen(property, moments)
        .flatMap(point -> Stream.of(NEW, OLDER).map(active -> Arguments.of(point, active)));
  }

  /** Returns the versions that lie where the older release does not find them. */
  List<String> inShards() throws IOException {
    List<String> versions = new ArrayList<>();
    for (Path pattern : SHARDS) {
      FileStatus[] all = cluster.client().globStatus(pattern);
      // Null where no version was ever made.
      for (FileStatus version : all == null ? new FileStatus[0] : all) {
        versions.add(version.getPath().toUri().getPath());
      }
    }
    return versions;
  }

  /** Checks that all versions lie where both NameNodes find them. */
  void checkFlat() throws IOException {
    assertEquals(List.of(), inShards(), "versions that the older NameNode does not find");
  }

  /** Waits until the standby NameNode has applied all edits that the active one has written. */
  void awaitStandbyFollows() throws IOException, InterruptedException, TimeoutException {
    Masters nameNodes = cluster.processes.nameNodes();
    OptionalInt active = nameNodes.active();
    if (active.isEmpty()) {
      throw new IOException("No NameNode is active");
    }
    int standby = NEW + OLDER - active.getAsInt();
    // The standby reads whole segments, and the active NameNode begins one every few seconds.
    long written = lastEdit(active.getAsInt());
    Await.until("NameNode " + standby + " follows to edit " + written, LIMIT, POLL, () -> {
      assertTrue(nameNodes.daemon(standby).isAlive(), "the standby NameNode runs");
      return lastEdit(standby) >= written;
    });
  }

  /**
   * Kills the second NameNode, and starts it again as standby.
   *
   * @param isOlder whether it runs the older jars from now on
   */
  void restartSecond(boolean isOlder)
      throws IOException, InterruptedException, TimeoutException {
    HdfsProcessCluster processes = cluster.processes;
    Masters nameNodes = processes.nameNodes();
    nameNodes.failOver(NEW);
    nameNodes.daemon(OLDER).kill();
    processes.use(processes.spec().toBuilder()
        .conf(ClusterSpec.OLDER_DAEMONS_KEY, isOlder ? OLDER_NAME : "").build());
    processes.nameNodes().start(OLDER);
    processes.nameNodes().awaitAnswers(OLDER);
  }

  private long lastEdit(int nameNode) throws IOException {
    return new ObjectMapper().readTree(cluster.processes.nameNodes()
        .jmx(nameNode, "Hadoop:service=NameNode,name=NameNodeInfo").get("JournalTransactionInfo")
        .asText()).get("LastAppliedOrWrittenTxId").asLong();
  }
}
