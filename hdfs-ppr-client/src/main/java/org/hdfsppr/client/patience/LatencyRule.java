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
package org.hdfsppr.client.patience;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Tells how long reads of a given size usually take, learnt from the latest reads. Not thread-safe.
 */
@InterfaceAudience.Private
public interface LatencyRule {
  /**
   * Learns from a read that has ended.
   *
   * @param bytes how many bytes
   * @param nanos how long the read took, nanoseconds
   */
  void took(long bytes, long nanos);

  /**
   * @param bytes how many bytes
   * @return whether enough reads of this size have ended to tell from a read's time alone that the
   *     read is slow
   */
  boolean isLearnt(long bytes);

  /**
   * @param bytes how many bytes
   * @return the time within which nearly all reads of this size end, nanoseconds; meaningful only
   *     if {@link #isLearnt}
   */
  long usualNanosMost(long bytes);

  /**
   * @param bytes how many bytes
   * @return the usual time of a read of this size, nanoseconds; 0 if nothing is known
   */
  long usualNanos(long bytes);
}
