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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
}
