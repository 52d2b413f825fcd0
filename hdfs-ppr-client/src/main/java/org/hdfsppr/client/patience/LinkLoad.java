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
 * Counts the bytes that all reads of a client currently have to transfer over the client's link. A
 * read among many takes longer than a read alone, although no DataNode is slow; this count lets
 * callers allow for that. Thread-safe.
 */
@InterfaceAudience.Private
public final class LinkLoad {
  private final Set<Use> open = new HashSet<>();
  private long bytes;

  /** One read's use of the link, from the beginning to the end of the read. */
  public final class Use implements AutoCloseable {
    private long wanted;
    private long longest;
    private boolean alone;

    private Use() {
      // Only begin makes a use.
    }

    /**
     * Adds bytes, because the read turns out to need more than was announced.
     *
     * @param bytesMore how many more
     */
    public void more(long bytesMore) {
      synchronized (LinkLoad.this) {
        if (open.contains(this)) {
          wanted += bytesMore;
          bytes += bytesMore;
        }
      }
    }

    /** @return whether no other read was under way at any time since this read began */
    public boolean isAlone() {
      synchronized (LinkLoad.this) {
        return alone;
      }
    }

    /** Ends the read, whether it got its bytes or failed. May be called twice. */
    @Override
    public void close() {
      synchronized (LinkLoad.this) {
        if (open.remove(this)) {
          bytes -= wanted;
        }
      }
    }
  }

  /**
   * Registers a read that begins now.
   *
   * @param wanted how many bytes the read needs in all
   * @param longest the most bytes that the read asks one DataNode for
   * @return the read, to be closed when it ends
   */
  public synchronized Use begin(long wanted, long longest) {
    Use use = new Use();
    use.wanted = wanted;
    use.longest = longest;
    use.alone = open.isEmpty();
    open.forEach(other -> other.alone = false);
    open.add(use);
    bytes += wanted;
    return use;
  }

  /** @return the bytes that all reads under way need, including bytes that have already arrived */
  public synchronized long bytes() {
    return bytes;
  }

  /**
   * @return the most bytes that a read under way asks one DataNode for; 0 if no read is under way
   */
  public synchronized long longest() {
    return open.stream().mapToLong(use -> use.longest).max().orElse(0);
  }

  /** @return how many reads are under way */
  public synchronized int reads() {
    return open.size();
  }
}
