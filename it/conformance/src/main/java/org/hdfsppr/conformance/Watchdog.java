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
package org.hdfsppr.conformance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Raises an alarm if a test or a test class does not end in time. JUnit 4 limits only tests that
 * declare a timeout, and Surefire does not end a forked JVM that exceeds its time limit.
 */
final class Watchdog {
  private final ScheduledExecutorService scheduler;
  private final Consumer<String> onHang;
  private final Map<String, Future<?>> running = new ConcurrentHashMap<>();

  /**
   * @param scheduler runs the alarms; must have a single thread, which must be a daemon thread
   * @param onHang receives the name of the test or class that hangs
   */
  Watchdog(ScheduledExecutorService scheduler, Consumer<String> onHang) {
    this.scheduler = scheduler;
    this.onHang = onHang;
  }

  void began(String name, long limitSeconds) {
    ended(name);
    running.put(name,
        scheduler.schedule(() -> onHang.accept(name), limitSeconds, TimeUnit.SECONDS));
  }

  void ended(String name) {
    Future<?> alarm = running.remove(name);
    if (alarm != null) {
      alarm.cancel(false);
    }
  }
}
