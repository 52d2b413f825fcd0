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
package org.hdfsppr.datanode.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the load of the disks under a DataNode's volumes of the types DISK and ARCHIVE. Blocks
 * are on storage of these types unless a storage policy says otherwise. If one of the disks cannot
 * be measured, this class reports no load at all, because a manager would take the load of some
 * disks for that of all disks. Not thread-safe.
 */
@InterfaceAudience.Private
public final class VolumeDisks {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeDisks.class);
  private static final Path DISKSTATS = Paths.get("/proc/diskstats");

  private final DataNode datanode;
  private final RepairTraffic repairs;
  private final DiskFinder finder =
      new DiskFinder(BlockDevices.ofMachine()::diskOf, VolumeDisks::onThreadOfItsOwn);
  private final DiskMeter meter = new DiskMeter();

  /**
   * @param datanode the DataNode whose volumes count
   * @param repairs the bytes that repairs read from and wrote to the DataNode's replicas
   */
  public VolumeDisks(DataNode datanode, RepairTraffic repairs) {
    this.datanode = datanode;
    this.repairs = repairs;
  }

  private static void onThreadOfItsOwn(Runnable look) {
    Daemon thread = new Daemon(look);
    thread.setName("ppr-find-disks");
    thread.start();
  }

  /**
   * Measures the load since the last call. Waits for no disk of a volume.
   *
   * @param elapsedNanos the time since the last call, nanoseconds
   * @return the load; empty while it is unknown, and always empty on systems without {@code
   *     /proc/diskstats}
   */
  public Optional<DiskLoad> load(long elapsedNanos) {
    try {
      Set<String> disks = finder.disks(volumes());
      if (disks.isEmpty()) {
        return Optional.empty();
      }
      List<String> lines = Files.readAllLines(DISKSTATS, StandardCharsets.UTF_8);
      Map<String, DiskCounters> counters = DiskStats.parse(lines);
      if (!counters.keySet().containsAll(disks)) {
        return Optional.empty();
      }
      meter.sample(disks, counters, repairs.bytesRead(), repairs.bytesWritten(), elapsedNanos);
      return meter.load();
    } catch (IOException | RuntimeException e) {
      LOG.debug("The load of the disks cannot be measured", e);
      return Optional.empty();
    }
  }

  /**
   * Returns the volumes whose disks count. This method reads the DataNode's lists, and does not
   * touch a disk.
   */
  private Set<URI> volumes() throws IOException {
    Set<URI> now = new HashSet<>();
    FsDatasetSpi<?> dataset = datanode.getFSDataset();
    if (dataset == null) {
      return now;
    }
    try (FsDatasetSpi.FsVolumeReferences references = dataset.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : references) {
        StorageType type = volume.getStorageType();
        if (type == StorageType.DISK || type == StorageType.ARCHIVE) {
          now.add(volume.getBaseURI());
        }
      }
    }
    return now;
  }

  /**
   * Finds the disk that carries a path, on Linux: {@code stat} gives the device's number, and
   * {@code /sys/dev/block} describes the device. For a partition this class returns the whole disk,
   * because other partitions keep the same heads busy. A device mapper or md device counts as one
   * disk.
   *
   * <p>This class finds only disks with rotating parts (most virtual disks claim to have rotating
   * parts). Other disks work on many requests at once. Their busy time therefore says little about
   * the further work that they could do. This class finds no disk under a file system without a
   * disk of its own (overlayfs, tmpfs, btrfs, zfs, network file systems), and none on other
   * operating systems.
   */
  static final class BlockDevices {
    private static final Path SYS_DEV_BLOCK = Paths.get("/sys/dev/block");

    /** Looks up the number of the device that carries a path. */
    interface Numbers {
      /** Returns the number that {@code stat} has in {@code st_dev}. */
      long deviceOf(Path path) throws IOException;
    }

    private final Path sysDevBlock;
    private final Numbers numbers;

    BlockDevices(Path sysDevBlock, Numbers numbers) {
      this.sysDevBlock = sysDevBlock;
      this.numbers = numbers;
    }

    /** Returns an object that finds the disks of this machine. */
    static BlockDevices ofMachine() {
      return new BlockDevices(SYS_DEV_BLOCK,
          path -> (Long) Files.getAttribute(path, "unix:dev"));
    }

    /**
     * Returns "major:minor" of the disk under a path; empty if there is no disk to measure under
     * the path.
     */
    Optional<String> diskOf(Path path) {
      try {
        String number = text(numbers.deviceOf(path));
        Path link = sysDevBlock.resolve(number);
        if (!Files.exists(link)) {
          return Optional.empty();
        }
        Path device = link.toRealPath();
        Path disk = Files.exists(device.resolve("partition")) ? device.getParent() : device;
        return read(disk.resolve("queue").resolve("rotational")).equals("1")
            ? Optional.of(read(disk.resolve("dev"))) : Optional.empty();
      } catch (IOException | RuntimeException e) {
        // The disk stays unknown on another operating system, if an attribute does not exist, or if
        // this process may not read it.
        return Optional.empty();
      }
    }

    private static String read(Path file) throws IOException {
      return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII).trim();
    }

    /** Splits a device's number into "major:minor", as glibc does. */
    static String text(long device) {
      long major = device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
      long minor = device & 0xff | device >>> 12 & 0xffffff00L;
      return major + ":" + minor;
    }
  }

  /**
   * Turns samples of the counters of a DataNode's disks into its {@link DiskLoad}.
   *
   * <p>The meter adds the figures of all disks, because a manager knows on which node a replica is,
   * but not on which disk. The bandwidth is the sum of the disks' estimates (see {@link DiskRate});
   * a disk without an estimate counts with the average of the other disks. While no disk has an
   * estimate, the load is unknown, and a manager assumes no limit of the disks. The busy share is
   * the mean of the disks' shares. The meter smooths it over some seconds, so that a manager does
   * not react to every burst.
   *
   * <p>Not thread-safe.
   */
  static final class DiskMeter {
    private static final double SMOOTHING_MS = 5_000;

    private final RepairDiskShare ownShare = new RepairDiskShare();
    private final Map<String, DiskRate> rates = new HashMap<>();
    private Map<String, DiskCounters> last = new HashMap<>();
    private long lastRead;
    private long lastWritten;
    private double usersBusy;
    private boolean isFirst = true;

    /**
     * Takes a sample.
     *
     * @param disks the disks of the DataNode, "major:minor"
     * @param counters the counters of these disks, and maybe of others
     * @param repairsRead bytes that repairs have read so far
     * @param repairsWrote bytes that repairs have written so far
     * @param elapsedNanos the time since the last sample, ns
     */
    void sample(Collection<String> disks, Map<String, DiskCounters> counters, long repairsRead,
        long repairsWrote, long elapsedNanos) {
      double elapsedMs = Math.max(1, (double) elapsedNanos / TimeUnit.MILLISECONDS.toNanos(1));
      DiskCounters all = DiskCounters.NOTHING;
      int measured = 0;
      Map<String, DiskCounters> now = new HashMap<>();
      for (String disk : disks) {
        DiskCounters counted = counters.get(disk);
        DiskCounters before = last.get(disk);
        if (counted == null) {
          continue;
        }
        now.put(disk, counted);
        DiskCounters did = before == null ? null : counted.since(before);
        if (did != null) {
          measured++;
          all = all.plus(did);
          rates.computeIfAbsent(disk, number -> new DiskRate()).saw(did, elapsedMs);
        }
      }
      rates.keySet().retainAll(now.keySet());
      double others = ownShare.ofOthers(all, repairsRead - lastRead, repairsWrote - lastWritten,
          elapsedMs);
      if (measured > 0) {
        double busy = Math.min(1, all.busyMs / elapsedMs / measured) * others;
        usersBusy += (isFirst ? 1 : 1 - Math.exp(-elapsedMs / SMOOTHING_MS)) * (busy - usersBusy);
        isFirst = false;
      }
      last = now;
      lastRead = repairsRead;
      lastWritten = repairsWrote;
    }

    /** Returns the load; empty while no disk has an estimate. */
    Optional<DiskLoad> load() {
      double known = 0;
      int knownDisks = 0;
      for (DiskRate rate : rates.values()) {
        known += rate.bytesPerS();
        knownDisks += rate.bytesPerS() > 0 ? 1 : 0;
      }
      return knownDisks == 0 ? Optional.empty()
          : Optional.of(new DiskLoad((int) Math.round(usersBusy * 100),
              (long) (known / knownDisks * last.size())));
    }
  }

  /**
   * Reads Linux' {@code /proc/diskstats}: a line for each disk and partition.
   *
   * <pre>
   *   0 1     major and minor number
   *   2       name
   *   3 4 5 6     reads completed, merged, sectors, ms
   *   7 8 9 10    writes completed, merged, sectors, ms
   *   11      requests under way
   *   12      ms with a request under way
   *   13 ...  weighted ms; since 4.18 discards, since 5.5 flushes
   * </pre>
   *
   * <p>The kernel counts sectors of 512 bytes, also for disks with larger sectors. The parser skips
   * lines with fewer than 14 fields, which kernels before Linux 2.6.25 write for partitions. It
   * ignores the fields that later kernels append.
   */
  static final class DiskStats {
    private static final int SECTOR_BYTES = 512;
    private static final int FIELDS_LEAST = 14;
    private static final int READS = 3;
    private static final int SECTORS_READ = 5;
    private static final int WRITES = 7;
    private static final int SECTORS_WRITTEN = 9;
    private static final int BUSY_MS = 12;

    private DiskStats() {
    }

    /** Returns the counters of each device by its number, "major:minor". */
    static Map<String, DiskCounters> parse(List<String> lines) {
      Map<String, DiskCounters> all = new HashMap<>();
      for (String line : lines) {
        String[] fields = line.trim().split("\\s+");
        if (fields.length < FIELDS_LEAST) {
          continue;
        }
        try {
          all.put(Integer.parseInt(fields[0]) + ":" + Integer.parseInt(fields[1]),
              new DiskCounters(number(fields[SECTORS_READ]) * SECTOR_BYTES,
                  number(fields[SECTORS_WRITTEN]) * SECTOR_BYTES,
                  number(fields[READS]) + number(fields[WRITES]), number(fields[BUSY_MS])));
        } catch (NumberFormatException e) {
          // A line in an unknown form says nothing about its disk.
          continue;
        }
      }
      return all;
    }

    /**
     * Parses a count. Rejects a count that is so large that its bytes, or the sum of two such
     * counts, could overflow.
     */
    private static long number(String text) {
      long value = Long.parseLong(text);
      if (value < 0 || value > Long.MAX_VALUE / SECTOR_BYTES / 2) {
        throw new NumberFormatException(text);
      }
      return value;
    }
  }

  /**
   * Estimates the rate at which one disk can stream: the bytes that the disk moved, divided by the
   * time that it was busy. Idle time therefore does not lower the estimate.
   *
   * <p>A sample counts only if it shows streams: the disk was busy for a tenth of the time or more,
   * and its requests were large. Small requests at random positions keep a disk busy and move few
   * bytes. They show the cost of small requests, and not the rate of streams. A faster sample
   * changes the estimate with a weight of 1/2, and a slower sample with a weight of 1/20, because a
   * mix of streams and small requests looks like a slow disk. The estimate stays between bounds
   * that no disk in service leaves. It is unknown until the first sample. Not thread-safe.
   */
  static final class DiskRate {
    /** The least estimate, bytes per second. A disk that streams less is about to fail. */
    static final double LEAST = 20e6;
    /**
     * The greatest estimate, bytes per second. No disk with rotating parts, and no array of such
     * disks, moves more.
     */
    static final double MOST = 20e9;

    private static final long BUSY_MS_LEAST = 50;
    private static final double BUSY_SHARE_LEAST = 0.1;
    /**
     * The least mean size of the requests in a sample, bytes. The kernel reads ahead in requests of
     * 128 KiB. The bound is half of that, because requests for the ends of files and for checksums
     * are smaller.
     */
    private static final long REQUEST_BYTES_LEAST = 64 << 10;
    private static final double FASTER_WEIGHT = 0.5;
    private static final double SLOWER_WEIGHT = 0.05;

    private double bytesPerS;

    /** Takes a sample: the work of the disk in an interval of {@code elapsedMs} milliseconds. */
    void saw(DiskCounters did, double elapsedMs) {
      if (did.busyMs < BUSY_MS_LEAST || did.busyMs < BUSY_SHARE_LEAST * elapsedMs
          || did.bytes() < REQUEST_BYTES_LEAST * Math.max(1, did.requests)) {
        return;
      }
      double seen = Math.max(LEAST, Math.min(MOST, did.bytes() * 1000.0 / did.busyMs));
      double weight = bytesPerS == 0 ? 1 : seen > bytesPerS ? FASTER_WEIGHT : SLOWER_WEIGHT;
      bytesPerS += weight * (seen - bytesPerS);
    }

    /** Returns bytes per second, or 0 if the rate is unknown. */
    double bytesPerS() {
      return bytesPerS;
    }
  }

  /**
   * Estimates the part of the disks' work that this DataNode's repairs caused. Of the bytes that
   * repairs read, this class counts at most as many as the disks have read, because the other bytes
   * came from memory. Bytes that repairs write reach the disks later, with the kernel's write-back;
   * this class remembers these bytes until then. In doubt this class attributes work to repairs. If
   * it took the load of a repair for users' load, a manager would keep the next repair away from
   * this DataNode.
   *
   * <p>A disk's time depends on bytes and on requests, so this class calculates the share of other
   * work twice, from bytes and from requests, and takes the greater share. A user that reads small
   * pieces at random positions keeps a disk busy with few bytes; a stream keeps it busy with few
   * requests. Not thread-safe.
   */
  static final class RepairDiskShare {
    /**
     * The assumed size of a repair's disk requests, bytes. The kernel's read-ahead makes requests
     * of this size. Repairs that read more at a time cause larger requests, and fewer.
     */
    private static final double REQUEST_BYTES = 128 << 10;
    /**
     * The time constant with which this class forgets written bytes, ms. It is twice the time for
     * which Linux leaves written pages in memory.
     */
    private static final double KEPT_MS = 60_000;

    private double notYetOnDisk;

    /**
     * Estimates the share of the disks' work that repairs did not cause, 0 to 1.
     *
     * @param did the work of the disks in the interval
     * @param read bytes that repairs read in the interval
     * @param written bytes that repairs wrote in the interval
     * @param elapsedMs the length of the interval, ms
     */
    double ofOthers(DiskCounters did, long read, long written, double elapsedMs) {
      notYetOnDisk = notYetOnDisk * Math.exp(-elapsedMs / KEPT_MS) + written;
      double ownWritten = Math.min(did.bytesWritten, notYetOnDisk);
      notYetOnDisk -= ownWritten;
      double own = Math.min(did.bytesRead, read) + ownWritten;
      if (own == 0) {
        return 1;
      }
      double byBytes = 1 - own / did.bytes();
      double byRequests = did.requests == 0 ? 0 : 1 - own / REQUEST_BYTES / did.requests;
      return Math.max(0, Math.max(byBytes, byRequests));
    }
  }
}
