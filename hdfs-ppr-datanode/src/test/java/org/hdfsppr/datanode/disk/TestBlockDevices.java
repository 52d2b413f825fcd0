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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.disk.VolumeDisks.BlockDevices;
import org.hdfsppr.datanode.disk.VolumeDisks.DiskStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests paths on partitions, on whole disks, and on devices that cannot be measured. */
@InterfaceAudience.Private
class TestBlockDevices {
  private static final long MINOR_2 = 2;
  private static final long SDA2 = 8 << 8 | MINOR_2;

  @TempDir
  private Path sys;

  private void file(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, (text + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** Makes the sysfs entries of a disk with a partition. */
  private void disk(String name, String number, String partitionNumber, boolean rotates)
      throws IOException {
    Path disk = sys.resolve("devices").resolve(name);
    file(disk.resolve("dev"), number);
    file(disk.resolve("queue").resolve("rotational"), rotates ? "1" : "0");
    Path part = disk.resolve(name + "2");
    file(part.resolve("dev"), partitionNumber);
    file(part.resolve("partition"), "2");
    Path links = Files.createDirectories(sys.resolve("block"));
    Files.createSymbolicLink(links.resolve(number), disk);
    Files.createSymbolicLink(links.resolve(partitionNumber), part);
  }

  private Optional<String> diskOf(long device) {
    return new BlockDevices(sys.resolve("block"), path -> device).diskOf(sys);
  }

  @Test
  void partitionsAreTheirDisks() throws IOException {
    disk("sda", "8:0", "8:2", true);
    assertEquals(Optional.of("8:0"), diskOf(SDA2));
    assertEquals(Optional.of("8:0"), diskOf(8 << 8));
  }

  @Test
  void withoutRotatingPartsThereIsNothingToMeasure() throws IOException {
    disk("nvme0n1", "8:0", "8:2", false);
    assertEquals(Optional.empty(), diskOf(SDA2));
  }

  /**
   * The device numbers of overlayfs, tmpfs and btrfs have the major number 0, which sysfs does not
   * list.
   */
  @Test
  void whatHasNoDiskIsUnknown() throws IOException {
    disk("sda", "8:0", "8:2", true);
    assertEquals(Optional.empty(), diskOf(MINOR_2));
    assertEquals(Optional.empty(),
        new BlockDevices(sys.resolve("nowhere"), path -> SDA2).diskOf(sys));
    assertEquals(Optional.empty(), new BlockDevices(sys.resolve("block"), path -> {
      throw new UnsupportedOperationException("unix");
    }).diskOf(sys));
    assertEquals(Optional.empty(), new BlockDevices(sys.resolve("block"), path -> {
      throw new IOException("gone");
    }).diskOf(sys));
  }

  /** Each disk that is found on this machine has a line in its diskstats. */
  @Test
  void thisMachinesDisksAreCounted() throws IOException {
    Path diskstats = Paths.get("/proc/diskstats");
    assumeTrue(Files.isReadable(diskstats));
    Optional<String> disk = BlockDevices.ofMachine().diskOf(sys);
    assertTrue(!disk.isPresent()
        || DiskStats.parse(Files.readAllLines(diskstats)).containsKey(disk.get()), "" + disk);
  }

  @Test
  void numbers() {
    assertEquals("8:17", BlockDevices.text(0x811));
    assertEquals("259:65537", BlockDevices.text(0x1000_0000L | 259 << 8 | 1));
    assertEquals("4096:1048575", BlockDevices.text(1L << 44 | 0xfffL << 20 | 0xff));
  }
}
