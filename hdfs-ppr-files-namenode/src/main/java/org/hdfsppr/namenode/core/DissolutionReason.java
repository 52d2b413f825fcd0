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
package org.hdfsppr.namenode.core;

/** Why a group is dissolved. The names go to users in JSON, so they stay as they are. */
enum DissolutionReason {
  /** Its directory is not protected any more. */
  UNPROTECTED,
  /** Groups of its policy have another number of files now. */
  OTHER_RULES,
  /** A member was deleted, overwritten, or moved to where nothing is protected. */
  MEMBER_GONE,
  /** A member has another policy. */
  OTHER_POLICY,
  /** A member has other bytes in the block groups that are recorded. */
  MEMBER_REWRITTEN,
  /** A member has been given the attribute that keeps superusers from reading it. */
  MEMBER_UNREADABLE,
  /** A member has more block groups than recorded, and has not changed for the settling time. */
  MEMBER_GREW,
  /** The parity file is gone, or is not the recorded one. */
  PARITY_CHANGED,
  /** The record names another parity file, as the record of a copied parity file does. */
  BAD_RECORD,
  /** A member is in a group that was formed later. */
  REPLACED,
  /** A member in the trash was taken out, and the others have another parity file now. */
  TAKEN_OUT
}
