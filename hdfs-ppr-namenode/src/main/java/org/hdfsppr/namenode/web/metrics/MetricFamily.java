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

import org.apache.hadoop.classification.InterfaceAudience;

/** Writes one or more families of the page for Prometheus. Any thread may call it. */
@InterfaceAudience.Private
@FunctionalInterface
public interface MetricFamily {
  /** @param text receives the families, with the values of this moment */
  void write(MetricsText text);
}
