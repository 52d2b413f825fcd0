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
 * Asks for moves, some at a time, and has them made. All moves of an answer end before the next
 * question, because the NameNode does not know of moves under way, and would give a DataNode more
 * than it can take. Used by one thread.
 */
@InterfaceAudience.Private
public final class SpreadRun implements Closeable {
  /** Plans moves. */
  @FunctionalInterface
  public interface Planner {
    /**
     * @param from where the look begins
     * @return the moves, and where the next look begins
     * @throws IOException if the NameNode refuses this, or does not answer
     */
    SpreadAnswer plan(SpreadPlace from) throws IOException;
  }

  /** Waits between two questions. */
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
   * @param planner plans moves
   * @param mover makes them; not closed by this class
   * @param pause waits between two questions, so that the NameNode has time for others
   * @param ends takes each end of a move, and what was done until then, on the caller's thread
   */
  public SpreadRun(Planner planner, BlockMover mover, Pause pause,
      BiConsumer<MoveEnd, SpreadTally> ends) {
    this.planner = planner;
    this.mover = mover;
    this.pause = pause;
    this.ends = ends;
    // No more moves begin than there are threads, but a thread may have ended its move and not have
    // come back yet.
    threads = new ThreadPoolExecutor(MoveQueue.RUNNING_MAX, MoveQueue.RUNNING_MAX, 0,
        TimeUnit.SECONDS, new ArrayBlockingQueue<>(MoveQueue.RUNNING_MAX),
        new Daemon.DaemonFactory());
  }

  /**
   * Looks at all columns, and moves what has to move.
   *
   * @return what was seen and done
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
    // An error, such as a lack of memory, ends the thread. Without an end of the move, the run
    // would wait for ever.
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
   * Says which move may begin next, so that not too many run in all, and not too many on one
   * DataNode, whether it gives a block away or gets one. Pure. Used by one thread.
   */
  static final class MoveQueue {
    /** A DataNode allows 100 moves by default, and shares its bandwidth for them among these. */
    static final int ON_A_NODE_MAX = 4;
    /** Each running move has a thread of this client, which waits nearly always. */
    static final int RUNNING_MAX = 32;

    private final List<SpreadMove> waiting;
    private final Map<String, Integer> onNode = new HashMap<>();
    private int running;

    MoveQueue(Collection<SpreadMove> moves) {
      waiting = new ArrayList<>(moves);
    }

    /** Returns a move that begins now; empty if none may before another one has ended. */
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

    /** Says that a move has ended. */
    void ended(SpreadMove move) {
      count(move, -1);
    }

    /**
     * Returns whether moves are running. Otherwise {@link #next} has the next one, or all ended.
     */
    boolean isRunning() {
      return running > 0;
    }
  }
}
