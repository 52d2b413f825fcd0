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
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file of a device. It is dirty while it has writes that may not be on disks; a flush skips files
 * that are not dirty. Callers that sync at the same time share syncs. A file that this process has
 * never synced is dirty, because an earlier process may have left unsynced writes. Thread-safe.
 */
final class SyncedBytes implements Closeable {
  /** How many bytes are made zero at a time; this bounds the memory of a request. */
  private static final int ZERO_BYTES = 1 << 20;
  private static final byte[] ZEROES = new byte[ZERO_BYTES];

  private final UpdatableBytes bytes;
  private final SharedSync sharedSync = new SharedSync(this::syncNow);
  /** A counter that increases when a write begins, and again when it ends. */
  private final AtomicLong changes = new AtomicLong();
  /**
   * The value that {@link #changes} had before the last sync that has succeeded; -1 if there was
   * none.
   */
  private final AtomicLong synced;
  private final SyncHistory history;

  /**
   * @param bytes the file; this object closes it
   * @param history what this process knows about the file's syncs; if it has never synced the file,
   *     the file is dirty
   */
  SyncedBytes(UpdatableBytes bytes, SyncHistory history) {
    this.bytes = bytes;
    this.history = history;
    this.synced = new AtomicLong(history.isSynced() ? 0 : -1);
  }

  long length() {
    return bytes.length();
  }

  void read(long position, ByteBuffer into) throws IOException {
    bytes.read(position, into);
    if (into.hasRemaining()) {
      throw new EOFException("A file of the device has " + into.remaining()
          + " bytes too few at " + position);
    }
  }

  void write(long position, ByteBuffer from) throws IOException {
    changes.incrementAndGet();
    boolean isDone = false;
    try {
      bytes.write(position, from);
      isDone = true;
    } finally {
      if (!isDone) {
        history.hasFailed();
      }
      // A sync that ran during this write may have missed it, so this makes the file dirty again.
      changes.incrementAndGet();
    }
  }

  /**
   * Makes bytes zero. Bytes that are zero already are not written: a file system on the device may
   * trim all its free space, and would fill the update logs with zeroes that change nothing. The
   * zeroes that a read finds may not be on disks yet, so the file becomes dirty all the same. If a
   * write has ever failed, it may still take effect after the read; then zeroes are always written.
   */
  void zero(long position, long length) throws IOException {
    byte[] there = new byte[(int) Math.min(length, ZERO_BYTES)];
    for (long done = 0; done < length;) {
      int part = (int) Math.min(length - done, ZERO_BYTES);
      if (isZero(position + done, there, part)) {
        changes.incrementAndGet();
      } else {
        write(position + done, ByteBuffer.wrap(ZEROES, 0, part).asReadOnlyBuffer());
      }
      done += part;
    }
  }

  private boolean isZero(long position, byte[] there, int part) throws IOException {
    if (history.isDoubtful()) {
      return false;
    }
    read(position, ByteBuffer.wrap(there, 0, part));
    // A write may have failed while the bytes were read, so this looks again.
    return Arrays.mismatch(there, 0, part, ZEROES, 0, part) < 0 && !history.isDoubtful();
  }

  /** Returns whether any write may not be on disks yet. */
  boolean isDirty() {
    return changes.get() != synced.get();
  }

  /** Syncs to disks all writes that have returned. */
  void sync() throws IOException {
    if (isDirty()) {
      sharedSync.await();
    }
  }

  private void syncNow() throws IOException {
    long seen = changes.get();
    bytes.sync();
    synced.set(seen);
    history.hasSynced();
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
