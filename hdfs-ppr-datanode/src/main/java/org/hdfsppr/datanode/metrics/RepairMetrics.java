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
package org.hdfsppr.datanode.metrics;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.hdfsppr.service.Services;

/**
 * The counters of this DataNode's repairs, as a Metrics2 source.
 *
 * <p>The MBean is {@code Hadoop:service=DataNode,name=PprDataNode-<host>-<port>}, so
 * {@code /jmx?qry=Hadoop:service=DataNode,name=PprDataNode-*} finds it on any node. Counters count
 * from the start of the plugin. Names of times end in {@code Ms}, names of amounts of data in
 * {@code Bytes}; other counters count the events that they name. If
 * {@code dfs.metrics.percentiles.intervals} is set, the source also has percentiles of repair
 * times, as {@code RepairTimeMs<interval>s...}. Thread-safe.
 */
@InterfaceAudience.Private
public final class RepairMetrics implements MetricsSource {
  private static final String RECORD = "PprDataNode";
  private static final MetricsInfo BUFFERS =
      Interns.info("BuffersInUseBytes", "Bytes of slice buffers in use");

  private static final MetricsInfo HELPER_COMPUTE = Interns.info("HelperComputeMs",
      "Time in which helpers of repairs and of clients' reads multiplied and added");
  private static final MetricsInfo CHUNK_CACHE =
      Interns.info("ChunkCacheBytes", "Bytes that the chunk cache takes");
  private static final MetricsInfo CHUNK_CACHE_HITS =
      Interns.info("ChunkCacheHits", "Chunks found in the chunk cache");
  private static final MetricsInfo CHUNK_CACHE_MISSES =
      Interns.info("ChunkCacheMisses", "Chunks not found in the chunk cache");
  private static final MetricsInfo GROUPS_READ = Interns.info("GroupsReadDegraded",
      "Block groups whose lost units clients have lately read with this node's help");

  private static final MetricsInfo SERVICE = Interns.info("Service", "Thread of the plugin");
  private static final MetricsInfo STEP_AGE_MS = Interns.info("StepAgeMs",
      "Time since the thread has last taken a step");
  private static final MetricsInfo STEP_FAILURES = Interns.info("StepFailuresTotal",
      "Steps of the thread that ended with an error");

  private final String name;
  /** The threads of this plugin, and when each has last taken a step */
  public final Services services = new Services(System::nanoTime);
  private final MetricsRegistry registry = new MetricsRegistry(RECORD).setContext("dfs");

  private final MutableCounterLong started = counter("RepairsStarted", "Repairs started");
  private final MutableCounterLong succeeded = counter("RepairsSucceeded", "Repairs done");
  private final MutableCounterLong failed = counter("RepairsFailed", "Repairs failed");
  private final KeyedCounters startedByCodec = keyed("RepairsStartedCodec");
  private final KeyedCounters startedByTopology = keyed("RepairsStartedTopology");
  private final KeyedCounters succeededByCodec = keyed("RepairsSucceededCodec");
  private final KeyedCounters succeededByTopology = keyed("RepairsSucceededTopology");
  private final KeyedCounters failedByCodec = keyed("RepairsFailedCodec");
  private final KeyedCounters failedByTopology = keyed("RepairsFailedTopology");
  private final MutableGaugeInt repairsInFlight =
      registry.newGauge("RepairsInFlight", "Repairs that this node is the destination of", 0);
  private final MutableRate repairTime =
      registry.newRate("RepairTimeMs", "Time of a repair in ms, good or bad");
  private final List<MutableQuantiles> repairTimeQuantiles = new ArrayList<>();

  private final Map<FallbackReason, MutableCounterLong> fallbacks =
      new EnumMap<>(FallbackReason.class);
  private final Map<HelperRejection, MutableCounterLong> rejections =
      new EnumMap<>(HelperRejection.class);
  private final Map<ByteFlow, MutableCounterLong> flows = new EnumMap<>(ByteFlow.class);
  private final Map<CommandEvent, MutableCounterLong> commandEvents =
      new EnumMap<>(CommandEvent.class);
  private final Map<VersionCount, MutableCounterLong> versions =
      new EnumMap<>(VersionCount.class);
  private final Map<RepairPhase, MutableRate> phases = new EnumMap<>(RepairPhase.class);

  private final MutableCounterLong slicesVerified =
      counter("SlicesVerified", "Slices checked against a parity row");
  private final MutableCounterLong verificationFailures =
      counter("VerificationFailures", "Repairs failed because a slice did not check out");
  private final MutableCounterLong unverifiableRepairs =
      counter("UnverifiableRepairs", "Repairs with no helper to spare for a check");

  private final MutableCounterLong helpersAccepted =
      counter("HelperRequestsAccepted", "Requests of other nodes that were served");
  private final MutableGaugeInt helpersInFlight =
      registry.newGauge("HelpersInFlight", "Requests of other nodes being served", 0);

  /**
   * The computing time of helpers, ns. It is not kept in milliseconds, because many requests
   * compute for less than one. The metric shows the sum in milliseconds.
   */
  private final LongAdder helperComputeNanos = new LongAdder();

  private final MutableCounterLong degradedReads =
      counter("DegradedReadsServed", "Requests of clients that read lost units");

  private final MutableGaugeInt managersAnswering = registry.newGauge("ManagersAnswering",
      "NameNodes whose repair manager answers heartbeats", 0);
  private final MutableGaugeInt managersActive = registry.newGauge("ManagersActive",
      "NameNodes whose repair manager schedules", 0);

  private volatile LongSupplier bufferBytes = () -> 0;
  private volatile LongSupplier chunkCacheBytes = () -> 0;
  private volatile LongSupplier chunkCacheHits = () -> 0;
  private volatile LongSupplier chunkCacheMisses = () -> 0;
  private volatile LongSupplier groupsReadDegraded = () -> 0;
  private boolean registered;

  private RepairMetrics(String name, int[] percentileIntervalsSec) {
    this.name = name;
    for (FallbackReason reason : FallbackReason.values()) {
      fallbacks.put(reason, counter("Fallbacks" + reason.metricName,
          "Repairs left to stock: " + reason.metricName));
    }
    for (HelperRejection reason : HelperRejection.values()) {
      rejections.put(reason, counter("HelperRequestsRejected" + reason.metricName,
          "Requests of other nodes refused: " + reason.metricName));
    }
    for (ByteFlow flow : ByteFlow.values()) {
      flows.put(flow, counter(flow.metricName, flow.description));
    }
    for (CommandEvent event : CommandEvent.values()) {
      commandEvents.put(event, counter(event.metricName, event.description));
    }
    for (VersionCount count : VersionCount.values()) {
      versions.put(count, counter(count.metricName, count.description));
    }
    for (RepairPhase phase : RepairPhase.values()) {
      phases.put(phase, registry.newRate(phase.metricName, "Part of a repair in ms"));
    }
    for (int interval : percentileIntervalsSec) {
      repairTimeQuantiles.add(registry.newQuantiles("repairTimeMs" + interval + "s",
          "Time of a repair in ms", "ops", "latency", interval));
    }
  }

  /**
   * Makes a source and registers it.
   *
   * @param conf the DataNode's configuration, which says whether the source has percentiles
   * @param datanodeName the name that tells DataNodes of one process apart: {@code
   *     DataNode.getDisplayName()}
   * @return the registered source
   */
  public static RepairMetrics register(Configuration conf, String datanodeName) {
    String name = RECORD + "-" + (datanodeName.isEmpty()
        ? "UndefinedDataNodeName" + ThreadLocalRandom.current().nextInt()
        : datanodeName.replace(':', '-'));
    // By default the setting names no intervals, and no percentiles are computed.
    RepairMetrics metrics = new RepairMetrics(
        name, conf.getInts(DFSConfigKeys.DFS_METRICS_PERCENTILES_INTERVALS_KEY));
    DefaultMetricsSystem.instance().register(name, "Repairs of erasure-coded blocks", metrics);
    metrics.registered = true;
    return metrics;
  }

  /** Unregisters the source and its MBean and stops its timers. A caller may call this twice. */
  public synchronized void unregister() {
    if (registered) {
      registered = false;
      DefaultMetricsSystem.instance().unregisterSource(name);
      repairTimeQuantiles.forEach(MutableQuantiles::stop);
    }
  }

  /** @return the name under which the source is registered */
  public String sourceName() {
    return name;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    registry.snapshot(record, all);
    record.addGauge(BUFFERS, bufferBytes.getAsLong());
    record.addGauge(CHUNK_CACHE, chunkCacheBytes.getAsLong());
    record.addCounter(HELPER_COMPUTE,
        TimeUnit.NANOSECONDS.toMillis(helperComputeNanos.sum()));
    record.addCounter(CHUNK_CACHE_HITS, chunkCacheHits.getAsLong());
    record.addCounter(CHUNK_CACHE_MISSES, chunkCacheMisses.getAsLong());
    record.addGauge(GROUPS_READ, groupsReadDegraded.getAsLong());
    for (Services.Health service : services.health()) {
      collector.addRecord(RECORD + "Service").setContext("dfs").tag(SERVICE, service.name)
          .addGauge(STEP_AGE_MS, TimeUnit.NANOSECONDS.toMillis(service.ageNanos))
          .addCounter(STEP_FAILURES, service.failures);
    }
  }

  private MutableCounterLong counter(String metric, String description) {
    return registry.newCounter(metric, description, 0L);
  }

  private KeyedCounters keyed(String prefix) {
    return new KeyedCounters(registry, prefix, prefix);
  }

  /**
   * Counts a repair that begins. When the repair ends, the caller calls {@link #repairSucceeded} or
   * {@link #repairFailed}.
   *
   * @param codec the codec of the group
   * @param topology the shape of the tree
   */
  public void repairStarted(String codec, String topology) {
    started.incr();
    startedByCodec.incr(codec);
    startedByTopology.incr(topology);
    repairsInFlight.incr();
  }

  /**
   * Counts a repair that has rebuilt its units.
   *
   * @param codec the codec of the group
   * @param topology the shape of the tree
   * @param elapsedMs the time since the repair began, ms
   */
  public void repairSucceeded(String codec, String topology, long elapsedMs) {
    succeeded.incr();
    succeededByCodec.incr(codec);
    succeededByTopology.incr(topology);
    repairEnded(elapsedMs);
  }

  /**
   * Counts a repair that has not rebuilt its units.
   *
   * @param codec the codec of the group
   * @param topology the shape of the tree
   * @param elapsedMs the time since the repair began, ms
   */
  public void repairFailed(String codec, String topology, long elapsedMs) {
    failed.incr();
    failedByCodec.incr(codec);
    failedByTopology.incr(topology);
    repairEnded(elapsedMs);
  }

  private void repairEnded(long elapsedMs) {
    repairsInFlight.decr();
    repairTime.add(elapsedMs);
    for (MutableQuantiles quantiles : repairTimeQuantiles) {
      quantiles.add(elapsedMs);
    }
  }

  /**
   * Counts a repair that goes to stock.
   *
   * @param reason why the repair goes to stock
   */
  public void fallback(FallbackReason reason) {
    fallbacks.get(reason).incr();
  }

  /**
   * Counts bytes that a repair or a client's degraded read moved.
   *
   * @param flow where the bytes came from or went to
   * @param bytes the number of bytes
   */
  public void addBytes(ByteFlow flow, long bytes) {
    flows.get(flow).incr(bytes);
  }

  /**
   * Adds the time of one phase of a repair.
   *
   * @param phase the phase of the repair
   * @param elapsedMs the time that the phase took, ms
   */
  public void phaseTook(RepairPhase phase, long elapsedMs) {
    phases.get(phase).add(elapsedMs);
  }

  /**
   * Counts slices whose bytes satisfied an equation of the code.
   *
   * @param slices the number of slices
   */
  public void slicesVerified(long slices) {
    slicesVerified.incr(slices);
  }

  /** Counts an attempt, or a check of units that a repair left out, that found a contradiction. */
  public void verificationFailed() {
    verificationFailures.incr();
  }

  /**
   * Counts an attempt that cannot check all of its result, because no spare units are left.
   */
  public void verificationImpossible() {
    unverifiableRepairs.incr();
  }

  /**
   * Counts a request that was accepted. When the request ends, the caller calls {@link
   * #helperFinished}.
   */
  public void helperStarted() {
    helpersAccepted.incr();
    helpersInFlight.incr();
  }

  /**
   * Adds the time in which a request of another node, or of a client, multiplied and added.
   *
   * @param nanos the time, nanoseconds
   */
  public void helperComputed(long nanos) {
    helperComputeNanos.add(nanos);
  }

  /** Notes that a request that {@link #helperStarted} counted has ended, served or not. */
  public void helperFinished() {
    helpersInFlight.decr();
  }

  /** @return the requests of other nodes that are being served */
  public int helpersInFlight() {
    return helpersInFlight.value();
  }

  /** Counts a client's request for a part of a lost unit that this DataNode has served. */
  public void degradedReadServed() {
    degradedReads.incr();
  }

  /**
   * Counts an event between this DataNode and a repair manager.
   *
   * @param event the event that happened
   */
  public void commandEvent(CommandEvent event) {
    commandEvents.get(event).incr();
  }

  /**
   * Adds to a counter of what this DataNode has done for new versions of files.
   *
   * @param what the counter
   * @param count the number of events, or of bytes, to add
   */
  public void versions(VersionCount what, long count) {
    versions.get(what).incr(count);
  }

  /**
   * Adjusts the numbers of managers after the state of a NameNode's repair manager has changed.
   *
   * @param answering how many more managers answer than before; negative if fewer do
   * @param active how many more managers schedule than before; negative if fewer do
   */
  public void managersChanged(int answering, int active) {
    managersAnswering.incr(answering);
    managersActive.incr(active);
  }

  /**
   * Counts a request that was refused.
   *
   * @param reason the reason for the refusal
   */
  public void helperRejected(HelperRejection reason) {
    rejections.get(reason).incr();
  }

  /**
   * Sets the sources of the chunk cache's metrics.
   *
   * @param bytes the bytes that the cache takes now
   * @param hits the number of look-ups so far that found their chunk in the cache
   * @param misses the number of look-ups so far that did not find their chunk in the cache
   */
  public void watchChunkCache(LongSupplier bytes, LongSupplier hits, LongSupplier misses) {
    chunkCacheBytes = bytes;
    chunkCacheHits = hits;
    chunkCacheMisses = misses;
  }

  /**
   * Sets the source of the number of block groups that clients read degraded.
   *
   * @param groups the number of these groups now
   */
  public void watchGroupsReadDegraded(LongSupplier groups) {
    groupsReadDegraded = groups;
  }

  /**
   * Sets the source of the gauge of slice buffers.
   *
   * @param inUse the bytes of slice buffers that repairs use now
   */
  public void watchBufferBytes(LongSupplier inUse) {
    bufferBytes = inUse;
  }

  /**
   * Keeps a counter for each key, such as {@code RepairsFailedCodecRsLegacy}. The counter is made
   * when the key is first seen.
   *
   * <p>Keys come from configuration and from other nodes, so the number of counters is bounded: the
   * keys after the first {@link #KEYS_MAX} share one counter.
   */
  static final class KeyedCounters {
    /**
     * The greatest number of keys with a counter of their own. A cluster uses fewer codecs than
     * this, and fewer topologies.
     */
    private static final int KEYS_MAX = 16;
    private static final String REST = "Other";

    private final MetricsRegistry registry;
    private final String prefix;
    private final String description;
    private final Map<String, MutableCounterLong> counters = new HashMap<>();

    KeyedCounters(MetricsRegistry registry, String prefix, String description) {
      this.registry = registry;
      this.prefix = prefix;
      this.description = description;
    }

    synchronized void incr(String key) {
      String name = camelCase(key);
      MutableCounterLong counter = counters.get(name);
      if (counter == null && counters.size() >= KEYS_MAX) {
        name = REST;
        counter = counters.get(name);
      }
      if (counter == null) {
        counter = registry.newCounter(prefix + name, description + " " + name, 0L);
        counters.put(name, counter);
      }
      counter.incr();
    }

    /**
     * Turns {@code rs-legacy} into {@code RsLegacy}, which is valid in metric names and JMX
     * attributes.
     */
    static String camelCase(String key) {
      StringBuilder name = new StringBuilder();
      boolean upper = true;
      for (int i = 0; i < key.length(); i++) {
        char c = key.charAt(i);
        if (c < 128 && Character.isLetterOrDigit(c)) {
          name.append(upper ? Character.toUpperCase(c) : c);
          upper = false;
        } else {
          upper = true;
        }
      }
      return name.length() == 0 ? REST : name.toString();
    }
  }
}
