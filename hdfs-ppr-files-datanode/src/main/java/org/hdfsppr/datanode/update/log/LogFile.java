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
package org.hdfsppr.datanode.update.log;

import java.io.Closeable;
import java.io.IOException;

/**
 * A file of a {@link LogFolder}. Written bytes survive the end of the process, but only synced
 * bytes survive a loss of power, see {@link #sync}. An interrupt of the calling thread does not
 * close the file. Thread-safe.
 */
interface LogFile extends Closeable {
  /** Returns the length of the file, bytes. */
  long length() throws IOException;

  /**
   * Reads bytes.
   *
   * @throws java.io.EOFException if the file has fewer bytes
   */
  void read(long position, byte[] into, int offset, int length) throws IOException;

  /** Writes all of {@code bytes}. If this fails, some of them may have been written. */
  void write(long position, byte[] bytes) throws IOException;

  /** Shortens the file to a length. */
  void truncate(long length) throws IOException;

  /**
   * Syncs to the disk all bytes that were written, and all truncations, before the call. If this
   * fails, it is unknown what is on the disk, and another call does not change that.
   */
  void sync() throws IOException;

  @Override
  void close() throws IOException;
}
