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

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What one client has found out about DataNodes and replicas, over all its streams. All of it is
 * believed for a while only, and being wrong costs time, never a byte. Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeHealth {
  /** A lost node is tried again after that: it may be back, and if not, the try costs little. */
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  /** As long a slow node is left alone; then one read finds out whether it still is. */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(30);
  /**
   * A node counts as slow the second time in so long: what happens once, such as a packet that is
   * lost or a pause to collect garbage, is no reason to read more than it takes from others.
   */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** What all of one pause have waited for is one time. */
  private static final long SAME_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** A node that lacks the extension may get it in a roll-out. */
  private static final long NO_PORT_NANOS = TimeUnit.MINUTES.toNanos(1);
  /** Beyond the largest clusters; bounds what forgotten nodes leave behind: some MiB. */
  private static final int NODES_MOST = 20_000;

  private final ExpiringSet<String> lostNodes;
  private final ExpiringSet<String> lostReplicas;
  private final ExpiringSet<String> suspects;
  private final ExpiringSet<String> pausing;
  private final ExpiringSet<String> slowNodes;
  private final ExpiringSet<String> withoutPort;

  /**
   * Believes all DataNodes to be well at first.
   *
   * @param nanoClock of the client
   */
  public NodeHealth(LongSupplier nanoClock) {
    lostNodes = new ExpiringSet<>(NODES_MOST, LOST_NANOS, nanoClock);
    lostReplicas = new ExpiringSet<>(NODES_MOST, LOST_NANOS, nanoClock);
    suspects = new ExpiringSet<>(NODES_MOST, SUSPECT_NANOS, nanoClock);
    pausing = new ExpiringSet<>(NODES_MOST, SAME_PAUSE_NANOS, nanoClock);
    slowNodes = new ExpiringSet<>(NODES_MOST, SLOW_NANOS, nanoClock);
    withoutPort = new ExpiringSet<>(NODES_MOST, NO_PORT_NANOS, nanoClock);
  }

  /**
   * No DataNode answered there.
   *
   * @param uuid the DataNode
   */
  public void noteLost(String uuid) {
    lostNodes.add(uuid);
  }

  /**
   * A replica there is missing, corrupt or of another generation.
   *
   * @param uuid the DataNode
   * @param blockId the replica's block
   */
  public void noteLost(String uuid, long blockId) {
    lostReplicas.add(blockId + "@" + uuid);
  }

  /**
   * A read of a block there failed.
   *
   * @param uuid the DataNode
   * @param blockId the replica's block
   * @param why the failure
   */
  public void noteFailed(String uuid, long blockId, Exception why) {
    if (why instanceof ConnectException || why instanceof NoRouteToHostException
        || why instanceof SocketTimeoutException) {
      noteLost(uuid);
    } else {
      noteLost(uuid, blockId);
    }
  }

  /**
   * Others were faster.
   *
   * @param uuid the DataNode
   */
  public void noteSlow(String uuid) {
    if (pausing.addIfAbsent(uuid) && !suspects.addIfAbsent(uuid)) {
      slowNodes.add(uuid);
    }
  }

  /**
   * For as long as helpers wait for each other nothing has come from it.
   *
   * @param uuid the DataNode
   */
  public void noteStalled(String uuid) {
    slowNodes.add(uuid);
  }

  /**
   * No server answered on the repair port, or one that does not serve readers.
   *
   * @param uuid the DataNode
   * @return whether that is news
   */
  public boolean noteWithoutPort(String uuid) {
    return withoutPort.addIfAbsent(uuid);
  }

  /**
   * It answered, and in time.
   *
   * @param uuid the DataNode
   */
  public void noteWell(String uuid) {
    lostNodes.remove(uuid);
    slowNodes.remove(uuid);
  }

  /**
   * @param uuid the DataNode
   * @param blockId the replica's block
   * @return whether the node, or the replica there, is believed to be lost
   */
  public boolean isLost(String uuid, long blockId) {
    return lostNodes.contains(uuid) || lostReplicas.contains(blockId + "@" + uuid);
  }

  /**
   * @param uuid the DataNode
   * @return whether the node is believed to be slow
   */
  public boolean isSlow(String uuid) {
    return slowNodes.contains(uuid);
  }

  /**
   * @param uuid the DataNode
   * @return whether the node is believed to serve readers
   */
  public boolean hasPort(String uuid) {
    return !withoutPort.contains(uuid);
  }
}
