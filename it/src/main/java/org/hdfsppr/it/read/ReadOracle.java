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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Computes the content of a test file at any offset from a seed, so that a reader can check bytes
 * without a copy of the file. Byte {@code i} of the file is taken from a 64-bit hash of the seed
 * and {@code i / 8}. It is byte {@code i % 8} of the hash, where byte 0 is the lowest.
 */
@InterfaceAudience.Private
public final class ReadOracle {
  private static final int CHUNK_BYTES = 1 << 20;

  /** SplitMix64's increment and multipliers (Steele, Lea, Flood, OOPSLA 2014). */
  private static final long STEP = 0x9E3779B97F4A7C15L;
  private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_2 = 0x94D049BB133111EBL;

  private final long seed;

  /**
   * @param seed the seed of the content
   */
  public ReadOracle(long seed) {
    this.seed = seed;
  }

  private long word(long index) {
    long mixed = seed + (index + 1) * STEP;
    mixed = (mixed ^ (mixed >>> 30)) * MIX_1;
    mixed = (mixed ^ (mixed >>> 27)) * MIX_2;
    return mixed ^ (mixed >>> 31);
  }

  /**
   * {@return the bytes of the file from {@code offset} on}
   *
   * @param offset the first byte's offset in the file
   * @param length the number of bytes
   */
  public byte[] bytes(long offset, int length) {
    byte[] bytes = new byte[length];
    fill(offset, bytes, length);
    return bytes;
  }

  private void fill(long offset, byte[] to, int length) {
    int done = 0;
    while (done < length) {
      long at = offset + done;
      int skip = (int) (at & 7);
      long word = word(at >>> 3) >>> (8 * skip);
      int end = Math.min(length, done + 8 - skip);
      for (; done < end; done++) {
        to[done] = (byte) word;
        word >>>= 8;
      }
    }
  }

  /**
   * Finds the first of {@code length} bytes that differs from the file's content.
   *
   * @param offset the offset in the file of the first byte of {@code read}
   * @param read bytes that a client has read
   * @param length the number of bytes to compare
   * @return an index into {@code read}, or -1 if all bytes are right
   */
  public int firstWrong(long offset, byte[] read, int length) {
    byte[] right = bytes(offset, length);
    return Arrays.mismatch(right, 0, length, read, 0, length);
  }

  /**
   * {@return whether a file has exactly the content of this seed, read from its first byte to its
   * last}
   *
   * @param client a client of the cluster
   * @param file a path
   * @param length the right size of the file, bytes
   * @throws IOException if the file cannot be read
   */
  public boolean isContentOf(DistributedFileSystem client, Path file, long length)
      throws IOException {
    try (InputStream in = client.open(file)) {
      for (long done = 0; done < length; done += CHUNK_BYTES) {
        byte[] read = in.readNBytes((int) Math.min(CHUNK_BYTES, length - done));
        if (read.length == 0 || firstWrong(done, read, read.length) >= 0) {
          return false;
        }
      }
      return in.read() < 0;
    }
  }

  /**
   * Writes a file of {@code length} bytes in blocks of {@code blockBytes}.
   *
   * @param client a client of the cluster
   * @param file a path
   * @param blockBytes the size of an internal block, bytes
   * @param length the size of the file, bytes
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public void write(DistributedFileSystem client, Path file, long blockBytes, long length)
      throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (OutputStream out = client.create(file, true, CHUNK_BYTES, (short) 1, blockBytes)) {
      for (long done = 0; done < length; done += chunk.length) {
        int bytes = (int) Math.min(length - done, chunk.length);
        fill(done, chunk, bytes);
        out.write(chunk, 0, bytes);
      }
    }
  }
}
