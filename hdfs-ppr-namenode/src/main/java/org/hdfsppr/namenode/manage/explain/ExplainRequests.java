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
package org.hdfsppr.namenode.manage.explain;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes questions about groups from any thread, and lets the manager's thread answer them at the
 * end of its cycles. One answer serves all questions about the group within a second, so that
 * viewers that ask again and again cost the manager nothing. Thread-safe.
 */
@InterfaceAudience.Private
public final class ExplainRequests {
  /** The greatest number of groups that wait for an answer: more than operators look at. */
  static final int WAITING_MAX = 16;
  /** How long an answer serves further questions, ms. */
  static final long FRESH_MS = 1_000;
  /** The greatest number of answers in memory. They are small, and age within a second. */
  static final int ANSWERS_MAX = 64;
  /**
   * The number of questions that one cycle answers. Each takes a look at each DataNode, and four of
   * them about a millisecond with a thousand nodes.
   */
  private static final int PER_CYCLE = 4;

  private static final Logger LOG = LoggerFactory.getLogger(ExplainRequests.class);

  private static final class Answer {
    private final Explanation explanation;
    private final long madeMs;

    Answer(Explanation explanation, long madeMs) {
      this.explanation = explanation;
      this.madeMs = madeMs;
    }
  }

  private final PeerLog peerLog = new PeerLog(LOG);
  private final LongSupplier clockMs;
  /** The questions, the oldest first. Guarded by this object's monitor, as are the answers. */
  private final Map<Long, CompletableFuture<Explanation>> waiting = new LinkedHashMap<>();
  private final Map<Long, Answer> answers = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Answer> eldest) {
      return size() > ANSWERS_MAX;
    }
  };

  /** @param clockMs the time, monotonic, ms */
  public ExplainRequests(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /**
   * Asks about a group.
   *
   * @param number the group's id, without its generation stamp
   * @return the answer, which may be there already; null if too many questions wait
   */
  public synchronized CompletableFuture<Explanation> ask(long number) {
    Answer known = answers.get(number);
    if (known != null && clockMs.getAsLong() - known.madeMs < FRESH_MS) {
      return CompletableFuture.completedFuture(known.explanation);
    }
    CompletableFuture<Explanation> asked = waiting.get(number);
    if (asked == null && waiting.size() < WAITING_MAX) {
      asked = new CompletableFuture<>();
      waiting.put(number, asked);
    }
    return asked;
  }

  /**
   * Answers some of the questions. The manager's thread calls this in each cycle.
   *
   * @param explain makes an explanation from a group's id
   */
  public void answerSome(LongFunction<Explanation> explain) {
    for (int i = 0; i < PER_CYCLE; i++) {
      Map.Entry<Long, CompletableFuture<Explanation>> question = next();
      if (question == null) {
        return;
      }
      try {
        Explanation explanation = explain.apply(question.getKey());
        keep(question.getKey(), explanation);
        question.getValue().complete(explanation);
      } catch (RuntimeException e) {
        // A question must not keep the manager from its work.
        peerLog.error(e.getClass().getName(), "Why blk_{} waits cannot be explained",
            question.getKey(), e);
        question.getValue().completeExceptionally(e);
      }
    }
  }

  private synchronized Map.Entry<Long, CompletableFuture<Explanation>> next() {
    Iterator<Map.Entry<Long, CompletableFuture<Explanation>>> all = waiting.entrySet().iterator();
    if (!all.hasNext()) {
      return null;
    }
    Map.Entry<Long, CompletableFuture<Explanation>> next = all.next();
    Map.Entry<Long, CompletableFuture<Explanation>> first =
        Map.entry(next.getKey(), next.getValue());
    all.remove();
    return first;
  }

  private synchronized void keep(long number, Explanation explanation) {
    answers.remove(number);
    answers.put(number, new Answer(explanation, clockMs.getAsLong()));
  }
}
