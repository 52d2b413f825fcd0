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
package org.hdfsppr.client.update;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Syncable;

/**
 * Writes into a closed erasure-coded file in place. {@link #write} returns when an update is
 * queued, and waits while too many are under way. {@link #hflush} returns when all updates before
 * it survive the loss of a node, {@link #hsync} when they survive a loss of power, too. An
 * interrupt ends the wait of a caller, but stops no update.
 *
 * <p>An update within one cell is atomic. Of an update of several cells, the part in each cell is
 * atomic, but not the whole. Updates of the same bytes by one updater take effect in their order,
 * also if they overlap. If several clients write into a file, the last update of each byte counts.
 *
 * <p>If an update cannot be acknowledged, it may be in the file or not. Then the updater can write
 * no more: each further call throws the first failure, so that all threads that use the updater see
 * it. The same holds if an {@link #hsync} finds that updates since the last one may be lost,
 * because holders of a log have failed. The caller opens the file anew, and writes these updates
 * again. Thread-safe.
 */
@InterfaceAudience.Public
public abstract class FileUpdater implements Closeable, Syncable {
  /** Only hdfs-ppr itself makes updaters. */
  @InterfaceAudience.Private
  protected FileUpdater() {
  }

  /** @return bytes of the file; updates do not change the number */
  public abstract long length();

  /**
   * Writes bytes into the file.
   *
   * @param position offset in the file, bytes
   * @param data the bytes; they are copied
   * @throws EOFException if the range goes past the end of the file
   * @throws IOException if an earlier update has failed
   */
  public final void write(long position, byte[] data) throws IOException {
    write(position, ByteBuffer.wrap(data));
  }

  /**
   * Writes bytes into the file.
   *
   * @param position offset in the file, bytes
   * @param data the bytes, from the buffer's position to its limit; they are copied, and the
   *     position moves
   * @throws EOFException if the range goes past the end of the file
   * @throws IOException if an earlier update has failed
   */
  public abstract void write(long position, ByteBuffer data) throws IOException;

  /** Waits until all updates that were added before this call are acknowledged. */
  @Override
  public abstract void hflush() throws IOException;

  @Override
  public abstract void hsync() throws IOException;

  /** Waits as {@link #hflush} does. */
  @Override
  public abstract void close() throws IOException;
}
