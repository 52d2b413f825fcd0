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
package org.hdfsppr.datanode.users;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import org.apache.hadoop.thirdparty.com.google.common.net.InetAddresses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how many bytes the system has sent and received over a network interface. The system counts
 * the bytes of all programs, at the time when they move. Stock's counter of bytes read would be too
 * late: it counts a read only when the read ends, and does not count it if the reader goes away
 * before that.
 */
final class InterfaceBytes {
  private static final Logger LOG = LoggerFactory.getLogger(InterfaceBytes.class);
  /** The system's counters: two lines of headings, and a line for each interface; see proc(5). */
  private static final Path COUNTERS = Paths.get("/proc/net/dev");
  private static final int RECEIVED_COLUMN = 0;
  private static final int SENT_COLUMN = 8;

  private final Path counters;
  /** The name of the interface. */
  final String name;
  private long sent;
  private long received;

  /**
   * @param counters a file in the format of /proc/net/dev
   * @param name name of the interface, for example {@code eth0}
   */
  InterfaceBytes(Path counters, String name) {
    this.counters = counters;
    this.name = name;
  }

  /**
   * @param address the IP address at which other nodes reach this one; null or 0.0.0.0 if it is not
   *     known yet
   * @return the counters of the interface with that address; empty if no interface with counters
   *     has it, or if it belongs to the loopback interface, which no link of the network carries
   */
  static Optional<InterfaceBytes> of(String address) {
    if (address == null) {
      return Optional.empty();
    }
    try {
      NetworkInterface found =
          NetworkInterface.getByInetAddress(InetAddresses.forString(address));
      if (found == null || found.isLoopback()) {
        return Optional.empty();
      }
      // An alias such as eth0:1 has the counters of its parent.
      NetworkInterface counted = found.getParent() == null || !found.isVirtual() ? found
          : found.getParent();
      InterfaceBytes bytes = new InterfaceBytes(COUNTERS, counted.getName());
      return bytes.read() ? Optional.of(bytes) : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("The interface with the address {} has no counters", address, e);
      return Optional.empty();
    }
  }

  /**
   * Reads the counters.
   *
   * @return whether the file has counters of this interface
   * @throws IOException if the file cannot be read, or a counter is no number
   */
  boolean read() throws IOException {
    String prefix = name + ":";
    for (String line : Files.readAllLines(counters, StandardCharsets.US_ASCII)) {
      String trimmed = line.trim();
      if (trimmed.startsWith(prefix)) {
        String[] columns = trimmed.substring(prefix.length()).trim().split("\\s+");
        if (columns.length <= SENT_COLUMN) {
          return false;
        }
        try {
          received = Long.parseLong(columns[RECEIVED_COLUMN]);
          sent = Long.parseLong(columns[SENT_COLUMN]);
          return true;
        } catch (NumberFormatException e) {
          throw new IOException(counters + " has the line '" + trimmed + "', which is not as known",
              e);
        }
      }
    }
    return false;
  }

  /** Returns how many bytes the interface had sent at the last {@link #read}. */
  long sent() {
    return sent;
  }

  /** Returns how many bytes the interface had received at the last {@link #read}. */
  long received() {
    return received;
  }
}
