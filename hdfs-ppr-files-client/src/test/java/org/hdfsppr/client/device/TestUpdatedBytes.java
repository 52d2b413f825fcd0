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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.hdfsppr.operate.GroupReplacedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what becomes of updaters and streams that end, and which files are synced unasked. */
@Timeout(60)
class TestUpdatedBytes {
  private final Source source = new Source();

  /** A file whose updaters and streams end when the test wants it. */
  private static final class Source implements UpdatedBytes.Opener {
    private final LossyBytes file = new LossyBytes(1000);
    private long length = 1000;
    private int updaters;
    private int streams;
    private int closed;
    private volatile int syncs;
    private boolean isStreamOver;
    /** Updaters below this number have groups that a commit has replaced. */
    private int replaced;
    /** How many commits come, each behind an updater that is opened. */
    private int commits;
    private boolean knowsFile;
    private volatile boolean isDirty;
    private volatile boolean isUrgent;
    private volatile IOException failure;

    @Override
    public synchronized UpdatedBytes.Updater updater() {
      Updater opened = new Updater(this, updaters++);
      if (commits > 0) {
        commits--;
        replaced = updaters;
      }
      return opened;
    }

    @Override
    public synchronized FSDataInputStream stream() {
      streams++;
      isStreamOver = false;
      return new FSDataInputStream(new Stream(this));
    }
  }

  private static final class Updater implements UpdatedBytes.Updater {
    private final Source source;
    private final int number;

    Updater(Source source, int number) {
      this.source = source;
      this.number = number;
    }

    private void check() throws IOException {
      if (number < source.replaced) {
        throw new GroupReplacedException("as the test wants it");
      }
      if (source.failure != null) {
        throw source.failure;
      }
    }

    @Override
    public long length() {
      return source.length;
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
      check();
      source.file.write(position, from);
      source.isDirty = true;
    }

    @Override
    public void sync() throws IOException {
      source.syncs++;
      check();
      source.file.sync();
      source.isDirty = false;
    }

    @Override
    public boolean knowsFile() {
      return source.knowsFile;
    }

    @Override
    public boolean isDirty() {
      return source.isDirty;
    }

    @Override
    public boolean isSyncUrgent() {
      return source.isUrgent;
    }
  }

  private static final class Stream extends ByteArrayInputStream
      implements Seekable, PositionedReadable {
    private final Source source;

    Stream(Source source) {
      super(new byte[0]);
      this.source = source;
    }

    @Override
    public void close() {
      source.closed++;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
        throws IOException {
      if (source.isStreamOver) {
        throw new IOException("open it anew");
      }
      source.file.read(position, ByteBuffer.wrap(buffer, offset, length));
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readFully(long position, byte[] buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void seek(long to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getPos() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean seekToNewSource(long target) {
      throw new UnsupportedOperationException();
    }
  }

  private UpdatedBytes open() throws IOException {
    return UpdatedBytes.open(source, () -> { });
  }

  private static void write(UpdatedBytes bytes, int position, int value) throws IOException {
    bytes.write(position, ByteBuffer.wrap(new byte[] {(byte) value}));
  }

  private static int read(UpdatedBytes bytes, int position) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(1);
    bytes.read(position, into);
    return into.get(0);
  }

  /** A commit of another client comes before the first write. */
  @Test
  void anUpdaterThatHasWrittenNothingIsReplaced() throws Exception {
    try (UpdatedBytes bytes = open()) {
      source.replaced = 1;
      write(bytes, 0, 7);
      assertEquals(2, source.updaters);
      bytes.sync();
      assertEquals(2, source.updaters);
      source.file.losePower();
      assertEquals(7, read(bytes, 0));
      source.replaced = 2;
      source.length = 999;
      assertThrows(IOException.class, () -> write(bytes, 0, 8), "another file is at the path");
      source.length = 1000;
      source.knowsFile = true;
      assertThrows(GroupReplacedException.class, () -> write(bytes, 0, 8));
      assertThrows(GroupReplacedException.class, bytes::sync);
      assertEquals(3, source.updaters);
    }
  }

  @Test
  void commitsMayComeWhileAnUpdaterIsReplaced() throws Exception {
    try (UpdatedBytes bytes = open()) {
      source.replaced = 1;
      source.commits = 3;
      write(bytes, 0, 7);
      assertEquals(5, source.updaters);
      source.replaced = 5;
      source.commits = Integer.MAX_VALUE;
      assertThrows(GroupReplacedException.class, () -> write(bytes, 0, 8));
      assertEquals(12, source.updaters);
    }
  }

  @Test
  void aStreamThatEndsIsOpenedAnew() throws Exception {
    try (UpdatedBytes bytes = open()) {
      write(bytes, 0, 1);
      source.isStreamOver = true;
      assertEquals(1, read(bytes, 0));
      assertEquals(2, source.streams);
      assertEquals(1, source.closed);
      source.file.fail(new IOException("no node has it"));
      assertThrows(IOException.class, () -> read(bytes, 0));
      assertEquals(3, source.streams);
    }
    assertEquals(3, source.closed);
  }

  @Test
  void aClosedFileTakesNothing() throws Exception {
    UpdatedBytes bytes = open();
    write(bytes, 0, 1);
    bytes.close();
    assertThrows(IOException.class, () -> write(bytes, 0, 1));
    assertThrows(IOException.class, () -> read(bytes, 0));
    assertThrows(IOException.class, bytes::sync);
    assertFalse(bytes.isDirty());
  }

  /** Writes come onto disks without a flush; a failure is no end of that. */
  @Test
  void dirtyFilesAreSyncedUnasked() throws Exception {
    Set<UpdatedBytes> files = ConcurrentHashMap.newKeySet();
    try (UpdatedBytes bytes = open(); BackgroundSyncs syncs = new BackgroundSyncs(files)) {
      files.add(bytes);
      source.isUrgent = true;
      source.failure = new IOException("as the test wants it");
      source.isDirty = true;
      syncs.start();
      while (source.syncs < 2) {
        Thread.sleep(1);
      }
      source.failure = null;
      while (source.isDirty) {
        Thread.sleep(1);
      }
      source.isUrgent = false;
      write(bytes, 0, 5);
      assertTrue(bytes.isDirty());
      while (source.isDirty) {
        Thread.sleep(1);
      }
      source.file.losePower();
      assertEquals(5, read(bytes, 0));
    }
  }
}
