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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds the time at which DataNodes got the NameNode's command to repair. DataNodes log every
 * command at INFO before they act on it. The plugin takes its tasks from the same command if no
 * NameNode plugin orders repairs.
 */
@InterfaceAudience.Private
public final class CommandLogs {

  /** BPOfferService logs this text in Hadoop 3.3, 3.4 and 3.5. */
  private static final String REPAIR_COMMAND =
      "DatanodeCommand action: DNA_ERASURE_CODING_RECOVERY";

  /** The DataNode's plugin logs this text when it gets an order of the NameNode's plugin. */
  private static final String COMMANDED = ": commanded in term ";

  private final List<LogSince> logs = new ArrayList<>();

  private CommandLogs() {
  }

  /**
   * Remembers the present length of each node's log. {@link #firstRepairCommandMs} ignores all
   * lines before that.
   *
   * @param cluster a running cluster
   * @return the part of each log that is written after this call
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static CommandLogs from(HdfsProcessCluster cluster) throws IOException {
    List<Path> logs = new ArrayList<>();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      logs.add(cluster.log(node));
    }
    return from(logs);
  }

  static CommandLogs from(List<Path> files) throws IOException {
    CommandLogs logs = new CommandLogs();
    for (Path file : files) {
      logs.logs.add(LogSince.now(file));
    }
    return logs;
  }

  /**
   * {@return the time, in milliseconds of the epoch, at which the first DataNode got a command to
   * repair; empty if no DataNode got a command}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public OptionalLong firstRepairCommandMs() throws IOException {
    long first = Long.MAX_VALUE;
    for (LogSince log : logs) {
      OptionalLong logged = log.firstMs(line ->
          line.contains(REPAIR_COMMAND) || line.contains(COMMANDED));
      first = Math.min(first, logged.orElse(Long.MAX_VALUE));
    }
    return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
  }
}
