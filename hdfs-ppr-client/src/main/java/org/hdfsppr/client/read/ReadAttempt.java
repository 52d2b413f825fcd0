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
 * One attempt to get the bytes of one unit for one read. The read cancels the attempt when the read
 * needs nothing more. A timer ends the attempt when it takes too long. Thread-safe.
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
   * @param use the whole read's use of the link
   * @param pieces the number of units from which the whole read wants bytes
   */
  ReadAttempt(LinkLoad load, LinkLoad.Use use, int pieces) {
    this.load = load;
    this.use = use;
    this.pieces = pieces;
  }

  /**
   * Adds a part that is closed when the attempt is cancelled, at once if the attempt was cancelled
   * before. Any thread may close the part.
   */
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

  /**
   * Adds bytes that the link has to carry for the attempt, and that were not known when the read
   * began.
   */
  void takesMore(long bytes) {
    use.more(bytes);
  }

  /**
   * Whether the client has read nothing else during this attempt, so that the attempt's time can be
   * compared with others.
   */
  boolean isAlone() {
    return pieces == 1 && use.isAlone();
  }

  /**
   * How many other units of the same read, and how many other reads, are being read at the same
   * time.
   */
  int others() {
    return pieces - 1 + Math.max(0, load.reads() - 1);
  }

  /**
   * Makes the object through which a {@link UnitReader} reports arriving bytes to {@code flow}, and
   * learns whether this attempt was cancelled.
   */
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

  /** Marks the attempt as late, and ends its slow part. */
  void late(Closeable slow) {
    late = true;
    end(slow);
  }

  boolean isLate() {
    return late;
  }

  /** Ends the attempt, because the read needs nothing more of it. May be called twice. */
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
