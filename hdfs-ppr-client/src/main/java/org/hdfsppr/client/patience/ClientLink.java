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

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Knows which of the client's reads run at the same time and so share the client's link. Such reads
 * take longer than a read that runs alone, although no DataNode is slow. So the client learns how
 * long reads take from reads that ran alone. If its reads are hardly ever alone, the client learns
 * from all reads, because such times are then the usual ones. Thread-safe.
 */
@InterfaceAudience.Private
public final class ClientLink {
  /** After this many successive reads that were not alone, the client learns from all reads. */
  static final int NEVER_ALONE = 64;

  private final Set<Use> open = new HashSet<>();
  /** How many reads have ended since the last read that was alone; at most NEVER_ALONE. */
  private int endedBesideOthers;

  /** One read that uses the link, from its beginning until {@link #close}. */
  public final class Use implements AutoCloseable {
    private boolean alone;

    private Use() {
      // Only begin creates objects of this class.
    }

    /** @return whether no other read was under way at any time since this read began */
    public boolean isAlone() {
      synchronized (ClientLink.this) {
        return alone;
      }
    }

    /** @return whether the client should learn from this read how long reads take */
    public boolean teaches() {
      synchronized (ClientLink.this) {
        return alone || endedBesideOthers >= NEVER_ALONE;
      }
    }

    /** Notes that the read is over, whether it got its bytes or failed. May be called twice. */
    @Override
    public void close() {
      synchronized (ClientLink.this) {
        if (open.remove(this)) {
          endedBesideOthers = alone ? 0 : Math.min(NEVER_ALONE, endedBesideOthers + 1);
        }
      }
    }
  }

  /**
   * Registers a read that begins now.
   *
   * @return the read; the caller closes it when the read is over
   */
  public synchronized Use begin() {
    Use use = new Use();
    use.alone = open.isEmpty();
    open.forEach(other -> other.alone = false);
    open.add(use);
    return use;
  }

  /** @return how many reads are under way */
  public synchronized int reads() {
    return open.size();
  }
}
