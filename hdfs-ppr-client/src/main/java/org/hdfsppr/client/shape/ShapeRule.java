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
 * Decides in which shape a range of a lost unit is rebuilt, by what earlier reads took. {@link
 * LearntShapes} is what clients use; the benchmark compares it with {@link ChainAboveSize}.
 * {@code toString} says for a debug log what the rule goes by. Thread-safe.
 */
@InterfaceAudience.Private
public interface ShapeRule {
  /**
   * The shape for a range.
   *
   * @param helpers k, at least 1
   * @param rangeBytes bytes of the lost unit that are wanted
   * @param sliceBytes bytes of a slice
   * @param chainsMost how many chains are allowed, at least 1
   * @param others what else is being read at the same time
   * @return decoding, or a number of chains
   */
  Shape choose(int helpers, long rangeBytes, int sliceBytes, int chainsMost, int others);

  /**
   * A read was alone on the client's link, and nothing of it was rebuilt.
   *
   * @param bytes how many bytes
   * @param nanos how long that took, nanoseconds
   */
  void healthyTook(long bytes, long nanos);

  /**
   * Units were read side by side, alone on the link, and decoded.
   *
   * @param bytes how many bytes
   * @param startNanos when that began, by the client's clock
   * @param nanos how long that took, nanoseconds
   */
  void sourcesTook(long bytes, long startNanos, long nanos);

  /**
   * A range came through a tree.
   *
   * @param shape in which the range is rebuilt
   * @param startNanos when that began, by the client's clock
   * @param nanos how long that took, nanoseconds
   * @param alone whether it was alone on the client's link
   */
  void treeTook(Shape shape, long startNanos, long nanos, boolean alone);

  /**
   * A tree, alone on the link, was ended after some time because it took too long.
   *
   * @param shape in which the range is rebuilt
   * @param nanos how long that took, nanoseconds
   */
  void treeWasLate(Shape shape, long nanos);

  /**
   * A range was decoded.
   *
   * @param chosen decoding; or the shape of a tree that was late, of whose time this is a part
   * @param startNanos when that began, by the client's clock
   * @param nanos how long that took, nanoseconds
   * @param trial brings the range once more by trees, for a rule that wants to try some
   */
  void decodingTook(Shape chosen, long startNanos, long nanos, ShapeTrials.TrialTree trial);
}
