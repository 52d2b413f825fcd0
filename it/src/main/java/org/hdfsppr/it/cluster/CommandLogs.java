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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds when DataNodes were told to repair: they log every command of the NameNode at INFO before
 * they act on it, and the plugin's DataNode-only mode starts from the same command.
 */
@InterfaceAudience.Private
public final class CommandLogs {

  /** The same words in BPOfferService of 3.3, 3.4 and 3.5. */
  private static final String REPAIR_COMMAND =
      "DatanodeCommand action: DNA_ERASURE_CODING_RECOVERY";

  /** log4j's ISO8601; the daemons run in UTC. */
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int TIMESTAMP_LENGTH = "yyyy-MM-dd HH:mm:ss,SSS".length();

  private final Map<Path, Long> seen = new HashMap<>();

  private CommandLogs() {
  }

  /** Remembers how long each node's log is: what was logged until now does not count. */
  public static CommandLogs from(HdfsProcessCluster cluster) throws IOException {
    List<Path> logs = new ArrayList<>();
    for (int node = 1; node <= cluster.spec().nodes(); node++) {
      logs.add(cluster.log(node));
    }
    return from(logs);
  }

  static CommandLogs from(List<Path> files) throws IOException {
    CommandLogs logs = new CommandLogs();
    for (Path file : files) {
      logs.seen.put(file, Files.exists(file) ? Files.size(file) : 0L);
    }
    return logs;
  }

  /** When, in milliseconds of the epoch, the first node was told to repair; empty if none was. */
  public OptionalLong firstRepairCommandMs() throws IOException {
    long first = Long.MAX_VALUE;
    for (Map.Entry<Path, Long> entry : seen.entrySet()) {
      if (Files.exists(entry.getKey())) {
        for (String line : linesSince(entry.getKey(), entry.getValue())) {
          if (line.contains(REPAIR_COMMAND)) {
            first = Math.min(first, timestampMs(line));
          }
        }
      }
    }
    return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
  }

  private static String[] linesSince(Path log, long offset) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] fresh = new byte[Math.toIntExact(file.length() - offset)];
      file.seek(offset);
      file.readFully(fresh);
      return new String(fresh, StandardCharsets.UTF_8).split("\n");
    }
  }

  private static long timestampMs(String line) {
    return LocalDateTime.parse(line.substring(0, TIMESTAMP_LENGTH), TIMESTAMP)
        .toInstant(ZoneOffset.UTC).toEpochMilli();
  }
}
