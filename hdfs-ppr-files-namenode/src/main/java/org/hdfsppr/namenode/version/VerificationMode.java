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
package org.hdfsppr.namenode.version;

import org.apache.hadoop.classification.InterfaceAudience;

/** How much of a new version is checked before it is published. */
@InterfaceAudience.Private
public enum VerificationMode {
  /**
   * The lengths of all units are checked, and samples of each made unit, by units that were not
   * needed to make it.
   */
  SAMPLED,
  /**
   * In addition to the checks of {@link #SAMPLED}, every byte of the new version is checked by the
   * equations of its code.
   */
  FULL
}
