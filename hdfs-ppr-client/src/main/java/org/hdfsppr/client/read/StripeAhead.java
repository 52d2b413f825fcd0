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
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the next stripe while a stateful reader uses the stripe before it, so that the DataNodes
 * and the client's link are not idle meanwhile. At most one stripe is held or being read. Used by
 * one thread.
 */
@InterfaceAudience.Private
public final class StripeAhead {
  private static final Logger LOG = LoggerFactory.getLogger(StripeAhead.class);

  private final ReadContext context;
  private final GroupSource groups;
  private LocatedGroup group;
  private long from;
  private int length;
  /** The read of the next stripe; null if nothing is read ahead. */
  private FutureTask<ByteBuffer> bytes;

  /**
   * Makes an object that reads nothing yet.
   *
   * @param context the state that all streams of the client share
   * @param groups reads block groups for the stream
   */
  public StripeAhead(ReadContext context, GroupSource groups) {
    this.context = context;
    this.groups = groups;
  }

  /**
   * Drops the bytes that were read ahead before. If a thread is free, this method then begins to
   * read the given range in that thread.
   *
   * @param of the block group
   * @param offset in the group's data, bytes
   * @param many how many bytes
   */
  public void begin(LocatedGroup of, long offset, int many) {
    clear();
    FutureTask<ByteBuffer> task = new FutureTask<>(() -> {
      ByteBuffer run = ByteBuffer.allocate(many);
      groups.read(of, offset, run);
      return run.flip();
    });
    if (context.tryExecute(task)) {
      group = of;
      from = offset;
      length = many;
      bytes = task;
    }
  }

  /**
   * Waits for the bytes that were read ahead, and returns them. Nothing is kept afterwards.
   *
   * @param of the block group
   * @param offset in the group's data, bytes
   * @param many how many bytes
   * @return the bytes; null if exactly this range was not read ahead, or if reading it has failed
   * @throws UntrustedBytesException as {@link GroupSource#read}
   * @throws InterruptedIOException if the current thread is interrupted
   */
  public ByteBuffer take(LocatedGroup of, long offset, int many) throws IOException {
    if (bytes == null || !of.id().equals(group.id()) || offset != from || many != length) {
      clear();
      return null;
    }
    try {
      // The read has a shorter time limit of its own, so it normally fails before this wait does.
      // Its exception says more than a timeout of this wait.
      return BoundedWait.get(bytes, 2 * context.waitNanosMost);
    } catch (UntrustedBytesException e) {
      throw e;
    } catch (IOException | TimeoutException e) {
      if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
        throw (InterruptedIOException) e;
      }
      LOG.debug("Bytes {} to {} of {} could not be read ahead", offset, offset + many, of.id(), e);
      return null;
    } finally {
      clear();
    }
  }

  /** Cancels the read that is under way, and drops its bytes. */
  public void clear() {
    if (bytes != null) {
      bytes.cancel(true);
    }
    bytes = null;
    group = null;
  }
}
