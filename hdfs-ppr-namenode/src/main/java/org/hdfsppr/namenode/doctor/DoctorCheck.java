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
package org.hdfsppr.namenode.doctor;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** Looks for one kind of mistake. */
@InterfaceAudience.Private
public interface DoctorCheck {
  /**
   * Examines a cluster in which the plugin of at least one DataNode sends heartbeats.
   *
   * @param facts what is known about the cluster
   * @return what is wrong, or one finding that says what was checked; never empty
   */
  List<Finding> examine(ClusterFacts facts);
}
