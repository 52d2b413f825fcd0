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
 * The bits of the field must_understand of a request. Each bit names a feature that a node must
 * know to compute the right sums. A node that lacks a feature of a request answers UNSUPPORTED. In
 * heartbeats and in answers, a node names the features that it knows, so that a planner does not
 * send it requests that it would refuse.
 */
@InterfaceAudience.Private
public final class RequestFeatures {
  /**
   * The code has sub-chunks. The request has a column of coefficients for each sub-chunk of each
   * source.
   */
  public static final long SUB_CHUNKS = 1;
  /** The requester wants only a range of contiguous slices. */
  public static final long RANGE = 2;
  /**
   * The request names the blocks of its sources, which need not be units of the request's group.
   */
  public static final long BLOCKS = 4;
  /**
   * A feature that version 0.2.0 has and later versions refuse: nodes below the root write lost
   * units, and do not send the rows of these units to their parents. No new feature may use this
   * bit, because nodes of 0.2.0 would take it for the old feature.
   */
  public static final long INNER_TARGETS_OF_0_2_0 = 8;
  /** Nodes send only some of the lost rows, and their parents derive the others. */
  public static final long NARROW_LINKS = 16;
  /** The requester wants slices that are not contiguous. */
  public static final long PICKED = 32;
  /** All features that this version knows. */
  public static final long KNOWN = SUB_CHUNKS | RANGE | BLOCKS | NARROW_LINKS | PICKED;
  /**
   * All features that any version has known. The setting {@code dfs.datanode.ppr.features.withheld}
   * accepts each of these bits, so that a configuration of 0.2.0 stays valid.
   */
  public static final long EVER_KNOWN = KNOWN | INNER_TARGETS_OF_0_2_0;
  /**
   * The features that a node is assumed to know if it names none, because it has an older version.
   */
  public static final long UNSAID = SUB_CHUNKS | RANGE;

  private RequestFeatures() {
  }

  /**
   * @param known the features of a node
   * @param needed the features that a request needs
   * @return whether the node knows all features that the request needs
   */
  public static boolean covers(long known, long needed) {
    return (needed & ~known) == 0;
  }
}
