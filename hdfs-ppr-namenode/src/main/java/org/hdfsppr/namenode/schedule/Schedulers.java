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
package org.hdfsppr.namenode.schedule;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;

/** The schedulers that can be named in a configuration. */
@InterfaceAudience.Private
public final class Schedulers {
  private static final List<String> NAMES = Collections.unmodifiableList(
      Arrays.asList(BalancedScheduler.NAME, MpprScheduler.NAME, FifoScheduler.CHAIN_NAME,
          FifoScheduler.STAR_NAME));

  private Schedulers() {
  }

  /** @return the names that can be configured */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * @param name the name of the scheduler in the configuration
   * @param options the settings of the scheduler
   * @param random used by the schedulers that choose as stock HDFS does
   * @return the scheduler
   * @throws IllegalArgumentException if no scheduler has that name; the message has the allowed
   *     names
   */
  public static Scheduler byName(String name, SchedulerOptions options, Random random) {
    switch (name) {
      case BalancedScheduler.NAME:
        return new BalancedScheduler(options);
      case MpprScheduler.NAME:
        return new MpprScheduler(options);
      case FifoScheduler.CHAIN_NAME:
        return FifoScheduler.chains(options, random);
      case FifoScheduler.STAR_NAME:
        return FifoScheduler.stars(options, random);
      default:
        throw new IllegalArgumentException(
            "Unknown scheduler '" + name + "', choose one of " + NAMES);
    }
  }
}
