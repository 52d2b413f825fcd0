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
package org.hdfsppr.namenode.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.Doctor;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.scrub.ScrubStatus;
import org.hdfsppr.namenode.scrub.ScrubStatuses;

/**
 * Made-up NameNodes without an extension: what the sources of their pages know. A world has a name,
 * and the pages that are recorded of it.
 */
@InterfaceAudience.Private
final class Worlds {
  /** The pages of the manager's status. */
  static final List<String> OF_STATUS =
      List.of("status", "history", "repairs", "groups", "nodes", "doubts");
  static final String DOCTOR = "doctor";
  private static final String VERIFICATION = "verification";

  /** The sources by the name of the world, and in it by the name of the page. */
  private final Map<String, Map<String, PageSource>> all = new TreeMap<>();

  private Worlds() {
  }

  static Map<String, Map<String, PageSource>> all() {
    Worlds worlds = new Worlds();
    worlds.add("empty", ManagerStatus.NONE);
    worlds.add("full", FullStatus.make().build());
    worlds.add("empty", DoctorFacts.none());
    worlds.add("full", DoctorFacts.sick());
    worlds.add("fine", DoctorFacts.fine());
    worlds.add("slow", DoctorFacts.slow());
    worlds.add("empty", VERIFICATION, new VerificationPages(() -> ScrubStatus.OFF));
    worlds.add("full", VERIFICATION, new VerificationPages(() ->
        ScrubStatuses.in(ScrubStatus.State.RUNNING)));
    worlds.add("idle", VERIFICATION, new VerificationPages(() ->
        ScrubStatuses.in(ScrubStatus.State.IDLE)));
    worlds.add("waiting", VERIFICATION, new VerificationPages(() ->
        ScrubStatuses.in(ScrubStatus.State.WAITING)));
    for (ManagerState state : ManagerState.values()) {
      worlds.add("state-" + state.name().toLowerCase(Locale.ROOT), "status",
          new StatusPages(() -> FullStatus.inState(state)));
    }
    return worlds.all;
  }

  private void add(String world, ManagerStatus status) {
    OF_STATUS.forEach(page -> add(world, page, new StatusPages(() -> status)));
  }

  private void add(String world, ClusterFacts facts) {
    add(world, DOCTOR, new DoctorPages(() -> facts, new Doctor(List.of()), () -> 0));
  }

  private void add(String world, String page, PageSource source) {
    all.computeIfAbsent(world, any -> new LinkedHashMap<>()).put(page, source);
  }
}
