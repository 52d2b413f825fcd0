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
package org.hdfsppr.golden;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** Some of the bytes of a sample: a message, or what our code puts around messages. */
@InterfaceAudience.Private
final class GoldenPiece {
  final String label;
  final byte[] bytes;
  /** Null if the bytes are no message. */
  final Message message;
  /** Lines that say what the bytes mean. */
  final List<String> notes;

  GoldenPiece(String label, byte[] bytes, Message message, List<String> notes) {
    this.label = label;
    this.bytes = bytes;
    this.message = message;
    this.notes = notes;
  }

  static GoldenPiece of(String label, byte[] bytes) {
    return new GoldenPiece(label, bytes, null, List.of());
  }
}
