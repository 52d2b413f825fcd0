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

/** How a client's reads of striped files were served. Thread-safe. */
@InterfaceAudience.Private
public final class ReadCounters {
  private final LongAdder trees = new LongAdder();
  private final LongAdder treeBytes = new LongAdder();
  private final LongAdder treesFailed = new LongAdder();
  private final LongAdder decodes = new LongAdder();
  private final LongAdder unitBytes = new LongAdder();
  private final LongAdder cached = new LongAdder();
  private final LongAdder hedges = new LongAdder();
  private final LongAdder stock = new LongAdder();
  private final LongAdder told = new LongAdder();
  private final LongAdder trials = new LongAdder();

  void tree(long bytes) {
    trees.increment();
    treeBytes.add(bytes);
  }

  void treeFailed() {
    treesFailed.increment();
  }

  void decode() {
    decodes.increment();
  }

  void toldDataNode() {
    told.increment();
  }

  void trial() {
    trials.increment();
  }

  void unitBytes(long bytes) {
    unitBytes.add(bytes);
  }

  void cached() {
    cached.increment();
  }

  void hedge() {
    hedges.increment();
  }

  /** A read goes to stock after all. */
  public void stock() {
    stock.increment();
  }

  /** @return ranges that came through trees */
  public long trees() {
    return trees.sum();
  }

  /** @return bytes that came through trees */
  public long treeBytes() {
    return treeBytes.sum();
  }

  /** @return trees that have failed */
  public long treesFailed() {
    return treesFailed.sum();
  }

  /** @return ranges that this client decoded from units that it read */
  public long decodes() {
    return decodes.sum();
  }

  /** @return bytes of units that were read from their DataNodes */
  public long unitBytesRead() {
    return unitBytes.sum();
  }

  /** @return ranges that had been rebuilt before */
  public long cachedRanges() {
    return cached.sum();
  }

  /** @return units that were rebuilt because their DataNode was slow */
  public long hedged() {
    return hedges.sum();
  }

  /** @return how often DataNodes learnt of groups that this client decodes */
  public long told() {
    return told.sum();
  }

  /** @return reads that went to stock after all */
  public long stockReads() {
    return stock.sum();
  }

  /** @return trials of trees behind ranges that were decoded */
  public long trials() {
    return trials.sum();
  }
}
