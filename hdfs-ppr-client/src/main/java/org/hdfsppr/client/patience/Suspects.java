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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides which DataNodes that were late are slow. All nodes of a busy cluster are late now and
 * then. If a client left each of them alone, it would read the bytes of k units in place of one, so
 * that the cluster would become busier still. So a node is slow only if it is late again and again,
 * and in a notable share of its reads. Thread-safe.
 */
@InterfaceAudience.Private
final class Suspects {
  /**
   * A node can only count as slow if it is late twice within this time. A single delay, such as a
   * lost packet or a pause to collect garbage, is no reason to read more bytes from other nodes.
   */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** The same pause of a node may delay several reads, so delays within this time are one. */
  private static final long SAME_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** A node is slow if at least one of this number of its reads was late. */
  private static final int READS_FOR_A_LATE_ONE = 10;

  private final int most;
  private final LongSupplier nanoClock;
  private final Map<String, Suspect> suspects = new LinkedHashMap<>();

  /** What has become of the reads of a node since it was late first. */
  private static final class Suspect {
    private final long sinceNanos;
    private long pauseNanos;
    private long late = 1;
    private long inTime;

    Suspect(long nanos) {
      sinceNanos = nanos;
      pauseNanos = nanos;
    }
  }

  /**
   * @param most how many nodes are remembered at most
   * @param nanoClock the client's clock, nanoseconds
   */
  Suspects(int most, LongSupplier nanoClock) {
    this.most = most;
    this.nanoClock = nanoClock;
  }

  /**
   * Notes that a node was late.
   *
   * @param uuid the DataNode
   * @return whether the node is slow
   */
  synchronized boolean late(String uuid) {
    long now = nanoClock.getAsLong();
    Suspect suspect = suspects.get(uuid);
    if (suspect == null || now - suspect.sinceNanos > SUSPECT_NANOS) {
      suspect(uuid, now);
      return false;
    }
    suspect.late++;
    if (now - suspect.pauseNanos <= SAME_PAUSE_NANOS) {
      return false;
    }
    suspect.pauseNanos = now;
    if (suspect.late * READS_FOR_A_LATE_ONE >= suspect.late + suspect.inTime) {
      return true;
    }
    // The node has served most reads in time, so its next pause is compared with this one.
    suspect(uuid, now);
    return false;
  }

  private void suspect(String uuid, long now) {
    suspects.remove(uuid);
    if (suspects.size() >= most) {
      Iterator<String> oldest = suspects.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    suspects.put(uuid, new Suspect(now));
  }

  /**
   * Notes that a node has brought what it was asked for in time.
   *
   * @param uuid the DataNode
   */
  synchronized void inTime(String uuid) {
    Suspect suspect = suspects.get(uuid);
    if (suspect != null) {
      suspect.inTime++;
    }
  }
}
