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
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps failed repairs that are still pending in the NameNode, and gives up a bounded number of
 * them in each cycle. It keeps at most as many repairs as were in flight. Used by the manager's
 * thread.
 */
@InterfaceAudience.Private
public final class RepairAborts {
  private static final Logger LOG = LoggerFactory.getLogger(RepairAborts.class);
  /**
   * The greatest number of repairs that are given up in one cycle. They take several short holds of
   * the NameNode's lock; the other repairs wait for the next cycle. The bound is needed because all
   * repairs under way fail at once when the network is cut.
   */
  private static final int ABORTS_MAX = 2_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ReconstructionQueue books;
  private final Deque<RepairGrant> waiting = new ArrayDeque<>();
  private int left;

  /**
   * Makes an instance with no failed repairs.
   *
   * @param books the NameNode's queue of lost groups
   */
  public RepairAborts(ReconstructionQueue books) {
    this.books = books;
  }

  /**
   * Queues a failed repair, which {@link #abortSome} will give up.
   *
   * @param grant the grant of a repair that failed and is still pending in the NameNode
   */
  public void add(RepairGrant grant) {
    waiting.add(grant);
  }

  /** @return whether no failed repair waits */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Begins a new cycle, in which {@link #abortSome} may again give up a bounded number of repairs.
   */
  public void beginCycle() {
    left = ABORTS_MAX;
  }

  /**
   * Gives up some of the failed repairs. Call this before the NameNode's queue is polled, so that
   * the next poll reports the groups again.
   */
  public void abortSome() {
    List<RepairGrant> some = new ArrayList<>();
    while (left > 0 && !waiting.isEmpty()) {
      some.add(waiting.poll());
      left--;
    }
    if (!some.isEmpty()) {
      abort(some);
    }
  }

  private void abort(List<RepairGrant> some) {
    try {
      books.abortAll(some);
    } catch (RuntimeException | LinkageError e) {
      peerLog.error("some",
          "Of {} failed repairs not all could be given up at once; each is given up alone",
          some.size(), e);
      // If one repair cannot be given up, the others must not stay pending. For a repair that has
      // ended, abort does nothing.
      some.forEach(this::abortAlone);
    }
  }

  private void abortAlone(RepairGrant grant) {
    try {
      books.abort(grant);
    } catch (RuntimeException | LinkageError e) {
      peerLog.error("one",
          "{} has failed and cannot be given up; it stays pending until the NameNode's own"
          + " timeout, dfs.namenode.reconstruction.pending.timeout-sec", grant, e);
    }
  }
}
