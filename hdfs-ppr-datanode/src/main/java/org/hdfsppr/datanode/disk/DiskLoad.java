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
package org.hdfsppr.datanode.disk;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The load that work other than repairs puts on a DataNode's disks, and the bandwidth of the disks.
 * Immutable.
 */
@InterfaceAudience.Private
public final class DiskLoad {
  /** The share of the disks' time that goes to other work than repairs, 0 to 100 percent */
  public final int usersBusyPercent;
  /** The estimated rate at which all disks together can stream, bytes per second */
  public final long bytesPerSecond;

  DiskLoad(int usersBusyPercent, long bytesPerSecond) {
    this.usersBusyPercent = usersBusyPercent;
    this.bytesPerSecond = bytesPerSecond;
  }
}
