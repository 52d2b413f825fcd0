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
package org.hdfsppr.it.cluster;

import org.apache.hadoop.classification.InterfaceAudience;

/** The ways to connect the daemons of a cluster. */
@InterfaceAudience.Private
public enum NetworkKind {
  /** Each DataNode has a network namespace and a shaped link. The harness needs root for this. */
  NAMESPACES,
  /**
   * Each DataNode has a loopback address. The network does not shape links or count bytes. The
   * harness needs no special rights for this.
   */
  LOOPBACK
}
