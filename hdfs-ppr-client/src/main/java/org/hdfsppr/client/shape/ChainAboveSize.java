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

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The simplest rule: ranges above a fixed size are rebuilt by one chain, and all others are
 * decoded. This rule learns nothing. The benchmark compares it with {@link LearntShapes}.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class ChainAboveSize implements ShapeRule {
  /**
   * The longest range that is decoded, bytes. With six helpers, 1 ms for a hop and 1 Gbit/s, a
   * chain is as fast as decoding at 137 KB. A chain takes 6 ms and transfers the range once.
   * Decoding takes half a millisecond and transfers six times the range.
   */
  static final long DECODED_BYTES_MOST = 128 << 10;

  @Override
  public Shape choose(int helpers, long rangeBytes, int sliceBytes, int chainsMost, int others) {
    List<Shape> options = Shape.all(helpers, rangeBytes, sliceBytes, 1, others);
    return options.get(rangeBytes > DECODED_BYTES_MOST ? 0 : options.size() - 1);
  }

  @Override
  public void healthyTook(long bytes, long nanos) {
    // This rule looks at sizes only, so it ignores measured times.
  }

  @Override
  public void sourcesTook(long bytes, long startNanos, long nanos) {
    // This rule looks at sizes only, so it ignores measured times.
  }

  @Override
  public void treeTook(Shape shape, long startNanos, long nanos, boolean alone) {
    // This rule looks at sizes only, so it ignores measured times.
  }

  @Override
  public void treeWasLate(Shape shape, long nanos) {
    // This rule looks at sizes only, so it ignores measured times.
  }

  @Override
  public void decodingTook(Shape chosen, long startNanos, long nanos,
      ShapeTrials.TrialTree trial) {
    // This rule looks at sizes only, so it ignores measured times.
  }

  @Override
  public String toString() {
    return "a chain above " + DECODED_BYTES_MOST + " bytes";
  }
}
