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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.web.PageRegistry.GzipCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that pages are compressed once, and that the memory for them is bounded. */
@InterfaceAudience.Private
@Timeout(60)
class TestGzipCache {
  private static final int VIEWERS = 8;
  private final GzipCache cache = new GzipCache();

  private static byte[] body(String word) {
    return word.repeat(1_000).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] unzipped(byte[] zipped) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      return in.readAllBytes();
    }
  }

  @Test
  void eachVersionHasItsOwnContent() throws IOException {
    byte[] first = cache.zipped("/a", "1", body("first"));
    assertArrayEquals(body("first"), unzipped(first));
    assertTrue(first.length < body("first").length / 10);
    assertArrayEquals(body("second"), unzipped(cache.zipped("/a", "2", body("second"))));
    assertArrayEquals(body("other"), unzipped(cache.zipped("/b", "2", body("other"))));
    assertEquals(2, cache.pages());
  }

  /** If each viewer's request compressed for itself, the results would be different arrays. */
  @Test
  void simultaneousViewersShareOneResult() throws Exception {
    CyclicBarrier together = new CyclicBarrier(VIEWERS);
    ExecutorService viewers = Executors.newFixedThreadPool(VIEWERS);
    try {
      List<Future<byte[]>> results = new ArrayList<>();
      for (int i = 0; i < VIEWERS; i++) {
        results.add(viewers.submit(() -> {
          together.await();
          return cache.zipped("/a", "1", body("text"));
        }));
      }
      for (Future<byte[]> result : results) {
        assertSame(results.get(0).get(), result.get());
      }
    } finally {
      viewers.shutdownNow();
    }
  }

  @Test
  void thePagesThatAreReadStay() {
    byte[] often = cache.zipped("/often", "1", body("often"));
    byte[] once = cache.zipped("/once", "1", body("once"));
    for (int i = 0; i < 2 * GzipCache.PAGES_MAX; i++) {
      cache.zipped("/" + i, "1", body("x"));
      assertSame(often, cache.zipped("/often", "1", body("often")));
    }
    assertEquals(GzipCache.PAGES_MAX, cache.pages());
    assertNotSame(once, cache.zipped("/once", "1", body("once")));
  }
}
