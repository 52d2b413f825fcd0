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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.LinkShares;

/** A part of a unit on its way, to be decoded with. Thread-safe. */
@InterfaceAudience.Private
final class UnitFetch {
  /**
   * The locations and tokens that the unit is read with; a range with newer ones reads it again.
   */
  private final LocatedGroup view;
  private final UnitRange part;
  private final Future<ByteBuffer> bytes;
  private final long offset;
  private final LinkShares.Flow flow;
  private volatile boolean isLate;

  /**
   * @param offset of the first of the bytes in the unit
   * @param flow what has come of them
   */
  UnitFetch(LocatedGroup view, UnitRange part, Future<ByteBuffer> bytes, long offset,
      LinkShares.Flow flow) {
    this.view = view;
    this.part = part;
    this.bytes = bytes;
    this.offset = offset;
    this.flow = flow;
  }

  LocatedGroup view() {
    return view;
  }

  /** What is wanted. */
  UnitRange part() {
    return part;
  }

  /** What comes, which may be more. */
  Future<ByteBuffer> bytes() {
    return bytes;
  }

  /** Offset of the first of the bytes in the unit. */
  long offset() {
    return offset;
  }

  /** What has come of the bytes. */
  LinkShares.Flow flow() {
    return flow;
  }

  /** It took too long for a range that wanted it. */
  void late() {
    isLate = true;
  }

  boolean isLate() {
    return isLate;
  }

  /** Reads the part in this thread, unless a thread has begun to. */
  void run() {
    if (bytes instanceof FutureTask) {
      ((FutureTask<ByteBuffer>) bytes).run();
    }
  }
}
