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
package org.hdfsppr.client.read;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Counts how a client's reads of striped files were served. If the constructor gets other counters,
 * each count is also added to those. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadCounters {
  private final ReadCounters sum;
  private final LongAdder trees = new LongAdder();
  private final LongAdder treeBytes = new LongAdder();
  private final LongAdder columns = new LongAdder();
  private final LongAdder treesFailed = new LongAdder();
  private final LongAdder decodes = new LongAdder();
  private final LongAdder unitBytes = new LongAdder();
  private final LongAdder cached = new LongAdder();
  private final LongAdder hedges = new LongAdder();
  private final LongAdder computeNanos = new LongAdder();
  private final LongAdder stock = new LongAdder();
  private final LongAdder notices = new LongAdder();

  /** Makes counters that are at 0 and are added to no others. */
  public ReadCounters() {
    this(null);
  }

  /**
   * Makes counters that are at 0.
   *
   * @param sum counters to which each later count is added, too; null if there are none
   */
  public ReadCounters(ReadCounters sum) {
    this.sum = sum;
  }

  void tree(long bytes) {
    trees.increment();
    treeBytes.add(bytes);
    if (sum != null) {
      sum.tree(bytes);
    }
  }

  /**
   * Counts a range that was rebuilt from a column of a CORE group. Its chain counts as a tree, too.
   */
  void column(long bytes) {
    trees.increment();
    treeBytes.add(bytes);
    columns.increment();
    if (sum != null) {
      sum.column(bytes);
    }
  }

  void treeFailed() {
    treesFailed.increment();
    if (sum != null) {
      sum.treeFailed();
    }
  }

  void decode() {
    decodes.increment();
    if (sum != null) {
      sum.decode();
    }
  }

  void notice() {
    notices.increment();
    if (sum != null) {
      sum.notice();
    }
  }

  void unitBytes(long bytes) {
    unitBytes.add(bytes);
    if (sum != null) {
      sum.unitBytes(bytes);
    }
  }

  void cached() {
    cached.increment();
    if (sum != null) {
      sum.cached();
    }
  }

  /** Adds the time in which this client multiplied and added to rebuild a range. */
  void computed(long nanos) {
    computeNanos.add(nanos);
    if (sum != null) {
      sum.computed(nanos);
    }
  }

  void hedge() {
    hedges.increment();
    if (sum != null) {
      sum.hedge();
    }
  }

  /** Counts a read that stock has to serve because hdfs-ppr has failed to serve it. */
  public void stock() {
    stock.increment();
    if (sum != null) {
      sum.stock();
    }
  }

  /** @return how many ranges were rebuilt through trees */
  public long trees() {
    return trees.sum();
  }

  /** @return how many bytes came through trees */
  public long treeBytes() {
    return treeBytes.sum();
  }

  /** @return how many of the trees were chains over columns of CORE groups */
  public long columns() {
    return columns.sum();
  }

  /** @return how many trees have failed */
  public long treesFailed() {
    return treesFailed.sum();
  }

  /** @return how many ranges this client decoded from units that it read */
  public long decodes() {
    return decodes.sum();
  }

  /** @return how many bytes of units this client read from DataNodes */
  public long unitBytesRead() {
    return unitBytes.sum();
  }

  /** @return how many ranges this client took from its memory because it had rebuilt them before */
  public long cachedRanges() {
    return cached.sum();
  }

  /**
   * @return how many second reads the client began because a DataNode was slow, plus how many reads
   *     it gave up for the same reason
   */
  public long hedged() {
    return hedges.sum();
  }

  /** @return nanoseconds in which this client multiplied and added to rebuild ranges */
  public long computeNanos() {
    return computeNanos.sum();
  }

  /** @return how often this client notified a DataNode that it decodes ranges of a group */
  public long notices() {
    return notices.sum();
  }

  /** @return how many reads stock had to serve because hdfs-ppr had failed to serve them */
  public long stockReads() {
    return stock.sum();
  }
}
