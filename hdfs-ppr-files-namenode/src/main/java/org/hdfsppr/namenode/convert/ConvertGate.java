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
package org.hdfsppr.namenode.convert;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.UnseenReads;

/** Whether conversions may run, as the plugin's repair manager sees it. Thread-safe. */
@InterfaceAudience.Private
public interface ConvertGate {
  /** @return whether the repair manager knows that this NameNode is the active one */
  boolean isActive();

  /**
   * @return the number of the repair manager's present term; it is larger each time this NameNode
   *     becomes active again
   */
  long term();

  /**
   * @return why this NameNode takes no jobs, as a sentence without a full stop; empty if it takes
   *     jobs
   */
  Optional<String> whyNoJobs();

  /**
   * @return why conversions have to wait now, as a sentence without a full stop; empty if they need
   *     not
   */
  Optional<String> whyNot();

  /**
   * @return how many of the live DataNodes cannot tell whether clients read old versions of files;
   *     empty while this NameNode does not know its DataNodes
   */
  Optional<UnseenReads> unseenReads();
}
