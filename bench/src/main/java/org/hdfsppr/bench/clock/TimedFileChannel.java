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
package org.hdfsppr.bench.clock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;


/**
 * A channel of a file whose reads are timed. Reads are also transfers to a socket: Hadoop begins
 * one only after the socket can take bytes, and its sockets do not block, so that a transfer waits
 * for the disk and not for the network.
 */
final class TimedFileChannel extends FileChannel {
  private final FileChannel file;
  private final FileClock clock;

  TimedFileChannel(FileChannel file, FileClock clock) {
    this.file = file;
    this.clock = clock;
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    long start = System.nanoTime();
    try {
      return file.read(dst);
    } finally {
      clock.readSince(start);
    }
  }

  @Override
  public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
    long start = System.nanoTime();
    try {
      return file.read(dsts, offset, length);
    } finally {
      clock.readSince(start);
    }
  }

  @Override
  public int read(ByteBuffer dst, long position) throws IOException {
    long start = System.nanoTime();
    try {
      return file.read(dst, position);
    } finally {
      clock.readSince(start);
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target)
      throws IOException {
    long start = System.nanoTime();
    try {
      return file.transferTo(position, count, target);
    } finally {
      clock.readSince(start);
    }
  }

  @Override
  public long transferFrom(ReadableByteChannel src, long position, long count)
      throws IOException {
    return file.transferFrom(src, position, count);
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    return file.write(src);
  }

  @Override
  public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
    return file.write(srcs, offset, length);
  }

  @Override
  public int write(ByteBuffer src, long position) throws IOException {
    return file.write(src, position);
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    file.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    file.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    file.force(metaData);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return file.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return file.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }
}
