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
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.TestFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What an operator meets on a NameNode with Hadoop's own web pages: the way to the page of repairs,
 * and what the doctor says of a node behind a firewall.
 */
@Tag("process")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TestNameNodePages {
  private static final String NAME = "doctor";
  private static final int NODES = 6;
  private static final int FILES = 12;
  /** The node whose repair port a firewall closes. */
  private static final int CLOSED = 3;
  private static final int VICTIM = 5;
  private static final long UNIT = 1 << 20;
  private static final int UNITS = 5;
  /** Any exit code of the command will do. */
  private static final int ANY = -1;
  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(60);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(250);
  private static final String ENTRY =
      "\n        <li><a href=\"ppr/\">Erasure-coded repairs</a></li>";

  private static HdfsProcessCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(NAME);
    if (left.isPresent()) {
      left.get().close();
    }
    cluster = HdfsProcessCluster.create(ClusterSpec.builder().name(NAME).nodes(NODES).racks(2)
        .hadoopVersion(VersionInfo.getVersion()).plugin(true).codecs(true).nameNodePlugin(true)
        .build());
    boolean done = false;
    try {
      cluster.up();
      done = true;
    } finally {
      if (!done) {
        cluster.close();
      }
    }
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static HttpResponse<String> get(URI page) throws Exception {
    return HttpClient.newHttpClient().send(HttpRequest.newBuilder(page).timeout(COMMAND_LIMIT)
        .build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  /** Hadoop's pages are as they were, but for one entry in their menu, which leads to the page. */
  @Test
  void theMenuOfHadoopsPagesLeadsToThePage() throws Exception {
    URI server = URI.create("http://" + cluster.nameNodes().webAddress(1));
    for (String name : new String[] {"/dfshealth.html", "/explorer.html"}) {
      String stock;
      try (InputStream in = getClass().getResourceAsStream("/webapps/hdfs" + name)) {
        stock = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
      HttpResponse<String> answer = get(server.resolve(name));
      assertEquals(200, answer.statusCode(), name);
      String page = answer.body();
      int at = page.indexOf(ENTRY);
      assertTrue(at >= 0, page);
      assertEquals(stock, page.substring(0, at) + page.substring(at + ENTRY.length()), name);
      String menu = page.substring(page.lastIndexOf("<ul", at), at);
      assertTrue(menu.contains("dropdown-menu") && menu.contains(">Logs</a>"), menu);
      HttpResponse<String> repairs = get(server.resolve(name).resolve("ppr/"));
      assertEquals(200, repairs.statusCode());
      assertTrue(repairs.body().contains("ppr.js"), repairs.body());
    }
  }

  /** Runs the command; the exit code says whether there is an error among the findings. */
  private static String doctor(int code, String... more) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(cluster.clientJava());
    line.addAll(List.of("org.hdfsppr.client.PprTool", "-doctor"));
    line.addAll(List.of(more));
    java.nio.file.Path out = cluster.dir().resolve("doctor.out");
    Process process = new ProcessBuilder(line).redirectOutput(out.toFile())
        .redirectError(cluster.dir().resolve("doctor.err").toFile()).start();
    if (!process.waitFor(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("-doctor does not end");
    }
    String said = Files.readString(out);
    assertTrue(code < 0 || process.exitValue() == code, process.exitValue() + ": " + said);
    return said;
  }

  private static String withoutBreaks(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private static JsonNode portFinding() throws IOException, InterruptedException {
    for (JsonNode finding : new ObjectMapper().readTree(doctor(ANY, "-json")).get("findings")) {
      if (finding.get("code").asText().equals("port_closed")) {
        return finding;
      }
    }
    throw new AssertionError("the doctor says nothing of ports");
  }

  /**
   * The NameNode itself notices that it cannot reach the port, and when other nodes need it for
   * repairs, they say so, too. The repairs are done without that node.
   */
  @Test
  void theDoctorNamesAPortBehindAFirewall() throws Exception {
    List<Path> files = write();
    cluster.links().setRepairPortOpen(CLOSED, false);
    String address = cluster.nodeAddress(CLOSED);
    JsonNode finding = portFinding();
    assertEquals("warning", finding.get("severity").asText(), finding.toString());
    assertEquals("[\"" + address + ":9866\"]", finding.get("nodes").toString());
    String text = finding.get("text").asText();
    assertTrue(text.contains("port 9877 of " + address + ":9866"), text);
    String said = withoutBreaks(doctor(0));
    assertTrue(said.contains("port 9877 of " + address), said);
    // Hadoop's own ports of the node are open.
    assertEquals(NODES, cluster.state().liveNodes().orElseThrow());

    cluster.kill(VICTIM);
    Await.until("nodes say that they cannot reach the port", LIMIT, POLL,
        () -> portFinding().get("severity").asText().equals("error"));
    finding = portFinding();
    assertEquals("[\"" + address + ":9866\"]", finding.get("nodes").toString());
    text = finding.get("text").asText();
    assertTrue(text.startsWith("Other DataNodes could not connect")
        && text.contains("port 9877 of " + address + ":9866, from "), text);
    said = withoutBreaks(doctor(1));
    assertTrue(said.contains("Other DataNodes could not connect to a repair port"), said);
    try (DistributedFileSystem fs = cluster.client()) {
      for (Path file : files) {
        Await.until("all units of " + file + " are back", LIMIT, POLL,
            () -> units(fs, file) == UNITS);
      }
    }
  }

  private static List<Path> write() throws Exception {
    List<Path> files = new ArrayList<>();
    try (DistributedFileSystem fs = cluster.client()) {
      fs.enableErasureCodingPolicy("RS-3-2-1024k");
      Path folder = new Path("/ec");
      fs.mkdirs(folder);
      fs.setErasureCodingPolicy(folder, "RS-3-2-1024k");
      for (int i = 0; i < FILES; i++) {
        Path file = new Path(folder, "f" + i);
        TestFile.write(fs, file, UNIT, 3 * UNIT, i);
        Await.until("all units of " + file, LIMIT, POLL, () -> units(fs, file) == UNITS);
        files.add(file);
      }
    }
    return files;
  }

  private static int units(DistributedFileSystem fs, Path file) throws IOException {
    return fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE).get(0)
        .getLocations().length;
  }
}
