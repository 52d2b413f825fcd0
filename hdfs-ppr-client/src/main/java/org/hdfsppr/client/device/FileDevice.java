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
package org.hdfsppr.client.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/** A device whose bytes are those of one file. Thread-safe. */
@InterfaceAudience.Private
public final class FileDevice implements BlockDevice {
  private final SyncedBytes bytes;
  private final boolean isReadOnly;

  /**
   * @param bytes the file; this object closes it
   * @param isReadOnly whether the file may only be read
   */
  public FileDevice(UpdatableBytes bytes, boolean isReadOnly) {
    this.bytes = new SyncedBytes(bytes, new SyncHistory());
    this.isReadOnly = isReadOnly;
  }

  @Override
  public long size() {
    return bytes.length();
  }

  @Override
  public boolean isReadOnly() {
    return isReadOnly;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    bytes.read(offset, into);
  }

  @Override
  public void write(long offset, ByteBuffer from) throws IOException {
    bytes.write(offset, from);
  }

  @Override
  public void zero(long offset, long length) throws IOException {
    bytes.zero(offset, length);
  }

  @Override
  public boolean isZeroFast() {
    return false;
  }

  @Override
  public void flush() throws IOException {
    bytes.sync();
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    bytes.sync();
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
