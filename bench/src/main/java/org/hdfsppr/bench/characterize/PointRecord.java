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
package org.hdfsppr.bench.characterize;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;

/** A point and what was measured of it, for each byte that was asked. Immutable. */
@InterfaceAudience.Private
final class PointRecord {
  private static final double MEGA = 1e6;
  private static final double NANOS = 1e9;
  private static final double PERCENT = 100;

  final LoadPoint point;
  private final LoadSettings settings;
  private final ClusterSpec cluster;
  private final IdleUsage idle;
  private final int processors;
  private final PointMeasured measured;
  private final double asked;
  private final Usage used;

  PointRecord(LoadPoint point, LoadSettings settings, ClusterSpec cluster, IdleUsage idle,
      int processors, PointMeasured measured) {
    this.point = point;
    this.settings = settings;
    this.cluster = cluster;
    this.idle = idle;
    this.processors = processors;
    this.measured = measured;
    this.asked = measured.load.bytes;
    this.used = measured.used();
  }

  LoadResult load() {
    return measured.load;
  }

  double mbPerSecond() {
    return asked / measured.load.seconds / MEGA;
  }

  /** {@return processor nanoseconds of the cluster in user mode, for each byte} */
  double userNanos() {
    return idle.userSeconds(used) * NANOS / asked;
  }

  /** {@return processor nanoseconds of the cluster in the kernel, for each byte} */
  double systemNanos() {
    return idle.systemSeconds(used) * NANOS / asked;
  }

  /** {@return processor nanoseconds of the client, for each byte} */
  double clientNanos() {
    ProcessUsage client = used.of(DaemonKind.CLIENT);
    return (client.userSeconds + client.systemSeconds) * NANOS / asked;
  }

  /** {@return context switches of the cluster, for each byte} */
  double switches() {
    return idle.switches(used) / asked;
  }

  double storageRead() {
    return used.of(DaemonKind.DATANODES).readBytes / asked;
  }

  double storageWritten() {
    return used.of(DaemonKind.DATANODES).writtenBytes / asked;
  }

  double privateBytes() {
    return used.peers.betweenNodes / asked;
  }

  double publicBytes() {
    return publicBytes(used) / asked;
  }

  private static double publicBytes(Usage usage) {
    return usage.peers.nodesToClients + usage.peers.clientsToNodes;
  }

  /** {@return the storage bytes that were written with the commit, for each byte} */
  double storageWrittenWithCommit() {
    return measured.usedWithCommit()
        .map(usage -> usage.of(DaemonKind.DATANODES).writtenBytes / asked).orElse(Double.NaN);
  }

  /** {@return the bytes between DataNodes with the commit, for each byte} */
  double privateBytesWithCommit() {
    return measured.usedWithCommit().map(usage -> usage.peers.betweenNodes / asked)
        .orElse(Double.NaN);
  }

  /** {@return the throughput at random places over that in sequence; NaN without a counterpart} */
  double randomOverSequential(List<PointRecord> all) {
    return ratio(all, record -> record.point.places == Places.RANDOM,
        record -> record.point.places == Places.SEQUENTIAL, point::isBesides);
  }

  /** {@return the throughput of a pristine device over that of an overwritten one, likewise} */
  double pristineOverOverwritten(List<PointRecord> all) {
    return ratio(all, record -> record.point.state == DeviceState.PRISTINE,
        record -> record.point.state == DeviceState.OVERWRITTEN, point::isSameLoad);
  }

  /** Only the records of the upper side have the ratio, so that each is there once. */
  private double ratio(List<PointRecord> all, Predicate<PointRecord> upper,
      Predicate<PointRecord> lower, Predicate<LoadPoint> like) {
    Optional<PointRecord> other = all.stream()
        .filter(record -> lower.test(record) && like.test(record.point)).findFirst();
    return upper.test(this) && other.isPresent() ? mbPerSecond() / other.get().mbPerSecond()
        : Double.NaN;
  }

  /** {@return a row for the point, and one for each second of it} */
  List<JsonNode> toJson(ObjectMapper mapper, List<PointRecord> all) {
    List<JsonNode> rows = new ArrayList<>();
    rows.add(pointRow(mapper, all));
    List<Usage> readings = measured.readings;
    for (int i = 1; i < readings.size(); i++) {
      rows.add(sampleRow(mapper, i));
    }
    return rows;
  }

  private ObjectNode head(ObjectMapper mapper, String what) {
    return mapper.createObjectNode().put("bench", "characterize").put("what", what)
        .put("scheme", point.scheme.label)
        .put("request", RequestSizes.text(point.requestBytes))
        .put("request_kib", point.requestBytes / 1024.0)
        .put("pattern", point.places.label)
        .put("op", point.operation.label())
        .put("state", point.state.label());
  }

  private ObjectNode pointRow(ObjectMapper mapper, List<PointRecord> all) {
    LoadResult load = measured.load;
    ObjectNode json = head(mapper, "point");
    json.put("code", point.scheme.isReplicated() ? null : point.scheme.code().label())
        .put("request_bytes", point.requestBytes)
        .put("depth", point.scheme.stock ? 1 : settings.depth)
        .put("fsync", settings.flushEach)
        .put("asked_bytes", load.bytes)
        .put("requests", load.requests)
        .put("seconds", load.seconds);
    put(json, "mb_per_s", mbPerSecond());
    put(json, "latency_mean_ms", load.meanMs);
    put(json, "latency_p99_ms", load.p99Ms);
    put(json, "flush_ms", load.flushMs);
    put(json, "cpu_user_ns_per_byte", userNanos());
    put(json, "cpu_system_ns_per_byte", systemNanos());
    put(json, "cpu_ns_per_byte", userNanos() + systemNanos());
    put(json, "client_cpu_ns_per_byte", clientNanos());
    put(json, "cpu_user_percent", share(idle.userSeconds(used)));
    put(json, "cpu_system_percent", share(idle.systemSeconds(used)));
    put(json, "cpu_percent", share(idle.userSeconds(used) + idle.systemSeconds(used)));
    put(json, "switches_per_byte", switches());
    put(json, "client_switches_per_byte", used.of(DaemonKind.CLIENT).switches() / asked);
    put(json, "storage_read_per_byte", storageRead());
    put(json, "storage_written_per_byte", storageWritten());
    put(json, "private_per_byte", privateBytes());
    put(json, "public_per_byte", publicBytes());
    put(json, "control_per_byte", used.peers.masters / asked);
    putWithCommit(json);
    put(json, "random_over_sequential", randomOverSequential(all));
    put(json, "pristine_over_overwritten", pristineOverOverwritten(all));
    for (DaemonKind kind : DaemonKind.values()) {
      putKind(json, kind, used.of(kind));
    }
    put(json, "idle_cpu_percent", (idle.userShare + idle.systemShare) * PERCENT / processors);
    put(json, "idle_switches_per_s", idle.switchesPerSecond);
    return json.put("metered_seconds", used.seconds)
        .put("device_bytes", settings.measuredBytes(point.scheme))
        .put("object_bytes", settings.objectBytes(point.scheme))
        .put("nodes", cluster.nodes)
        .put("racks", cluster.racks)
        .put("rate", cluster.rate.toString())
        .put("cross_rack_rate", cluster.crossRackRate.toString())
        .put("processors", processors)
        .put("hadoop", cluster.hadoopVersion);
  }

  private double share(double seconds) {
    return seconds * PERCENT / (used.seconds * processors);
  }

  private void putWithCommit(ObjectNode json) {
    Usage usage = measured.usedWithCommit().orElse(null);
    put(json, "committed_cpu_ns_per_byte", usage == null ? Double.NaN
        : (idle.userSeconds(usage) + idle.systemSeconds(usage)) * NANOS / asked);
    put(json, "committed_switches_per_byte", usage == null ? Double.NaN
        : idle.switches(usage) / asked);
    put(json, "committed_storage_read_per_byte", usage == null ? Double.NaN
        : usage.of(DaemonKind.DATANODES).readBytes / asked);
    put(json, "committed_storage_written_per_byte", storageWrittenWithCommit());
    put(json, "committed_private_per_byte", privateBytesWithCommit());
    put(json, "commit_seconds", usage == null ? Double.NaN : usage.seconds - used.seconds);
  }

  private static void putKind(ObjectNode json, DaemonKind kind, ProcessUsage usage) {
    ObjectNode ofKind = json.putObject(kind.label());
    put(ofKind, "cpu_user_seconds", usage.userSeconds);
    put(ofKind, "cpu_system_seconds", usage.systemSeconds);
    ofKind.put("waits", usage.waits).put("preemptions", usage.preemptions)
        .put("read_bytes", usage.readBytes).put("write_bytes", usage.writtenBytes);
  }

  private ObjectNode sampleRow(ObjectMapper mapper, int index) {
    List<Usage> readings = measured.readings;
    Usage until = readings.get(index);
    Usage from = readings.get(index - 1);
    Usage usage = until.since(from);
    AskedBytes progress = measured.load.progress;
    ObjectNode json = head(mapper, "sample");
    json.put("second", Math.round(until.seconds - readings.get(0).seconds));
    put(json, "sample_seconds", usage.seconds);
    put(json, "mb_per_s",
        (progress.until(until.seconds) - progress.until(from.seconds)) / usage.seconds
            / MEGA);
    put(json, "cpu_percent", (idle.userSeconds(usage) + idle.systemSeconds(usage)) * PERCENT
        / (usage.seconds * processors));
    put(json, "switches_per_s", idle.switches(usage) / usage.seconds);
    put(json, "storage_read_mb_per_s",
        usage.of(DaemonKind.DATANODES).readBytes / usage.seconds / MEGA);
    put(json, "storage_written_mb_per_s",
        usage.of(DaemonKind.DATANODES).writtenBytes / usage.seconds / MEGA);
    put(json, "private_mb_per_s", usage.peers.betweenNodes / usage.seconds / MEGA);
    put(json, "public_mb_per_s", publicBytes(usage) / usage.seconds / MEGA);
    return json;
  }

  private static void put(ObjectNode json, String field, double value) {
    json.put(field, Double.isNaN(value) ? null : (Double) value);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s: %.2f MB/s", point, mbPerSecond());
  }
}
