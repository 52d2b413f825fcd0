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


/**
 * Estimates how long runs take: as long as runs of the same definition and scope took here, or as
 * the data file says, times what this machine took for all others in comparison. Immutable.
 */
final class TimeLeft {
  private final List<StoredRun> ended;
  private final double factor;

  /**
   * @param ended runs that were measured on this machine
   */
  TimeLeft(List<StoredRun> ended) {
    this.ended = List.copyOf(ended);
    double took = ended.stream().mapToDouble(StoredRun::seconds).sum();
    double expected = ended.stream().mapToDouble(StoredRun::expectedSeconds).sum();
    this.factor = took > 0 && expected > 0 ? took / expected : 1;
  }

  double seconds(PaperRun run) {
    return ended.stream()
        .filter(like -> like.paper().equals(run.paper)
            && like.definition().equals(run.definition)
            && like.scope().equals(run.scope.label()))
        .mapToDouble(StoredRun::seconds).average().orElse(run.expectedSeconds * factor);
  }

  double seconds(List<PaperRun> runs) {
    return runs.stream().mapToDouble(this::seconds).sum();
  }

  /** {@return seconds in words, such as {@code 1 h 05 min}} */
  static String words(double seconds) {
    long all = Math.round(seconds);
    if (all < 60) {
      return all + " s";
    }
    long minutes = Math.round(seconds / 60);
    return minutes < 60 ? minutes + " min"
        : String.format("%d h %02d min", minutes / 60, minutes % 60);
  }
}
