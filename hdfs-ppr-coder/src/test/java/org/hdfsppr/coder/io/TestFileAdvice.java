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
package org.hdfsppr.coder.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that advice reaches the kernel, and changes nothing else. */
class TestFileAdvice {
  @Test
  void adviceIsTakenAndChangesNothing(@TempDir Path dir) throws IOException {
    byte[] content = new byte[100_000];
    content[77_777] = 7;
    Path path = Files.write(dir.resolve("file"), content);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      assertEquals(FileAdvice.isPossible(), FileAdvice.random(file.getFD()));
      assertEquals(FileAdvice.isPossible(), FileAdvice.willNeed(file.getFD(), 50_000, 50_000));
      // Beyond the file's end there is nothing to read ahead. The kernel accepts this without an
      // error.
      assertEquals(FileAdvice.isPossible(), FileAdvice.willNeed(file.getFD(), 1 << 20, 10));
      byte[] read = new byte[content.length];
      file.readFully(read);
      assertArrayEquals(content, read);
    }
  }

  @Test
  void aClosedFileIsNoHarm() {
    assertFalse(FileAdvice.random(new FileDescriptor()));
    assertFalse(FileAdvice.willNeed(new FileDescriptor(), 0, 1));
    assertFalse(FileAdvice.random(null));
  }

  @Test
  void whatWasJustWrittenIsInMemory(@TempDir Path dir) throws IOException {
    byte[] content = new byte[20_000_000];
    Path path = Files.write(dir.resolve("file"), content);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long resident = FileAdvice.residentBytes(file.getFD(), content.length);
      // The number depends on how much memory other processes need.
      assertEquals(FileAdvice.isPossible(), resident > 0);
      assertEquals(true, resident <= content.length);
    }
    assertEquals(-1, FileAdvice.residentBytes(new FileDescriptor(), 100));
    assertEquals(-1, FileAdvice.residentBytes(null, 100));
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      assertEquals(-1, FileAdvice.residentBytes(file.getFD(), 0));
    }
  }

  @Test
  void aHoleIsNotInMemory(@TempDir Path dir) throws IOException {
    Path path = dir.resolve("file");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(new byte[10_000_000]);
      file.setLength(20_000_000);
      long resident = FileAdvice.residentBytes(file.getFD(), 20_000_000);
      assertEquals(FileAdvice.isPossible(), resident > 0);
      assertEquals(true, resident <= 11_000_000, resident +
          " bytes in memory, of a file that is half a hole");
    }
  }
}
