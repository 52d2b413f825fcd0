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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import com.fasterxml.jackson.databind.JsonNode;
import org.hdfsppr.it.cluster.HdfsProcessCluster;

/**
 * Adds up how long the NameNode's write lock is held. The NameNode publishes, for each period
 * between two readings of its metrics, how often the lock was held and how long on average. The sum
 * is right if one reader sees each period, so nothing else may read these metrics meanwhile.
 */
final class WriteLockTime {
  private static final String BEAN = "Hadoop:service=NameNode,name=FSNamesystem";
  private static final String PREFIX = "FSNWriteLock";
  private static final String OVERALL = "Overall";
  private static final String NUMBER = "NanosNumOps";
  private static final String MEAN = "NanosAvgTime";

  /** A reading shows a new period if it comes this long after the one before. */
  private static final long INTERVAL_MS = 1000;

  private final HdfsProcessCluster cluster;
  private final Thread thread;
  private final long startNanos = System.nanoTime();
  private volatile boolean ended;
  /** How often each operation has held the lock, as of the last reading. */
  private final Map<String, Long> times = new HashMap<>();
  private final Map<String, Double> heldNanos = new TreeMap<>();
  private long endNanos;
  private IOException failure;

  private WriteLockTime(HdfsProcessCluster cluster) throws IOException {
    this.cluster = cluster;
    readTimes(read(), (operation, more) -> { });
    this.thread = new Thread(this::readUntilEnded, "write lock");
  }

  /** Begins to read, until {@link #end}. */
  static WriteLockTime start(HdfsProcessCluster cluster) throws IOException {
    WriteLockTime time = new WriteLockTime(cluster);
    time.thread.setDaemon(true);
    time.thread.start();
    return time;
  }

  private JsonNode read() throws IOException {
    return cluster.state().nameNodeJmx(BEAN);
  }

  private void readUntilEnded() {
    try {
      boolean last;
      do {
        last = ended;
        add(read());
        endNanos = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(INTERVAL_MS);
      } while (!last);
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void add(JsonNode bean) throws IOException {
    if (!bean.has(PREFIX + OVERALL + NUMBER)) {
      throw new IOException("The NameNode has no metric " + PREFIX + OVERALL + NUMBER);
    }
    readTimes(bean, (operation, more) -> heldNanos.merge(operation,
        more * bean.path(PREFIX + operation + MEAN).asDouble(), Double::sum));
  }

  private void readTimes(JsonNode bean, BiConsumer<String, Long> more) {
    bean.fieldNames().forEachRemaining(name -> {
      if (name.startsWith(PREFIX) && name.endsWith(NUMBER)) {
        String operation = name.substring(PREFIX.length(), name.length() - NUMBER.length());
        long now = bean.get(name).asLong();
        Long before = times.put(operation, now);
        more.accept(operation, before == null ? now : now - before);
      }
    });
  }

  /** Returns the share of the time, from start to end, in which the write lock was held. */
  double share() throws IOException {
    throwFailure();
    return heldNanos.getOrDefault(OVERALL, 0.0) / (endNanos - startNanos);
  }

  /**
   * Returns for how many milliseconds in all each operation of the NameNode held the write lock,
   * by the NameNode's name of the operation.
   */
  Map<String, Double> heldMsByOperation() throws IOException {
    throwFailure();
    Map<String, Double> held = new TreeMap<>();
    heldNanos.forEach((operation, nanos) -> {
      if (!operation.equals(OVERALL) && nanos > 0) {
        held.put(operation, nanos / 1e6);
      }
    });
    return held;
  }

  private void throwFailure() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  /** Reads a last time, and ends. */
  void end() throws InterruptedException {
    ended = true;
    thread.join();
  }
}
