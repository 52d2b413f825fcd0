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
package org.hdfsppr.bench;

import java.util.function.ToDoubleFunction;


/** The phases of a degraded read. Their times add up to the time of the read. */
enum ReadPhase {
  /** The time in which the client waited for bytes, without disk and helpers' computation. */
  TRANSFER("transfer", PhaseTimes::transfer),
  /** The longest time that any one DataNode read from its disk. */
  DISK("disk", PhaseTimes::disk),
  /**
   * The time in which the client computed, and that in which one DataNode computed: the one that
   * computed for longest.
   */
  COMPUTATION("computation", PhaseTimes::computation),
  /** All else that the client did: asking the NameNode, connecting, checksums, copying. */
  REST("rest", PhaseTimes::rest);

  /** The name for tables and charts, with which fields of results begin. */
  final String label;
  private final ToDoubleFunction<PhaseTimes> seconds;

  ReadPhase(String label, ToDoubleFunction<PhaseTimes> seconds) {
    this.label = label;
    this.seconds = seconds;
  }

  /** Returns the time of the phase in a read, seconds. */
  double seconds(PhaseTimes read) {
    return seconds.applyAsDouble(read);
  }

  /** Returns the share of the phase in the time of a read, percent. */
  double percent(PhaseTimes read) {
    return 100 * seconds(read) / read.total();
  }
}
