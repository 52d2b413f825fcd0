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
package org.hdfsppr.bench.papers;

import java.util.List;

import org.hdfsppr.bench.run.Medians;

/** What several runs measured at one point: the median and the spread. Immutable. */
final class Measured {
  final double median;
  final double least;
  final double most;
  final int count;

  /**
   * @param values at least one value
   */
  Measured(List<Double> values) {
    median = Medians.of(values);
    least = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    most = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    count = values.size();
  }
}
