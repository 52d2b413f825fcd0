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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a timed file gives the file's bytes, and counts each way to read them. */
class TestTimedFileInput {
  private static final int BYTES = 1000;

  @TempDir
  private Path folder;

  private final byte[] content = new byte[BYTES];
  private final FileClock clock = new FileClock();
  private Path file;

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(content);
    file = Files.write(folder.resolve("blk_1"), content);
  }

  private TimedFileInput open() throws IOException {
    return new TimedFileInput(new FileInputStream(file.toFile()), clock);
  }

  @Test
  void readsOfTheStreamCount() throws IOException {
    try (TimedFileInput in = open()) {
      assertEquals(content[0] & 0xff, in.read());
      assertEquals(1, clock.getReads());
      byte[] rest = new byte[BYTES - 1];
      assertEquals(10, in.read(rest, 0, 10));
      assertEquals(BYTES - 11, in.read(rest, 10, BYTES - 11));
      assertEquals(3, clock.getReads());
      assertEquals(0, in.available());
      assertEquals(content[BYTES - 1], rest[BYTES - 2]);
    }
    assertTrue(clock.getNanos() > 0);
  }

  @Test
  void readsAndTransfersOfTheChannelCount() throws IOException {
    try (TimedFileInput in = open()) {
      FileChannel channel = in.getChannel();
      assertEquals(BYTES, channel.size());
      ByteBuffer part = ByteBuffer.allocate(100);
      assertEquals(100, channel.read(part, 500));
      assertEquals(content[599], part.get(99));
      assertEquals(0, channel.position());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals(BYTES, channel.transferTo(0, BYTES, Channels.newChannel(out)));
      assertArrayEquals(content, out.toByteArray());
      part.clear();
      assertEquals(100, channel.read(part));
      assertEquals(3, clock.getReads());
      assertEquals(100, channel.position());
      assertEquals(content[100] & 0xff, in.read(), "stream and channel share their position");
    }
    assertTrue(clock.getNanos() > 0);
  }

  @Test
  void closesWhatItReads() throws IOException {
    FileInputStream in = new FileInputStream(file.toFile());
    FileChannel channel = in.getChannel();
    new TimedFileInput(in, clock).close();
    assertTrue(!channel.isOpen());
  }
}
