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
import java.util.ArrayList;
import java.util.List;

/**
 * A file in memory that loses what was not synced when the power goes. A sync covers exactly those
 * writes that had returned when it began, and takes effect when it ends.
 */
public class LossyBytes implements UpdatableBytes {
  private static final class Write {
    private final int position;
    private final byte[] data;

    Write(int position, byte[] data) {
      this.position = position;
      this.data = data;
    }
  }

  private final byte[] now;
  private final byte[] onDisk;
  private final List<Write> unsynced = new ArrayList<>();
  private IOException failure;
  private int syncs;
  private int handles;
  private Runnable duringSync = () -> { };

  public LossyBytes(int length) {
    now = new byte[length];
    onDisk = new byte[length];
  }

  @Override
  public long length() {
    return now.length;
  }

  private void check() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public synchronized void read(long position, ByteBuffer into) throws IOException {
    check();
    into.put(now, (int) position, into.remaining());
  }

  @Override
  public void write(long position, ByteBuffer from) throws IOException {
    byte[] data = new byte[from.remaining()];
    from.get(data);
    synchronized (this) {
      check();
      System.arraycopy(data, 0, now, (int) position, data.length);
      unsynced.add(new Write((int) position, data));
    }
  }

  @Override
  public void sync() throws IOException {
    List<Write> covered;
    synchronized (this) {
      check();
      syncs++;
      covered = new ArrayList<>(unsynced);
    }
    duringSync.run();
    synchronized (this) {
      check();
      for (Write one : covered) {
        System.arraycopy(one.data, 0, onDisk, one.position, one.data.length);
      }
      unsynced.subList(0, covered.size()).clear();
    }
  }

  /** Loses what was not synced. */
  public synchronized void losePower() {
    System.arraycopy(onDisk, 0, now, 0, now.length);
    unsynced.clear();
  }

  /** Lets all calls fail from now on; null: no more. */
  public synchronized void fail(IOException why) {
    failure = why;
  }

  public synchronized int syncs() {
    return syncs;
  }

  public synchronized int writes() {
    return unsynced.size();
  }

  /** Runs this in the middle of each sync. */
  void duringSync(Runnable what) {
    duringSync = what;
  }

  /** Returns how many handles are open. */
  synchronized int handles() {
    return handles;
  }

  /** Returns the same file, which this handle can use until it is closed. */
  synchronized UpdatableBytes handle() {
    handles++;
    return new Handle();
  }

  private synchronized void handleIsClosed() {
    handles--;
  }

  @Override
  public void close() {
    // The file stays.
  }

  private final class Handle implements UpdatableBytes {
    private volatile boolean isClosed;

    private void check() throws IOException {
      if (isClosed) {
        throw new IOException("closed");
      }
    }

    @Override
    public long length() {
      return now.length;
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
      check();
      LossyBytes.this.read(position, into);
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
      check();
      LossyBytes.this.write(position, from);
    }

    @Override
    public void sync() throws IOException {
      check();
      LossyBytes.this.sync();
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        handleIsClosed();
      }
    }
  }
}
