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

import java.time.Clock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;

/** What commands know of the process in which they run. Immutable. */
@InterfaceAudience.Private
public final class CommandEnvironment {
  private final Supplier<Configuration> conf;
  /** Says which time it is */
  public final Clock clock;
  /** Shows the output */
  public final Screen screen;
  private final Supplier<String> classPath;

  /**
   * @param conf supplies the client's configuration, which is read only when a command needs it
   * @param clock says which time it is
   * @param screen shows the output
   * @param classPath supplies the class path, as the JVM has it
   */
  CommandEnvironment(Supplier<Configuration> conf, Clock clock, Screen screen,
      Supplier<String> classPath) {
    this.conf = conf;
    this.clock = clock;
    this.screen = screen;
    this.classPath = classPath;
  }

  /**
   * Returns the surroundings of commands in this process.
   *
   * @param conf supplies the client's configuration, which is read only when a command needs it
   * @return the surroundings
   */
  public static CommandEnvironment ofProcess(Supplier<Configuration> conf) {
    return new CommandEnvironment(conf, Clock.systemUTC(), new Screen.OfProcess(),
        () -> System.getProperty("java.class.path"));
  }

  /**
   * Returns the same surroundings with another configuration. Each time a command asks for the
   * configuration, {@code change} is applied to it.
   */
  CommandEnvironment changed(UnaryOperator<Configuration> change) {
    return new CommandEnvironment(() -> change.apply(conf.get()), clock, screen, classPath);
  }

  /** @return the client's configuration as it is now */
  public Configuration conf() {
    return conf.get();
  }

  String classPath() {
    return classPath.get();
  }
}
