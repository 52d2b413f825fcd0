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

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.ClusterSpec;

/** A point and what was measured of it, for each byte that was asked. Immutable. */
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

  double mbPerSecond() {
    return asked / measured.load.seconds / MEGA;
  }

  private static double publicBytes(Usage usage) {
    return usage.peers.nodesToClients + usage.peers.clientsToNodes;
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
  List<Row> rows(List<PointRecord> all) {
    List<Row> rows = new ArrayList<>();
    rows.add(row(all));
    List<Usage> readings = measured.readings;
    for (int i = 1; i < readings.size(); i++) {
      rows.add(sampleRow(i));
    }
    return rows;
  }

  private Row head(String what) {
    return new Row("characterize").put("what", what)
        .put("scheme", point.scheme.label)
        .put("request", RequestSizes.text(point.requestBytes))
        .put("request_kib", point.requestBytes / 1024.0)
        .put("pattern", point.places.label)
        .put("op", point.operation.label())
        .put("state", point.state.label());
  }

  /** {@return the row of the point; its ratios compare it with all points} */
  Row row(List<PointRecord> all) {
    LoadResult load = measured.load;
    double user = idle.userSeconds(used);
    double system = idle.systemSeconds(used);
    ProcessUsage client = used.of(DaemonKind.CLIENT);
    ProcessUsage nodes = used.of(DaemonKind.DATANODES);
    Row row = head("point")
        .put("code", point.scheme.isReplicated() ? null : point.scheme.code().label())
        .put("request_bytes", point.requestBytes)
        .put("depth", point.scheme.stock ? 1 : settings.depth)
        .put("fsync", settings.flushEach)
        .put("asked_bytes", load.bytes)
        .put("requests", load.requests)
        .put("seconds", load.seconds);
    row.put("mb_per_s", mbPerSecond());
    row.put("latency_mean_ms", load.meanMs);
    row.put("latency_p99_ms", load.p99Ms);
    row.put("flush_ms", load.flushMs);
    row.put("cpu_user_ns_per_byte", user * NANOS / asked);
    row.put("cpu_system_ns_per_byte", system * NANOS / asked);
    row.put("cpu_ns_per_byte", user * NANOS / asked + system * NANOS / asked);
    row.put("client_cpu_ns_per_byte", (client.userSeconds + client.systemSeconds) * NANOS / asked);
    row.put("cpu_user_percent", share(user));
    row.put("cpu_system_percent", share(system));
    row.put("cpu_percent", share(user + system));
    row.put("switches_per_byte", idle.switches(used) / asked);
    row.put("client_switches_per_byte", client.switches() / asked);
    row.put("storage_read_per_byte", nodes.readBytes / asked);
    row.put("storage_written_per_byte", nodes.writtenBytes / asked);
    row.put("private_per_byte", used.peers.betweenNodes / asked);
    row.put("public_per_byte", publicBytes(used) / asked);
    row.put("control_per_byte", used.peers.masters / asked);
    putWithCommit(row);
    row.put("random_over_sequential", randomOverSequential(all));
    row.put("pristine_over_overwritten", pristineOverOverwritten(all));
    for (DaemonKind kind : DaemonKind.values()) {
      putKind(row, kind, used.of(kind));
    }
    row.put("idle_cpu_percent", (idle.userShare + idle.systemShare) * PERCENT / processors);
    row.put("idle_switches_per_s", idle.switchesPerSecond);
    return row.put("metered_seconds", used.seconds)
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

  private void putWithCommit(Row row) {
    Usage usage = measured.usedWithCommit().orElse(null);
    row.put("committed_cpu_ns_per_byte", usage == null ? Double.NaN
        : (idle.userSeconds(usage) + idle.systemSeconds(usage)) * NANOS / asked);
    row.put("committed_switches_per_byte", usage == null ? Double.NaN
        : idle.switches(usage) / asked);
    row.put("committed_storage_read_per_byte", usage == null ? Double.NaN
        : usage.of(DaemonKind.DATANODES).readBytes / asked);
    row.put("committed_storage_written_per_byte", usage == null ? Double.NaN
        : usage.of(DaemonKind.DATANODES).writtenBytes / asked);
    row.put("committed_private_per_byte", usage == null ? Double.NaN
        : usage.peers.betweenNodes / asked);
    row.put("commit_seconds", usage == null ? Double.NaN : usage.seconds - used.seconds);
  }

  private static void putKind(Row row, DaemonKind kind, ProcessUsage usage) {
    ObjectNode ofKind = row.json.putObject(kind.label());
    ofKind.put("cpu_user_seconds", usage.userSeconds)
        .put("cpu_system_seconds", usage.systemSeconds)
        .put("waits", usage.waits).put("preemptions", usage.preemptions)
        .put("read_bytes", usage.readBytes).put("write_bytes", usage.writtenBytes);
  }

  private Row sampleRow(int index) {
    List<Usage> readings = measured.readings;
    Usage until = readings.get(index);
    Usage from = readings.get(index - 1);
    Usage usage = until.since(from);
    AskedBytes progress = measured.load.progress;
    Row row = head("sample");
    row.put("second", Math.round(until.seconds - readings.get(0).seconds));
    row.put("sample_seconds", usage.seconds);
    row.put("mb_per_s",
        (progress.until(until.seconds) - progress.until(from.seconds)) / usage.seconds
            / MEGA);
    row.put("cpu_percent", (idle.userSeconds(usage) + idle.systemSeconds(usage)) * PERCENT
        / (usage.seconds * processors));
    row.put("switches_per_s", idle.switches(usage) / usage.seconds);
    row.put("storage_read_mb_per_s",
        usage.of(DaemonKind.DATANODES).readBytes / usage.seconds / MEGA);
    row.put("storage_written_mb_per_s",
        usage.of(DaemonKind.DATANODES).writtenBytes / usage.seconds / MEGA);
    row.put("private_mb_per_s", usage.peers.betweenNodes / usage.seconds / MEGA);
    row.put("public_mb_per_s", publicBytes(usage) / usage.seconds / MEGA);
    return row;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s: %.2f MB/s", point, mbPerSecond());
  }
}
