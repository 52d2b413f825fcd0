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
package org.hdfsppr.namenode.web.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the page that the web server of a running NameNode sends. */
@InterfaceAudience.Private
@Timeout(120)
class TestMetricsOfNameNode {
  @TempDir
  private File directory;

  @Test
  void theNameNodeServesThePage() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, directory).numDataNodes(0)
        .build(); PprNameNodePlugin plugin = new PprNameNodePlugin()) {
      plugin.start(cluster.getNameNode());
      URI page = URI.create("http://127.0.0.1:"
          + cluster.getNameNode().getHttpAddress().getPort() + "/ppr/metrics");
      PromText text;
      HttpResponse<byte[]> answer;
      do {
        TimeUnit.MILLISECONDS.sleep(50);
        answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(page).build(),
            HttpResponse.BodyHandlers.ofByteArray());
        assertEquals(200, answer.statusCode());
        text = PromText.parse(answer.body());
        // Ends with the test's time limit if no cycle ends.
      } while (text.value("hdfs_ppr_cycle_duration_seconds_count") < 3);
      String type = answer.headers().firstValue("Content-Type").orElse("");
      assertTrue(type.startsWith("text/plain") && type.contains("version=0.0.4"), type);
      assertEquals(0, text.value("hdfs_ppr_cycle_failures_total"));
      assertEquals(1, text.samplesByName().get("hdfs_ppr_state").stream()
          .mapToDouble(sample -> sample.value).sum());
      assertEquals("balanced", text.samplesByName().get("hdfs_ppr_build_info").get(0)
          .labels.get("scheduler"));
      Path file = directory.toPath().resolve("page");
      Files.write(file, answer.body());
      assertEquals("", Promtool.run(directory.toPath(), file, "check", "metrics"));
    }
  }
}
