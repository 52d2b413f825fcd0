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
package org.hdfsppr.stream;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;

/**
 * Counts the time that one node of a tree spends in each of its steps, in nanoseconds. Only the
 * thread that does the node's part of the repair writes these counters. Another thread may read
 * values that are one slice old.
 */
@InterfaceAudience.Private
public final class NodeStats {
  private volatile int slicesDone;
  private volatile long childWaitNanos;
  private volatile long parentWaitNanos;
  private volatile long localNanos;
  private volatile long throttleNanos;
  private volatile long multiplyNanos;
  /**
   * The time of waiting for each child, nanoseconds. A request may list {@link
   * RequestBounds#LISTED_UNITS_MAX} units, each at a child of its own. Only the thread that does
   * the node's part of the repair uses this array.
   */
  private final long[] waitNanosOfChild = new long[RequestBounds.LISTED_UNITS_MAX];

  /** @return number of slices that the node has finished */
  public int slicesDone() {
    return slicesDone;
  }

  /** @return nanoseconds of waiting for children's slices */
  public long childWaitNanos() {
    return childWaitNanos;
  }

  /** @return nanoseconds of reading units, without the waits that {@link #throttleNanos} counts */
  public long localNanos() {
    return localNanos;
  }

  /**
   * @return nanoseconds for which this node waited because of the operator's limits for
   *     reconstruction reads, for users, or, in work less urgent than repairs, for repairs
   */
  public long throttleNanos() {
    return throttleNanos;
  }

  /** @return nanoseconds of multiplying and adding */
  public long multiplyNanos() {
    return multiplyNanos;
  }

  // Only one thread writes the counters. A plain read-modify-write of a volatile field therefore
  // loses no update.

  void sliceDone() {
    int done = slicesDone;
    slicesDone = done + 1;
  }

  void addChildWait(int child, long nanos) {
    long sum = childWaitNanos;
    childWaitNanos = sum + nanos;
    waitNanosOfChild[child] += nanos;
  }

  /**
   * Returns how long this node has waited for slices of each child, nanoseconds, a copy. Only the
   * thread that writes the counters may call this method.
   */
  long[] waitNanosOfChildren() {
    return waitNanosOfChild.clone();
  }

  void addParentWait(long nanos) {
    long sum = parentWaitNanos;
    parentWaitNanos = sum + nanos;
  }

  void addLocal(long nanos) {
    long sum = localNanos;
    localNanos = sum + nanos;
  }

  void addThrottle(long nanos) {
    long sum = throttleNanos;
    throttleNanos = sum + nanos;
  }

  void addMultiply(long nanos) {
    long sum = multiplyNanos;
    multiplyNanos = sum + nanos;
  }

  /**
   * Makes the note with which this node reports its progress and its waits to its parent.
   *
   * @param uuid UUID of this node
   * @param children number of the node's children
   * @param ageNanos nanoseconds since this node began to stream
   */
  NodeProgressProto toProto(String uuid, int children, long ageNanos) {
    NodeProgressProto.Builder builder = NodeProgressProto.newBuilder()
        .setUuid(uuid)
        .setSlicesDone(slicesDone)
        .setChildWaitMs(TimeUnit.NANOSECONDS.toMillis(childWaitNanos))
        .setParentWaitMs(TimeUnit.NANOSECONDS.toMillis(parentWaitNanos))
        .setLocalMs(TimeUnit.NANOSECONDS.toMillis(localNanos + multiplyNanos))
        .setThrottleMs(TimeUnit.NANOSECONDS.toMillis(throttleNanos))
        .setAgeMs(TimeUnit.NANOSECONDS.toMillis(ageNanos));
    for (int child = 0; child < children; child++) {
      builder.addWaitMsOfChild(TimeUnit.NANOSECONDS.toMillis(waitNanosOfChild[child]));
    }
    return builder.build();
  }
}
