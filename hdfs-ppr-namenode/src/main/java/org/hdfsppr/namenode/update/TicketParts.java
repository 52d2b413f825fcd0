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
package org.hdfsppr.namenode.update;

import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.update.look.UpdateNamespace;

/** What all calls for tickets have in common. Immutable. */
@InterfaceAudience.Private
public final class TicketParts {
  final TicketSettings settings;
  final UpdateNamespace namespace;
  final UpdateFolder folder;
  final LogNodes nodes;
  final LogQuestions questions;
  final TermRate rate;
  final NoLogLeases leases;
  final LongSupplier clockMs;

  /**
   * @param settings the settings
   * @param namespace reads and changes attributes
   * @param folder has the records
   * @param nodes the DataNodes that keep logs
   * @param questions asks them
   * @param clockMs the time, monotonic, ms
   */
  public TicketParts(TicketSettings settings, UpdateNamespace namespace, UpdateFolder folder,
      LogNodes nodes, LogQuestions questions, LongSupplier clockMs) {
    this.leases = new NoLogLeases(clockMs);
    this.settings = settings;
    this.namespace = namespace;
    this.folder = folder;
    this.nodes = nodes;
    this.questions = questions;
    this.rate = new TermRate(clockMs);
    this.clockMs = clockMs;
  }

  /** Returns how many nodes should follow the leader of a unit, by its code. */
  int replicas(int parityUnits) {
    return settings.replicas(parityUnits);
  }

  /** Returns how many nodes have to follow the leader of a unit before a writer gets a ticket. */
  int replicasLeast() {
    return settings.replicasLeast();
  }

  /** Returns the strategy that a file has if no directory above it names another one. */
  String strategy() {
    return settings.strategy;
  }
}
