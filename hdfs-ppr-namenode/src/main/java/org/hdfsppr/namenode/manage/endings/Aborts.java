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
package org.hdfsppr.namenode.manage.endings;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs that have failed and are still pending in the NameNode's books. A bounded number of them
 * is given up in each cycle. There are at most as many as were in flight. Used by the manager's
 * thread.
 */
@InterfaceAudience.Private
public final class Aborts {
  private static final Logger LOG = LoggerFactory.getLogger(Aborts.class);
  /**
   * Repairs that are given up in the NameNode's books in one cycle, in pieces; the others wait for
   * the next cycle. When the network is cut all repairs under way fail at once.
   */
  private static final int ABORTS_MAX = 2_000;

  private final ReconstructionQueue books;
  private final Deque<Grant> waiting = new ArrayDeque<>();
  private int left;

  /**
   * Keeps its arguments and does nothing else.
   *
   * @param books the NameNode's books
   */
  public Aborts(ReconstructionQueue books) {
    this.books = books;
  }

  /**
   * Queues a failed repair; {@link #abortSome} gives it up.
   *
   * @param grant a repair that failed and is still in the books
   */
  public void add(Grant grant) {
    waiting.add(grant);
  }

  /** @return whether no failed repair waits */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Begins a cycle. */
  public void beginCycle() {
    left = ABORTS_MAX;
  }

  /** Call this before the books are polled: the next poll reports the groups again. */
  public void abortSome() {
    List<Grant> some = new ArrayList<>();
    while (left > 0 && !waiting.isEmpty()) {
      some.add(waiting.poll());
      left--;
    }
    if (!some.isEmpty()) {
      abort(some);
    }
  }

  private void abort(List<Grant> some) {
    try {
      books.abortAll(some);
    } catch (RuntimeException | LinkageError e) {
      LOG.error("Of {} failed repairs not all could be given up at once; each is given up alone",
          some.size(), e);
      // One repair must not keep the rest pending. A repair that has ended is left as it is.
      some.forEach(this::abortAlone);
    }
  }

  private void abortAlone(Grant grant) {
    try {
      books.abort(grant);
    } catch (RuntimeException | LinkageError e) {
      LOG.error("{} has failed and cannot be given up; it stays pending until the NameNode's own"
          + " timeout, dfs.namenode.reconstruction.pending.timeout-sec", grant, e);
    }
  }
}
