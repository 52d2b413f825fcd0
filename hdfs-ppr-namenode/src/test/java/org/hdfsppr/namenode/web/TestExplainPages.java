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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.explain.ExplainRequests;
import org.hdfsppr.namenode.manage.explain.Explanation;
import org.hdfsppr.namenode.manage.explain.GroupCause;
import org.junit.jupiter.api.Test;

/** Tests how questions come in from the web, and how long they wait for the manager's thread. */
@InterfaceAudience.Private
class TestExplainPages {
  private static final String ID = "blk_-9223372036854775792";

  private final AtomicLong nowMs = new AtomicLong(1);
  private final ExplainRequests desk = new ExplainRequests(nowMs::get);
  private final ExplainPages pages = new ExplainPages(desk, 1);
  private final List<Long> explained = new ArrayList<>();

  private Explanation explain(long group) {
    explained.add(group);
    return new Explanation("blk_" + group, "waiting", GroupCause.NO_DESTINATION, "Because.",
        List.of("12 s ago: \"x\""), "Nothing.", List.of("hdfs ppr -nodes"));
  }

  private PageResponse page(String block) {
    return pages.find("/v1/explain/" + block).get();
  }

  private static void assertError(int status, String words, PageResponse page) {
    String text = new String(page.body, StandardCharsets.UTF_8);
    assertEquals(status, page.status, text);
    assertTrue(text.contains(words), text);
  }

  @Test
  void theAnswerHasTheFieldsOfTheContract() throws IOException {
    desk.ask(Long.MIN_VALUE + 16);
    desk.answerSome(this::explain);
    PageResponse page = page("blk_" + (Long.MIN_VALUE + 19) + "_1001");
    assertEquals(200, page.status);
    JsonNode json = new ObjectMapper().readTree(page.body);
    List<String> fields = new ArrayList<>();
    json.fieldNames().forEachRemaining(fields::add);
    assertEquals(List.of("group", "state", "cause", "text", "tried", "next", "commands"), fields);
    assertEquals(ID, json.path("group").asText());
    assertEquals("no_destination", json.path("cause").asText());
    assertEquals("12 s ago: \"x\"", json.path("tried").path(0).asText());
  }

  @Test
  void otherPathsAreNotItsOwn() {
    assertFalse(pages.find("/v1/status").isPresent());
    assertFalse(pages.find("/v1/explain").isPresent());
    for (String wrong : new String[] {"", "file", "blk_16", "../status", "%3Cb%3E"}) {
      assertError(400, "is no block of an erasure-coded file", page(wrong));
    }
    assertError(400, "is no block", page("-" + "1".repeat(2_000)));
  }

  @Test
  void aManagerThatDoesNotAnswerIsWaitedForForABoundedTime() {
    assertError(503, "has not answered within 1 ms", page(ID));
    for (int i = 1; i < 16; i++) {
      desk.ask(-16L * i);
    }
    assertError(503, "Too many questions", page("blk_-16000"));
    assertError(503, "has not answered", page(ID));
  }

  /** However many viewers ask about one group, the web server keeps threads for other pages. */
  @Test
  void onlySomeRequestsWaitAtATime() throws Exception {
    ExplainPages patient = new ExplainPages(desk, 20_000);
    CompletableFuture<Explanation> answer = desk.ask(Long.MIN_VALUE + 16);
    List<CompletableFuture<PageResponse>> waiting = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(ExplainPages.WAITING_MAX);
    try {
      for (int i = 0; i < ExplainPages.WAITING_MAX; i++) {
        waiting.add(CompletableFuture.supplyAsync(
            () -> patient.find("/v1/explain/" + ID).get(), threads));
      }
      while (answer.getNumberOfDependents() < ExplainPages.WAITING_MAX) {
        Thread.sleep(1);
      }
      assertError(503, "Too many questions", patient.find("/v1/explain/" + ID).get());
      desk.answerSome(this::explain);
      for (CompletableFuture<PageResponse> one : waiting) {
        assertEquals(200, one.get(20, TimeUnit.SECONDS).status);
      }
      assertEquals(200, patient.find("/v1/explain/" + ID).get().status);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aQuestionThatFailsHurtsNoOther() {
    CompletableFuture<Explanation> bad = desk.ask(-16);
    CompletableFuture<Explanation> good = desk.ask(-32);
    desk.answerSome(group -> {
      if (group == -16) {
        throw new IllegalStateException("a test");
      }
      return explain(group);
    });
    assertTrue(bad.isCompletedExceptionally());
    assertEquals("blk_-32", good.join().group);
  }

  /** A cycle answers a few questions. One answer serves all requests within a second. */
  @Test
  void viewersThatAskAgainCostTheManagerNothing() {
    List<CompletableFuture<Explanation>> asked = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      asked.add(desk.ask(-16L * i));
      assertSame(asked.get(i - 1), desk.ask(-16L * i), "one question for all callers that wait");
    }
    desk.answerSome(this::explain);
    assertEquals(4, explained.size());
    desk.answerSome(this::explain);
    assertEquals(List.of(-16L, -32L, -48L, -64L, -80L, -96L), explained);
    nowMs.addAndGet(999);
    assertSame(asked.get(0).join(), desk.ask(-16).join());
    nowMs.addAndGet(1);
    CompletableFuture<Explanation> anew = desk.ask(-16);
    assertNull(anew.getNow(null));
    desk.answerSome(this::explain);
    assertEquals(7, explained.size());
  }
}
