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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The network of a cluster. Each NameNode, JournalNode and DataNode has an address of its own, so
 * all of them can listen on the same default ports. DataNodes are numbered from 1.
 */
@InterfaceAudience.Private
public interface Network {

  /**
   * The most places for clients. Their addresses end in 250 and less, down to 219, which is more
   * than that of any DataNode.
   */
  int CLIENT_PLACES_MAX = 32;

  /**
   * Builds the links. If this fails, this method removes the links that it has built.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void create() throws IOException, InterruptedException;

  /**
   * Removes all remaining links. Works also after a crash, and may be called twice.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void remove() throws IOException, InterruptedException;

  /** {@return the IP address of the host, on which clients and the only NameNode run} */
  String hostAddress();

  /**
   * {@return the IP address of a NameNode or JournalNode}
   *
   * @param master a NameNode or JournalNode
   */
  String masterAddress(Master master);

  /**
   * {@return the IP address of a DataNode}
   *
   * @param node from 1
   */
  String nodeAddress(int node);

  /**
   * Returns the words that the caller puts in front of a DataNode's command, so that the command
   * runs in the DataNode's network namespace. The list is empty in a network without namespaces.
   *
   * @param node a DataNode, from 1
   * @return the first words of the command
   */
  List<String> launchPrefix(int node);

  /**
   * As {@link #launchPrefix(int)}, but for a NameNode or a JournalNode.
   *
   * @param master a NameNode or JournalNode
   * @return the first words of the command
   */
  List<String> launchPrefix(Master master);

  /**
   * Creates a place with a shaped link of its own for clients, because the links of the host are
   * not shaped. {@link #remove} also removes this place.
   *
   * @param place the number of the place, from 1 to {@link #CLIENT_PLACES_MAX}
   * @param rate the rate of the link, in each direction
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void createClientPlace(int place, Rate rate) throws IOException, InterruptedException;

  /**
   * As {@link #launchPrefix(int)}, but for clients at a place that {@link #createClientPlace}
   * created.
   *
   * @param place the number of the place
   * @return the first words of the command
   */
  List<String> clientLaunchPrefix(int place);

  /**
   * {@return the settings that a DataNode needs in this network, apart from its addresses}
   *
   * @param node a DataNode, from 1
   */
  Map<String, String> nodeSettings(int node);

  /**
   * Shapes both directions of a node's link, until the next call.
   *
   * @param node a DataNode, from 1
   * @param rate the rate in each direction
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setRate(int node, Rate rate) throws IOException, InterruptedException;

  /**
   * Cuts or restores a node's link. A cut link drops packets silently, like a pulled cable.
   *
   * @param node a DataNode, from 1
   * @param up whether the link carries packets from now on
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setLinkUp(int node, boolean up) throws IOException, InterruptedException;

  /**
   * Closes or opens one TCP port of a node for all callers from outside the node. A closed port
   * drops packets silently, as a firewall of the node does. Other ports are not touched.
   *
   * @param node a DataNode, from 1
   * @param port a port
   * @param open whether packets to the port arrive from now on
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setPortOpen(int node, int port, boolean open) throws IOException, InterruptedException;

  /**
   * As {@link #setLinkUp(int, boolean)}, but for a NameNode or JournalNode that is not on the host.
   *
   * @param master a NameNode or JournalNode
   * @param up whether the link carries packets from now on
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setLinkUp(Master master, boolean up) throws IOException, InterruptedException;

  /**
   * Shapes both directions of a rack's link to the core.
   *
   * @param rack from 1
   * @param rate the rate in each direction
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setCrossRackRate(int rack, Rate rate) throws IOException, InterruptedException;

  /**
   * {@return how many bytes a node's link has carried so far; empty if this network does not count
   * bytes}
   *
   * @param node a DataNode, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   */
  Optional<LinkBytes> linkBytes(int node) throws IOException;

  /**
   * {@return how many bytes the link of a place for clients has carried so far; empty if this
   * network does not count bytes}
   *
   * @param place a place that {@link #createClientPlace} has made
   * @throws IOException if a file cannot be read
   */
  Optional<LinkBytes> clientLinkBytes(int place) throws IOException;

  /**
   * {@return what all racks together have sent to the core so far; empty if racks have no links of
   * their own}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  Optional<RackTraffic> crossRackTraffic() throws IOException;

  /**
   * Begins to count bytes by who has sent them to whom. {@link #remove} ends it.
   *
   * @throws IOException if this network cannot count, with what it lacks
   * @throws InterruptedException if the calling thread is interrupted
   */
  void countPeers() throws IOException, InterruptedException;

  /**
   * {@return the bytes so far since {@link #countPeers}}
   *
   * @throws IOException if they are not counted
   * @throws InterruptedException if the calling thread is interrupted
   */
  PeerBytes peerBytes() throws IOException, InterruptedException;
}
