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
package org.hdfsppr.namenode.web;

import static org.hdfsppr.namenode.web.Viewer.header;
import static org.hdfsppr.namenode.web.Viewer.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests the form of all answers, on a web server as the NameNode has it. */
@InterfaceAudience.Private
@Timeout(60)
class TestPprServlet {
  private static final byte[] LONG =
      "{\"text\":\"repairs\"}\n".repeat(500).getBytes(StandardCharsets.UTF_8);
  private static final byte[] SHORT = "{}".getBytes(StandardCharsets.UTF_8);
  private static HttpServer2 server;
  private static Viewer viewer;

  private volatile String etag = "17";
  private WebPages pages;

  @BeforeAll
  static void start() throws Exception {
    server = new HttpServer2.Builder().setName("hdfs")
        .addEndpoint(URI.create("http://127.0.0.1:0")).setConf(new Configuration()).build();
    server.start();
    viewer = new Viewer(server.getConnectorAddress(0).getPort());
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  @BeforeEach
  void install() {
    pages = install("run");
  }

  private WebPages install(String run) {
    return WebPages.install(server, List.of(path -> Optional.empty(), this::find,
        path -> Optional.of(PageResponse.error(500, "This source is never reached for /v1."))
            .filter(page -> path.startsWith("/v1"))), run);
  }

  private Optional<PageResponse> find(String path) {
    switch (path) {
      case "/v1/long":
        return Optional.of(PageResponse.json(etag, LONG));
      case "/v1/short":
        return Optional.of(PageResponse.json(etag, SHORT));
      case "/v1/untagged":
        return Optional.of(PageResponse.json(null, LONG));
      case "/v1/refused":
        return Optional.of(PageResponse.error(400, "No such block."));
      case "/v1/runtime":
        throw new IllegalStateException("thrown on purpose");
      case "/v1/linkage":
        throw new NoClassDefFoundError("missing on purpose");
      default:
        return Optional.empty();
    }
  }

  @AfterEach
  void close() {
    pages.close();
  }

  /** Checks the headers that all answers of the servlet have, besides those of Hadoop's filters. */
  private static void assertHeaders(HttpResponse<byte[]> answer) {
    assertEquals("no-cache", header(answer, "Cache-Control"));
    assertEquals("nosniff", header(answer, "X-Content-Type-Options"));
    String policy = header(answer, "Content-Security-Policy");
    assertTrue(policy.startsWith("default-src 'self';"), policy);
    assertTrue(policy.contains("frame-ancestors 'self'"), policy);
    assertEquals("", header(answer, "Access-Control-Allow-Origin"));
  }

  /** Returns the content type without blanks, which servers write in different ways. */
  private static String type(HttpResponse<?> answer) {
    return header(answer, "Content-Type").replace(" ", "").toLowerCase(Locale.ROOT);
  }

  private static void assertSentence(int status, HttpResponse<byte[]> answer) {
    assertEquals(status, answer.statusCode());
    assertEquals("text/plain;charset=utf-8", type(answer));
    assertTrue(text(answer).matches("[A-Za-z][^\\n<>]{20,200}\\.\\n"), text(answer));
    assertEquals("", header(answer, "ETag"));
    assertHeaders(answer);
  }

  @Test
  void aPageHasItsContent() throws Exception {
    HttpResponse<byte[]> answer = viewer.get("/ppr/v1/long");
    assertEquals(200, answer.statusCode());
    assertArrayEquals(LONG, answer.body());
    assertEquals("application/json;charset=utf-8", type(answer));
    assertEquals("", header(answer, "Content-Encoding"));
    assertEquals("Accept-Encoding", header(answer, "Vary"));
    assertHeaders(answer);
  }

  @Test
  void aViewerThatHasTheVersionGetsNoBody() throws Exception {
    String tag = header(viewer.get("/ppr/v1/long"), "ETag");
    assertEquals("W/\"run-17\"", tag);
    for (String same : List.of(tag, "\"run-17\"", "\"x\", " + tag, "*")) {
      HttpResponse<byte[]> answer = viewer.get("/ppr/v1/long", "If-None-Match", same);
      assertEquals(304, answer.statusCode(), same);
      assertEquals(0, answer.body().length);
      assertEquals(tag, header(answer, "ETag"));
      assertHeaders(answer);
    }
    etag = "18";
    HttpResponse<byte[]> next = viewer.get("/ppr/v1/long", "If-None-Match", tag);
    assertEquals(200, next.statusCode());
    assertEquals("W/\"run-18\"", header(next, "ETag"));
  }

  /** A restarted NameNode begins to count its versions anew. */
  @Test
  void theVersionsOfAnotherRunAreOthers() throws Exception {
    String tag = header(viewer.get("/ppr/v1/long"), "ETag");
    pages.close();
    pages = install("next");
    assertEquals(200, viewer.get("/ppr/v1/long", "If-None-Match", tag).statusCode());
  }

  @Test
  void longPagesAreCompressedForViewersThatAcceptIt() throws Exception {
    HttpResponse<byte[]> zipped = viewer.get("/ppr/v1/long", "Accept-Encoding", "br, gzip");
    assertEquals("gzip", header(zipped, "Content-Encoding"));
    assertTrue(zipped.body().length < LONG.length / 10);
    assertArrayEquals(LONG, Viewer.unzipped(zipped));
    assertEquals(Integer.toString(zipped.body().length), header(zipped, "Content-Length"));
    for (String path : List.of("/ppr/v1/short", "/ppr/v1/untagged")) {
      assertEquals("", header(viewer.get(path, "Accept-Encoding", "gzip"), "Content-Encoding"));
    }
    assertArrayEquals(LONG, viewer.get("/ppr/v1/untagged").body());
    assertEquals("", header(viewer.get("/ppr/v1/untagged"), "ETag"));
  }

  @Test
  void headHasTheHeadersOnly() throws Exception {
    HttpResponse<byte[]> answer = viewer.send("HEAD", "/ppr/v1/long");
    assertEquals(200, answer.statusCode());
    assertEquals(0, answer.body().length);
    assertEquals(Integer.toString(LONG.length), header(answer, "Content-Length"));
    assertEquals("W/\"run-17\"", header(answer, "ETag"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
  void nothingCanBeChanged(String method) throws Exception {
    for (String path : List.of("/ppr/", "/ppr/v1/long", "/ppr/v1/none", "/ppr")) {
      HttpResponse<byte[]> answer = viewer.send(method, path);
      assertSentence(405, answer);
      assertEquals("GET, HEAD, OPTIONS", header(answer, "Allow"));
    }
  }

  /** Hadoop's clients send such a request to authenticate themselves, and want a 200. */
  @Test
  void optionsAreThereWithoutAPage() throws Exception {
    pages.close();
    HttpResponse<byte[]> answer = viewer.send("OPTIONS", "/ppr/v1/none");
    assertEquals(200, answer.statusCode());
    assertEquals(0, answer.body().length);
    assertEquals("GET, HEAD, OPTIONS", header(answer, "Allow"));
    assertHeaders(answer);
  }

  @Test
  void theFolderWithoutItsSlashLeadsToTheFolder() throws Exception {
    HttpResponse<byte[]> answer = viewer.get("/ppr");
    assertEquals(302, answer.statusCode());
    assertEquals("ppr/", header(answer, "Location"));
  }

  @Test
  void unknownPathsAreAnsweredWithASentence() throws Exception {
    for (String path : List.of("/ppr/v2", "/ppr/", "/ppr/%3Cb%3E", "/ppr/v2/%0d%0aX:y")) {
      HttpResponse<byte[]> answer = viewer.get(path);
      assertSentence(404, answer);
    }
    assertEquals(400, viewer.get("/ppr/v1/refused").statusCode());
    assertEquals("No such block.\n", text(viewer.get("/ppr/v1/refused")));
  }

  @Test
  void aSourceThatFailsCostsItsPageAndOneLine() throws Exception {
    GenericTestUtils.LogCapturer log =
        GenericTestUtils.LogCapturer.captureLogs(LoggerFactory.getLogger(PageRegistry.class));
    try {
      for (int i = 0; i < 3; i++) {
        assertSentence(500, viewer.get("/ppr/v1/runtime"));
        assertFalse(text(viewer.get("/ppr/v1/linkage")).contains("purpose"));
      }
      assertSentence(500, viewer.get("/ppr/v1/linkage"));
      assertEquals(200, viewer.get("/ppr/v1/short").statusCode());
      String said = log.getOutput();
      assertEquals(2, said.split("cannot make a page", -1).length - 1, said);
      assertTrue(said.contains("thrown on purpose") && said.contains("missing on purpose"), said);
    } finally {
      log.stopCapturing();
    }
  }

  @Test
  void afterTheEndAllPagesSaySo() throws Exception {
    String tag = header(viewer.get("/ppr/v1/long"), "ETag");
    assertTrue(hasEntry());
    pages.close();
    pages.close();
    assertSentence(503, viewer.get("/ppr/v1/long"));
    assertSentence(503, viewer.get("/ppr/v1/long", "If-None-Match", tag));
    assertSentence(503, viewer.get("/ppr/none"));
    assertFalse(hasEntry());
    pages = install("again");
    assertEquals(200, viewer.get("/ppr/v1/long").statusCode());
    assertTrue(hasEntry());
  }

  private static boolean hasEntry() throws Exception {
    boolean has = text(viewer.get("/dfshealth.html")).contains("href=\"ppr/\"");
    assertEquals(has, text(viewer.get("/explorer.html")).contains("href=\"ppr/\""));
    return has;
  }

  @Test
  void theNameNodesPagesStayWhatTheyAre() throws Exception {
    HttpResponse<byte[]> page = viewer.get("/dfshealth.html");
    assertEquals(200, page.statusCode());
    assertEquals("text/html;charset=utf-8", type(page));
    String stock;
    try (InputStream in = getClass().getResourceAsStream("/webapps/hdfs/dfshealth.html")) {
      stock = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertEquals(stock, text(page).replaceFirst("\\n *<li><a href=\"ppr/\">[^<]*</a></li>", ""));
    HttpResponse<byte[]> head = viewer.send("HEAD", "/dfshealth.html");
    assertEquals(Integer.toString(page.body().length), header(head, "Content-Length"));
  }
}
