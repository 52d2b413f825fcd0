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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.classification.InterfaceAudience;

/** Reads pages of a web server as a browser does, but follows no redirects and keeps no cookies. */
@InterfaceAudience.Private
public final class Viewer {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String base;
  private final HttpClient client;

  /** @param port port of a web server on this host, which speaks HTTP */
  public Viewer(int port) {
    this("http://127.0.0.1:" + port, HttpClient.newHttpClient());
  }

  /**
   * @param base the server's address, without a slash at the end
   * @param client sends the requests
   */
  public Viewer(String base, HttpClient client) {
    this.base = base;
    this.client = client;
  }

  /** Reads a page, with headers given as names and values in turn. */
  public HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    return send("GET", path, headers);
  }

  /** Sends a request without a body, with headers given as names and values in turn. */
  public HttpResponse<byte[]> send(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
        .timeout(PATIENCE).method(method, BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  /** Returns a header of an answer; empty if there is none. */
  public static String header(HttpResponse<?> answer, String name) {
    return String.join(", ", answer.headers().allValues(name));
  }

  /** Returns the text of an answer that is not compressed. */
  public static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** Returns the bytes of an answer that is compressed. */
  static byte[] unzipped(HttpResponse<byte[]> answer) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      return in.readAllBytes();
    }
  }
}
