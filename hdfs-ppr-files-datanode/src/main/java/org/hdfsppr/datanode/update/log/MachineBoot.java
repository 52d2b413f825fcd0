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
package org.hdfsppr.datanode.update.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identifies the machine's last boot. As long as this identifier is the same, the machine has not
 * stopped, so that bytes which were written but not synced cannot be lost.
 */
final class MachineBoot {
  private static final Logger LOG = LoggerFactory.getLogger(MachineBoot.class);
  private static final Path LINUX = Paths.get("/proc/sys/kernel/random/boot_id");

  private MachineBoot() {
  }

  /**
   * Returns the operating system's identifier of its boot. If there is none, returns a random one,
   * so that a log takes each start of the process for a boot of the machine.
   */
  static long id(LongSupplier random) {
    return id(LINUX, random);
  }

  static long id(Path file, LongSupplier random) {
    try {
      UUID boot = UUID.fromString(
          new String(Files.readAllBytes(file), StandardCharsets.US_ASCII).trim());
      return boot.getMostSignificantBits() ^ boot.getLeastSignificantBits();
    } catch (IOException | IllegalArgumentException e) {
      LOG.info("{} does not say since when the machine runs: {}", file, e.toString());
      return random.getAsLong();
    }
  }
}
