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
package org.hdfsppr.it.util;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Writes files with reproducible random content, and checks whether a file still has this content.
 */
@InterfaceAudience.Private
public final class TestFile {
  private static final int CHUNK_BYTES = 1024 * 1024;

  private TestFile() {
  }

  /**
   * Writes a file whose content depends only on {@code seed} and {@code length}.
   *
   * @param client a client of the cluster
   * @param file a path
   * @param blockBytes the size of an internal block, bytes
   * @param length the size of the file, bytes
   * @param seed the seed of the content
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static void write(DistributedFileSystem client, Path file, long blockBytes, long length,
      long seed) throws IOException {
    Random random = new Random(seed);
    byte[] chunk = new byte[CHUNK_BYTES];
    try (OutputStream out = client.create(file, true, CHUNK_BYTES, (short) 1, blockBytes)) {
      for (long left = length; left > 0; left -= chunk.length) {
        random.nextBytes(chunk);
        out.write(chunk, 0, (int) Math.min(left, chunk.length));
      }
    }
  }

  /**
   * {@return true if the file has exactly the content that {@link #write} wrote}
   *
   * @param client a client of the cluster
   * @param file a path
   * @param length the size of the file, bytes
   * @param seed the seed of the content
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static boolean holds(DistributedFileSystem client, Path file, long length, long seed)
      throws IOException {
    Random random = new Random(seed);
    byte[] chunk = new byte[CHUNK_BYTES];
    try (InputStream in = client.open(file)) {
      for (long left = length; left > 0; left -= chunk.length) {
        random.nextBytes(chunk);
        int bytes = (int) Math.min(left, chunk.length);
        if (!Arrays.equals(in.readNBytes(bytes), Arrays.copyOf(chunk, bytes))) {
          return false;
        }
      }
      return in.read() < 0;
    }
  }
}
