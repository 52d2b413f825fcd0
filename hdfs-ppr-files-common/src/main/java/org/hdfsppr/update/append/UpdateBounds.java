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
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;

/** The bounds of updates and of the messages about them. They do not depend on settings. */
@InterfaceAudience.Private
public final class UpdateBounds {
  /** The most bytes of one update: the greatest cell that HDFS lets a policy have. */
  public static final int UPDATE_BYTES_MAX = 4 << 20;
  /** The most bytes of data behind a message. */
  public static final int DATA_BYTES_MAX = UPDATE_BYTES_MAX;
  /** The most ranges of old bytes in one message. */
  public static final int OLD_RANGES_MAX = 1024;
  /** The most updates of one message. */
  public static final int RECORDS_MAX = 256;
  /** The most nodes that hold the log of a unit: a leader, and replicas in a few other racks. */
  public static final int HOLDERS_MAX = 8;
  /**
   * The longest message without its data, bytes. One with 256 updates, 1024 ranges of old bytes and
   * 8 nodes with long names has about 50 KiB. The data come after the caller's right has been
   * checked.
   */
  static final int MESSAGE_BYTES_MAX = 64 << 10;
  /** The most bytes of a unit; far more than blocks have. */
  public static final long UNIT_BYTES_MAX = 1L << 42;
  /** The greatest number of a block group within a file. */
  static final int GROUP_MAX = (1 << 24) - 1;

  private UpdateBounds() {
  }
}
