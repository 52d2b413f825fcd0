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
package org.hdfsppr.namenode.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** Runs all checks. */
@InterfaceAudience.Private
public final class Doctor {
  private static final List<Check> CHECKS = List.of(new PluginCheck(), new SilenceCheck(),
      new ClassPathCheck(), new VersionCheck(), new PortCheck(), new KernelCheck(),
      new TicketCheck(), new ReadsCheck(), new SettingsCheck(), new ClockCheck(),
      new LinkRateCheck());

  private Doctor() {
  }

  /**
   * Examines a cluster.
   *
   * @param facts what is known about it
   * @return what is wrong, the most urgent first, and after that one finding for each check that
   *     has found nothing. Without a plugin that speaks there is nothing to compare, and the list
   *     has only what is missing.
   */
  public static List<Finding> examine(ClusterFacts facts) {
    List<Finding> findings = new ArrayList<>();
    if (facts.speaking().isEmpty()) {
      findings.addAll(new PluginCheck().examine(facts));
      if (!facts.plugins.isEmpty()) {
        findings.addAll(new SilenceCheck().examine(facts));
      }
    } else {
      CHECKS.forEach(check -> findings.addAll(check.examine(facts)));
    }
    // The sort is stable, so that the order of the checks stays within a severity.
    findings.sort(Comparator.comparing((Finding finding) -> finding.severity));
    return findings;
  }
}
