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
import org.hdfsppr.coder.code.LinearCode;

/** The bounds of a request's fields. They do not depend on a node's settings. */
@InterfaceAudience.Private
public final class RequestBounds {
  /**
   * The longest request, bytes. A request for a tree of 16 nodes with long tokens has about 20 KiB.
   */
  public static final int REQUEST_BYTES_MAX = 256 << 10;
  /** A block group has at most 16 units (HDFS counts them in 4 bits of the block id). */
  public static final int UNITS_MAX = 16;
  /**
   * The most units of a code whose blocks a request lists one by one. An example is a conversion:
   * its code has the units of the old code, and the parity units of the new code over the same data
   * units. A target, which is a new parity unit, may therefore have an index of {@link #UNITS_MAX}
   * or more. The sources of a correct request are units of one stored code, so that a request has
   * at most {@link #UNITS_MAX} sources.
   */
  public static final int LISTED_UNITS_MAX = LinearCode.MANY_UNITS_MAX;
  /**
   * The longest stall timeout, milliseconds. A request with a longer timeout is malformed, so that
   * no request can make a node wait longer. No operator needs a longer timeout.
   */
  public static final int STALL_TIMEOUT_MS_MAX = 600_000;

  /**
   * The lowest rate to which a request may slow its nodes down, bytes per second. It is four times
   * the rate below which nodes give up a tree as stuck.
   */
  public static final long BYTES_PER_SECOND_MIN = 64 << 10;
  /**
   * The highest rate that a request may name, bytes per second. No disk is so fast, so that a
   * higher rate is an error.
   */
  public static final long BYTES_PER_SECOND_MAX = 1L << 40;

  private RequestBounds() {
  }
}
