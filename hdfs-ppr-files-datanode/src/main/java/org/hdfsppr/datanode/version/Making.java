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
package org.hdfsppr.datanode.version;

import org.apache.hadoop.classification.InterfaceAudience;

/** Makes the blocks of one command for a version of a file. */
@InterfaceAudience.Private
public interface Making extends Runnable {
  /** Makes the blocks and reports the result, all on the calling thread. */
  @Override
  void run();

  /**
   * Makes {@link #run} end soon. Any thread may call this method.
   *
   * @param reason the reason, for the result and the log
   */
  void cancel(String reason);
}
