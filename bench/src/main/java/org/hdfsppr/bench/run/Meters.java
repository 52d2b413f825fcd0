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
package org.hdfsppr.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LinkBytes;

/**
 * Reads the kernel's counters for each DataNode: how many bytes its link carried, how many bytes
 * its process read from the disk and wrote to it, and how much processor time and memory its
 * process used. The daemons do not count these values themselves, so the values mean the same for
 * every kind of repair.
 *
 * <p>Link bytes are frames with their headers and include heartbeats (below 1 kB/s per node). The
 * headers add some 5 % to the payload. They add less when the kernel counts a large segment before
 * it splits the segment into frames. Disk bytes ({@code read_bytes} of /proc/PID/io) include
 * read-ahead, but not the bytes that the page cache served. The caller therefore drops files from
 * the cache before a repair reads them. Written bytes ({@code write_bytes}) count when a process
 * fills pages of files, those of its log included. The processor time of other processes shows how
 * much they disturbed a measurement.
 */
@InterfaceAudience.Private
public final class Meters {
  private final Map<Integer, LinkBytes> links = new HashMap<>();
  private final Map<Integer, Long> diskRead = new HashMap<>();
  private final Map<Integer, Long> diskWritten = new HashMap<>();
  private final Map<Integer, Double> daemonCpuSeconds = new HashMap<>();
  private final Map<Integer, Long> residentPeak = new HashMap<>();
  private OptionalLong crossRack = OptionalLong.empty();
  private double ownCpuSeconds;
  private double machineCpuSeconds;
  private double busyCpuSeconds;
  private final long readNanos = System.nanoTime();

  private Meters() {
  }

  /**
   * Reads all meters. DataNodes that are not running are left out.
   *
   * @param cluster a running cluster
   * @return the meters
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static Meters read(HdfsProcessCluster cluster) throws IOException {
    Meters meters = new Meters();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      Optional<Long> pid = cluster.dataNode(node).pid();
      if (pid.isPresent()) {
        Optional<LinkBytes> link = cluster.links().linkBytes(node);
        if (link.isPresent()) {
          meters.links.put(node, link.get());
        }
        meters.diskRead.put(node, ioBytes(pid.get(), "read_bytes: "));
        meters.diskWritten.put(node, ioBytes(pid.get(), "write_bytes: "));
        meters.daemonCpuSeconds.put(node, CpuTimes.ofProcess(pid.get()));
        meters.residentPeak.put(node, residentPeak(pid.get()));
      }
    }
    meters.crossRack = cluster.links().crossRackBytes();
    meters.ownCpuSeconds = CpuTimes.ofProcess(ProcessHandle.current().pid());
    meters.machineCpuSeconds = CpuTimes.ofMachine();
    meters.busyCpuSeconds = CpuTimes.ofMachineNotNiced();
    return meters;
  }

  private static long ioBytes(long pid, String counter) throws IOException {
    for (String line : Files.readAllLines(Paths.get("/proc/" + pid + "/io"))) {
      if (line.startsWith(counter)) {
        return Long.parseLong(line.substring(counter.length()).strip());
      }
    }
    throw new IOException("/proc/" + pid + "/io has no " + counter);
  }

  private static long residentPeak(long pid) throws IOException {
    for (String line : Files.readAllLines(Paths.get("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IOException("/proc/" + pid + "/status has no VmHWM");
  }

  /**
   * {@return the highest peak of resident memory that any DataNode has had since its start, in
   * bytes}
   */
  public long residentPeak() {
    return residentPeak.values().stream().mapToLong(bytes -> bytes).max().orElse(0);
  }

  /**
   * {@return the largest number of bytes that a single node has received since an earlier reading;
   * empty if the network does not count bytes}
   *
   * @param earlier an earlier reading
   */
  public OptionalLong busiestReceivedSince(Meters earlier) {
    return links.keySet().stream().filter(earlier.links::containsKey)
        .mapToLong(node -> receivedSince(earlier, node)).max();
  }

  /**
   * {@return how many bytes all nodes together have received since an earlier reading; empty if the
   * network does not count bytes}
   *
   * @param earlier an earlier reading
   */
  public OptionalLong receivedSince(Meters earlier) {
    return links.isEmpty() ? OptionalLong.empty()
        : OptionalLong.of(links.keySet().stream().filter(earlier.links::containsKey)
            .mapToLong(node -> receivedSince(earlier, node)).sum());
  }

  /**
   * {@return how many bytes all nodes together have sent since an earlier reading; empty if the
   * network does not count bytes}
   *
   * @param earlier an earlier reading
   */
  public OptionalLong sentSince(Meters earlier) {
    return links.isEmpty() ? OptionalLong.empty()
        : OptionalLong.of(links.keySet().stream().filter(earlier.links::containsKey)
            .mapToLong(node -> links.get(node).since(earlier.links.get(node)).sent).sum());
  }

  private long receivedSince(Meters earlier, int node) {
    return links.get(node).since(earlier.links.get(node)).received;
  }

  /**
   * {@return how many bytes all racks together have sent to the core since an earlier reading;
   * empty if racks have no links of their own}
   *
   * @param earlier an earlier reading
   */
  public OptionalLong crossRackSince(Meters earlier) {
    return crossRack.isPresent()
        ? OptionalLong.of(crossRack.getAsLong() - earlier.crossRack.getAsLong()) : crossRack;
  }

  /**
   * {@return how many bytes all DataNodes together have read from the disk since an earlier
   * reading}
   *
   * @param earlier an earlier reading
   */
  public long diskReadSince(Meters earlier) {
    return diskRead.keySet().stream().filter(earlier.diskRead::containsKey)
        .mapToLong(node -> diskRead.get(node) - earlier.diskRead.get(node)).sum();
  }

  /**
   * {@return how many bytes all DataNodes together have written to the disk since an earlier
   * reading}
   *
   * @param earlier an earlier reading
   */
  public long diskWrittenSince(Meters earlier) {
    return diskWritten.keySet().stream().filter(earlier.diskWritten::containsKey)
        .mapToLong(node -> diskWritten.get(node) - earlier.diskWritten.get(node)).sum();
  }

  /**
   * {@return how many processor seconds all DataNodes together have used since an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public double daemonCpuSecondsSince(Meters earlier) {
    return daemonCpuSeconds.keySet().stream().filter(earlier.daemonCpuSeconds::containsKey)
        .mapToDouble(node -> daemonCpuSeconds.get(node) - earlier.daemonCpuSeconds.get(node))
        .sum();
  }

  /**
   * {@return how many processor seconds all processes except the DataNodes and this JVM have used
   * since an earlier reading}
   *
   * @param earlier an earlier reading
   */
  public double otherCpuSecondsSince(Meters earlier) {
    return Math.max(0, machineCpuSeconds - earlier.machineCpuSeconds
        - daemonCpuSecondsSince(earlier) - (ownCpuSeconds - earlier.ownCpuSeconds));
  }

  /**
   * {@return the result of {@link #otherCpuSecondsSince} divided by the time of all processors
   * since an earlier reading, from 0 to 1}
   *
   * @param earlier an earlier reading
   */
  public double otherCpuShareSince(Meters earlier) {
    return otherCpuSecondsSince(earlier) * 1e9
        / ((readNanos - earlier.readNanos) * Runtime.getRuntime().availableProcessors());
  }

  /**
   * {@return the part of the time of all processors since an earlier reading in which they were
   * busy, with interrupts and without niced processes, from 0 to 1}
   *
   * @param earlier an earlier reading
   */
  public double cpuShareSince(Meters earlier) {
    return (busyCpuSeconds - earlier.busyCpuSeconds) * 1e9
        / ((readNanos - earlier.readNanos) * Runtime.getRuntime().availableProcessors());
  }
}
