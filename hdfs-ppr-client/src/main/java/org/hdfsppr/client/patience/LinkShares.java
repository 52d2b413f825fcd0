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
package org.hdfsppr.client.patience;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Compares how many bytes each DataNode sends to a client with how many bytes the other DataNodes
 * send to it at the same time. A DataNode that uses its share of the client's link is not slow,
 * even if its bytes take long. Thread-safe.
 */
@InterfaceAudience.Private
public final class LinkShares {
  private int open;
  /**
   * The sum of bytes / (open - 1) over all bytes that have arrived while several flows were open. A
   * flow subtracts its own part of this sum to get the average number of bytes of the other flows.
   */
  private double each;

  /** The stream of bytes from one DataNode, or from one tree. */
  public final class Flow implements AutoCloseable {
    private long own;
    /** The part of {@link #each} that this flow's own bytes have added. */
    private double ownOfEach;
    private boolean isOpen;

    private Flow() {
      // Only LinkShares.flow creates objects of this class.
    }

    /**
     * Begins the flow. The thread that reads the bytes calls this method, and later closes the flow
     * even if the read fails.
     *
     * @return this flow
     */
    public Flow open() {
      synchronized (LinkShares.this) {
        if (!isOpen) {
          isOpen = true;
          open++;
        }
      }
      return this;
    }

    /** @return whether a thread reads this flow now */
    public boolean isOpen() {
      synchronized (LinkShares.this) {
        return isOpen;
      }
    }

    /**
     * Counts bytes of this flow that have arrived.
     *
     * @param bytes how many bytes
     */
    public void arrived(long bytes) {
      synchronized (LinkShares.this) {
        own += bytes;
        if (open > 1) {
          double more = bytes / (open - 1.0);
          each += more;
          ownOfEach += more;
        }
      }
    }

    /** @return how many bytes of this flow have arrived so far */
    public long own() {
      synchronized (LinkShares.this) {
        return own;
      }
    }

    /**
     * @return how many bytes the other flows have received on average; only the difference between
     *     two calls is meaningful
     */
    public double others() {
      synchronized (LinkShares.this) {
        return each - ownOfEach;
      }
    }

    /** Closes the flow when no more bytes will come. May be called twice. */
    @Override
    public void close() {
      synchronized (LinkShares.this) {
        if (isOpen) {
          isOpen = false;
          open--;
        }
      }
    }
  }

  /** @return a new flow, not open yet, for one DataNode or tree that is to be read */
  public Flow flow() {
    return new Flow();
  }

  /** @return how many flows are open at the moment */
  public synchronized int open() {
    return open;
  }
}
