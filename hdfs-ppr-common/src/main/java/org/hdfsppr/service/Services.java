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
package org.hdfsppr.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The services of one process that have threads or timers of their own. Metrics show how long ago
 * each service has last taken a step, and how many of its steps have failed. If a service's thread
 * ends and the service was not closed, it stays in this list. Its age then rises without end, which
 * an operator can notice. Thread-safe.
 */
@InterfaceAudience.Private
public final class Services {
  private final LongSupplier nanoClock;
  /**
   * The services that are not closed: one for each thread or timer of a plugin, so that there are
   * only few.
   */
  private final Set<ServiceSteps> open = ConcurrentHashMap.newKeySet();

  /** The numbers that metrics show for a service. Immutable. */
  public static final class Health {
    /** The name of the service: lower case, with dashes */
    public final String name;
    /**
     * The time since the end of the last step, ns; before the first step, the time since the start
     */
    public final long ageNanos;
    /** How many steps have failed since the start */
    public final long failures;

    private Health(String name, long ageNanos, long failures) {
      this.name = name;
      this.ageNanos = ageNanos;
      this.failures = failures;
    }

    private Health with(Health other) {
      return new Health(name, Math.max(ageNanos, other.ageNanos), failures + other.failures);
    }
  }

  /** @param nanoClock a monotonic clock, ns */
  public Services(LongSupplier nanoClock) {
    this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock");
  }

  /**
   * Adds a service, whose age begins at 0. Metrics show the service until it is closed.
   *
   * @param name the name of the service in metrics: lower case, with dashes
   * @param say logs the error of a step that has failed; must bound the rate of its log lines
   * @return an object that runs the steps of the service
   */
  public ServiceSteps open(String name, Consumer<Throwable> say) {
    ServiceSteps steps = new ServiceSteps(name, say, nanoClock, open::remove);
    open.add(steps);
    return steps;
  }

  /**
   * @return the health of all services that are not closed, in the order of their names. Services
   *     with the same name have one entry, with the greatest age and the sum of the failures
   */
  public List<Health> health() {
    Map<String, Health> byName = new TreeMap<>();
    for (ServiceSteps each : open) {
      byName.merge(each.name, new Health(each.name, each.ageNanos(), each.failures()),
          Health::with);
    }
    return new ArrayList<>(byName.values());
  }
}
