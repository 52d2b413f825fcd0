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

import java.io.Console;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a command that prints its output again and again needs to know: whether the output is a
 * terminal that it may paint over, and how to wait.
 */
@InterfaceAudience.Private
public interface Screen {
  /** @return whether the output is a terminal that can be painted over */
  boolean isTerminal();

  /**
   * Waits until it is time for the next output.
   *
   * @param seconds the time between two outputs
   * @return false if the command has to end
   */
  boolean await(long seconds);

  /** The terminal of this process, if there is one. */
  final class OfProcess implements Screen {
    private static final Logger LOG = LoggerFactory.getLogger(OfProcess.class);

    @Override
    public boolean isTerminal() {
      Console console = System.console();
      String kind = System.getenv("TERM");
      if (console == null || kind == null || kind.equals("dumb")) {
        return false;
      }
      try {
        // From Java 22 on, there is a console even without a terminal.
        Method isTerminal = Console.class.getMethod("isTerminal");
        return (Boolean) isTerminal.invoke(console);
      } catch (ReflectiveOperationException e) {
        LOG.debug("This Java's console is always a terminal", e);
        return true;
      }
    }

    @Override
    public boolean await(long seconds) {
      try {
        TimeUnit.SECONDS.sleep(seconds);
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
