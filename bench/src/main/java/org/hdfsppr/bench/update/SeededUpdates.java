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

import java.util.Random;


/**
 * Updates at random places of a file, with random bytes. The same seed gives the same updates, so
 * that another process knows what was written. Places are multiples of the updates' length, so that
 * no update is in two cells.
 */
final class SeededUpdates {
  private final Random random;
  private final int places;
  final byte[] data;
  private long position;

  /**
   * @param seed the seed
   * @param fileBytes bytes of the file
   * @param bytes the length of each update, bytes; it divides the length of a cell
   */
  SeededUpdates(long seed, long fileBytes, int bytes) {
    this.random = new Random(seed);
    this.places = Math.toIntExact(fileBytes / bytes);
    this.data = new byte[bytes];
  }

  /** Goes on to the next update. */
  void next() {
    position = (long) random.nextInt(places) * data.length;
    random.nextBytes(data);
  }

  /** {@return where the update is written} */
  long position() {
    return position;
  }

  /** Writes the next updates into a copy of the file. */
  void into(byte[] file, int count) {
    for (int i = 0; i < count; i++) {
      next();
      System.arraycopy(data, 0, file, Math.toIntExact(position), data.length);
    }
  }
}
