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

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.core.formation.FormationPlan;
import org.hdfsppr.core.formation.FormationRules;
import org.hdfsppr.core.formation.FormedGroup;
import org.hdfsppr.core.formation.FormedMember;
import org.hdfsppr.core.formation.GroupFormation;
import org.hdfsppr.core.formation.NewGroup;

/**
 * Measures how many files a formation plan groups per second of processor time: once when nothing
 * is protected, and once when the groups of the first plan exist and a hundredth of all files is
 * gone. Lengths are spread as in large namespaces, from kilobytes to hundreds of gigabytes.
 */
final class FormationRate {
  private static final double NANOS = 1e9;
  private static final int FILES_PER_DIRECTORY = 1000;
  private static final double SLACK = 0.25;
  private static final int WARM_UP_FILES = 50_000;
  private static final int WARM_UPS = 3;
  private static final int GONE_ONE_IN = 100;
  /** The exponents of the shortest and of the longest file: 2^12 and 2^38 bytes. */
  private static final double LOG_MIN = 12;
  private static final double LOG_MAX = 38;
  private static final long MS_OF_A_YEAR = 365L * 24 * 3600 * 1000;

  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private final CoreCode code;
  private final int files;
  private final SplittableRandom random;
  private final GroupFormation formation;

  private double firstPerS;
  private double againPerS;
  private int groups;
  private int changedGroups;

  FormationRate(CoreCode code, int files, long seed) {
    this.code = code;
    this.files = files;
    this.random = new SplittableRandom(seed);
    this.formation = new GroupFormation(new FormationRules(Map.of(code.label, code.files),
        SLACK, 0, Integer.MAX_VALUE, Integer.MAX_VALUE));
  }

  /** Measures. The first plans warm up the JVM and do not count. */
  void measure() {
    for (int i = 0; i < WARM_UPS; i++) {
      formation.plan(draw(WARM_UP_FILES), List.of(), MS_OF_A_YEAR);
    }
    List<CandidateFile> all = draw(files);
    long begin = clock.getCurrentThreadCpuTime();
    FormationPlan first = formation.plan(all, List.of(), MS_OF_A_YEAR);
    firstPerS = files / ((clock.getCurrentThreadCpuTime() - begin) / NANOS);
    groups = first.formed.size();

    List<FormedGroup> formed = new ArrayList<>();
    for (NewGroup group : first.formed) {
      List<FormedMember> members = new ArrayList<>();
      group.files.forEach(file ->
          members.add(new FormedMember(file.fileId, file.length, file.blockGroups)));
      formed.add(new FormedGroup(formed.size() + 1, group.policy(), members));
    }
    all.removeIf(file -> random.nextInt(GONE_ONE_IN) == 0);
    begin = clock.getCurrentThreadCpuTime();
    FormationPlan again = formation.plan(all, formed, MS_OF_A_YEAR);
    againPerS = all.size() / ((clock.getCurrentThreadCpuTime() - begin) / NANOS);
    changedGroups = again.changed.size();
  }

  private List<CandidateFile> draw(int count) {
    long groupBytes = (long) code.row.dataUnits << 27;
    List<CandidateFile> drawn = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long length = (long) Math.pow(2, LOG_MIN + random.nextDouble() * (LOG_MAX - LOG_MIN));
      drawn.add(new CandidateFile(i, length, (int) (length / groupBytes) + 1, code.label,
          random.nextInt(Math.max(1, count / FILES_PER_DIRECTORY)), 0));
    }
    return drawn;
  }

  /** {@return files per second of the first plan} */
  double firstPerSecond() {
    return firstPerS;
  }

  /** {@return files per second of a plan with existing groups} */
  double againPerSecond() {
    return againPerS;
  }

  /** {@return the number of groups of the first plan} */
  int groups() {
    return groups;
  }

  /** {@return the number of groups that did not fit any more in the second plan} */
  int changedGroups() {
    return changedGroups;
  }
}
