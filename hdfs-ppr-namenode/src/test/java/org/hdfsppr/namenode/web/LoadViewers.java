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

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;

/** The viewers of {@link ViewerLoad}, in a process without Hadoop's classes. */
@InterfaceAudience.Private
final class LoadViewers {
  /** As many as an operations team, its wall screens and forgotten tabs may have. */
  static final int VIEWERS = 50;
  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;
  /** Which documents are read every how many ms, by name of the case. */
  private static final Map<String, Map<String, Integer>> CASES = Map.of(
      // As the page reads them with all its sections in sight.
      "page", Map.of("status", 1_000, "nodes", 2_000, "groups", 2_000, "repairs", 2_000, "doubts",
          2_000, "history", 5_000),
      "status", Map.of("status", 1_000),
      // As no page does.
      "all", Map.of("status", 1_000, "nodes", 1_000, "groups", 1_000, "repairs", 1_000, "doubts",
          1_000, "history", 1_000));

  private static final AtomicLong REQUESTS = new AtomicLong();
  private static final AtomicLong UNCHANGED = new AtomicLong();
  private static final AtomicLong BYTES = new AtomicLong();
  private static final AtomicLong FAILURES = new AtomicLong();
  /** The longest time from the request for a status to its last byte, ns. */
  private static final AtomicLong SLOWEST_STATUS = new AtomicLong();

  private LoadViewers() {
  }

  /**
   * Prints "begin" after the warm-up, and at the end the numbers of requests, of those that brought
   * nothing new, of bytes, and the milliseconds of the slowest status.
   *
   * @param args the server's port, the case, whether to send If-None-Match, whether to accept gzip,
   *     the seconds of the warm-up and of the measurement
   */
  public static void main(String[] args) throws Exception {
    String base = "http://127.0.0.1:" + args[0] + "/ppr/v1/";
    Map<String, Integer> documents = CASES.get(args[1]);
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    for (int i = 0; i < VIEWERS; i++) {
      // Each viewer has connections of its own, as browsers have.
      HttpClient client =
          HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      Map<String, String> tags = new ConcurrentHashMap<>();
      for (Map.Entry<String, Integer> document : documents.entrySet()) {
        int every = document.getValue();
        timer.scheduleAtFixedRate(() -> read(client, base + document.getKey(),
            Boolean.parseBoolean(args[2]) ? tags : new ConcurrentHashMap<>(),
            Boolean.parseBoolean(args[3])), i * every / VIEWERS, every, TimeUnit.MILLISECONDS);
      }
    }
    Thread.sleep(TimeUnit.SECONDS.toMillis(Long.parseLong(args[4])));
    REQUESTS.set(0);
    UNCHANGED.set(0);
    BYTES.set(0);
    SLOWEST_STATUS.set(0);
    System.out.println("begin");
    Thread.sleep(TimeUnit.SECONDS.toMillis(Long.parseLong(args[5])));
    System.out.println(FAILURES.get() > 0 ? FAILURES + " requests failed"
        : "requests " + REQUESTS + " " + UNCHANGED + " " + BYTES + " "
            + TimeUnit.NANOSECONDS.toMillis(SLOWEST_STATUS.get()));
    System.exit(0);
  }

  private static void read(HttpClient client, String url, Map<String, String> tags,
      boolean gzip) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (gzip) {
      request.header("Accept-Encoding", "gzip");
    }
    String tag = tags.get(url);
    if (tag != null) {
      request.header("If-None-Match", tag);
    }
    long start = System.nanoTime();
    client.sendAsync(request.build(), BodyHandlers.ofByteArray())
        .whenComplete((answer, failure) -> {
          if (url.endsWith("/status")) {
            SLOWEST_STATUS.accumulateAndGet(System.nanoTime() - start, Math::max);
          }
          count(url, tags, answer);
        });
  }

  private static void count(String url, Map<String, String> tags, HttpResponse<byte[]> answer) {
    REQUESTS.incrementAndGet();
    if (answer == null || answer.statusCode() != OK && answer.statusCode() != NOT_MODIFIED) {
      FAILURES.incrementAndGet();
      return;
    }
    BYTES.addAndGet(answer.body().length);
    if (answer.statusCode() == NOT_MODIFIED) {
      UNCHANGED.incrementAndGet();
    }
    answer.headers().firstValue("ETag").ifPresent(tag -> tags.put(url, tag));
  }
}
