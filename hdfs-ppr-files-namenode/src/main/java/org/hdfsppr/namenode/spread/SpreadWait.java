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
package org.hdfsppr.namenode.spread;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** Why a column keeps two blocks on one DataNode for now. */
@InterfaceAudience.Private
public enum SpreadWait {
  /** One of the blocks has already been moved, and its old replica is about to be deleted. */
  LEAVING,
  /** No block may move, because their block groups lack a unit or are being repaired. */
  IN_REPAIR,
  /** There is no DataNode to which one of the blocks may move. */
  NO_NODE;

  /** @return the reason in one word, as commands print it */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
