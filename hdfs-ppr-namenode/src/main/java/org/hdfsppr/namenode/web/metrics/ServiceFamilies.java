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
package org.hdfsppr.namenode.web.metrics;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.web.metrics.MetricsText.Family;
import org.hdfsppr.service.Services;

/** Whether the threads of the plugin get on. */
@InterfaceAudience.Private
final class ServiceFamilies {
  private static final double NANOS_PER_SECOND = 1e9;

  private ServiceFamilies() {
  }

  static void write(Services services, MetricsText text) {
    List<Services.Health> all = services.health();
    Family ages = text.gauge("hdfs_ppr_service_step_age_seconds",
        "Time since a thread of the plugin has last taken a step.");
    all.forEach(each -> ages.sample(each.ageNanos / NANOS_PER_SECOND, "service", each.name));
    Family failures = text.counter("hdfs_ppr_service_step_failures_total",
        "Steps of a thread of the plugin that ended with an error; the thread goes on.");
    all.forEach(each -> failures.sample(each.failures, "service", each.name));
  }
}
