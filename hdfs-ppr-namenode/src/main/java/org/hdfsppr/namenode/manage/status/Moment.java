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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A moment on both clocks: the monotonic clock, on which the manager works, and the wall clock,
 * which people read. Immutable.
 */
@InterfaceAudience.Private
public final class Moment {
  /** The moment on the monotonic clock, ms */
  public final long ms;
  /** The moment on the wall clock */
  public final Instant wall;

  public Moment(long ms, Instant wall) {
    this.ms = ms;
    this.wall = Objects.requireNonNull(wall, "wall");
  }

  /**
   * @param otherMs another moment on the monotonic clock, ms
   * @return that moment on the wall clock, as this clock is set now
   */
  public Instant wallAt(long otherMs) {
    return wall.plusMillis(otherMs - ms);
  }

  @Override
  public String toString() {
    return wall + " (" + ms + " ms)";
  }
}
