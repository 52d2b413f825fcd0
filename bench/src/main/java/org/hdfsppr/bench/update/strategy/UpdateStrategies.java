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
package org.hdfsppr.bench.update.strategy;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** All strategies, by name. */
@InterfaceAudience.Private
public final class UpdateStrategies {
  /** The names; {@code cau} has as many interim replicas as asked for. */
  public static final List<String> LABELS = List.of("baseline", "parix", "cau", "cau-0", "cau-1",
      "cau-2", "data-delta", "parity-delta", "collect", "delta-log");

  private UpdateStrategies() {
  }

  /**
   * Makes a strategy.
   *
   * @param label one of {@link #LABELS}
   * @param replicas r*, at least 0, for strategies with interim replicas whose name does not say it
   * @return the strategy
   * @throws IllegalArgumentException if there is none with this name, or if it cannot do with this
   *     number of replicas
   */
  public static UpdateStrategy byName(String label, int replicas) {
    if (replicas < 0) {
      throw new IllegalArgumentException("The number of interim replicas is " + replicas
          + ", and 0 at least");
    }
    switch (label) {
      case "baseline":
        return new DirectUpdates(label, false);
      case "parix":
        return new DirectUpdates(label, true);
      case "cau":
        return new CrossRackAware(label, replicas, DeltaWay.FEWER);
      case "cau-0":
        return new CrossRackAware(label, 0, DeltaWay.FEWER);
      case "cau-1":
        return new CrossRackAware(label, 1, DeltaWay.FEWER);
      case "cau-2":
        return new CrossRackAware(label, 2, DeltaWay.FEWER);
      case "data-delta":
        return new CrossRackAware(label, replicas, DeltaWay.DATA);
      case "parity-delta":
        return new CrossRackAware(label, replicas, DeltaWay.PARITY);
      case "collect":
        return new CollectedDeltas(label, replicas);
      case "delta-log":
        return new DeltaLog(label, replicas);
      default:
        throw new IllegalArgumentException("There is no strategy '" + label + "'; there are "
            + String.join(", ", LABELS));
    }
  }
}
