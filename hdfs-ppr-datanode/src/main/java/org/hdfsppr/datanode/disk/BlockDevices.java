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
 * Finds the disk that carries a path, as Linux tells it: {@code stat} gives the number of the
 * device, and {@code /sys/dev/block} what it is. Of a partition the whole disk is meant, since its
 * other partitions keep the same heads busy. Device mapper and md devices are taken for one disk.
 *
 * <p>Found are only disks with rotating parts (virtual ones mostly say that they have some). One
 * without them works at many requests at once: how long it was busy says little of what it could
 * do besides. Not found is what has no disk of its own (overlayfs, tmpfs, btrfs, zfs, networks),
 * or anything on other systems.
 */
@InterfaceAudience.Private
final class BlockDevices {
  private static final Path SYS_DEV_BLOCK = Paths.get("/sys/dev/block");

  /** The number of the device that carries a path. */
  interface Numbers {
    /** As {@code stat} has it in {@code st_dev}. */
    long deviceOf(Path path) throws IOException;
  }

  private final Path sysDevBlock;
  private final Numbers numbers;

  BlockDevices(Path sysDevBlock, Numbers numbers) {
    this.sysDevBlock = sysDevBlock;
    this.numbers = numbers;
  }

  /** Those of this machine. */
  static BlockDevices ofMachine() {
    return new BlockDevices(SYS_DEV_BLOCK,
        path -> (Long) Files.getAttribute(path, "unix:dev"));
  }

  /** "major:minor" of the disk that carries a path; empty if there is none that can be measured. */
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
      // No Linux, no such attribute, no right to look: unknown.
      return Optional.empty();
    }
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII).trim();
  }

  /** As glibc's {@code major} and {@code minor} take a device's number apart. */
  static String text(long device) {
    long major = device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
    long minor = device & 0xff | device >>> 12 & 0xffffff00L;
    return major + ":" + minor;
  }
}
