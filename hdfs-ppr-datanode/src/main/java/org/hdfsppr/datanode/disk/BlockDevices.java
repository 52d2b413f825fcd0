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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds the disk that carries a path, on Linux: {@code stat} gives the device's number, and {@code
 * /sys/dev/block} describes the device. For a partition this class returns the whole disk, because
 * other partitions keep the same heads busy. A device mapper or md device counts as one disk.
 *
 * <p>This class finds only disks with rotating parts (most virtual disks claim to have rotating
 * parts). Other disks work on many requests at once. Their busy time therefore says little about
 * the further work that they could do. This class finds no disk under a file system without a disk
 * of its own (overlayfs, tmpfs, btrfs, zfs, network file systems), and none on other operating
 * systems.
 */
@InterfaceAudience.Private
final class BlockDevices {
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
   * Returns "major:minor" of the disk under a path; empty if there is no disk to measure under the
   * path.
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
