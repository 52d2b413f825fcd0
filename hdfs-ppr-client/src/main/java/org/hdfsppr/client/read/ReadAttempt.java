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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.LinkLoad;
import org.hdfsppr.client.patience.LinkShares;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to get the bytes of one unit for one read. The read cancels it when it needs nothing
 * more, and a timer ends it when it takes too long. Thread-safe.
 */
@InterfaceAudience.Private
final class ReadAttempt implements UnitReader.Cancel {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAttempt.class);

  private final List<Closeable> ends = new ArrayList<>();
  private final LinkLoad load;
  private final LinkLoad.Use use;
  private final int pieces;
  private boolean cancelled;
  private volatile boolean late;

  /**
   * @param load of the client's link
   * @param use what the whole read wants of the link
   * @param pieces how many units the whole read wants bytes of
   */
  ReadAttempt(LinkLoad load, LinkLoad.Use use, int pieces) {
    this.load = load;
    this.use = use;
    this.pieces = pieces;
  }

  /** Adds a part that ends with the attempt; any thread may close it. */
  void onCancel(Closeable end) {
    boolean isTooLate;
    synchronized (this) {
      isTooLate = cancelled;
      if (!isTooLate) {
        ends.add(end);
      }
    }
    if (isTooLate) {
      end(end);
    }
  }

  /** The link has to carry more bytes for the attempt than was known when the read began. */
  void takesMore(long bytes) {
    use.more(bytes);
  }

  /** Whether nothing else was read meanwhile, so that the attempt's time can be compared. */
  boolean isAlone() {
    return pieces == 1 && use.isAlone();
  }

  /** How many units and reads are being read beside it. */
  int others() {
    return pieces - 1 + Math.max(0, load.reads() - 1);
  }

  /** What a {@link UnitReader} has to know when it reads bytes of a unit for this attempt. */
  UnitReader.Reading reading(LinkShares.Flow flow) {
    return new UnitReader.Reading() {
      @Override
      public boolean isCancelled() {
        return ReadAttempt.this.isCancelled();
      }

      @Override
      public void arrived(int bytes) {
        flow.arrived(bytes);
      }
    };
  }

  @Override
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  /** The attempt has taken too long, and is ended by closing what is slow. */
  void late(Closeable slow) {
    late = true;
    end(slow);
  }

  boolean isLate() {
    return late;
  }

  /** The read needs nothing more of this attempt. May be called twice. */
  void cancel() {
    List<Closeable> open;
    synchronized (this) {
      cancelled = true;
      open = new ArrayList<>(ends);
      ends.clear();
    }
    open.forEach(ReadAttempt::end);
  }

  private static void end(Closeable end) {
    try {
      end.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("A part of a read that is not needed any more did not end cleanly", e);
    }
  }
}
