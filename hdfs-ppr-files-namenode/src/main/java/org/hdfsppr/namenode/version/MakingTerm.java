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

import java.util.function.BooleanSupplier;

/** What a making has from its engine, in the term in which it began. Immutable. */
final class MakingTerm {
  /** The term of the repair manager. */
  final long number;
  /** The name under which the engine holds the leases of the files that it makes. */
  final String leaseHolder;
  /** The claim to the files of the request, which the making takes when it begins. */
  final VersionClaims.Claim claim;
  /** Wakes the making. */
  final VersionNews news;
  /** Whether the engine has ended, or has lost the term. */
  final BooleanSupplier isStopped;
  /** Whether the job was cancelled. */
  final BooleanSupplier isCancelled;

  MakingTerm(long number, String leaseHolder, VersionClaims.Claim claim, VersionNews news,
      BooleanSupplier isStopped, BooleanSupplier isCancelled) {
    this.number = number;
    this.leaseHolder = leaseHolder;
    this.claim = claim;
    this.news = news;
    this.isStopped = isStopped;
    this.isCancelled = isCancelled;
  }
}
