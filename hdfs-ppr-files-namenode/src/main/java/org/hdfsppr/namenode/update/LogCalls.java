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
package org.hdfsppr.namenode.update;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.ReadLogRequest;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.view.ViewRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends questions and orders about update logs to DataNodes, to several at the same time.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class LogCalls implements LogQuestions, Closeable {
  /**
   * How long connecting to a DataNode may take, and then how long its answer may take, ms. This may
   * be short, because a DataNode answers from memory. It has to be short, because all callers use
   * one thread, one after the other.
   */
  public static final int TIMEOUT_MS = 1_000;
  /**
   * How long all questions of one call may take together, ms. A DataNode that has not answered by
   * then counts as silent. It is less than the 8 s for which a client waits for its tickets.
   */
  private static final long DEADLINE_MS = 3_000;
  /** How many DataNodes are asked at the same time at most: two holders of each of 16 units. */
  private static final int THREADS_MOST = 32;
  private static final long IDLE_SECONDS = 10;
  private static final Logger LOG = LoggerFactory.getLogger(LogCalls.class);

  private final NodeCalls calls;
  private final AtomicInteger orders = new AtomicInteger();
  /**
   * The queue has no bound, but stays short: it has the questions of one caller, which are at most
   * 16 units times 16 nodes, and a bounded number of orders. Questions of earlier callers whose
   * time is up are cancelled, so that a thread only removes them.
   */
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(THREADS_MOST, THREADS_MOST,
      IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new Daemon.DaemonFactory());

  /**
   * @param calls connections to DataNodes, which should connect within {@link #TIMEOUT_MS}; this
   *     object closes it
   */
  public LogCalls(NodeCalls calls) {
    this.calls = calls;
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public List<Map<String, LogPosition>> positions(List<Question> questions) {
    List<Map<String, LogPosition>> positions = new ArrayList<>();
    List<Callable<LogPosition>> all = new ArrayList<>();
    for (Question question : questions) {
      positions.add(new HashMap<>());
      for (NodeRef node : question.nodes) {
        all.add(() -> position(node, question));
      }
    }
    List<Future<LogPosition>> answers = askAll(all);
    int next = 0;
    for (int i = 0; i < questions.size(); i++) {
      for (NodeRef node : questions.get(i).nodes) {
        LogPosition position = next < answers.size() ? answer(answers.get(next), node) : null;
        next++;
        if (position != null) {
          positions.get(i).put(node.uuid, position);
        }
      }
    }
    return positions;
  }

  private <T> List<Future<T>> askAll(List<Callable<T>> calls) {
    try {
      return threads.invokeAll(calls, DEADLINE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (RejectedExecutionException e) {
      LOG.debug("This NameNode stops", e);
      return List.of();
    }
  }

  /** Returns a DataNode's answer; null if there was none in time, or if the DataNode refused. */
  private static <T> T answer(Future<T> future, NodeRef node) {
    try {
      return future.get();
    } catch (CancellationException e) {
      LOG.warn("DataNode {} does not answer about its update log within {} ms", node,
          DEADLINE_MS);
    } catch (ExecutionException e) {
      LOG.warn("DataNode {} does not answer about its update log: {}", node,
          e.getCause().toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  @Override
  public boolean begin(SignedTicket ticket) {
    NodeRef leader = ticket.ticket.leader();
    Callable<Boolean> call = () -> {
      calls.order(leader, ViewRequest.sync(ticket), (int) DEADLINE_MS);
      return true;
    };
    List<Future<Boolean>> answers = askAll(List.of(call));
    return !answers.isEmpty() && answer(answers.get(0), leader) != null;
  }

  @Override
  public void drop(SignedTicket ticket, NodeRef node, Consumer<String> done) {
    orders.incrementAndGet();
    try {
      threads.execute(() -> {
        try {
          ask(node, new TrimRequest(ticket, TrimRequest.ALL));
          done.accept(node.uuid);
        } catch (IOException e) {
          LOG.warn("DataNode {} does not answer about its update log: {}", node, e.toString());
        } finally {
          orders.decrementAndGet();
        }
      });
    } catch (RejectedExecutionException e) {
      orders.decrementAndGet();
      LOG.debug("This NameNode stops", e);
    }
  }

  @Override
  public int orders() {
    return orders.get();
  }

  private LogPosition position(NodeRef node, Question question) throws IOException {
    return ask(node, new ReadLogRequest(question.ticket, 0, 0)).position;
  }

  private UpdateAnswer ask(NodeRef node, UpdateRequest request) throws IOException {
    return calls.ask(node, request, TIMEOUT_MS);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    calls.close();
  }
}
