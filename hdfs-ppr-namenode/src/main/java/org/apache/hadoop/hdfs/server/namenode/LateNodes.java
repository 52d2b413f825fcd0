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
package org.apache.hadoop.hdfs.server.namenode;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Knows whether DataNodes that have not come to this NameNode are dead. A NameNode that starts
 * knows of no unit until its node reports it, so that a unit may be missing only because its node
 * is late. The NameNode takes a node for dead that is silent for a while; what it does not know
 * when it has been out of safe mode for as long counts as lost. Thread-safe.
 *
 * <p>The time counts from the first look on, or from the first one after a safe mode. So the answer
 * may come too late, never too early.
 */
@InterfaceAudience.Private
final class LateNodes {
  private final LongSupplier nanoTime;
  private boolean isOut;
  /** When safe mode was first seen to be off. */
  private long outNanos;

  LateNodes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Notes whether the NameNode is in safe mode now. */
  synchronized void look(boolean isInSafeMode) {
    if (!isInSafeMode && !isOut) {
      outNanos = nanoTime.getAsLong();
    }
    isOut = !isInSafeMode;
  }

  /**
   * Returns whether units that no DataNode has reported count as lost.
   *
   * @param deadMs how long a DataNode may be silent until the NameNode takes it for dead, ms
   */
  synchronized boolean areDead(long deadMs) {
    return isOut && nanoTime.getAsLong() - outNanos > TimeUnit.MILLISECONDS.toNanos(deadMs);
  }
}
