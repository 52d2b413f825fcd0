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
  /** A slow node is left alone for this time; then a read finds out whether it is still slow. */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(30);
  /**
   * A node counts as slow if it is late twice within this time. A single delay, such as a lost
   * packet or a pause to collect garbage, is no reason to read more bytes from other nodes.
   */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** Several reads may wait for the same pause of a node; delays within this time count once. */
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
   * The DataNode did not answer.
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
   * The DataNode was slower than others.
   *
   * @param uuid the DataNode
   */
  public void noteSlow(String uuid) {
    if (pausing.addIfAbsent(uuid) && !suspects.addIfAbsent(uuid)) {
      slowNodes.add(uuid);
    }
  }

  /**
   * Nothing came from the DataNode for as long as helpers wait for each other.
   *
   * @param uuid the DataNode
   */
  public void noteStalled(String uuid) {
    slowNodes.add(uuid);
  }

  /**
   * The DataNode does not serve readers: its repair port does not answer, or not as it should.
   *
   * @param uuid the DataNode
   * @return whether that is news
   */
  public boolean noteWithoutPort(String uuid) {
    return withoutPort.addIfAbsent(uuid);
  }

  /**
   * The DataNode answered in time.
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
