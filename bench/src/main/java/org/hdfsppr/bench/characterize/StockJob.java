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
package org.hdfsppr.bench.characterize;

/** A file that a {@link StockWorker} writes or reads from its start on. Immutable. */
final class StockJob {
  final LoadOperation operation;
  final long requestBytes;
  final long bytes;
  final int seconds;
  final long blockBytes;
  final String path;

  /**
   * @param requestBytes the bytes of each call
   * @param bytes the most bytes, and those of the file if it is read
   * @param seconds the most seconds
   * @param blockBytes the bytes of a block of the file if it is written
   * @param path the file, without blanks
   */
  StockJob(LoadOperation operation, long requestBytes, long bytes, int seconds, long blockBytes,
      String path) {
    this.operation = operation;
    this.requestBytes = requestBytes;
    this.bytes = bytes;
    this.seconds = seconds;
    this.blockBytes = blockBytes;
    this.path = path;
  }

  static StockJob parse(String line) {
    String[] words = line.split(" ");
    return new StockJob(LoadOperation.parse(words[0]), Long.parseLong(words[1]),
        Long.parseLong(words[2]), Integer.parseInt(words[3]), Long.parseLong(words[4]), words[5]);
  }

  String toLine() {
    return String.join(" ", operation.label(), Long.toString(requestBytes), Long.toString(bytes),
        Integer.toString(seconds), Long.toString(blockBytes), path);
  }
}
