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
package org.hdfsppr.core.formation;

import org.apache.hadoop.classification.InterfaceAudience;

/** Why a file will be in no CORE group when a plan has been carried out. */
@InterfaceAudience.Private
public enum UngroupedReason {
  /** It has no bytes, so there is nothing to protect. */
  EMPTY,
  /** Its policy is not protected. */
  OTHER_POLICY,
  /** It has more block groups than {@code blockGroupsMax} of the rules allows. */
  TOO_LARGE,
  /** It changed a short time ago. */
  SETTLING,
  /**
   * Its directory has too few other files of the same policy and a similar size that are in no
   * group.
   */
  NO_LIKE_FILES,
  /**
   * It would be in a new group, but this plan already forms as many groups as it may. A later plan
   * forms this group.
   */
  NEXT_PLAN
}
