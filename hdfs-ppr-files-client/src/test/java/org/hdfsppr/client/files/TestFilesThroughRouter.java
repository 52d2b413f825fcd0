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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.RouterBefore;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests clients that reach a cluster through a Router of Hadoop's federation. The cluster has both
 * plugins. Commands that change files are refused with a sentence, because the plugin knows the
 * files by other paths than the Router shows.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestFilesThroughRouter {
  @TempDir
  static Path directory;
  private UpdateCluster cluster;
  private RouterBefore router;
  private byte[] content;

  @BeforeAll
  void start() throws Exception {
    RouterBefore.assumeRuns();
    cluster = UpdateCluster.start(directory.resolve("cluster"));
    content = cluster.write("file", 1);
    Configuration conf = cluster.clientConf();
    conf.unset(PprKeys.CLIENT_UPDATES_KEY);
    router = RouterBefore.start(cluster.hdfs(), directory, conf, UpdateCluster.DIRECTORY, "file");
  }

  @AfterAll
  void stop() {
    if (router != null) {
      router.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** The plugin answers on this host, too, and must not be taken for the Router's. */
  @Test
  void whatNeedsThePluginIsRefused() {
    for (List<String> args : List.of(
        List.of("-convert", "-policy", UpdateCluster.POLICY, "/outside/file"),
        List.of("-updatable", "/outside"), List.of("-commit", "/outside/file"),
        List.of("-updates", "/outside/file"), List.of("-core", "-protect", "/outside"),
        List.of("-core", "-status"), List.of("-core", "-check", "/outside"),
        List.of("-update", "/outside/file", "-offset", "0", "-from", "/dev/null"),
        List.of("-nbd", "/outside/file", "--unix", directory.resolve("s").toString()),
        List.of("-nbd", "--read-only", "/outside/file", "--unix",
            directory.resolve("s").toString()),
        List.of("-D", PprKeys.CLIENT_UPDATES_KEY + "=false", "-nbd", "--read-only",
            "/outside/file", "--unix", directory.resolve("s").toString()))) {
      String said = router.refused(args.toArray(new String[0]));
      assertTrue(said.contains("hdfs://" + router.address() + " is a Router"), args + ": " + said);
      assertTrue(said.contains("-fs hdfs://NAMESERVICE"), args + ": " + said);
    }
  }

  /** Without this, a client that has to see updates would read bytes without them. */
  @Test
  void aClientThatSeesUpdatesOpensNothing() throws IOException {
    assertArrayEquals(content, RouterBefore.read(router.conf, "file", content.length));
    Configuration seeing = new Configuration(router.conf);
    seeing.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    IOException e = assertThrows(IOException.class,
        () -> RouterBefore.read(seeing, "file", content.length));
    assertTrue(e.getMessage().contains("is a Router") && e.getMessage().contains(
        PprKeys.CLIENT_UPDATES_KEY), e.getMessage());
  }
}
