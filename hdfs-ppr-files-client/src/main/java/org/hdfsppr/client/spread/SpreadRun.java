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
package org.hdfsppr.client.spread;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadMove;
import org.hdfsppr.operate.SpreadPlace;

/**
 * Parts the blocks of CORE columns that are together on a DataNode. It asks the NameNode for some
 * moves of blocks, has them made, and asks for the next ones. All moves of an answer end before the
 * next question: the NameNode does not know of moves that are under way, and could choose a
 * DataNode for too many blocks. Used by one thread.
 */
@InterfaceAudience.Private
public final class SpreadRun implements Closeable {
  /** Asks the NameNode for moves. */
  @FunctionalInterface
  public interface Planner {
    /**
     * @param from the column with which the NameNode begins
     * @return the moves, and the column with which the next call begins
     * @throws IOException if the NameNode refuses this, or does not answer
     */
    SpreadAnswer plan(SpreadPlace from) throws IOException;
  }

  /** Waits between two calls of {@link Planner}. */
  @FunctionalInterface
  public interface Pause {
    /** @throws InterruptedException if the wait is interrupted */
    void await() throws InterruptedException;
  }

  private final Planner planner;
  private final BlockMover mover;
  private final Pause pause;
  private final BiConsumer<MoveEnd, SpreadTally> ends;
  private final ThreadPoolExecutor threads;

  /**
   * @param planner asks the NameNode for moves
   * @param mover makes the moves; the caller closes it
   * @param pause waits between two calls of the planner, so that the NameNode has time for other
   *     requests
   * @param ends takes the result of each move, and the counts until then, on the thread that calls
   *     {@link #run}
   */
  public SpreadRun(Planner planner, BlockMover mover, Pause pause,
      BiConsumer<MoveEnd, SpreadTally> ends) {
    this.planner = planner;
    this.mover = mover;
    this.pause = pause;
    this.ends = ends;
    // At most as many moves run as there are threads. But a thread whose move has ended may not be
    // free yet, so the pool needs a queue.
    threads = new ThreadPoolExecutor(MoveQueue.RUNNING_MAX, MoveQueue.RUNNING_MAX, 0,
        TimeUnit.SECONDS, new ArrayBlockingQueue<>(MoveQueue.RUNNING_MAX),
        new Daemon.DaemonFactory());
  }

  /**
   * Goes through all columns, and moves the blocks that have to move.
   *
   * @return counts of what was seen and done
   * @throws IOException if the NameNode refuses this, or does not answer
   */
  public SpreadTally run() throws IOException {
    SpreadTally tally = new SpreadTally();
    Optional<SpreadPlace> place = Optional.of(SpreadPlace.START);
    while (place.isPresent()) {
      SpreadAnswer answer = planner.plan(place.get());
      tally.add(answer);
      carryOut(answer, tally);
      place = answer.next();
      if (place.isPresent()) {
        await();
      }
    }
    return tally;
  }

  private void await() throws IOException {
    try {
      pause.await();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return (IOException) new InterruptedIOException("The moves were interrupted").initCause(e);
  }

  private void carryOut(SpreadAnswer answer, SpreadTally tally) throws IOException {
    MoveQueue queue = new MoveQueue(answer.moves);
    BlockingQueue<MoveEnd> ended = new LinkedBlockingQueue<>();
    do {
      for (Optional<SpreadMove> next = queue.next(); next.isPresent(); next = queue.next()) {
        SpreadMove move = next.get();
        threads.execute(() -> move(move, ended));
      }
      if (queue.isRunning()) {
        MoveEnd end = take(ended);
        queue.ended(end.move);
        tally.add(end);
        ends.accept(end, tally);
      }
    } while (queue.isRunning());
  }

  private void move(SpreadMove move, BlockingQueue<MoveEnd> ended) {
    // An error, such as a lack of memory, ends this thread. The result of the move is added even
    // then, because run would otherwise wait for ever.
    IOException failure = new IOException("The move was ended by an error");
    try {
      mover.move(move);
      failure = null;
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new IOException(e.toString(), e);
    } finally {
      ended.add(new MoveEnd(move, failure));
    }
  }

  private static MoveEnd take(BlockingQueue<MoveEnd> ended) throws IOException {
    try {
      return ended.take();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /**
   * Says which move may begin next. It bounds how many moves run in total and on each DataNode,
   * where sending and receiving a block both count. No I/O. Used by one thread.
   */
  static final class MoveQueue {
    /**
     * How many moves run on one DataNode at most. DataNodes allow 100 by default, but all of them
     * share the bandwidth for moves.
     */
    static final int ON_A_NODE_MAX = 4;
    /**
     * How many moves run at most. Each has a thread of this client, which only waits nearly all the
     * time.
     */
    static final int RUNNING_MAX = 32;

    private final List<SpreadMove> waiting;
    private final Map<String, Integer> onNode = new HashMap<>();
    private int running;

    MoveQueue(Collection<SpreadMove> moves) {
      waiting = new ArrayList<>(moves);
    }

    /**
     * Returns a move, which counts as running from now on; empty if no move may begin before
     * another one has ended.
     */
    Optional<SpreadMove> next() {
      if (running >= RUNNING_MAX) {
        return Optional.empty();
      }
      Iterator<SpreadMove> each = waiting.iterator();
      while (each.hasNext()) {
        SpreadMove move = each.next();
        if (isFree(move.from()) && isFree(move.to())) {
          each.remove();
          count(move, 1);
          return Optional.of(move);
        }
      }
      return Optional.empty();
    }

    private boolean isFree(DatanodeInfo node) {
      return onNode.getOrDefault(node.getDatanodeUuid(), 0) < ON_A_NODE_MAX;
    }

    private void count(SpreadMove move, int step) {
      running += step;
      onNode.merge(move.from().getDatanodeUuid(), step, Integer::sum);
      onNode.merge(move.to().getDatanodeUuid(), step, Integer::sum);
    }

    /** Takes note that a move has ended. */
    void ended(SpreadMove move) {
      count(move, -1);
    }

    /**
     * Returns whether any move is running. If none is, {@link #next} returns one, unless all have
     * ended.
     */
    boolean isRunning() {
      return running > 0;
    }
  }
}
