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
package org.hdfsppr.it.versions;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.read.ReadOracle;

/** What a file should contain: pieces of noise, one for each write, append and concatenation. */
final class FileContent {
  private static final int CHUNK_BYTES = 1 << 20;

  /** Noise of one seed, from its first byte on. */
  private static final class Piece {
    private final long seed;
    private final long bytes;

    Piece(long seed, long bytes) {
      this.seed = seed;
      this.bytes = bytes;
    }
  }

  private final List<Piece> pieces = new ArrayList<>();

  /** Writes a new file. */
  static FileContent write(DistributedFileSystem client, Path file, long blockBytes, long bytes,
      long seed) throws IOException {
    new ReadOracle(seed).write(client, file, blockBytes, bytes);
    FileContent content = new FileContent();
    content.pieces.add(new Piece(seed, bytes));
    return content;
  }

  /** Appends noise in block groups of its own, which is how striped files are appended to. */
  void append(DistributedFileSystem client, Path file, long bytes, long seed) throws IOException {
    ReadOracle noise = new ReadOracle(seed);
    try (OutputStream out = client.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK),
        CHUNK_BYTES, null)) {
      for (long done = 0; done < bytes; done += CHUNK_BYTES) {
        out.write(noise.bytes(done, (int) Math.min(CHUNK_BYTES, bytes - done)));
      }
    }
    pieces.add(new Piece(seed, bytes));
  }

  /** Returns a copy of the present content. Later appends do not change the copy. */
  FileContent copy() {
    FileContent copy = new FileContent();
    copy.pieces.addAll(pieces);
    return copy;
  }

  /** Adds the content of another file, after a concatenation. */
  void add(FileContent other) {
    pieces.addAll(other.pieces);
  }

  long bytes() {
    return pieces.stream().mapToLong(piece -> piece.bytes).sum();
  }

  /** Returns whether the file has this content, from its first byte to its last. */
  boolean isIn(DistributedFileSystem client, Path file) throws IOException {
    try (InputStream in = client.open(file)) {
      return isIn(in);
    }
  }

  /** Returns whether a stream has this content, from its first byte to its last. */
  boolean isIn(InputStream in) throws IOException {
    for (Piece piece : pieces) {
      ReadOracle noise = new ReadOracle(piece.seed);
      for (long done = 0; done < piece.bytes; done += CHUNK_BYTES) {
        int length = (int) Math.min(CHUNK_BYTES, piece.bytes - done);
        if (!Arrays.equals(noise.bytes(done, length), in.readNBytes(length))) {
          return false;
        }
      }
    }
    return in.read() < 0;
  }
}
