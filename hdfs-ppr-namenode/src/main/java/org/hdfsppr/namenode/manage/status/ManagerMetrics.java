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

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.management.ObjectName;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.apache.hadoop.metrics2.util.MBeans;
import org.hdfsppr.namenode.queue.QueueFaults;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.scrub.ScrubCounts;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.service.Services;

/**
 * The repair manager's counters, as a Metrics2 source. The MBean is
 * {@code Hadoop:service=NameNode,name=PprNameNode}.
 *
 * <p>The first record, {@code PprNameNode}, has the sums. Further records have the same counts by
 * tag: {@code PprNameNodeEnded} by codec, outcome and reason, {@code PprNameNodeWithoutPlan} by
 * reason, and {@code PprNameNodeQueue} by spare units. The numbers of their tags' values are
 * bounded. Times are in the unit that ends the name. Names that end in {@code Total}, and those of
 * {@link ManagerCounter}, count from the start of the plugin. Thread-safe.
 */
@InterfaceAudience.Private
public final class ManagerMetrics implements MetricsSource, PprNameNodeInfoMXBean,
    QueueFaults {
  private static final String NAME = "PprNameNode";
  /**
   * The upper bounds of the classes of cycle times, seconds. A cycle begins 250 ms after the last
   * one has ended, and takes some milliseconds while little changes.
   */
  private static final double[] CYCLE_BOUNDS_SECONDS =
      {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
  private static final MetricsInfo HANDED =
      Interns.info("GroupsHandedToStockTotal", "Groups handed to stock");

  /** The name of the scheduler */
  public final String scheduler;
  private final MetricsRegistry registry =
      new MetricsRegistry(NAME).setContext(LabelledRecords.CONTEXT);
  private final Map<ManagerCounter, MutableCounterLong> counters =
      new EnumMap<>(ManagerCounter.class);
  /** The repairs that have ended, by codec and reason */
  public final RepairTally tally = new RepairTally();
  /** The threads of this plugin, and when each has last taken a step */
  public final Services services = new Services(System::nanoTime);
  private final Durations cycles = new Durations(CYCLE_BOUNDS_SECONDS);
  private final Map<NoPlanReason, LongAdder> refusals = new EnumMap<>(NoPlanReason.class);
  private final MutableGaugeInt charge;
  private final MutableGaugeInt leftByHand;
  private final MutableRate cycleMs;
  private final MutableRate repairMs;
  private final Map<StatusNumber, MutableGaugeInt> numbers = new EnumMap<>(StatusNumber.class);
  private final MutableGaugeLong lockNanosPerRepair;
  private final MutableGaugeLong lockNanosMax;
  private final MutableGaugeLong bytesLeft;
  private final MutableGaugeLong rate;
  private final MutableGaugeLong oldestWaitMs;
  private boolean registered;
  private ObjectName info;
  private volatile ManagerStatus shown = ManagerStatus.NONE;

  private ManagerMetrics(String scheduler) {
    this.scheduler = scheduler;
    registry.tag(LabelledRecords.SCHEDULER, scheduler);
    for (NoPlanReason reason : NoPlanReason.values()) {
      refusals.put(reason, new LongAdder());
    }
    // The record has its values in this order.
    charge = registry.newGauge("InCharge",
        "1 if claimed groups are scheduled here, 0 if all is stock's", 0);
    leftByHand = registry.newGauge("LeftToStock",
        "1 while an operator has left all repairs to stock", 0);
    for (ManagerCounter each : ManagerCounter.values()) {
      counters.put(each, registry.newCounter(each.metric, each.words, 0L));
    }
    cycleMs = registry.newRate("CycleMs", "Time of a cycle");
    repairMs = registry.newRate("RepairMs", "From the plan to the block report");
    gauges(StatusNumber.GROUPS_QUEUED, StatusNumber.QUARANTINED);
    lockNanosPerRepair = registry.newGauge("WriteLockNanosPerRepair",
        "Nanoseconds of the NameNode's write lock per repair", 0L);
    lockNanosMax = registry.newGauge("WriteLockNanosMax",
        "Longest hold of the NameNode's write lock", 0L);
    gauges(StatusNumber.DATA_NODES, StatusNumber.AT_RISK);
    bytesLeft = registry.newGauge("BytesLeft", "Bytes that are still to be rebuilt", 0L);
    rate = registry.newGauge("RateBytesPerSecond",
        "Rebuilt bytes per second over the last minute", 0L);
    oldestWaitMs = registry.newGauge("OldestWaitMs", "How long the oldest group waits that could"
        + " be repaired and does not wait on purpose", 0L);
    gauges(StatusNumber.WAITING_FOR_STOCK, StatusNumber.WITH_STOCK);
  }

  private void gauges(StatusNumber first, StatusNumber last) {
    for (StatusNumber each : EnumSet.range(first, last)) {
      numbers.put(each, registry.newGauge(each.metric, each.words, 0));
    }
  }

  /**
   * Makes a source and registers it.
   *
   * @param scheduler the name of the scheduler, which becomes a tag
   * @return the source
   */
  public static ManagerMetrics register(String scheduler) {
    ManagerMetrics metrics = new ManagerMetrics(scheduler);
    DefaultMetricsSystem.instance().register(NAME, "Repairs of erasure-coded blocks", metrics);
    metrics.info = MBeans.register("NameNode", NAME + "Info", metrics);
    metrics.registered = true;
    return metrics;
  }

  /** Unregisters the source. A second call does nothing. */
  public synchronized void unregister() {
    if (registered) {
      registered = false;
      DefaultMetricsSystem.instance().unregisterSource(NAME);
      if (info != null) {
        MBeans.unregister(info);
      }
    }
  }

  /**
   * @param which what has happened once more
   */
  public void count(ManagerCounter which) {
    count(which, 1);
  }

  /**
   * @param which what has happened
   * @param more how often, or how much of it
   */
  public void count(ManagerCounter which, long more) {
    counters.get(which).incr(more);
  }

  /**
   * @param which what is counted
   * @return how often it has happened, or how much of it, since the start of the plugin
   */
  public long counted(ManagerCounter which) {
    return counters.get(which).value();
  }

  /**
   * Counts a repair that was done.
   *
   * @param codec the codec of the group's policy
   * @param count how many units were rebuilt
   * @param size how many bytes these units have
   * @param ms time from the plan to the block report, ms
   */
  public void rebuilt(String codec, int count, long size, long ms) {
    count(ManagerCounter.REPAIRS_DONE);
    count(ManagerCounter.UNITS_REBUILT, count);
    count(ManagerCounter.BYTES_REBUILT, size);
    repairMs.add(ms);
    tally.done(codec, count, size, TimeUnit.MILLISECONDS.toNanos(ms));
  }

  /**
   * Counts a repair that failed.
   *
   * @param codec the codec of the group's policy
   * @param reason why it failed
   */
  public void failed(String codec, EndReason reason) {
    count(ManagerCounter.REPAIRS_FAILED);
    tally.ended(codec, reason);
  }

  /**
   * Counts a repair that ended before it was done, and without a fault.
   *
   * @param codec the codec of the group's policy
   * @param reason why it ended
   */
  public void dropped(String codec, EndReason reason) {
    count(ManagerCounter.REPAIRS_DROPPED);
    tally.ended(codec, reason);
  }

  /**
   * Counts a group without a plan.
   *
   * @param reason why there is no plan
   */
  public void refused(NoPlanReason reason) {
    count(ManagerCounter.PLANS_REFUSED);
    refusals.get(reason).increment();
  }

  /**
   * Counts groups that the checks in the background have looked at.
   *
   * @param found what was found in them
   */
  public void scrubbed(ScrubCounts found) {
    count(ManagerCounter.SCRUBBED_GROUPS, found.checked);
    count(ManagerCounter.SCRUBBED_BYTES, found.bytes);
    count(ManagerCounter.SCRUB_CONTRADICTIONS, found.contradictions);
    count(ManagerCounter.SCRUB_NOT_CHECKED, found.notChecked);
  }

  /**
   * Counts a cycle, whether it ended with an error or not.
   *
   * @param nanos how long the cycle took, ns
   */
  public void cycleTook(long nanos) {
    cycles.add(nanos);
    cycleMs.add(TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  @Override
  public void rescueFailed() {
    count(ManagerCounter.RESCUE_FAILURES);
  }

  @Override
  public void lookFailed() {
    count(ManagerCounter.GROUP_LOOKS_FAILED);
  }

  /**
   * Updates the gauges at the end of a cycle.
   *
   * @param status the manager's status at the end of the cycle
   */
  public void show(ManagerStatus status) {
    charge.set(status.inCharge ? 1 : 0);
    leftByHand.set(status.leftToStock.isPresent() ? 1 : 0);
    numbers.forEach((number, gauge) -> gauge.set(status.get(number)));
    bytesLeft.set(status.work.bytesLeft());
    rate.set((long) status.work.bytesPerSecond);
    oldestWaitMs.set(status.oldestWaitMs);
    lockNanosPerRepair.set(status.lockTimes.writeNanosPerRepair());
    lockNanosMax.set(status.lockTimes.write.nanosMax);
    shown = status;
  }

  /** @return the times of all cycles */
  public Durations.Snapshot cycles() {
    return cycles.snapshot();
  }

  /** @return how often there was no plan for a group, for each reason */
  public Map<NoPlanReason, Long> refusals() {
    Map<NoPlanReason, Long> counts = new EnumMap<>(NoPlanReason.class);
    refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
    return counts;
  }

  @Override
  public String getQuarantinedNodes() {
    return String.join("; ", shown.keptOut.values());
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder sums = collector.addRecord(registry.info());
    registry.snapshot(sums, all);
    sums.addCounter(HANDED, shown.handedToStock);
    new LabelledRecords(collector, NAME, scheduler).write(shown.waitingBySpareUnits, refusals(),
        tally.counts(), services.health());
  }

  /**
   * Writes the records of the source {@code PprNameNode} that have a label. The source has one such
   * record for each codec, outcome, reason, number of spare units and service.
   */
  static final class LabelledRecords {
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

    void write(Map<Integer, Integer> waiting, Map<NoPlanReason, Long> refusals,
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
}
