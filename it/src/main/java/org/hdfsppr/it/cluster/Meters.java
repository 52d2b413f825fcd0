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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The kernel's counters for each DataNode: the bytes over its link, and the bytes that its process
 * made the disk read. No daemon is asked, so the counters mean the same for every kind of repair.
 *
 * <p>Link bytes are frames with their headers (some 5 % over the payload, less when the kernel
 * hands frames over before cutting them) and include heartbeats (below 1 kB/s per node). Disk bytes
 * ({@code read_bytes} of /proc/PID/io) do not include what the page cache served, so the caller
 * drops from the cache what is to be read; they include read-ahead. Processor time tells how far
 * others on the machine disturbed a measurement.
 */
@InterfaceAudience.Private
public final class Meters {
  private final Map<Integer, LinkBytes> links = new HashMap<>();
  private final Map<Integer, Long> diskRead = new HashMap<>();
  private final Map<Integer, Double> daemonCpuSeconds = new HashMap<>();
  private final Map<Integer, Long> residentPeak = new HashMap<>();
  private OptionalLong crossRack = OptionalLong.empty();
  private double ownCpuSeconds;
  private double machineCpuSeconds;
  private final long readNanos = System.nanoTime();

  private Meters() {
  }

  /**
   * Reads all meters; nodes whose process is down are left out.
   *
   * @param cluster runs
   * @return the meters
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static Meters read(HdfsProcessCluster cluster) throws IOException {
    Meters meters = new Meters();
    for (int node = 1; node <= cluster.spec().nodes(); node++) {
      Optional<Long> pid = cluster.dataNode(node).pid();
      if (pid.isPresent()) {
        Optional<LinkBytes> link = cluster.links().linkBytes(node);
        if (link.isPresent()) {
          meters.links.put(node, link.get());
        }
        meters.diskRead.put(node, diskRead(pid.get()));
        meters.daemonCpuSeconds.put(node, CpuTimes.ofProcess(pid.get()));
        meters.residentPeak.put(node, residentPeak(pid.get()));
      }
    }
    meters.crossRack = cluster.links().crossRackBytes();
    meters.ownCpuSeconds = CpuTimes.ofProcess(ProcessHandle.current().pid());
    meters.machineCpuSeconds = CpuTimes.ofMachine();
    return meters;
  }

  private static long diskRead(long pid) throws IOException {
    for (String line : Files.readAllLines(Paths.get("/proc/" + pid + "/io"))) {
      if (line.startsWith("read_bytes: ")) {
        return Long.parseLong(line.substring("read_bytes: ".length()).strip());
      }
    }
    throw new IOException("/proc/" + pid + "/io has no read_bytes");
  }

  private static long residentPeak(long pid) throws IOException {
    for (String line : Files.readAllLines(Paths.get("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IOException("/proc/" + pid + "/status has no VmHWM");
  }

  /** {@return the most memory that any DataNode has had resident since its start, bytes} */
  public long residentPeak() {
    return residentPeak.values().stream().mapToLong(bytes -> bytes).max().orElse(0);
  }

  /**
   * {@return the bytes that the busiest receiver among the nodes has received since an earlier
   * reading}
   *
   * @param earlier an earlier reading
   */
  public OptionalLong busiestReceivedSince(Meters earlier) {
    return links.keySet().stream().filter(earlier.links::containsKey)
        .mapToLong(node -> receivedSince(earlier, node)).max();
  }

  /**
   * {@return the bytes that all nodes have received since an earlier reading; empty where links are
   * not counted}
   *
   * @param earlier an earlier reading
   */
  public OptionalLong receivedSince(Meters earlier) {
    return links.isEmpty() ? OptionalLong.empty()
        : OptionalLong.of(links.keySet().stream().filter(earlier.links::containsKey)
            .mapToLong(node -> receivedSince(earlier, node)).sum());
  }

  private long receivedSince(Meters earlier, int node) {
    return links.get(node).since(earlier.links.get(node)).received();
  }

  /**
   * {@return bytes that left racks since an earlier reading; empty where racks have no links}
   *
   * @param earlier an earlier reading
   */
  public OptionalLong crossRackSince(Meters earlier) {
    return crossRack.isPresent()
        ? OptionalLong.of(crossRack.getAsLong() - earlier.crossRack.getAsLong()) : crossRack;
  }

  /**
   * {@return bytes that the disk read for the DataNodes since an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public long diskReadSince(Meters earlier) {
    return diskRead.keySet().stream().filter(earlier.diskRead::containsKey)
        .mapToLong(node -> diskRead.get(node) - earlier.diskRead.get(node)).sum();
  }

  /**
   * {@return processor seconds that the DataNodes used since an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public double daemonCpuSecondsSince(Meters earlier) {
    return daemonCpuSeconds.keySet().stream().filter(earlier.daemonCpuSeconds::containsKey)
        .mapToDouble(node -> daemonCpuSeconds.get(node) - earlier.daemonCpuSeconds.get(node))
        .sum();
  }

  /**
   * {@return processor seconds that processes other than the DataNodes and this JVM have used since
   * an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public double otherCpuSecondsSince(Meters earlier) {
    return Math.max(0, machineCpuSeconds - earlier.machineCpuSeconds
        - daemonCpuSecondsSince(earlier) - (ownCpuSeconds - earlier.ownCpuSeconds));
  }

  /**
   * {@return the time of {@link #otherCpuSecondsSince} as a share of all processors' time since an
   * earlier reading}
   *
   * @param earlier an earlier reading
   */
  public double otherCpuShareSince(Meters earlier) {
    return otherCpuSecondsSince(earlier) * 1e9
        / ((readNanos - earlier.readNanos) * Runtime.getRuntime().availableProcessors());
  }
}
