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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.ChannelInput;

/** The bytes that our code puts on a connection, and takes from one, without a connection. */
@InterfaceAudience.Private
public final class WireBytes {
  private WireBytes() {
  }

  /** Writes to a connection. */
  public interface Writer {
    void write(ByteArrayOutputStream out) throws IOException;
  }

  /** @return what a peer reads these bytes from */
  public static ChannelInput in(byte[] bytes) {
    return new ChannelInput(new ByteArrayInputStream(bytes));
  }

  /** @return what the writer writes */
  public static byte[] bytes(Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(out);
    return out.toByteArray();
  }
}
