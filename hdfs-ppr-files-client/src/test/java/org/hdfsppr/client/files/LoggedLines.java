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
package org.hdfsppr.client.files;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Counts lines that a class of the cluster in this process logs. */
final class LoggedLines implements AutoCloseable {
  private final Logger logger;
  private final AtomicInteger count = new AtomicInteger();
  private final AppenderSkeleton appender;

  /**
   * @param name the name of the class whose logger is meant
   * @param parts what a line has to contain
   * @throws ClassNotFoundException if there is no such class, whose lines would never come
   */
  LoggedLines(String name, String... parts) throws ClassNotFoundException {
    logger = Logger.getLogger(Class.forName(name));
    appender = new AppenderSkeleton() {
      @Override
      protected void append(LoggingEvent event) {
        String line = event.getRenderedMessage();
        if (Stream.of(parts).allMatch(line::contains)) {
          count.incrementAndGet();
        }
      }

      @Override
      public void close() {
        // It keeps nothing open.
      }

      @Override
      public boolean requiresLayout() {
        return false;
      }
    };
    logger.addAppender(appender);
  }

  int count() {
    return count.get();
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
  }
}
