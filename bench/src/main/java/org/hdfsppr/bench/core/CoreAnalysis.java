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
package org.hdfsppr.bench.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.hdfsppr.core.FailureMatrix;

/**
 * Analyses random patterns of failures on several threads. Patterns are drawn in chunks, each of
 * which has a random number generator of its own, so that results do not depend on the number of
 * threads.
 */
final class CoreAnalysis implements AutoCloseable {
  /** Patterns of a chunk: some ten milliseconds, far more than a thread needs to take a chunk. */
  private static final int CHUNK = 50_000;
  /** Recoverable patterns of a chunk. With 20 failures, 25 patterns are drawn for each of them. */
  private static final int COST_CHUNK = 500;
  /** The most patterns that are drawn for one that is recoverable. */
  private static final int DRAWS_MAX = 10_000;

  private final long seed;
  private final ExecutorService threads;

  /**
   * @param seed equal seeds give equal results
   * @param threads number of threads
   */
  CoreAnalysis(long seed, int threads) {
    this.seed = seed;
    this.threads = Executors.newFixedThreadPool(threads);
  }

  /** Counts recoverable patterns, and clusters, of patterns with a number of failures. */
  PatternCounts count(DrawArea area, int failures, long patterns)
      throws IOException, InterruptedException {
    List<Future<PatternCounts>> chunks = new ArrayList<>();
    for (long done = 0; done < patterns; done += CHUNK) {
      long size = Math.min(CHUNK, patterns - done);
      SplittableRandom random = random("count" + area.suffix, failures, done);
      chunks.add(threads.submit(() -> {
        PatternCounts counts = new PatternCounts();
        for (long i = 0; i < size; i++) {
          counts.add(area.draw(failures, random));
        }
        return counts;
      }));
    }
    PatternCounts all = new PatternCounts();
    for (Future<PatternCounts> chunk : chunks) {
      all.add(get(chunk));
    }
    return all;
  }

  /**
   * Adds up the costs of recoverable patterns with a number of failures. If such patterns are too
   * rare, there are fewer of them than asked for.
   */
  CostCounts costs(DrawArea area, int failures, int patterns)
      throws IOException, InterruptedException {
    List<Future<CostCounts>> chunks = new ArrayList<>();
    for (int done = 0; done < patterns; done += COST_CHUNK) {
      int size = Math.min(COST_CHUNK, patterns - done);
      SplittableRandom random = random("cost" + area.suffix, failures, done);
      chunks.add(threads.submit(() -> {
        CostCounts counts = new CostCounts();
        for (long draws = 0; counts.patterns() < size && draws < (long) size * DRAWS_MAX; draws++) {
          FailureMatrix matrix = area.draw(failures, random);
          if (matrix.recoverable()) {
            counts.add(matrix);
          }
        }
        return counts;
      }));
    }
    CostCounts all = new CostCounts();
    for (Future<CostCounts> chunk : chunks) {
      all.add(get(chunk));
    }
    return all;
  }

  private SplittableRandom random(String what, int failures, long first) {
    long mixed = ((seed * 31 + what.hashCode()) * 1_000_003 + failures) * 1_000_003 + first;
    // Generators of two seeds can have the same sequence at different places; split ones do not.
    return new SplittableRandom(mixed).split();
  }

  private static <T> T get(Future<T> chunk) throws IOException, InterruptedException {
    try {
      return chunk.get();
    } catch (ExecutionException e) {
      throw new IOException("The patterns cannot be analysed", e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
