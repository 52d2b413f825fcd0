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

/** Sends orders to the plugins of DataNodes, and knows what they can do. Thread-safe. */
@InterfaceAudience.Private
public interface VersionDataNodes {
  /**
   * @param uuid the DataNode's UUID
   * @return whether this node is live, knows the orders to link and make units, and is not known to
   *     calculate wrongly
   */
  boolean canWork(String uuid);

  /** @return the nodes for which {@link #canWork} holds, with their repair ports */
  List<NodeRef> workers();

  /**
   * @param node a node as the NameNode locates it
   * @return the same node with its repair port, if it has one and is not known to calculate wrongly
   */
  NodeRef withPort(NodeRef node);

  /**
   * Orders a node to link units. The DataNode gets the order with its next heartbeat.
   *
   * @param uuid the DataNode's UUID
   * @param command which units to link
   * @return false if too many orders wait for that node
   */
  boolean link(String uuid, LinkCommand command);

  /**
   * @param uuid the DataNode's UUID
   * @return whether this node sends digests of all blocks that an order names, also of blocks that
   *     it neither links nor makes
   */
  boolean sendsDigests(String uuid);

  /**
   * Orders a node to make units. The DataNode gets the order as described at {@link #link}.
   *
   * @param uuid UUID of the node that leads the making
   * @param command which units to make
   * @return false if too many orders wait for that node
   */
  boolean make(String uuid, MakeCommand command);

  /**
   * @param uuid the DataNode's UUID
   * @return whether this node is live, knows the orders to patch units, and is not known to
   *     calculate wrongly
   */
  boolean canPatch(String uuid);

  /**
   * Orders a node to patch a unit. The DataNode gets the order as described at {@link #link}.
   *
   * @param uuid the DataNode's UUID
   * @param command which unit to copy, and what to change in the copy
   * @return false if too many orders wait for that node
   */
  boolean patch(String uuid, PatchCommand command);

  /**
   * @param uuid the DataNode's UUID
   * @return how many checks this node accepts at a time, including the one that it carries out; it
   *     refuses further ones
   */
  int checksAtATime(String uuid);

  /**
   * Orders a node to check a group. The DataNode gets the order as described at {@link #link}.
   *
   * @param uuid UUID of the node that leads the check
   * @param command which group to check
   * @return false if too many orders wait for that node
   */
  boolean check(String uuid, ScrubCommand command);

  /**
   * Has a node give up an order. If the node is silent, it is asked when its next heartbeat comes.
   *
   * @param uuid UUID of the node
   * @param orderId id of the order
   * @param term term of the order
   */
  void cancel(String uuid, String orderId, long term);

  /**
   * Lets a DataNode fetch its orders at once, and not with its next regular heartbeat. Commits need
   * this, because their orders wait for each other, and clients may wait for the commit.
   * Conversions do not use it: these calls for thousands of files would cost the NameNode time that
   * its users need, while a regular heartbeat fetches many orders at once.
   *
   * @param uuid the DataNode's UUID
   */
  void hurry(String uuid);
}
