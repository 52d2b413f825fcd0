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
package org.hdfsppr.namenode.track;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a group makes do with because otherwise there is no plan for it. It ends when the group is
 * whole.
 */
@InterfaceAudience.Private
public enum Concession {
  /** Fewer racks than the group should be on. */
  ANY_RACK,
  /** Storage of a type that the file's policy allows but does not prefer. */
  ANY_STORAGE,
  /** A destination that stock avoids: a copy on a slow node is better than none. */
  ON_AVOIDED,
  /** The only node that found a contradiction is the destination, though its word ends no doubt. */
  BY_FINDER,
  /** Helpers that seem to calculate wrongly sum again. */
  WITH_DISTRUSTED,
  /** A destination that seems to calculate wrongly. */
  BY_DISTRUSTED,
  /** A result that is not checked in all bytes, though there are units to check with. */
  UNCHECKED
}
