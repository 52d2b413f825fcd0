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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Writes into a closed erasure-coded file in place, for many callers at the same time. Each write
 * waits for its own acknowledgements, and its failure affects no other write. {@link #sync} covers
 * all writes that have returned, no matter which thread made them, and the earlier writes of other
 * clients.
 *
 * <p>The updater remembers the terms and the sequence numbers of acknowledged writes that may not
 * be on disks. If a sync finds that the holders of a log may have lost some of them, the updater
 * takes no more writes, and each further sync fails. Otherwise a caller could believe that lost
 * writes are on disks. Thread-safe.
 */
@InterfaceAudience.Private
public abstract class SharedUpdater {
  /** Only hdfs-ppr itself makes updaters. */
  protected SharedUpdater() {
  }

  /** @return bytes of the file, which no update changes */
  public abstract long length();

  /**
   * @return whether the updater knows the file's identity, which comes with the first ticket.
   *     Before that, it has written nothing, and it fails if a commit replaces the file's block
   *     groups
   */
  public abstract boolean knowsFile();

  /**
   * Checks that the caller may write, by asking the NameNode for a ticket.
   *
   * @throws IOException if the NameNode gives no ticket for any unit of the first group
   */
  public abstract void requireRight() throws IOException;

  /**
   * Writes, and returns when all bytes survive the loss of a node, and readers see them. If this
   * method fails, some of the bytes may be written; later writes are not affected.
   *
   * @param position offset in the file, bytes
   * @param from the bytes, from the buffer's position to its limit; the position moves
   * @throws EOFException if the range goes past the end of the file
   * @throws UpdateLogFullException if a log is full, and no commit has emptied it in time
   * @throws IOException if it is not known whether all bytes are written
   */
  public abstract void write(long position, ByteBuffer from) throws IOException;

  /**
   * Brings all writes that have returned onto the disks of all holders of their logs. The first
   * sync that succeeds also covers all earlier writes of other clients.
   *
   * @throws IOException if writes may be lost; a later sync that succeeds covers them, too
   */
  public abstract void sync() throws IOException;

  /** @return whether writes that have returned may not be on disks */
  public abstract boolean isDirty();

  /**
   * @return whether the caller should call {@link #sync} soon, because the term of a log has
   *     changed: after further changes this class may not be able to find out whether writes are
   *     lost
   */
  public abstract boolean isSyncUrgent();
}
