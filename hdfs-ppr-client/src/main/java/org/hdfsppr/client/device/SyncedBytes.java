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
package org.hdfsppr.client.device;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A file of a device. It knows whether there are writes that may not be on disks, so that a flush
 * costs nothing for the files that were not written, and shares syncs among callers. Thread-safe.
 */
@InterfaceAudience.Private
final class SyncedBytes implements Closeable {
  /** Bytes that are made zero at a time; this bounds the memory of a request. */
  private static final int ZERO_BYTES = 1 << 20;
  private static final byte[] ZEROES = new byte[ZERO_BYTES];

  private final UpdatableBytes bytes;
  private final SharedSync sharedSync = new SharedSync(this::syncNow);
  /** Grows when a write begins, and again when it ends. */
  private final AtomicLong changes = new AtomicLong();
  /** What {@link #changes} was before the last sync that has succeeded. */
  private final AtomicLong synced = new AtomicLong();

  /** @param bytes the file; this object closes it */
  SyncedBytes(UpdatableBytes bytes) {
    this.bytes = bytes;
  }

  long length() {
    return bytes.length();
  }

  void read(long position, ByteBuffer into) throws IOException {
    bytes.read(position, into);
  }

  void write(long position, ByteBuffer from) throws IOException {
    changes.incrementAndGet();
    try {
      bytes.write(position, from);
    } finally {
      // A sync that ran meanwhile has not seen this write, so that another one is due.
      changes.incrementAndGet();
    }
  }

  /**
   * Makes bytes zero. What is zero already is only read: a file system that trims all its free room
   * would otherwise fill the update logs with zeroes that change nothing.
   */
  void zero(long position, long length) throws IOException {
    byte[] there = new byte[(int) Math.min(length, ZERO_BYTES)];
    for (long done = 0; done < length;) {
      int part = (int) Math.min(length - done, ZERO_BYTES);
      bytes.read(position + done, ByteBuffer.wrap(there, 0, part));
      if (Arrays.mismatch(there, 0, part, ZEROES, 0, part) >= 0) {
        write(position + done, ByteBuffer.wrap(ZEROES, 0, part).asReadOnlyBuffer());
      }
      done += part;
    }
  }

  /** Whether a write may not be on disks. */
  boolean isDirty() {
    return changes.get() != synced.get();
  }

  /** Brings all writes that have returned onto disks. */
  void sync() throws IOException {
    if (isDirty()) {
      sharedSync.await();
    }
  }

  private void syncNow() throws IOException {
    long seen = changes.get();
    bytes.sync();
    synced.set(seen);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
