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
package org.hdfsppr.namenode.rpc;

import org.apache.hadoop.classification.InterfaceAudience;

/** Knows which DataNodes are live. Thread-safe; must not wait for locks that other threads hold. */
@InterfaceAudience.Private
public interface LiveDataNodes {
  /**
   * @param uuid the DataNode's UUID
   * @param ipAddr the address from which a call comes
   * @return whether a live DataNode with this UUID is registered from this address
   */
  boolean isLive(String uuid, String ipAddr);
}
