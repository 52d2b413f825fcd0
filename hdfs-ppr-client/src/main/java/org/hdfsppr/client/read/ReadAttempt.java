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
import org.hdfsppr.client.patience.ClientLink;
import org.hdfsppr.client.patience.LinkShares;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to get the bytes of one unit for one read. The read cancels the attempt when the read
 * needs nothing more. A timer stops the attempt when the attempt takes too long. Thread-safe.
 */
final class ReadAttempt implements UnitReader.Cancel {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAttempt.class);

  private final List<Closeable> ends = new ArrayList<>();
  private final ClientLink.Use use;
  private final int pieces;
  private boolean cancelled;
  private volatile boolean late;

  /**
   * @param use knows whether other reads use the client's link at the same time
   * @param pieces the number of units from which the whole read wants bytes
   */
  ReadAttempt(ClientLink.Use use, int pieces) {
    this.use = use;
    this.pieces = pieces;
  }

  /**
   * Adds a part of the attempt, which {@link #cancel} will close. If the attempt was cancelled
   * before, this method closes the part at once. Any thread may close the part.
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
   * Whether the client learns from this attempt how long reads take. It does not if the read has
   * several pieces, because they share the link. See also {@link ClientLink.Use#teaches}.
   */
  boolean teaches() {
    return pieces == 1 && use.teaches();
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

  /** Marks the attempt as late, and closes its slow part. */
  void late(Closeable slow) {
    late = true;
    end(slow);
  }

  boolean isLate() {
    return late;
  }

  /**
   * Cancels the attempt and closes its parts, because the read does not need it any more. May be
   * called twice.
   */
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
