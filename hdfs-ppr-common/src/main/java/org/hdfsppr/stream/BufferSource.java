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
package org.hdfsppr.stream;

import org.apache.hadoop.classification.InterfaceAudience;

/** Where a repair gets its direct memory from. Thread-safe. */
@InterfaceAudience.Private
public interface BufferSource {
  /**
   * Takes memory, to be given back by closing the lease when nothing uses it any more.
   *
   * @param pieces the length of each buffer that is needed, bytes, in the order in which they will
   *     be carved
   * @return the lease, or null if there is not as much free
   */
  BufferPool.Lease lease(int... pieces);

  /**
   * Why these pieces could never be leased, however much is free, or null if they could.
   *
   * @param pieces as for {@link #lease}
   */
  String refusal(int... pieces);
}
