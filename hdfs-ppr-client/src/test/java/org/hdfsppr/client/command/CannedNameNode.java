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
package org.hdfsppr.client.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.datanode.FreePort;

/** The web server of a NameNode, which serves documents of the test. Its RPC port is closed. */
final class CannedNameNode implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  /** What clients have asked for, with queries. */
  final List<String> queries = new CopyOnWriteArrayList<>();

  private static final class Answer {
    private final int code;
    private final String type;
    private final boolean isPacked;
    private final byte[] body;

    Answer(int code, String type, boolean isPacked, byte[] body) {
      this.code = code;
      this.type = type;
      this.isPacked = isPacked;
      this.body = body;
    }
  }

  CannedNameNode() throws IOException {
    this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  private CannedNameNode(HttpServer server) {
    this.server = server;
    server.createContext("/", this::answer);
    server.start();
  }

  /** Starts a web server with TLS. */
  static CannedNameNode withTls(SSLContext keys) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(keys));
    return new CannedNameNode(server);
  }

  static String resource(String name) throws IOException {
    try (InputStream in = CannedNameNode.class.getResourceAsStream("/pages/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Serves the test's resources {@code NAME.json} as documents. */
  CannedNameNode withAll() throws IOException {
    for (String name : List.of("status", "groups", "repairs", "nodes", "doubts", "doctor")) {
      json("/ppr/v1/" + name, resource(name + ".json"));
    }
    return json("/ppr/v1/explain/blk_-9223372036854775792", resource("explain.json"));
  }

  CannedNameNode json(String path, String body) {
    return answer(path, 200, "application/json; charset=utf-8", body);
  }

  CannedNameNode answer(String path, int code, String type, String body) {
    answers.put(path, new Answer(code, type, false, body.getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  /** Serves a document that is packed with gzip if the client accepts that. */
  CannedNameNode packed(String path, byte[] body) {
    answers.put(path, new Answer(200, "application/json", true, body));
    return this;
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Returns a client's configuration with this NameNode only. */
  Configuration conf() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + closedPort());
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + port());
    return conf;
  }

  /** Returns a port at which nothing answers. */
  static int closedPort() throws IOException {
    return FreePort.choose();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try {
      queries.add(exchange.getRequestURI().toString());
      Answer answer = answers.getOrDefault(exchange.getRequestURI().getPath(),
          new Answer(404, "text/html", false, "<html>Not Found".getBytes(StandardCharsets.UTF_8)));
      byte[] body = answer.body;
      exchange.getResponseHeaders().set("Content-Type", answer.type);
      if (answer.isPacked && "gzip".equals(exchange.getRequestHeaders()
          .getFirst("Accept-Encoding"))) {
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
          out.write(body);
        }
        body = packed.toByteArray();
      }
      exchange.sendResponseHeaders(answer.code, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } finally {
      exchange.close();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
