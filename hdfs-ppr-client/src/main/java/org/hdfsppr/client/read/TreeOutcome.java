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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.shape.Shape;

/**
 * The result of trying to rebuild a range through a tree. If the tree was late and the client
 * decodes afterwards, the time of both counts for the shape of the tree. Immutable.
 */
@InterfaceAudience.Private
final class TreeOutcome {
  /** The tree has rebuilt the range. */
  static final TreeOutcome REBUILT = new TreeOutcome(null, 0);
  /**
   * No tree was tried, or the tree has failed. So the time of the range says nothing about any
   * shape.
   */
  static final TreeOutcome NONE = new TreeOutcome(null, 0);

  private final Shape shape;
  private final long startNanos;

  private TreeOutcome(Shape shape, long startNanos) {
    this.shape = shape;
    this.startNanos = startNanos;
  }

  /**
   * Makes an outcome after which the client decodes. Either no tree was begun, because decoding is
   * expected to be faster, or the tree was late and was ended.
   *
   * @param chosen decoding if no tree was begun, otherwise the shape of the late tree
   * @param startNanos when work on the range began
   */
  static TreeOutcome decodeInstead(Shape chosen, long startNanos) {
    return new TreeOutcome(chosen, startNanos);
  }

  boolean isRebuilt() {
    return this == REBUILT;
  }

  /** Whether a tree was ended because it took too long. */
  boolean isLate() {
    return isTimed() && !shape.isDecoding();
  }

  /** Whether the time of the range says something about {@link #shape}. */
  boolean isTimed() {
    return shape != null;
  }

  /** The shape that was chosen; null unless {@link #isTimed}. */
  Shape shape() {
    return shape;
  }

  long startNanos() {
    return startNanos;
  }
}
