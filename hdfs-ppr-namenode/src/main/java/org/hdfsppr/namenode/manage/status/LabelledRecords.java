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
package org.hdfsppr.namenode.manage.status;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;
import org.hdfsppr.namenode.schedule.Refusal;
import org.hdfsppr.service.Services;

/** Makes those records of the source {@code PprNameNode} of which there is one for each label. */
@InterfaceAudience.Private
final class LabelledRecords {
  static final String CONTEXT = "dfs";
  static final MetricsInfo SCHEDULER = Interns.info("Scheduler",
      "Name of the scheduler that plans repairs");
  private static final MetricsInfo CODEC = Interns.info("Codec", "Codec of the group's policy");
  private static final MetricsInfo OUTCOME = Interns.info("Outcome", "What became of the repair");
  private static final MetricsInfo REASON = Interns.info("Reason", "Why");
  private static final MetricsInfo SPARE_UNITS = Interns.info("SpareUnits",
      "How many units the groups may still lose; negative if data are lost");
  private static final MetricsInfo ENDED_REPAIRS = Interns.info("RepairsTotal", "Repairs ended");
  private static final MetricsInfo ENDED_UNITS = Interns.info("UnitsTotal", "Units rebuilt");
  private static final MetricsInfo ENDED_BYTES = Interns.info("BytesTotal", "Bytes rebuilt");
  private static final MetricsInfo GROUPS_TOTAL = Interns.info("GroupsTotal",
      "How often the scheduler had no plan for a group");
  private static final MetricsInfo GROUPS = Interns.info("Groups", "Groups that wait");
  private static final MetricsInfo SERVICE = Interns.info("Service", "Thread of the plugin");
  private static final MetricsInfo STEP_AGE_MS = Interns.info("StepAgeMs",
      "Time since the thread has last taken a step");
  private static final MetricsInfo STEP_FAILURES = Interns.info("StepFailuresTotal",
      "Steps of the thread that ended with an error");

  private final MetricsCollector collector;
  private final String source;
  private final String scheduler;

  /**
   * @param collector takes the records
   * @param source what the names of the records begin with
   * @param scheduler a tag of all records
   */
  LabelledRecords(MetricsCollector collector, String source, String scheduler) {
    this.collector = collector;
    this.source = source;
    this.scheduler = scheduler;
  }

  void write(Map<Integer, Integer> waiting, Map<Refusal, Long> refusals,
      List<RepairTally.Count> ended, List<Services.Health> services) {
    waiting.forEach((spare, groups) ->
        record("Queue").tag(SPARE_UNITS, spare.toString()).addGauge(GROUPS, groups));
    refusals.forEach((reason, count) -> record("WithoutPlan")
        .tag(REASON, reason.label()).addCounter(GROUPS_TOTAL, count));
    for (Services.Health service : services) {
      record("Service").tag(SERVICE, service.name)
          .addGauge(STEP_AGE_MS, TimeUnit.NANOSECONDS.toMillis(service.ageNanos))
          .addCounter(STEP_FAILURES, service.failures);
    }
    for (RepairTally.Count count : ended) {
      record("Ended")
          .tag(CODEC, tagValue(count.codec))
          .tag(OUTCOME, count.reason.outcome.label())
          .tag(REASON, count.reason.label())
          .addCounter(ENDED_REPAIRS, count.repairs)
          .addCounter(ENDED_UNITS, count.units)
          .addCounter(ENDED_BYTES, count.bytes);
    }
  }

  private MetricsRecordBuilder record(String suffix) {
    return collector.addRecord(source + suffix).setContext(CONTEXT)
        .tag(SCHEDULER, scheduler);
  }

  /**
   * Replaces the characters that Hadoop's sinks would have to escape but do not escape: a quote
   * would make a page for Prometheus unreadable.
   */
  private static String tagValue(String text) {
    return text.replaceAll("[^A-Za-z0-9._-]", "_");
  }
}
