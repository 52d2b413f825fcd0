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
package org.hdfsppr.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.Await;

/** The files of one folder, which CORE protects on the order of the benchmark. */
final class CoreProtection {
  /** Settings with which the NameNode groups files as soon as they are written. */
  static final Map<String, String> SETTINGS = Map.of(
      PprKeys.NAMENODE_CORE_SETTLE_KEY, "0");

  private static final Path GROUPS = new Path("/.hdfs-ppr/core/groups");
  private static final String ATTRIBUTE = "trusted.hdfs-ppr.core-group";
  private static final Duration FORMED_LIMIT = Duration.ofMinutes(10);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);

  private final HdfsProcessCluster cluster;
  private final Path folder;

  CoreProtection(HdfsProcessCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /**
   * Lets CORE protect the files of the folder and of the folders in it.
   *
   * @param groups how many CORE groups the files make
   * @throws TimeoutException if the groups are not formed within ten minutes
   */
  void form(int groups) throws IOException, InterruptedException, TimeoutException {
    PprCommand.run(cluster, COMMAND_LIMIT,
        List.of("-core", "-protect", folder.toUri().getPath(), "-recursive"));
    Await.until("the CORE groups are formed", FORMED_LIMIT, POLL, () -> {
      JsonNode sums = status();
      return sums.path("groups").asInt() == groups && sums.path("forming").asInt() == 0;
    });
  }

  private JsonNode status() throws IOException, InterruptedException {
    String text = PprCommand.run(cluster, COMMAND_LIMIT,
        List.of("-core", "-status", folder.toUri().getPath(), "-json"));
    return new ObjectMapper().readTree(text);
  }

  /** Returns the parity files of all CORE groups of the cluster, by their paths. */
  static List<Path> parityFiles(DistributedFileSystem client) throws IOException {
    List<Path> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> next = client.listFiles(GROUPS, true);
    while (next.hasNext()) {
      files.add(next.next().getPath());
    }
    Collections.sort(files);
    return files;
  }

  /** Returns the inodes of the files that a parity file protects. */
  static List<Long> members(DistributedFileSystem client, Path parityFile) throws IOException {
    return CoreMembership.parse(client.getXAttr(parityFile, ATTRIBUTE)).files.stream()
        .map(row -> row.fileId).collect(Collectors.toList());
  }
}
