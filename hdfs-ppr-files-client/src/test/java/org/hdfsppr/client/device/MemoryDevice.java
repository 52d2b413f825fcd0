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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** A device in memory that loses what was neither flushed nor persisted when the power goes. */
public final class MemoryDevice implements BlockDevice {
  /** Comes before each call of the device. */
  public interface Before {
    void call(String what, long offset, long length) throws IOException;
  }

  private final byte[] now;
  private final byte[] onDisk;
  private final boolean isReadOnly;
  private final boolean isZeroFast;
  private final AtomicInteger flushes = new AtomicInteger();
  private volatile Before before = (what, offset, length) -> { };

  public MemoryDevice(int size, boolean isReadOnly, boolean isZeroFast) {
    this.now = new byte[size];
    this.onDisk = new byte[size];
    this.isReadOnly = isReadOnly;
    this.isZeroFast = isZeroFast;
  }

  public void before(Before what) {
    before = what;
  }

  public synchronized byte[] bytes() {
    return now.clone();
  }

  public synchronized void losePower() {
    System.arraycopy(onDisk, 0, now, 0, now.length);
  }

  public int flushes() {
    return flushes.get();
  }

  @Override
  public long size() {
    return now.length;
  }

  @Override
  public boolean isReadOnly() {
    return isReadOnly;
  }

  @Override
  public boolean isZeroFast() {
    return isZeroFast;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    before.call("read", offset, into.remaining());
    synchronized (this) {
      into.put(now, (int) offset, into.remaining());
    }
  }

  @Override
  public void write(long offset, ByteBuffer from) throws IOException {
    if (isReadOnly) {
      throw new IOException("a write of a device for reading");
    }
    before.call("write", offset, from.remaining());
    synchronized (this) {
      from.get(now, (int) offset, from.remaining());
    }
  }

  @Override
  public void zero(long offset, long length) throws IOException {
    if (isReadOnly) {
      throw new IOException("a write of a device for reading");
    }
    before.call("zero", offset, length);
    synchronized (this) {
      Arrays.fill(now, (int) offset, (int) (offset + length), (byte) 0);
    }
  }

  @Override
  public void flush() throws IOException {
    before.call("flush", 0, 0);
    flushes.incrementAndGet();
    persist(0, now.length);
  }

  @Override
  public synchronized void persist(long offset, long length) throws IOException {
    System.arraycopy(now, (int) offset, onDisk, (int) offset, (int) length);
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
