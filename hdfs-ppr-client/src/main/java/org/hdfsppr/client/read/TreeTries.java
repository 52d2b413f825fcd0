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

/** Counts the trees that a read tries. Used by one thread. */
@InterfaceAudience.Private
final class TreeTries {
  /**
   * The most trees that the client tries for a range. Each tree leaves out the nodes that have
   * failed before. Each tree costs a round trip, so the client decodes after this many trees.
   */
  static final int TREES_MOST = 3;

  private int begun;
  private boolean narrow = true;

  /** Counts one more tree; returns whether it may be tried. */
  boolean next() {
    return begun++ < TREES_MOST;
  }

  /** Returns whether the links of a tree may be narrow. */
  boolean mayBeNarrow() {
    return narrow;
  }

  /**
   * Notes that a node does not know narrow links. Other nodes may have an older version, too, so
   * that all further trees have wide links only. No node has failed, so that this tree does not
   * count. Only the first call has an effect.
   */
  void narrowRefused() {
    if (narrow) {
      narrow = false;
      begun--;
    }
  }
}
