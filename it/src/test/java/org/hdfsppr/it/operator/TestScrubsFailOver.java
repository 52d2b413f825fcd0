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
package org.hdfsppr.it.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Masters;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.TestFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The active one of two NameNodes is killed in the middle of a pass of background checks. The other
 * one goes on behind the last note, and counts what the first one has counted.
 */
@Tag("slow")
@Tag("process")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TestScrubsFailOver {
  private static final String NAME = "checks";
  private static final int NODES = 6;
  /** Each file is one group. A pass takes longer than the minute from one note to the next. */
  private static final int FILES = 150;
  private static final long CELL = 1 << 20;
  private static final Path DIRECTORY = new Path("/ec");
  private static final String NOTE = "trusted.hdfs-ppr.scrub";
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(200);

  @Test
  void theOtherNameNodeGoesOn() throws Exception {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(NAME);
    if (left.isPresent()) {
      left.get().close();
    }
    try (HdfsProcessCluster cluster = HdfsProcessCluster.create(ClusterSpec.builder().name(NAME)
        .nodes(NODES).racks(2).hadoopVersion(VersionInfo.getVersion()).plugin(true).codecs(true)
        .nameNodePlugin(true).ha(true)
        .conf(PprKeys.NAMENODE_SCRUB_RATE_KEY, "1m")
        .conf(PprKeys.NAMENODE_SCRUB_PATHS_KEY, DIRECTORY.toString()).build())) {
      cluster.up();
      try (DistributedFileSystem fs = cluster.client()) {
        failOver(cluster.nameNodes(), fs);
      }
    }
  }

  private static void failOver(Masters nameNodes, DistributedFileSystem fs) throws Exception {
    fs.enableErasureCodingPolicy("RS-3-2-1024k");
    // The first NameNode has found no directory, and looks again after ten minutes only.
    fs.mkdirs(DIRECTORY);
    fs.setErasureCodingPolicy(DIRECTORY, "RS-3-2-1024k");
    for (int i = 0; i < FILES; i++) {
      TestFile.write(fs, new Path(DIRECTORY, String.format("f%03d", i)), CELL, CELL / 2, i);
    }
    nameNodes.failOver(2);

    Await.until("a note in the middle of the pass", LIMIT, POLL, () -> note(fs)
        .path("checked").asInt() > 0);
    JsonNode note = note(fs);
    int noted = note.path("checked").asInt();
    assertTrue(noted < FILES, "the pass has ended too soon: " + note);
    assertEquals(0, note.path("not_checked").asInt(), note.toString());
    nameNodes.daemon(2).kill();
    nameNodes.failOver(1);

    Await.until("the other NameNode has read the note", LIMIT, POLL,
        () -> checks(nameNodes).path("groups_checked").asInt() >= noted);
    assertEquals(note.path("pass"), checks(nameNodes).path("pass"));
    Await.until("the pass ends", LIMIT, POLL,
        () -> !checks(nameNodes).path("last_finished").isMissingNode()
            && !checks(nameNodes).path("last_finished").isNull());
    JsonNode end = checks(nameNodes);
    assertEquals(FILES, end.path("groups_checked").asInt(), end.toString());
    assertEquals(0, end.path("not_checked").asInt(), end.toString());
    assertEquals(0, end.path("contradictions").asInt(), end.toString());
    assertEquals(note.path("pass"), end.path("pass"), end.toString());
    assertEquals(note.path("started"), note(fs).path("last").path("started"),
        "one pass, and not two");
    // This NameNode has checked only what the first one had not noted.
    assertEquals(FILES - noted, nameNodes.jmx(1, "Hadoop:service=NameNode,name=PprNameNode")
        .path("ScrubbedGroupsTotal").asInt());
  }

  private static JsonNode note(DistributedFileSystem fs) throws IOException {
    if (!fs.getXAttrs(DIRECTORY).containsKey(NOTE)) {
      return new ObjectMapper().createObjectNode();
    }
    return new ObjectMapper().readTree(
        new String(fs.getXAttr(DIRECTORY, NOTE), StandardCharsets.UTF_8));
  }

  /** Returns how far the first NameNode is with the directory. */
  private static JsonNode checks(Masters nameNodes) throws IOException {
    return new ObjectMapper().readTree(URI.create("http://" + nameNodes.webAddress(1)
        + "/ppr/v1/verification").toURL()).path("directories").path(0);
  }
}
