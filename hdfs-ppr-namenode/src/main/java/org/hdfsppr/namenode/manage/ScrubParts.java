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
package org.hdfsppr.namenode.manage;

import java.io.Closeable;
import java.time.Clock;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.manage.nodes.Agents;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.scrub.Namespace;
import org.hdfsppr.namenode.scrub.ScrubInbox;
import org.hdfsppr.namenode.scrub.ScrubPasses;
import org.hdfsppr.namenode.scrub.ScrubSettings;
import org.hdfsppr.namenode.scrub.ScrubStatus;

/** Puts the parts together that check groups in the background. */
@InterfaceAudience.Private
final class ScrubParts {
  private final ScrubSettings settings;
  private final RepairManager manager;
  private final Agents agents;
  private final ManagerMetrics metrics;
  /** What takes the DataNodes' reports. While nothing is checked, it drops them. */
  final ScrubInbox inbox = new ScrubInbox();
  /** Null until the checks begin. */
  private volatile ScrubPasses passes;

  ScrubParts(ScrubSettings settings, RepairManager manager, Agents agents,
      ManagerMetrics metrics) {
    this.settings = settings;
    this.manager = manager;
    this.agents = agents;
    this.metrics = metrics;
  }

  /** Begins the checks; returns what ends them, or nothing if the settings ask for none. */
  Optional<Closeable> start(Namespace namespace) {
    if (!settings.isOn()) {
      return Optional.empty();
    }
    ScrubPasses running = new ScrubPasses(settings, namespace,
        new ManagerGate(manager, Time::monotonicNow), new AgentDoor(agents), inbox,
        metrics::scrubbed, Time::monotonicNow, Clock.systemUTC());
    running.start(metrics.services);
    passes = running;
    return Optional.of(running);
  }

  ScrubStatus status() {
    ScrubPasses running = passes;
    return running == null ? ScrubStatus.OFF : running.status();
  }
}
