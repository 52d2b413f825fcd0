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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The result of reading a unit from its DataNode: either the bytes, or the reason why the bytes
 * could not be read. Immutable.
 */
final class UnitOutcome {
  /** The bytes; null unless {@link #isRead}. */
  final ByteBuffer bytes;
  /** The reason why the bytes could not be read; null if {@link #isRead}. */
  final IOException failure;
  private final UntrustedBytesException doubt;

  private UnitOutcome(ByteBuffer bytes, IOException failure, UntrustedBytesException doubt) {
    this.bytes = bytes;
    this.failure = failure;
    this.doubt = doubt;
  }

  static UnitOutcome read(ByteBuffer bytes) {
    return new UnitOutcome(bytes, null, null);
  }

  static UnitOutcome failed(IOException why) {
    return new UnitOutcome(null, why, null);
  }

  /**
   * @param doubt says that the path now belongs to another file; nodes that hold other units of the
   *     old group may still have the bytes
   */
  static UnitOutcome failed(IOException why, UntrustedBytesException doubt) {
    return new UnitOutcome(null, why, doubt);
  }

  boolean isRead() {
    return bytes != null;
  }

  /**
   * The reason why the unit must not be read from the DataNode that the NameNode names now; empty
   * if there is no such reason.
   */
  Optional<UntrustedBytesException> doubt() {
    return Optional.ofNullable(doubt);
  }
}
