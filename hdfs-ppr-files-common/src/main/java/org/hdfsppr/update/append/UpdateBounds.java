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

/**
 * The bounds of updates and of the messages about them. They are constants, so that all nodes have
 * the same bounds.
 */
@InterfaceAudience.Private
public final class UpdateBounds {
  /**
   * How many bytes one update has at most: as many as the largest cell that HDFS lets a policy
   * have.
   */
  public static final int UPDATE_BYTES_MAX = 4 << 20;
  /** How many bytes of data may follow a message. */
  public static final int DATA_BYTES_MAX = UPDATE_BYTES_MAX;
  /** How many ranges of old bytes one message has at most. */
  public static final int OLD_RANGES_MAX = 1024;
  /** How many updates one message has at most. */
  public static final int RECORDS_MAX = 256;
  /**
   * How many DataNodes hold the log of a unit at most: a leader, and followers in a few other
   * racks.
   */
  public static final int HOLDERS_MAX = 8;
  /**
   * How many bytes a message has at most, without its data. A message with 256 updates, 1024 ranges
   * of old bytes and 8 nodes with long names has about 50 KiB. The data follow separately: the
   * receiver reads them only after it has checked the caller's right.
   */
  static final int MESSAGE_BYTES_MAX = 64 << 10;
  /** How many bytes a unit has at most; real blocks are far smaller. */
  public static final long UNIT_BYTES_MAX = 1L << 42;
  /** The greatest index of a block group in a file. */
  static final int GROUP_MAX = (1 << 24) - 1;

  private UpdateBounds() {
  }
}
