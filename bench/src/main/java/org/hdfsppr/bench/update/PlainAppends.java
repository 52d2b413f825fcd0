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
package org.hdfsppr.bench.update;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;


/** Appends of data with their checksum to a plain file, and no other work. */
final class PlainAppends {
  private PlainAppends() {
  }

  /**
   * Appends to a new file, and deletes it.
   *
   * @param folder a folder on the disk to measure
   * @param bytes the length of data
   * @param durable whether each append is on the disk before the next one
   * @param warmUp appends that do not count
   * @param count appends that count
   */
  static Latencies measure(Path folder, int bytes, boolean durable, int warmUp, int count)
      throws IOException {
    Path file = folder.resolve("plain-appends");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
      byte[] data = new byte[bytes];
      ByteBuffer record = ByteBuffer.allocateDirect(bytes + Integer.BYTES);
      CRC32C crc = new CRC32C();
      return Latencies.measure(warmUp, count, () -> {
        crc.reset();
        crc.update(data, 0, data.length);
        record.clear();
        record.put(data).putInt((int) crc.getValue()).flip();
        while (record.hasRemaining()) {
          channel.write(record);
        }
        if (durable) {
          channel.force(false);
        }
      });
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
