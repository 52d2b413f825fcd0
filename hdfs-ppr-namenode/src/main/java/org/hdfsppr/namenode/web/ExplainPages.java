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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.explain.ExplainRequests;
import org.hdfsppr.namenode.manage.explain.Explanation;
import org.hdfsppr.namenode.manage.operator.BlockNames;

/**
 * {@code /v1/explain/blk_-16}: why a group is not repaired yet. The repair manager's thread answers
 * in its next cycle, and a request waits for that, for a bounded time. Thread-safe.
 */
@InterfaceAudience.Private
public final class ExplainPages implements PageSource {
  /** The part of the path that is before the group's name. */
  static final String PREFIX = "/v1/explain/";
  /**
   * How long a request waits, ms. The manager runs several cycles in this time. The web server can
   * spare the threads, because {@link #WAITING_MAX} bounds how many requests wait.
   */
  private static final long ANSWER_MS_MAX = 2_000;
  /**
   * How many requests wait at a time at most: as many as {@code ExplainRequests} accepts groups.
   * Without this bound, many requests for one group could hold all threads of the web server.
   */
  static final int WAITING_MAX = 16;
  private static final String TOO_MANY =
      "Too many questions wait for the repair manager; ask again in some seconds";
  private static final int BAD_REQUEST = 400;
  private static final int FAILED = 500;
  private static final int UNAVAILABLE = 503;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExplainRequests desk;
  private final long answerMsMax;
  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  /** @param desk passes the questions to the repair manager's thread */
  public ExplainPages(ExplainRequests desk) {
    this(desk, ANSWER_MS_MAX);
  }

  ExplainPages(ExplainRequests desk, long answerMsMax) {
    this.desk = Objects.requireNonNull(desk, "desk");
    this.answerMsMax = answerMsMax;
  }

  @Override
  public Optional<PageResponse> find(String path) {
    return path.startsWith(PREFIX) ? Optional.of(page(path.substring(PREFIX.length())))
        : Optional.empty();
  }

  private PageResponse page(String block) {
    long number;
    try {
      number = BlockNames.groupId(block);
    } catch (IllegalArgumentException e) {
      return PageResponse.error(BAD_REQUEST, e.getMessage());
    }
    CompletableFuture<Explanation> answer = desk.ask(number);
    if (answer == null || !waiting.tryAcquire()) {
      return PageResponse.error(UNAVAILABLE, TOO_MANY);
    }
    try {
      return page(answer);
    } finally {
      waiting.release();
    }
  }

  private PageResponse page(CompletableFuture<Explanation> answer) {
    try {
      return PageResponse.json(null, json(answer.get(answerMsMax, TimeUnit.MILLISECONDS)));
    } catch (TimeoutException e) {
      return PageResponse.error(UNAVAILABLE, "The repair manager has not answered within "
          + answerMsMax
          + " ms; the NameNode's log says why it does not get on");
    } catch (ExecutionException e) {
      return PageResponse.error(FAILED, "This could not be explained; the NameNode's log says why");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return PageResponse.error(UNAVAILABLE, "The NameNode stops");
    }
  }

  private static byte[] json(Explanation all) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("group", all.group);
    fields.put("state", all.state);
    fields.put("cause", all.cause.code());
    fields.put("text", all.text);
    fields.put("tried", all.tried);
    fields.put("next", all.next);
    fields.put("commands", all.commands);
    try {
      return JSON.writeValueAsBytes(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("No JSON can be made of " + all, e);
    }
  }
}
