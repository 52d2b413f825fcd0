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

import javax.management.ObjectName;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.apache.hadoop.metrics2.util.MBeans;

/**
 * The repair manager's counters, as a Metrics2 source. The MBean is
 * {@code Hadoop:service=NameNode,name=PprNameNode}.
 */
@InterfaceAudience.Private
public final class ManagerMetrics implements MetricsSource, PprNameNodeInfoMXBean {
  private static final String NAME = "PprNameNode";
  private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
  private final MutableGaugeInt charge = registry.newGauge("InCharge",
      "1 if claimed groups are scheduled here, 0 if all is stock's", 0);
  private final MutableCounterLong started = counter("RepairsStarted", "Repairs ordered");
  private final MutableCounterLong rebuilt = counter("RepairsDone", "Repairs done");
  private final MutableCounterLong units = counter("UnitsRebuilt", "Internal blocks rebuilt");
  private final MutableCounterLong failed = counter("RepairsFailed", "Repairs failed");
  private final MutableCounterLong refused = counter("PlansRefused", "Groups without a plan");
  private final MutableCounterLong leftToStock = counter("GroupsLeftToStock",
      "Groups left to stock for a time");
  private final MutableCounterLong promoted = counter("GroupsPromoted",
      "Groups that went before others, while they waited, because clients read them");
  private final MutableCounterLong cyclesFailed = counter("CyclesFailed",
      "Cycles that ended with an error");
  private final MutableCounterLong rescueFailures = counter("RescueFailures",
      "Groups that could not be handed to stock with their priority while no cycle ran");
  private final MutableCounterLong plans = counter("Plans", "Repairs planned");
  private final MutableCounterLong planningNanos = counter("PlanningNanos",
      "Nanoseconds spent planning");
  private final MutableRate repairMs = registry.newRate("RepairMs",
      "From the plan to the block report");
  private final MutableGaugeInt queued = gauge("GroupsQueued", "Groups that wait");
  private final MutableGaugeInt unrecoverable = gauge("GroupsUnrecoverable",
      "Waiting groups that have lost too many units");
  private final MutableGaugeInt readDegraded = gauge("GroupsReadDegraded",
      "Waiting groups that clients read degraded");
  private final MutableGaugeInt doubted = gauge("GroupsDoubted",
      "Groups whose units contradict each other, so that one is wrong; they are kept from stock,"
          + " also while stock schedules repairs");
  private final MutableGaugeInt suspected = gauge("GroupsSuspected",
      "Groups in which one node found units that contradict each other; another node repairs"
          + " them next, and they are kept from stock until then");
  private final MutableGaugeInt inFlight = gauge("RepairsInFlight", "Repairs under way");
  private final MutableGaugeInt agents = gauge("Agents", "DataNodes that run the extension");
  private final MutableGaugeInt quarantined = gauge("NodesQuarantined",
      "DataNodes kept out of repairs");
  private final MutableGaugeLong lockNanosPerRepair = registry.newGauge("WriteLockNanosPerRepair",
      "Nanoseconds of the NameNode's write lock per repair", 0L);
  private final MutableGaugeLong lockNanosMax = registry.newGauge("WriteLockNanosMax",
      "Longest hold of the NameNode's write lock", 0L);
  private boolean registered;
  private ObjectName info;
  private volatile String quarantinedNodes = "";

  private ManagerMetrics() {
  }

  /**
   * Makes a source and registers it.
   *
   * @return the source
   */
  public static ManagerMetrics register() {
    ManagerMetrics metrics = new ManagerMetrics();
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

  private MutableCounterLong counter(String name, String description) {
    return registry.newCounter(name, description, 0L);
  }

  private MutableGaugeInt gauge(String name, String description) {
    return registry.newGauge(name, description, 0);
  }

  /** Counts a repair that was ordered. */
  public void started() {
    started.incr();
  }

  /**
   * Counts a repair that was done.
   *
   * @param count how many units were rebuilt
   * @param ms time from the plan to the block report, ms
   */
  public void rebuilt(int count, long ms) {
    rebuilt.incr();
    units.incr(count);
    repairMs.add(ms);
  }

  /** Counts a repair that failed. */
  public void failed() {
    failed.incr();
  }

  /** Counts a group without a plan. */
  public void refused() {
    refused.incr();
  }

  /** Counts a group that was left to stock. */
  public void leftToStock() {
    leftToStock.incr();
  }

  /** Counts a group that goes before others because clients read it. */
  public void promoted() {
    promoted.incr();
  }

  /** Counts a cycle that ended with an error. */
  public void cycleFailed() {
    cyclesFailed.incr();
  }

  /** Counts a group that could not be handed to stock with its priority while no cycle ran. */
  public void rescueFailed() {
    rescueFailures.incr();
  }

  /**
   * Counts the plans of a cycle.
   *
   * @param count how many repairs were planned
   * @param nanos how long that took, ns
   */
  public void planned(int count, long nanos) {
    plans.incr(count);
    planningNanos.incr(nanos);
  }

  /**
   * Updates the gauges at the end of a cycle.
   *
   * @param status the manager's status at the end of the cycle
   */
  public void show(ManagerStatus status) {
    charge.set(status.isInCharge() ? 1 : 0);
    queued.set(status.waiting());
    unrecoverable.set(status.unrecoverable());
    readDegraded.set(status.readDegraded());
    doubted.set(status.doubted());
    suspected.set(status.suspected());
    inFlight.set(status.inFlight());
    agents.set(status.participants());
    quarantined.set(status.keptOut().size());
    quarantinedNodes = String.join("; ", status.keptOut().values());
    lockNanosPerRepair.set(status.lockTimes().writeNanosPerRepair());
    lockNanosMax.set(status.lockTimes().writeNanosMax());
  }

  @Override
  public String getQuarantinedNodes() {
    return quarantinedNodes;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    registry.snapshot(collector.addRecord(registry.info()), all);
  }
}
