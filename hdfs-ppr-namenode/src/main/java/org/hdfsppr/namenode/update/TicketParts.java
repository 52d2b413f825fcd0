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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.update.look.UpdateNamespace;

/** What all calls for tickets have in common. Immutable. */
@InterfaceAudience.Private
final class TicketParts {
  private final TicketSettings settings;
  final UpdateNamespace namespace;
  final UpdateFolder folder;
  final LogNodes nodes;
  final LogQuestions questions;
  final TermRate rate;
  final NoLogLeases leases;

  TicketParts(TicketSettings settings, UpdateNamespace namespace, UpdateFolder folder,
      LogNodes nodes, LogQuestions questions, TermRate rate, NoLogLeases leases) {
    this.leases = leases;
    this.settings = settings;
    this.namespace = namespace;
    this.folder = folder;
    this.nodes = nodes;
    this.questions = questions;
    this.rate = rate;
  }

  /** Returns how many nodes are to hold the log of a unit of a code beside the leader. */
  int replicas(int parityUnits) {
    return settings.replicas(parityUnits);
  }

  /** Returns beside the leader of a unit how many nodes have to hold its log when it is written. */
  int replicasLeast() {
    return settings.replicasLeast();
  }

  /** Returns the strategy that a file has if no directory above it names another one. */
  String strategy() {
    return settings.strategy;
  }
}
