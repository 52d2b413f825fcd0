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

/** A request of a block trace. Immutable. */
final class TraceRequest {
  final boolean isWrite;
  final long offset;
  final long size;

  /**
   * @param isWrite whether it writes; it reads otherwise
   * @param offset the first byte of the volume
   * @param size the number of bytes
   */
  TraceRequest(boolean isWrite, long offset, long size) {
    this.isWrite = isWrite;
    this.offset = offset;
    this.size = size;
  }

  /** {@return the byte after the last one} */
  long end() {
    return offset + size;
  }
}
