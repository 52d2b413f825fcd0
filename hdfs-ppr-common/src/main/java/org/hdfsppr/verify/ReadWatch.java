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
package org.hdfsppr.verify;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.SumRead;

/** Follows the reads of a check on the reading thread, and can slow them down or end them. */
@InterfaceAudience.Private
public interface ReadWatch {
  /** Lets all reads pass. */
  ReadWatch NONE = new ReadWatch() {
    @Override
    public void begin(SumRead read) {
      // Nothing ends this read.
    }

    @Override
    public void end() {
      // The read was not noted.
    }

    @Override
    public void took(long bytes) {
      // The read has no limit.
    }
  };

  /**
   * A read begins. Until {@link #end}, another thread may abort it.
   *
   * @param read the read
   * @throws IOException if the check shall not go on
   */
  void begin(SumRead read) throws IOException;

  /** The read that began has ended, well or not. */
  void end();

  /**
   * A slice has arrived. The nodes of the tree go on only for a while until this method returns.
   *
   * @param bytes what each node of the tree has read of a unit for this slice
   * @throws IOException if the check shall not go on
   */
  void took(long bytes) throws IOException;
}
