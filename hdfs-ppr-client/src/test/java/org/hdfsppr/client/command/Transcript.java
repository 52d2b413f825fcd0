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
package org.hdfsppr.client.command;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hdfsppr.datanode.Snapshot;

/** What a terminal shows of calls of {@code hdfs ppr}, as text for a {@link Snapshot}. */
public final class Transcript {
  private final StringBuilder text = new StringBuilder();

  /**
   * Adds a call. A line of JSON is broken into several, and lines of the standard error begin with
   * an exclamation mark. Ports that the system has chosen, and the name of the user, are left out.
   *
   * @param out what the call has printed
   * @param err what it has complained
   * @param code its exit code
   * @param args its arguments
   */
  public void add(String out, String err, int code, String... args) {
    text.append("$ hdfs ppr ").append(String.join(" ", args)).append('\n');
    text.append(out.lines().map(line -> line.startsWith("{") ? Snapshot.indented(line) : line)
        .map(line -> withoutNames(line) + "\n").collect(Collectors.joining()));
    text.append(err.lines().map(line -> "! " + withoutNames(line) + "\n")
        .collect(Collectors.joining()));
    text.append("[exit code ").append(code).append("]\n\n");
  }

  private static String withoutNames(String line) {
    // Hadoop may still have a connection to a server that has ended, whose end it then reports.
    return line.replaceAll("Connection refused|EOFException|the connection has ended",
        "NO CONNECTION")
        .replaceAll("(127\\.0\\.0\\.1|localhost):\\d{4,5}", "$1:PORT")
        .replace("user " + System.getProperty("user.name"), "user USER");
  }

  /** Runs a command, and adds the call. */
  public Transcript run(ToolRun tool, String... args) {
    int code = tool.run(args);
    add(tool.out(), tool.err(), code, args);
    return this;
  }

  /** Runs a command for people and for programs. */
  public Transcript both(ToolRun tool, String... args) {
    run(tool, args);
    String[] withJson = Arrays.copyOf(args, args.length + 1);
    withJson[args.length] = "-json";
    return run(tool, withJson);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
