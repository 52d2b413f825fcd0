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
package org.hdfsppr.namenode.version;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.plan.NodeRef;

/** The way to the DataNodes' plugins. Thread-safe. */
@InterfaceAudience.Private
public interface VersionDataNodes {
  /**
   * @param uuid the DataNode's UUID
   * @return whether this node takes part, knows links and makings, and is believed to calculate
   *     correctly
   */
  boolean canWork(String uuid);

  /** @return the nodes for which {@link #canWork} holds, with their repair ports */
  List<NodeRef> workers();

  /**
   * @param node a node as the NameNode locates it
   * @return the same node with its repair port, if it has one and is believed
   */
  NodeRef withPort(NodeRef node);

  /**
   * Orders links. The DataNode gets the order with its next heartbeat.
   *
   * @param uuid the DataNode's UUID
   * @param command what to link
   * @return false if too many orders wait for that node
   */
  boolean link(String uuid, LinkCommand command);

  /**
   * @param uuid the DataNode's UUID
   * @return whether this node sends digests of all blocks for which it is asked, also of those that
   *     it neither links nor makes
   */
  boolean sendsDigests(String uuid);

  /**
   * Orders a making, as {@link #link}.
   *
   * @param uuid UUID of the node that leads it
   * @param command what to make
   * @return false if too many orders wait for that node
   */
  boolean make(String uuid, MakeCommand command);

  /**
   * @param uuid the DataNode's UUID
   * @return whether this node takes part, knows patches, and is believed to calculate correctly
   */
  boolean canPatch(String uuid);

  /**
   * Orders a patch, as {@link #link}.
   *
   * @param uuid the DataNode's UUID
   * @param command what to copy and change
   * @return false if too many orders wait for that node
   */
  boolean patch(String uuid, PatchCommand command);

  /**
   * @param uuid the DataNode's UUID
   * @return how many checks it accepts, including the running one; it refuses further ones
   */
  int checksAtATime(String uuid);

  /**
   * Orders a check, as {@link #link}.
   *
   * @param uuid UUID of the node that leads it
   * @param command what to check
   * @return false if too many orders wait for that node
   */
  boolean check(String uuid, ScrubCommand command);

  /**
   * Asks a node to end an order. A node that is silent is asked when it is heard again.
   *
   * @param uuid UUID of the node
   * @param orderId id of the order
   * @param term term of the order
   */
  void cancel(String uuid, String orderId, long term);

  /**
   * Has a DataNode fetch its orders at once. Commits call this, because their orders wait for each
   * other, and clients may wait for a commit. Conversions do not: the calls for thousands of files
   * would take the NameNode's time from its users, while orders that share a heartbeat do not.
   *
   * @param uuid the DataNode's UUID
   */
  void hurry(String uuid);
}
