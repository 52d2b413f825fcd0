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
package org.hdfsppr.plan;

import java.util.HashMap;
import java.util.Map;
import org.hdfsppr.coder.code.SubChunk;

/**
 * A relation for the check of a repair. The sum of its sub-chunks, each times its coefficient, is
 * zero if the units are intact. The repair itself does not use this relation.
 */
final class SpareRelation {
  final int unit;
  private final Map<SubChunk, Byte> coefficients;
  final boolean complete;

  /**
   * @param unit index of a unit that is read only for the check
   * @param complete true if the relation covers every sub-chunk that the repair reads, so that the
   *     check finds errors in all of them
   */
  SpareRelation(int unit, Map<SubChunk, Byte> coefficients, boolean complete) {
    this.unit = unit;
    this.complete = complete;
    this.coefficients = new HashMap<>(coefficients);
  }

  byte coefficient(SubChunk subChunk) {
    return coefficients.getOrDefault(subChunk, (byte) 0);
  }
}
