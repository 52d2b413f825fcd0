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
package org.hdfsppr.client.read;

import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hdfsppr.client.patience.LinkShares;

/** Reads a part of a unit, so that a range of another unit can be decoded. Thread-safe. */
final class UnitFetch {
  /**
   * The group with the locations and tokens that this fetch uses. A range that is decoded with
   * newer locations and tokens does not use this fetch, and reads the unit again.
   */
  final LocatedGroup view;
  final UnitRange part;
  /** The bytes that are read, which may be more than {@link #part}. */
  final Future<ByteBuffer> bytes;
  /** The offset in the unit of the first byte that is read. */
  final long offset;
  /** Counts the bytes that have arrived. */
  final LinkShares.Flow flow;
  private final AtomicBoolean isLate = new AtomicBoolean();

  /**
   * @param offset the offset in the unit of the first byte that is read
   * @param flow counts the bytes that have arrived
   */
  UnitFetch(LocatedGroup view, UnitRange part, Future<ByteBuffer> bytes, long offset,
      LinkShares.Flow flow) {
    this.view = view;
    this.part = part;
    this.bytes = bytes;
    this.offset = offset;
    this.flow = flow;
  }

  /**
   * Marks this fetch as late, because it took too long for a range that waited for it.
   *
   * @return true if this is the first call
   */
  boolean late() {
    return isLate.compareAndSet(false, true);
  }

  boolean isLate() {
    return isLate.get();
  }

  /** Whether another piece of the read gets these bytes. */
  boolean isOfAnotherPiece() {
    return !(bytes instanceof FutureTask);
  }

  /**
   * Reads the part in this thread. Does nothing if another thread has begun to read the part, or if
   * another piece of the read gets these bytes.
   */
  void run() {
    if (!isOfAnotherPiece()) {
      ((FutureTask<ByteBuffer>) bytes).run();
    }
  }
}
