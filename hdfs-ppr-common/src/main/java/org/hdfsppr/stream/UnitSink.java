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
 * Where a rebuilt unit goes: a replica on this node's disk, or one that another node writes.
 * Nothing that was written counts before {@link #commit}; a sink closed without it leaves no trace.
 *
 * <p>Used by one thread.
 */
@InterfaceAudience.Private
public interface UnitSink extends Closeable {
  /**
   * Appends the bytes from {@code data}'s position to its limit and consumes them.
   *
   * @param data a direct buffer
   * @throws IOException if they cannot be kept; the sink can then only be closed
   */
  void write(ByteBuffer data) throws IOException;

  /**
   * Makes the unit durable and known to the NameNode. To be called once, after exactly the unit's
   * length has been written.
   *
   * @throws IOException if it is not certain that the replica is complete
   */
  void commit() throws IOException;

  /** Drops what was not committed; gives back files, sockets and buffers. May be called twice. */
  @Override
  void close() throws IOException;
}
