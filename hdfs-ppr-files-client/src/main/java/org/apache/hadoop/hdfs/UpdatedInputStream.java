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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.hdfsppr.client.files.update.UpdateOverlay;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.operate.GroupReplacedException;

/**
 * A stream of a file that may have updates which are not in its version yet. It reads the last
 * committed version with an inner stream, which reads only the version with which it was opened,
 * and applies the updates to these bytes. If a commit has replaced the version, this stream opens
 * the new one, and reads again, so that bytes of one version never get the updates of another. From
 * then on, each answer of the NameNode about updates has to confirm that this is a version of the
 * same file. Stateful reads keep no bytes for later calls, so that each call sees all updates that
 * were acknowledged before it.
 */
@InterfaceAudience.Private
public final class UpdatedInputStream extends PprStripedInputStream {
  /** How many bytes a stateful read returns at most; this bounds its memory. */
  private static final int CHUNK_BYTES = 1 << 20;
  /** The id that stands for "no block group"; HDFS gives it to none. */
  private static final long NO_GROUP = 0;
  /**
   * How often a read is tried at most if commits replace the version meanwhile. A commit takes
   * seconds at least.
   */
  private static final int VERSIONS_MOST = 8;

  /** Opens the committed version that the path has now. */
  interface Versions {
    PprStripedInputStream open() throws IOException;
  }

  private final UpdateOverlay overlay;
  private final Versions versions;
  /** The inner stream, which reads the committed version. Guarded by {@link #lock}. */
  private PprStripedInputStream version;
  /**
   * The id of the first block group of {@link #version} when it was opened. The inner stream itself
   * may learn the groups of a later version when it asks the NameNode for blocks that are gone.
   */
  private long firstGroup;
  private boolean isClosed;
  /** Whether a read has returned bytes of the file that was opened. */
  private boolean hasRead;
  private final Object lock = new Object();

  /**
   * @param overlay applies the file's updates
   * @param versions opens the committed version
   */
  UpdatedInputStream(DFSClient client, ReadContext context, FileSystem.Statistics statistics,
      StripedFile file, UpdateOverlay overlay, Versions versions) throws IOException {
    super(client, context, statistics, file);
    this.overlay = overlay;
    this.versions = versions;
    this.version = new PprStripedInputStream(client, context, statistics, file);
    this.firstGroup = first(version);
  }

  private PprStripedInputStream version() throws IOException {
    synchronized (lock) {
      if (isClosed) {
        throw new IOException("Stream closed");
      }
      return version;
    }
  }

  /**
   * Opens the version that the path has now, unless another thread has done so.
   *
   * @param old the version that was replaced
   * @param why the failure that has shown this; it is thrown if the path may name another file by
   *     now
   */
  private void openAnew(PprStripedInputStream old, IOException why) throws IOException {
    synchronized (lock) {
      if (version() != old) {
        return;
      }
      boolean isKnown = overlay.knowsFile();
      if (hasRead && !isKnown) {
        // The NameNode has not said which file was read, because its plugin is of an earlier
        // release or the file was being written. So the new version may be one of another file. If
        // nothing was read yet, that does not matter: it is as if the stream were opened now.
        throw why;
      }
      PprStripedInputStream fresh = versions.open();
      if (fresh.getFileLength() != getFileLength() || first(fresh) == firstGroup
          || isKnown && !fresh.getLocatedBlocks().isLastBlockComplete()) {
        // A commit makes a closed file of the same length with other block groups. What the path
        // has now is not that.
        fresh.close();
        throw why;
      }
      if (isKnown) {
        overlay.pin();
      }
      version = fresh;
      firstGroup = first(fresh);
      old.close();
    }
  }

  private static long first(PprStripedInputStream of) {
    LocatedBlocks located = of.getLocatedBlocks();
    return located.locatedBlockCount() == 0 ? NO_GROUP : located.get(0).getBlock().getBlockId();
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(position, buffer, offset, length);
    return length == 0 ? 0 : read(position, ByteBuffer.wrap(buffer, offset, length));
  }

  @Override
  public int read(long position, ByteBuffer buf) throws IOException {
    if (!buf.hasRemaining()) {
      return 0;
    }
    if (position < 0 || position >= getFileLength()) {
      version();
      return -1;
    }
    int start = buf.position();
    int length = (int) Math.min(buf.remaining(), getFileLength() - position);
    boolean isWhole = false;
    try {
      for (int done = 0; done < length;) {
        done += readGroup(position + done, buf, length - done);
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        buf.position(start);
      }
    }
    return length;
  }

  /** Reads within one block group. Returns how many bytes it has read. */
  private int readGroup(long position, ByteBuffer buf, int most) throws IOException {
    int start = buf.position();
    for (int opened = 1; true; opened++) {
      PprStripedInputStream from = version();
      try {
        int read = readGroup(from, position, buf, most);
        if (takes(from)) {
          return read;
        }
        buf.position(start);
      } catch (GroupReplacedException | UntrustedBytesException e) {
        buf.position(start);
        if (opened == VERSIONS_MOST) {
          throw e;
        }
        openAnew(from, e);
      } catch (IOException e) {
        buf.position(start);
        if (version() == from || opened == VERSIONS_MOST) {
          throw e;
        }
        // Another thread has opened a new version meanwhile, and has closed this one.
      }
    }
  }

  /** Returns whether the bytes that were read from a version may be returned to the caller. */
  private boolean takes(PprStripedInputStream from) {
    synchronized (lock) {
      if (version != from && !overlay.isPinned()) {
        // Another thread has opened a new version meanwhile, which may be of another file. A stream
        // must not return bytes of both.
        return false;
      }
      hasRead = true;
      return true;
    }
  }

  private int readGroup(PprStripedInputStream from, long position, ByteBuffer buf, int most)
      throws IOException {
    int start = buf.position();
    int length = most;
    LocatedGroup group = null;
    if (!from.isBeingWritten(position)) {
      // A group that is being written has no updates.
      group = from.groupAt(position);
      length = (int) Math.min(most, group.start() + group.bytes() - position);
    }
    ByteBuffer part = buf.duplicate();
    part.limit(start + length);
    int read = from.read(position, part);
    if (group != null && read > 0) {
      ByteBuffer committed = buf.duplicate();
      committed.limit(start + read);
      // These are the updates of the group that was read: an inner stream never has another group
      // at this position.
      overlay.apply(group, position - group.start(), committed);
    }
    if (read <= 0) {
      throw new EOFException("The file ends at " + position);
    }
    buf.position(start + read);
    return read;
  }

  @Override
  protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
    dfsClient.checkOpen();
    long position = getPos();
    if (closed.get() || position >= getFileLength() || strategy.getTargetLength() == 0) {
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

  @Override
  public synchronized void close() throws IOException {
    PprStripedInputStream last;
    synchronized (lock) {
      last = isClosed ? null : version;
      isClosed = true;
    }
    try {
      if (last != null) {
        last.close();
      }
    } finally {
      super.close();
    }
  }
}
