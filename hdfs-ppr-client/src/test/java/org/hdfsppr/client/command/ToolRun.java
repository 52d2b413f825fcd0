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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs commands of {@code hdfs ppr} in a process with a clock and a terminal of the test. */
public final class ToolRun {
  /** The time of the test's documents. */
  public static final Instant NOW = Instant.parse("2026-01-31T12:05:00Z");

  private final Configuration conf;
  private final boolean isTerminal;
  private final String classPath;
  /** Null for those of a jar that is on the class path. */
  private CommandSource further;
  private int outputsLeft;
  private Runnable beforeNext = () -> { };
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  @Command(name = "hdfs ppr")
  private static final class Tool {
  }

  public ToolRun(Configuration conf) {
    this(conf, false, "");
  }

  public ToolRun(Configuration conf, boolean isTerminal, String classPath) {
    this.conf = conf;
    this.isTerminal = isTerminal;
    this.classPath = classPath;
  }

  /** Gives the tool these commands, and none of another jar. */
  ToolRun with(CommandSource commands) {
    further = commands;
    return this;
  }

  /** Lets a command that repeats itself print so often, and does this between two outputs. */
  public ToolRun outputs(int number, Runnable between) {
    outputsLeft = number;
    beforeNext = between;
    return this;
  }

  public int run(String... args) {
    out = new StringWriter();
    err = new StringWriter();
    Screen screen = new Screen() {
      @Override
      public boolean isTerminal() {
        return isTerminal;
      }

      @Override
      public boolean await(long seconds) {
        beforeNext.run();
        outputsLeft--;
        return outputsLeft > 0;
      }
    };
    CommandLine line = new CommandLine(new Tool());
    CommandEnvironment surroundings = new CommandEnvironment(() -> conf,
        Clock.fixed(NOW, ZoneOffset.UTC), screen, () -> classPath);
    if (further == null) {
      ToolCommands.addTo(line, surroundings);
    } else {
      ToolCommands.addTo(line, surroundings, Optional.of(further));
    }
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }
}
