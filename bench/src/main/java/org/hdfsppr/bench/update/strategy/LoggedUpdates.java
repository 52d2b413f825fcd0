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
import org.hdfsppr.update.StripeRacks;

/** A strategy that logs each new range in r* other racks. Its subclasses say how to commit. */
abstract class LoggedUpdates implements UpdateStrategy {
  private final String label;
  private final int replicas;
  private final CrossRackTransfer.Kind logged;

  /**
   * @param label the name
   * @param replicas r*, at least 0
   * @param logged what the logs keep
   */
  LoggedUpdates(String label, int replicas, CrossRackTransfer.Kind logged) {
    this.label = label;
    this.replicas = replicas;
    this.logged = logged;
  }

  @Override
  public final String label() {
    return label;
  }

  @Override
  public final int replicas() {
    return replicas;
  }

  @Override
  public final boolean logs() {
    return true;
  }

  @Override
  public final boolean groups() {
    return true;
  }

  @Override
  public final List<CrossRackTransfer> append(StripeRacks racks, WrittenRange range) {
    return InterimReplicas.transfers(racks, range, replicas, logged);
  }
}
