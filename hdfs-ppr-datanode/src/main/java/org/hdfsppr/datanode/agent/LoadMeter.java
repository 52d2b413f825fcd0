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
package org.hdfsppr.datanode.agent;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.apache.hadoop.util.SysInfo;
import org.hdfsppr.datanode.disk.DiskLoad;
import org.hdfsppr.datanode.disk.VolumeDisks;
import org.hdfsppr.datanode.repair.RepairService;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.users.UserBytes;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairRates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the load of a DataNode and its machine. Thread-safe. The meter takes a new sample only
 * if {@link #SAMPLE_NANOS_LEAST} have passed since the last sample.
 *
 * <p>The users' traffic is the number of bytes that stock counts as read and written, minus the
 * bytes that this DataNode's own repairs read and wrote, plus the bytes that clients got from its
 * chunk cache (see {@link RepairTraffic}). Some work of repairs still looks like users' traffic:
 *
 * <ul>
 * <li>reads of repairs on other DataNodes that use stock's port of this DataNode, because they
 * cannot reach its port for repairs;
 * <li>the second and further units of a group that a repair on another DataNode rebuilds and sends
 * to this DataNode by a stock write;
 * <li>stock's own reconstruction, replication and balancing.
 * </ul>
 */
final class LoadMeter {
  private static final Logger LOG = LoggerFactory.getLogger(LoadMeter.class);
  /**
   * The least time between samples, ns. A rate measured over a shorter time would jump with every
   * packet.
   */
  private static final long SAMPLE_NANOS_LEAST = TimeUnit.MILLISECONDS.toNanos(500);

  private final DataNode datanode;
  private final RepairService service;
  private final LongSupplier nanoClock;
  private final SysInfo machine;
  private final Rate userRead;
  private final Rate userWritten;
  private final Rate diskRead;
  private final Rate diskWritten;
  private final VolumeDisks disks;
  private final LinkMeter up;
  private final LinkMeter down;
  private long sampledAtNanos;
  private int cpuPercent = NodeLoad.UNKNOWN;
  private Optional<DiskLoad> diskLoad = Optional.empty();
  private boolean sampled;

  LoadMeter(DataNode datanode, RepairService service, LongSupplier nanoClock) {
    this.datanode = datanode;
    this.service = service;
    this.nanoClock = nanoClock;
    this.machine = machine();
    RepairTraffic repairs = service.traffic();
    UserBytes users = new UserBytes(datanode, repairs);
    userRead = new Rate(users.read);
    userWritten = new Rate(users.written);
    up = new LinkMeter(repairs::bytesSent, repairs::pacedBytesSent);
    down = new LinkMeter(repairs::bytesReceived, repairs::pacedBytesReceived);
    diskRead = new Rate(machine == null ? null : machine::getStorageBytesRead);
    diskWritten = new Rate(machine == null ? null : machine::getStorageBytesWritten);
    disks = new VolumeDisks(datanode, repairs);
  }

  private static SysInfo machine() {
    try {
      return SysInfo.newInstance();
    } catch (UnsupportedOperationException e) {
      LOG.info("The load of this machine is unknown: {}", e.toString());
      return null;
    }
  }

  /** Measures how fast a counter grows. */
  private static final class Rate {
    private final LongSupplier counter;
    private long last;
    private long perSecond;

    /** @param counter the counter, or null if this Hadoop has none */
    Rate(LongSupplier counter) {
      this.counter = counter;
    }

    void sample(boolean first, long elapsedNanos) {
      if (counter == null) {
        return;
      }
      long now = counter.getAsLong();
      perSecond = first ? 0
          : (long) (Math.max(0, now - last) * (double) TimeUnit.SECONDS.toNanos(1) / elapsedNanos);
      // The counter may be a difference of two counters, and may fall for a moment. The next sample
      // then counts from the greater value.
      last = first ? now : Math.max(last, now);
    }

    long perSecond(long unknown) {
      return counter == null ? unknown : perSecond;
    }
  }

  /**
   * Returns a throttler's limit, but at least 1, because the throttler may round a low limit down
   * to 0.
   */
  private static long limit(DataTransferThrottler throttler) {
    return throttler == null ? NodeLoad.UNLIMITED : Math.max(1, throttler.getBandwidth());
  }

  /** Returns the present load. Rates are averages between the last two samples. */
  synchronized NodeLoad load() {
    long now = nanoClock.getAsLong();
    long elapsedNanos = now - sampledAtNanos;
    if (!sampled || elapsedNanos >= SAMPLE_NANOS_LEAST) {
      for (Rate rate : new Rate[] {userRead, userWritten, diskRead, diskWritten}) {
        rate.sample(!sampled, elapsedNanos);
      }
      up.sample(now, elapsedNanos);
      down.sample(now, elapsedNanos);
      diskLoad = disks.load(elapsedNanos);
      if (machine != null) {
        float percent = machine.getCpuUsagePercentage();
        // Hadoop returns a negative number while it does not know the load.
        cpuPercent = percent < 0 ? NodeLoad.UNKNOWN : Math.min(100, Math.round(percent));
      }
      sampled = true;
      sampledAtNanos = now;
    }
    NodeLoad load = new NodeLoad(service.commandedRepairs().led(),
        service.metrics.helpersInFlight(), service.commandedRepairs().freeSlots(),
        userRead.perSecond(0), userWritten.perSecond(0), datanode.getXceiverCount())
        .withMachine(cpuPercent, diskRead.perSecond(NodeLoad.UNKNOWN),
            diskWritten.perSecond(NodeLoad.UNKNOWN))
        // The limits are read each time, because later versions of Hadoop let an operator change
        // them at any time.
        .withLimits(limit(datanode.getEcReconstuctReadThrottler()),
            limit(datanode.getEcReconstuctWriteThrottler()))
        .withRepairRates(new RepairRates(up.perSecond(), down.perSecond(), up.bestPerSecond(),
            down.bestPerSecond()));
    return diskLoad.map(disk -> load.withDisks(disk.usersBusyPercent, disk.bytesPerSecond))
        .orElse(load);
  }

  /**
   * Measures how fast repairs send, or receive, over this node's link. A sample counts for the best
   * rate only if repairs also moved bytes in the samples before and after it. Otherwise a repair
   * may have begun or ended within the sample, which then says nothing about the link. Bytes of
   * requests with a rate limit, such as those of background checks, never count for the best rate,
   * because they would show the limit instead of the link. Not thread-safe; the caller holds a
   * lock.
   */
  static final class LinkMeter {
    /**
     * A best rate is remembered for at least this time, ns, and at most twice as long. An older
     * rate may be that of a link that has been replaced since.
     */
    static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(30);

    private final LongSupplier bytes;
    private final LongSupplier paced;
    private long last;
    private long lastFree;
    private double perSecond;
    /**
     * The rates of the last two samples, bytes/s, without the bytes that a limit other than the
     * link may have slowed down.
     */
    private double before;
    private double now;
    private double best;
    private double bestOfLastPeriod;
    private long periodBeganNanos;
    private boolean sampled;

    /**
     * @param bytes counts the bytes that repairs have moved in this direction since the start
     * @param paced counts the part of them that a limit other than the link may have slowed down
     */
    LinkMeter(LongSupplier bytes, LongSupplier paced) {
      this.bytes = bytes;
      this.paced = paced;
    }

    /**
     * Takes a sample. The first sample gives no rate.
     *
     * @param nowNanos the time now, monotonic, ns
     * @param elapsedNanos the time since the last sample, ns
     */
    void sample(long nowNanos, long elapsedNanos) {
      // The counter of paced bytes is read first, so that it never exceeds the count of all bytes.
      long slow = paced.getAsLong();
      long count = bytes.getAsLong();
      long free = count - slow;
      if (!sampled) {
        sampled = true;
        periodBeganNanos = nowNanos;
      } else {
        if (nowNanos - periodBeganNanos >= KEPT_NANOS) {
          bestOfLastPeriod = best;
          best = 0;
          periodBeganNanos = nowNanos;
        }
        double perByte = (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, elapsedNanos);
        perSecond = (count - last) * perByte;
        double next = Math.max(0, free - lastFree) * perByte;
        if (before > 0 && next > 0) {
          best = Math.max(best, now);
        }
        before = now;
        now = next;
      }
      last = count;
      lastFree = free;
    }

    /** Returns the rate of the last sample, bytes/s. */
    long perSecond() {
      return (long) perSecond;
    }

    /** Returns the best rate that is remembered, bytes/s; 0 if there is none. */
    long bestPerSecond() {
      return (long) Math.max(best, bestOfLastPeriod);
    }
  }
}
