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
 * Reads the bytes of one unit (internal block) for a node of a repair tree. The bytes come from a
 * replica on the node's own disk, or from a replica that another node serves. A source checks every
 * byte against the checksums of the replica before it hands the byte out.
 *
 * <p>Used by one thread. A caller reads from the beginning of the unit towards its end; an
 * implementation may refuse to go back.
 */
@InterfaceAudience.Private
public interface UnitSource extends Closeable {
  /** @return length of the unit, bytes */
  long length();

  /**
   * Fills {@code dst} from its position to its limit with the bytes that start at {@code offset}.
   *
   * @param offset first byte to read; a source may refuse an offset before the end of its last read
   * @param dst a direct buffer; {@code offset + dst.remaining()} is at most {@link #length()}
   * @throws org.apache.hadoop.fs.ChecksumException if the stored bytes are corrupt
   * @throws IOException if the bytes cannot be read; the content of {@code dst} is then undefined
   */
  void read(long offset, ByteBuffer dst) throws IOException;

  /**
   * Announces the next contiguous bytes that the caller will read. Only a caller that leaves out
   * parts of the unit calls this method. The announcement is a hint: a source may read the
   * announced bytes ahead, and should not read others.
   *
   * @param offset offset of these bytes in the unit
   * @param length number of these bytes; 0 if the next bytes are not known, or too few to announce
   */
  default void announce(long offset, long length) {
    // Only sources that read ahead use the announcement.
  }

  /** Gives back files, sockets and buffers. A second call does nothing. */
  @Override
  void close() throws IOException;
}
