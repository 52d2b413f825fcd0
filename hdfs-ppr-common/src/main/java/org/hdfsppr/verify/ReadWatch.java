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

/**
 * Watches the reads of a check. The reading thread calls the methods, which can slow the reads down
 * or end them.
 */
@InterfaceAudience.Private
public interface ReadWatch {
  /** A watch that neither slows nor ends reads. */
  ReadWatch NONE = new ReadWatch() {
    @Override
    public void begin(SumRead read) {
      // This watch never ends a read, so that it need not remember it.
    }

    @Override
    public void end() {
      // This watch remembers no read.
    }

    @Override
    public void took(long bytes) {
      // This watch does not limit the rate.
    }
  };

  /**
   * The reader calls this method when a read begins. Until the call of {@link #end}, the watch may
   * let another thread abort the read.
   *
   * @param read the read
   * @throws IOException to end the check
   */
  void begin(SumRead read) throws IOException;

  /** The reader calls this method when the read has ended, with or without success. */
  void end();

  /**
   * The reader calls this method when a slice has arrived. An implementation may wait to slow the
   * read down: until it returns, the nodes of the tree can send only a few more slices.
   *
   * @param bytes the bytes of a unit that each node of the tree has read for this slice
   * @throws IOException to end the check
   */
  void took(long bytes) throws IOException;
}
