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
package org.hdfsppr.datanode.watch;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a line of stock's client trace says of a read. The name of the client may be any text. All
 * other fields come from the DataNode. The fields are therefore looked for from the end.
 *
 * <pre>
 *   src: /10.0.0.1:9866, dest: /10.0.0.7:4711, volume: , bytes: 4128, op: HDFS_READ, cliID: NAME,
 *       offset: 0, srvID: UUID, blockid: BP-1-10.0.0.1-2:blk_-16_1001, duration(ns): 12345
 *   src: 127.0.0.1, dest: 127.0.0.1, op: REQUEST_SHORT_CIRCUIT_FDS, blockid: -16, srvID: UUID,
 *       success: true
 * </pre>
 *
 * <p>DataNodes that read for a repair have no name, and stock writes another line for them.
 * Immutable.
 */
@InterfaceAudience.Private
final class TraceLine {
  private static final String READ = ", op: HDFS_READ, cliID: ";
  private static final String DESCRIPTORS = "op: REQUEST_SHORT_CIRCUIT_FDS, blockid: ";
  private static final String SERVER = ", srvID: ";
  private static final String BLOCK = ", blockid: ";
  private static final String DURATION = ", duration(ns): ";
  private static final String SUCCESS = ", success: true";

  /** The UUID of the DataNode that was read from. */
  final String server;
  private final String pool;
  /** The block that was read, or whose files a client has got. */
  final long blockId;

  private TraceLine(String server, String pool, long blockId) {
    this.server = server;
    this.pool = pool;
    this.blockId = blockId;
  }

  /** Returns the block pool; empty if the line does not say it. */
  Optional<String> pool() {
    return Optional.ofNullable(pool);
  }

  /** Reads a line; returns empty if it is not about a read by a client. */
  static Optional<TraceLine> parse(String line) {
    if (line.startsWith("src: ") && line.contains(READ)) {
      return read(line);
    }
    return line.contains(DESCRIPTORS) && line.endsWith(SUCCESS) ? descriptors(line)
        : Optional.empty();
  }

  private static Optional<TraceLine> read(String line) {
    int duration = line.lastIndexOf(DURATION);
    int block = line.lastIndexOf(BLOCK, duration);
    int server = line.lastIndexOf(SERVER, block);
    if (duration < 0 || block < 0 || server < 0) {
      return Optional.empty();
    }
    String uuid = line.substring(server + SERVER.length(), block);
    return TracedBlock.parse(line, block + BLOCK.length(), duration)
        .map(name -> new TraceLine(uuid, name.pool, name.id));
  }

  private static Optional<TraceLine> descriptors(String line) {
    int server = line.lastIndexOf(SERVER);
    int block = line.lastIndexOf(DESCRIPTORS, server);
    if (server < 0 || block < 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(new TraceLine(
          line.substring(server + SERVER.length(), line.length() - SUCCESS.length()), null,
          Long.parseLong(line, block + DESCRIPTORS.length(), server, 10)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
