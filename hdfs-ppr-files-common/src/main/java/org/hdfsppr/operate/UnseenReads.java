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
package org.hdfsppr.operate;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many DataNodes cannot report whether clients read old versions of files, because they have no
 * plugin or one of an earlier version. Immutable.
 */
@InterfaceAudience.Private
public final class UnseenReads {
  /** How many of the live DataNodes cannot report such reads */
  public final int blind;
  /** How many DataNodes are live */
  public final int dataNodes;

  /**
   * @param blind how many of the live DataNodes cannot report such reads
   * @param dataNodes how many DataNodes are live
   * @throws IllegalArgumentException if a number is negative, or {@code blind} is more than {@code
   *     dataNodes}
   */
  public UnseenReads(int blind, int dataNodes) {
    if (blind < 0 || blind > dataNodes) {
      throw new IllegalArgumentException(blind + " of " + dataNodes + " DataNodes");
    }
    this.blind = blind;
    this.dataNodes = dataNodes;
  }

  @Override
  public String toString() {
    return blind + " of " + dataNodes + " DataNodes cannot tell whether clients read old versions";
  }
}
