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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what becomes of writers that fail, and of streams that end. */
@Timeout(60)
class TestUpdatedBytes {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Source source = new Source();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** A file whose updaters and streams fail when the test wants it. */
  private static final class Source implements UpdatedBytes.Opener {
    private final LossyBytes file = new LossyBytes(1000);
    private final List<Writer> writers = new ArrayList<>();
    private int streams;
    private boolean isStreamOver;
    private CountDownLatch mayWrite = new CountDownLatch(0);

    @Override
    public synchronized Writer updater() {
      Writer writer = new Writer(this);
      writers.add(writer);
      return writer;
    }

    @Override
    public synchronized FSDataInputStream stream() {
      streams++;
      isStreamOver = false;
      return new FSDataInputStream(new Stream(this));
    }
  }

  /** As FileUpdater does, it fails for good, and syncs its own writes. */
  private static final class Writer implements UpdatedBytes.Updater {
    private final Source source;
    private boolean isFailing;
    private boolean isClosed;
    private int writes;
    private int syncs;

    Writer(Source source) {
      this.source = source;
    }

    @Override
    public long length() {
      return source.file.length();
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
      if (isFailing) {
        throw new IOException("failed");
      }
      try {
        source.mayWrite.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      source.file.write(position, from);
      writes++;
    }

    @Override
    public void sync() throws IOException {
      if (isFailing) {
        throw new IOException("failed");
      }
      syncs++;
      source.file.sync();
    }

    @Override
    public void close() {
      isClosed = true;
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

  private UpdatedBytes open(int writersMost) throws IOException {
    return UpdatedBytes.open(source, writersMost, threads);
  }

  private static void write(UpdatedBytes bytes, int position, int value) throws IOException {
    bytes.write(position, ByteBuffer.wrap(new byte[] {(byte) value}));
  }

  private static int read(UpdatedBytes bytes, int position) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(1);
    bytes.read(position, into);
    return into.get(0);
  }

  @Test
  void oneWriterIsUsedAgain() throws Exception {
    try (UpdatedBytes bytes = open(4)) {
      assertEquals(1000, bytes.length());
      for (int i = 0; i < 10; i++) {
        write(bytes, i, i);
        assertEquals(i, read(bytes, i));
      }
      assertEquals(1, source.writers.size());
      bytes.sync();
      bytes.sync();
      assertEquals(1, source.writers.get(0).syncs);
      source.file.losePower();
      assertEquals(9, read(bytes, 9));
    }
    assertTrue(source.writers.get(0).isClosed);
  }

  @Test
  void writesAtTheSameTimeHaveWritersUpToTheBound() throws Exception {
    source.mayWrite = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    try (UpdatedBytes bytes = open(4)) {
      for (int i = 0; i < 20; i++) {
        int position = i;
        running.add(threads.submit(() -> {
          write(bytes, position, position);
          return null;
        }));
      }
      while (source.writers.size() < 4) {
        Thread.sleep(1);
      }
      source.mayWrite.countDown();
      for (Future<?> one : running) {
        one.get();
      }
      assertEquals(4, source.writers.size());
      bytes.sync();
      source.file.losePower();
      for (int i = 0; i < 20; i++) {
        assertEquals(i, read(bytes, i));
      }
      source.writers.forEach(writer -> assertEquals(Math.min(1, writer.writes), writer.syncs));
    }
  }

  /** A writer that has no writes in doubt is replaced, and only its own write fails. */
  @Test
  void aWriterWithoutDoubtIsReplaced() throws Exception {
    try (UpdatedBytes bytes = open(4)) {
      write(bytes, 0, 1);
      bytes.sync();
      source.writers.get(0).isFailing = true;
      assertThrows(IOException.class, () -> write(bytes, 1, 2));
      assertTrue(source.writers.get(0).isClosed);
      write(bytes, 1, 3);
      bytes.sync();
      source.file.losePower();
      assertEquals(1, read(bytes, 0));
      assertEquals(3, read(bytes, 1));
    }
  }

  /** If writes may be lost, each later sync says so, and nothing more is written. */
  @Test
  void aDoubtStays() throws Exception {
    try (UpdatedBytes bytes = open(4)) {
      write(bytes, 0, 1);
      source.writers.get(0).isFailing = true;
      assertThrows(IOException.class, () -> write(bytes, 1, 2));
      for (int i = 0; i < 3; i++) {
        assertTrue(assertThrows(IOException.class, bytes::sync).getMessage()
            .contains("may be lost"));
        assertTrue(assertThrows(IOException.class, () -> write(bytes, 1, 2)).getMessage()
            .contains("may be lost"));
      }
      assertEquals(1, source.writers.size());
      assertEquals(1, read(bytes, 0));
    }
  }

  /** A sync that fails is tried again by the next one. */
  @Test
  void aSyncMayBeTriedAgain() throws Exception {
    try (UpdatedBytes bytes = open(4)) {
      write(bytes, 0, 1);
      source.file.fail(new IOException("no answer"));
      assertThrows(IOException.class, bytes::sync);
      source.file.fail(null);
      bytes.sync();
      source.file.losePower();
      assertEquals(1, read(bytes, 0));
    }
  }

  @Test
  void aStreamThatEndsIsOpenedAnew() throws Exception {
    try (UpdatedBytes bytes = open(4)) {
      write(bytes, 0, 1);
      source.isStreamOver = true;
      assertEquals(1, read(bytes, 0));
      assertEquals(2, source.streams);
      source.file.fail(new IOException("no node has it"));
      assertThrows(IOException.class, () -> read(bytes, 0));
      assertEquals(3, source.streams);
    }
  }

  @Test
  void aClosedFileTakesNothing() throws Exception {
    UpdatedBytes bytes = open(4);
    bytes.close();
    assertThrows(IOException.class, () -> write(bytes, 0, 1));
    assertThrows(IOException.class, () -> read(bytes, 0));
  }
}
