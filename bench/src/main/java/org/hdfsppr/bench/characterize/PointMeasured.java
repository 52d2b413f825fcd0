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
package org.hdfsppr.bench.characterize;

import java.util.List;
import java.util.Optional;


/** What was measured at a point. Immutable. */
final class PointMeasured {
  final LoadResult load;
  final List<Usage> readings;
  private final Usage committed;

  /**
   * @param load what the program that asks for bytes has measured
   * @param readings the first from before its start, the last from after its end
   * @param committed a reading after the commit of all that was written; null if there is none
   */
  PointMeasured(LoadResult load, List<Usage> readings, Usage committed) {
    this.load = load;
    this.readings = List.copyOf(readings);
    this.committed = committed;
  }

  /** {@return what was used during the load} */
  Usage used() {
    return readings.get(readings.size() - 1).since(readings.get(0));
  }

  /** {@return what was used during the load and the commit of what it has written} */
  Optional<Usage> usedWithCommit() {
    return Optional.ofNullable(committed).map(reading -> reading.since(readings.get(0)));
  }
}
