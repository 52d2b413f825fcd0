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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.update.UpdateOverlay;
import org.hdfsppr.coder.code.LinearCode;

/**
 * A stream of a file that may have updates which are not in its version yet. It reads the committed
 * version as its superclass does, and puts the updates over it. Stateful reads keep no bytes for
 * later calls, so that each call sees all updates that were acknowledged before it.
 */
@InterfaceAudience.Private
public final class UpdatedInputStream extends PprStripedInputStream {
  /** The most bytes that a stateful read gets at a time; this bounds its memory. */
  private static final int CHUNK_BYTES = 1 << 20;

  private final UpdateOverlay overlay;

  /** @param overlay has the file's updates */
  UpdatedInputStream(DFSClient client, ReadContext context, FileSystem.Statistics statistics,
      String src, boolean verifyChecksum, ErasureCodingPolicy policy, LocatedBlocks located,
      LinearCode code, UpdateOverlay overlay) throws IOException {
    super(client, context, statistics, src, verifyChecksum, policy, located, code);
    this.overlay = overlay;
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(position, buffer, offset, length);
    return length == 0 ? 0 : read(position, ByteBuffer.wrap(buffer, offset, length));
  }

  @Override
  public int read(long position, ByteBuffer buf) throws IOException {
    ByteBuffer committed = buf.duplicate();
    int read = super.read(position, buf);
    boolean isWhole = false;
    try {
      for (int done = 0; done < read;) {
        committed.limit(buf.position());
        committed.position(buf.position() - read + done);
        done += update(position + done, committed);
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        buf.position(buf.position() - read);
      }
    }
    return read;
  }

  /** Puts updates over the bytes within one block group; returns how many bytes these are. */
  private int update(long position, ByteBuffer committed) throws IOException {
    if (isBeingWritten(position)) {
      // A group that is being written has no updates.
      return committed.remaining();
    }
    LocatedGroup group = groupAt(position);
    long from = position - group.start();
    int length = (int) Math.min(committed.remaining(), group.bytes() - from);
    committed.limit(committed.position() + length);
    overlay.apply(group, from, committed);
    return length;
  }

  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    long position = getPos();
    if (closed.get() || position >= getFileLength() || strategy.getTargetLength() == 0
        || isBeingWritten(position)) {
      return super.readWithStrategy(strategy);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(
        Math.min(CHUNK_BYTES, strategy.getTargetLength()), getFileLength() - position));
    int read = read(position, bytes);
    bytes.flip();
    strategy.readFromBuffer(bytes, read);
    seek(position + read);
    return read;
  }
}
