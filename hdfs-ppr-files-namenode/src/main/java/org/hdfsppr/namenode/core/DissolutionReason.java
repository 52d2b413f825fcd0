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

/** Why a group is dissolved. Commands print the names in JSON, so the names must not change. */
enum DissolutionReason {
  /** No directory protects the files of the group any more. */
  UNPROTECTED,
  /** A group of files with this policy has another number of members now. */
  OTHER_RULES,
  /** A member was deleted or overwritten, or moved to where no directory protects it. */
  MEMBER_GONE,
  /** A member has another erasure coding policy. */
  OTHER_POLICY,
  /** The recorded block groups of a member are not its block groups any more. */
  MEMBER_REWRITTEN,
  /** A member has been given the attribute that keeps superusers from reading it. */
  MEMBER_UNREADABLE,
  /**
   * A member has more block groups than the record, and has not been modified for the settling
   * time.
   */
  MEMBER_GREW,
  /** The parity file does not exist any more, or its block groups are not the recorded ones. */
  PARITY_CHANGED,
  /**
   * The record names another parity file: a user may have copied the parity file with its
   * attributes.
   */
  BAD_RECORD,
  /** A member is also in a group that was formed later. */
  REPLACED,
  /**
   * A member in the trash was removed, and the other members are in a new group with another parity
   * file.
   */
  TAKEN_OUT
}
