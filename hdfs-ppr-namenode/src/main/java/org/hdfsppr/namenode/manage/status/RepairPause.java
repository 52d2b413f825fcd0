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
package org.hdfsppr.namenode.manage.status;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A time that an operator has begun: either a pause, in which the manager begins no repairs, or a
 * time for which stock schedules all repairs. Repairs that are under way go on. Times are those of
 * the wall clock. Immutable.
 */
@InterfaceAudience.Private
public final class RepairPause {
  /** When this time began */
  public final Instant since;
  private final Instant until;

  /**
   * @param since when this time began
   * @param until when this time ends by itself; null if it lasts until an operator ends it
   */
  public RepairPause(Instant since, Instant until) {
    this.since = Objects.requireNonNull(since, "since");
    this.until = until;
  }

  /** @return when this time ends by itself; empty if it lasts until an operator ends it */
  public Optional<Instant> until() {
    return Optional.ofNullable(until);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RepairPause && ((RepairPause) other).since.equals(since)
        && Objects.equals(((RepairPause) other).until, until);
  }

  @Override
  public int hashCode() {
    return Objects.hash(since, until);
  }

  @Override
  public String toString() {
    return "since " + since + (until == null ? "" : " until " + until);
  }
}
