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
package org.hdfsppr.wire;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a node must know to compute the right sums: the bits of a request's must_understand. A node
 * that lacks one of a request's answers UNSUPPORTED. Nodes say in heartbeats and in answers which
 * of them they know, so that a planner can do without that answer.
 */
@InterfaceAudience.Private
public final class RequestFeatures {
  /** The code has sub-chunks, and sources have a column for each. */
  public static final long SUB_CHUNKS = 1;
  /** Only some of the slices are wanted. */
  public static final long RANGE = 2;
  /** A source's block need not be a unit of the request's group. */
  public static final long BLOCKS = 4;
  /** All that this version knows. */
  public static final long KNOWN = SUB_CHUNKS | RANGE | BLOCKS;
  /** What a node knows that does not say what it knows. */
  public static final long UNSAID = SUB_CHUNKS | RANGE;

  private RequestFeatures() {
  }

  /** Whether a node that knows {@code known} knows all of {@code needed}. */
  public static boolean covers(long known, long needed) {
    return (needed & ~known) == 0;
  }
}
