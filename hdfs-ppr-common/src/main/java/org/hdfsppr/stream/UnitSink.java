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
package org.hdfsppr.stream;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Takes the bytes of a rebuilt unit, and writes them to a replica on this node's disk or to a
 * replica on another node. The replica counts only after {@link #commit}. A sink that is closed
 * without a commit leaves no replica behind.
 *
 * <p>Used by one thread.
 */
@InterfaceAudience.Private
public interface UnitSink extends Closeable {
  /**
   * Appends the bytes from {@code data}'s position to its limit and consumes them.
   *
   * @param data a direct buffer
   * @throws IOException if the sink cannot store the bytes; the caller can then only close the sink
   */
  void write(ByteBuffer data) throws IOException;

  /**
   * Makes the unit durable and reports it to the NameNode. The caller calls this method once, after
   * it has written exactly the unit's length.
   *
   * @throws IOException if it is not certain that the replica is complete
   */
  void commit() throws IOException;

  /**
   * Drops the bytes if they were not committed, and gives back files, sockets and buffers. A second
   * call does nothing.
   */
  @Override
  void close() throws IOException;
}
