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
package org.hdfsppr.it.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;

/**
 * The ways in which a program can read a range of a file. Each checks every byte that it gets, and
 * where the stream is afterwards.
 */
enum ReadCall {
  PREAD {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      long before = in.getPos();
      byte[] bytes = new byte[length + PAD];
      int got = in.read(offset, bytes, PAD, length);
      checkSome(got, length);
      check(file, offset, drop(bytes, PAD, got));
      assertEquals(before, in.getPos(), "position after a positional read");
      return got;
    }
  },
  PREAD_FULLY {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      byte[] bytes = new byte[length];
      in.readFully(offset, bytes);
      check(file, offset, bytes);
      return length;
    }
  },
  PREAD_BEYOND_THE_END {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      assertEquals(-1, in.read(file.length, new byte[1], 0, 1), "a read at the end");
      int more = (int) (file.length - offset) + 1 + random.nextInt(PAD);
      assertThrows(EOFException.class, () -> in.readFully(offset, new byte[more]));
      return 0;
    }

    @Override
    int lengthOf(ReadFile file, long offset, int length) {
      return (int) Math.min(file.length - offset, 1 << 20);
    }

    @Override
    long offsetOf(ReadFile file, long offset) {
      return Math.max(offset, file.length - (1 << 20));
    }
  },
  READ {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      in.seek(offset);
      byte[] bytes = new byte[length];
      int done = 0;
      while (done < length) {
        int got = in.read(bytes, done, 1 + random.nextInt(length - done));
        checkSome(got, length - done);
        done += got;
        assertEquals(offset + done, in.getPos(), "position after a read");
      }
      check(file, offset, bytes);
      return length;
    }
  },
  READ_SINGLE_BYTES {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      in.seek(offset);
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        int value = in.read();
        if (value < 0) {
          throw new EOFException("the file ends at " + (offset + i));
        }
        bytes[i] = (byte) value;
      }
      check(file, offset, bytes);
      if (in.getPos() == file.length) {
        assertEquals(-1, in.read(), "a read at the end");
      }
      return length;
    }

    @Override
    int lengthOf(ReadFile file, long offset, int length) {
      return Math.min(length, 2000);
    }
  },
  READ_FULLY {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      in.seek(offset);
      byte[] bytes = new byte[length];
      in.readFully(bytes, 0, length);
      check(file, offset, bytes);
      assertEquals(offset + length, in.getPos(), "position after readFully");
      return length;
    }
  },
  BYTE_BUFFER_READ {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      in.seek(offset);
      ByteBuffer buffer = buffer(length, random);
      int got = in.read(buffer);
      checkSome(got, length);
      assertEquals(got, buffer.position(), "the buffer's position");
      check(file, offset, content(buffer));
      assertEquals(offset + got, in.getPos(), "position after a read");
      return got;
    }
  },
  BYTE_BUFFER_PREAD {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      ByteBuffer buffer = buffer(length, random);
      int got = in.read(offset, buffer);
      checkSome(got, length);
      assertEquals(got, buffer.position(), "the buffer's position");
      check(file, offset, content(buffer));
      return got;
    }
  },
  BYTE_BUFFER_PREAD_FULLY {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      ByteBuffer buffer = buffer(length, random);
      in.readFully(offset, buffer);
      assertEquals(0, buffer.remaining(), "bytes that are left to fill");
      check(file, offset, content(buffer));
      return length;
    }
  },
  READ_VECTORED {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws Exception {
      List<FileRange> ranges = new ArrayList<>();
      long at = offset;
      long end = offset + length;
      while (at < end && ranges.size() < RANGES_MAX) {
        int bytes = 1 + random.nextInt((int) Math.min(end - at, 1 + length / 2));
        ranges.add(FileRange.createFileRange(at, bytes));
        at += bytes + random.nextInt(PAD);
      }
      int first = ranges.get(0).getLength();
      Collections.shuffle(ranges, random);
      boolean direct = random.nextBoolean();
      in.readVectored(ranges,
          size -> direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size));
      for (FileRange range : ranges) {
        CompletableFuture<ByteBuffer> data = range.getData();
        ByteBuffer buffer = data.get(VECTORED_LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals(range.getLength(), buffer.remaining(), "bytes of a vectored range");
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        check(file, range.getOffset(), bytes);
      }
      return first;
    }
  },
  SKIP {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      long from = (long) (random.nextDouble() * (offset + 1));
      in.seek(from);
      if (random.nextBoolean() && from < file.length) {
        // A byte is read first, so that the stream has buffered bytes, in which it can skip.
        check(file, from, new byte[] {(byte) in.read()});
        from++;
      }
      if (from <= offset) {
        assertEquals(offset - from, in.skip(offset - from), "bytes skipped");
        assertEquals(offset, in.getPos(), "position after skip");
      } else {
        in.seek(offset);
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      check(file, offset, bytes);
      return length;
    }
  },
  AVAILABLE {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      in.seek(offset);
      assertEquals(file.length - offset, in.available(), "available");
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      check(file, offset, bytes);
      assertEquals(file.length - offset - length, in.available(), "available after a read");
      return length;
    }
  },
  UNBUFFER {
    @Override
    int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
        throws IOException {
      in.seek(offset);
      int first = random.nextInt(length) + 1;
      byte[] bytes = new byte[length];
      in.readFully(bytes, 0, first);
      in.unbuffer();
      assertEquals(offset + first, in.getPos(), "position after unbuffer");
      in.readFully(bytes, first, length - first);
      check(file, offset, bytes);
      in.unbuffer();
      return length;
    }
  };

  private static final int PAD = 64;
  private static final int RANGES_MAX = 6;
  private static final int VECTORED_LIMIT_SECONDS = 120;

  /**
   * Reads at least one byte of the range.
   *
   * @param length at least 1; the range is within the file
   * @return the number of bytes, from {@code offset} on, that were read without a gap
   */
  abstract int read(FSDataInputStream in, ReadFile file, long offset, int length, Random random)
      throws Exception;

  /**
   * Returns the length that is read in fact, because some calls take too long for large lengths.
   */
  int lengthOf(ReadFile file, long offset, int length) {
    return length;
  }

  /** Returns the offset at which the call begins to read. */
  long offsetOf(ReadFile file, long offset) {
    return offset;
  }

  private static void checkSome(int got, int most) throws IOException {
    if (got < 1 || got > most) {
      throw new IOException("a read of up to " + most + " returned " + got);
    }
  }

  private static byte[] drop(byte[] bytes, int from, int length) {
    byte[] part = new byte[length];
    System.arraycopy(bytes, from, part, 0, length);
    return part;
  }

  private static ByteBuffer buffer(int length, Random random) {
    return random.nextBoolean() ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
  }

  private static byte[] content(ByteBuffer buffer) {
    ByteBuffer read = buffer.duplicate();
    read.flip();
    byte[] bytes = new byte[read.remaining()];
    read.get(bytes);
    return bytes;
  }

  private static void check(ReadFile file, long offset, byte[] bytes) throws IOException {
    int wrong = file.oracle.firstWrong(offset, bytes, bytes.length);
    if (wrong >= 0) {
      throw new IOException("WRONG BYTE at " + (offset + wrong) + " of " + file.path + ", byte "
          + wrong + " of " + bytes.length);
    }
  }
}
