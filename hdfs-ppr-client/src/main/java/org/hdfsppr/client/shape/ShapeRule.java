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
package org.hdfsppr.client.shape;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides in which shape a range of a lost unit is rebuilt, based on the times of earlier reads.
 * Clients use {@link LearntShapes}; the benchmark compares it with {@link ChainAboveSize}. {@code
 * toString} describes for debug logs what the rule has learnt. Thread-safe.
 */
@InterfaceAudience.Private
public interface ShapeRule {
  /**
   * Chooses the shape in which a range is rebuilt.
   *
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param sliceBytes bytes of a slice
   * @param chainsMost how many chains are allowed, at least 1
   * @param others how many other units and reads the client reads at the same time
   * @return decoding, or a number of chains
   */
  Shape choose(int helpers, long rangeBytes, int sliceBytes, int chainsMost, int others);

  /**
   * Learns from a read that was alone on the client's link, and of which nothing was rebuilt.
   *
   * @param bytes how many bytes
   * @param nanos how long the read took, nanoseconds
   */
  void healthyTook(long bytes, long nanos);

  /**
   * Learns from a range for which the client read units side by side, alone on its link, and
   * decoded.
   *
   * @param bytes how many bytes
   * @param startNanos when the read began, by the client's clock
   * @param nanos how long the read took, nanoseconds
   */
  void sourcesTook(long bytes, long startNanos, long nanos);

  /**
   * Learns from a range that came through a tree.
   *
   * @param shape in which the range is rebuilt
   * @param startNanos when the read began, by the client's clock
   * @param nanos how long the read took, nanoseconds
   * @param alone whether the tree was alone on the client's link
   */
  void treeTook(Shape shape, long startNanos, long nanos, boolean alone);

  /**
   * Learns from a tree that was alone on the link, and that the client ended because the tree took
   * too long.
   *
   * @param shape in which the range is rebuilt
   * @param nanos how long the read took, nanoseconds
   */
  void treeWasLate(Shape shape, long nanos);

  /**
   * Learns from a range that was decoded.
   *
   * @param chosen decoding; or the shape of a tree that was late before the client decoded, and
   *     then the time includes the time of the tree
   * @param startNanos when the read began, by the client's clock
   * @param nanos how long the read took, nanoseconds
   * @param trial rebuilds the range once more by trees, for a rule that wants to try trees
   */
  void decodingTook(Shape chosen, long startNanos, long nanos, ShapeTrials.TrialTree trial);
}
