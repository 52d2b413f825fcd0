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
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves stateful reads without stock's code. This class holds the stripe at the reader's position.
 * If the reader reads sequentially, this class also reads the next stripe in the background. Used
 * by one thread at a time.
 */
@InterfaceAudience.Private
public final class StripeReader {
  private static final Logger LOG = LoggerFactory.getLogger(StripeReader.class);

  /** The file that has the stripes. */
  public interface StripedFile {
    /**
     * @param position offset in the file, bytes
     * @return true if the file has bytes at the position, and if the block group there is complete
     */
    boolean isReadable(long position);

    /**
     * @param position offset in the file, bytes
     * @return the block group that contains the position
     * @throws IOException if the group cannot be found
     */
    LocatedGroup groupAt(long position) throws IOException;

    /**
     * Notifies the file that a stripe was read or could not be read. The file can then add the
     * bytes to the statistics of the reader's thread, which calls this method.
     */
    void stripeRead();
  }

  private final GroupSource groups;
  private final StripedFile file;
  private final StripeAhead ahead;
  private final long stripeBytes;
  /** The bytes that were read last, up to the buffer's limit; null if no stripe is held. */
  private ByteBuffer stripe;
  private long stripeStart;

  /**
   * @param context the state that all streams of the client share
   * @param groups reads block groups for the stream
   * @param file the file that is read
   * @param stripeBytes bytes of file data in a stripe
   */
  public StripeReader(ReadContext context, GroupSource groups, StripedFile file,
      long stripeBytes) {
    this.groups = groups;
    this.file = file;
    this.ahead = new StripeAhead(context, groups);
    this.stripeBytes = stripeBytes;
  }

  /**
   * @param group the block group that contains the position
   * @param position offset in the file, bytes
   * @return the bytes from the position up to the end of its stripe
   * @throws IOException as {@link GroupSource#read}
   */
  public ByteBuffer at(LocatedGroup group, long position) throws IOException {
    if (stripe == null || position < stripeStart
        || position >= stripeStart + stripe.limit()) {
      boolean readsOn = stripe != null && position == stripeStart + stripe.limit();
      int length = restOfStripe(group, position);
      stripe = null;
      try {
        stripe = read(group, position - group.start(), length);
      } finally {
        file.stripeRead();
      }
      stripeStart = position;
      if (readsOn) {
        readAhead(group, position + length);
      }
    }
    ByteBuffer rest = stripe.duplicate();
    rest.position((int) (position - stripeStart));
    return rest;
  }

  private ByteBuffer read(LocatedGroup group, long from, int length) throws IOException {
    ByteBuffer bytes = ahead.take(group, from, length);
    if (bytes == null) {
      bytes = ByteBuffer.allocate(length);
      groups.read(group, from, bytes);
      bytes.flip();
    }
    return bytes;
  }

  private int restOfStripe(LocatedGroup group, long position) {
    long from = position - group.start();
    return (int) (Math.min(group.bytes(), (from / stripeBytes + 1) * stripeBytes) - from);
  }

  /** Begins to read the stripe at {@code position} while the reader uses the stripe before it. */
  private void readAhead(LocatedGroup group, long position) {
    if (!file.isReadable(position)) {
      return;
    }
    LocatedGroup next = group;
    if (position >= group.start() + group.bytes()) {
      try {
        next = file.groupAt(position);
      } catch (IOException e) {
        // The reader gets the same failure when it reads up to this position.
        LOG.debug("Nothing is read ahead at {}", position, e);
        return;
      }
      if (!groups.isBeyondStock(next)) {
        return;
      }
    }
    ahead.begin(next, position - next.start(), restOfStripe(next, position));
  }

  /** Cancels the read of the next stripe, and drops the stripe that is held. */
  public void clear() {
    stripe = null;
    ahead.clear();
  }
}
