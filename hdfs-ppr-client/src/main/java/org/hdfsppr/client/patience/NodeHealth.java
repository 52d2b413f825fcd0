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
 * Records what one client has found out about DataNodes and replicas in all of its streams. The
 * client believes each finding only for a limited time. A wrong finding costs time, but never leads
 * to wrong bytes. Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeHealth {
  /**
   * After this time the client tries a lost node again. The node may be back, and if not, the try
   * costs little.
   */
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  /**
   * The client avoids a slow node for this time. Then a read finds out whether the node is still
   * slow.
   */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(30);
  /**
   * After this time the client again asks a node that did not serve readers. An operator may have
   * installed the extension on that node meanwhile.
   */
  private static final long NO_PORT_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * After this time the client again asks a node for narrow links. The node may have got a newer
   * version meanwhile. A refusal costs a round trip.
   */
  private static final long WIDE_LINKS_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * The most entries of each set. Even the largest clusters have fewer DataNodes. The bound limits
   * the memory of all sets to some MiB.
   */
  private static final int NODES_MOST = 20_000;

  private final ExpiringSet<String> lostNodes;
  private final ExpiringSet<String> lostReplicas;
  private final Suspects suspects;
  private final ExpiringSet<String> slowNodes;
  private final ExpiringSet<String> withoutPort;
  private final ExpiringSet<String> withWideLinks;

  /**
   * Begins with the belief that all DataNodes are well.
   *
   * @param nanoClock the client's clock, nanoseconds
   */
  public NodeHealth(LongSupplier nanoClock) {
    lostNodes = new ExpiringSet<>(NODES_MOST, LOST_NANOS, nanoClock);
    lostReplicas = new ExpiringSet<>(NODES_MOST, LOST_NANOS, nanoClock);
    suspects = new Suspects(NODES_MOST, nanoClock);
    slowNodes = new ExpiringSet<>(NODES_MOST, SLOW_NANOS, nanoClock);
    withoutPort = new ExpiringSet<>(NODES_MOST, NO_PORT_NANOS, nanoClock);
    withWideLinks = new ExpiringSet<>(NODES_MOST, WIDE_LINKS_NANOS, nanoClock);
  }

  /**
   * Notes that the DataNode did not answer.
   *
   * @param uuid the DataNode
   */
  public void noteLost(String uuid) {
    lostNodes.add(uuid);
  }

  /**
   * Notes that a replica on the DataNode is missing, corrupt or of another generation.
   *
   * @param uuid the DataNode
   * @param blockId the replica's block
   */
  public void noteLost(String uuid, long blockId) {
    lostReplicas.add(blockId + "@" + uuid);
  }

  /**
   * Notes that a read of a block from the DataNode has failed. If the node could not be reached,
   * the node counts as lost, otherwise only the replica.
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
   * Notes that the DataNode was slower than others. The node counts as slow once this has happened
   * again within a minute, in half of the reads since the first pause, and three times as often as
   * with the other nodes.
   *
   * @param uuid the DataNode
   */
  public void noteSlow(String uuid) {
    // Reads that had begun before the client left the node alone say nothing new.
    if (!isSlow(uuid) && suspects.late(uuid)) {
      slowNodes.add(uuid);
    }
  }

  /**
   * Notes that the DataNode sent nothing for the longest time that helpers wait for each other. The
   * node counts as slow at once.
   *
   * @param uuid the DataNode
   */
  public void noteStalled(String uuid) {
    slowNodes.add(uuid);
  }

  /**
   * Notes that the DataNode does not serve readers, because its repair port does not answer or
   * breaks the protocol.
   *
   * @param uuid the DataNode
   * @return true if the client did not know this before
   */
  public boolean noteWithoutPort(String uuid) {
    return withoutPort.addIfAbsent(uuid);
  }

  /**
   * Notes that the DataNode refused a request with narrow links.
   *
   * @param uuid the DataNode
   */
  public void noteWideLinks(String uuid) {
    withWideLinks.addIfAbsent(uuid);
  }

  /**
   * @param uuid the DataNode
   * @return whether the DataNode may know narrow links
   */
  public boolean mayHaveNarrowLinks(String uuid) {
    return !withWideLinks.contains(uuid);
  }

  /**
   * Notes that the DataNode answered, so that it no longer counts as lost. If it counts as slow, it
   * still does.
   *
   * @param uuid the DataNode
   */
  public void noteAnswered(String uuid) {
    lostNodes.remove(uuid);
  }

  /**
   * Notes that the DataNode has brought what it was asked for in time. If it counts as lost or
   * slow, it still does.
   *
   * @param uuid the DataNode
   */
  public void noteInTime(String uuid) {
    suspects.inTime(uuid);
  }

  /**
   * Notes that the DataNode answered in time, so that it no longer counts as lost or slow.
   *
   * @param uuid the DataNode
   */
  public void noteWell(String uuid) {
    noteInTime(uuid);
    noteAnswered(uuid);
    slowNodes.remove(uuid);
  }

  /**
   * @param uuid the DataNode
   * @param blockId the replica's block
   * @return whether the node, or the replica on it, is believed to be lost
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
