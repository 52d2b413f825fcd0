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
package org.hdfsppr.bench.core;

import org.hdfsppr.core.FailureMatrix;

/** Counts how many patterns are recoverable, and their clusters. */
final class PatternCounts {
  private long patterns;
  private long recoverable;
  private long clusters;

  void add(FailureMatrix matrix) {
    patterns++;
    recoverable += matrix.recoverable() ? 1 : 0;
    clusters += matrix.clusterCount();
  }

  void add(PatternCounts other) {
    patterns += other.patterns;
    recoverable += other.recoverable;
    clusters += other.clusters;
  }

  /** {@return the part of all patterns that is recoverable, percent} */
  double recoverablePercent() {
    return 100.0 * recoverable / patterns;
  }

  /** {@return the mean number of clusters} */
  double meanClusters() {
    return (double) clusters / patterns;
  }
}
