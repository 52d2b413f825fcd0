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
package org.hdfsppr.client.patience;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides how long a read may take before the client fetches its bytes in another way. Thread-safe.
 */
@InterfaceAudience.Private
public interface Patience {
  /**
   * @param bytes how many bytes
   * @return how long bytes of one unit may take from its DataNode, nanoseconds
   */
  long unitNanos(long bytes);

  /**
   * @param bytes how many bytes
   * @return how long a tree may take to bring a range of this size, nanoseconds
   */
  long treeNanos(long bytes);

  /**
   * @param allBytes how many bytes are read from all units together
   * @param bytes how many bytes are read from this unit
   * @return how long this unit may take if several units are read side by side to decode a range,
   *     nanoseconds
   */
  long sourcesNanos(long allBytes, long bytes);
}
