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
import java.util.OptionalLong;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Where a cluster's daemons live: one address for the NameNode and one for each DataNode, all
 * different, so that a port that is fixed by convention is free on every node. Nodes count from 1.
 */
@InterfaceAudience.Private
public interface Network {

  /**
   * Builds the links. Undoes what it built if it cannot finish.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void create() throws IOException, InterruptedException;

  /**
   * Removes all that is left of the links; also after a crash, also twice.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void remove() throws IOException, InterruptedException;

  /** {@return where clients are, and the only NameNode} */
  String hostAddress();

  /**
   * {@return the IP address of a NameNode or JournalNode}
   *
   * @param master which
   */
  String masterAddress(Master master);

  /**
   * {@return the IP address of a DataNode}
   *
   * @param node from 1
   */
  String nodeAddress(int node);

  /**
   * What goes in front of a DataNode's command so that it runs in its place.
   *
   * @param node a DataNode, from 1
   * @return the first words of the command
   */
  List<String> launchPrefix(int node);

  /**
   * As {@link #launchPrefix(int)} for a NameNode or a JournalNode.
   *
   * @param master a NameNode or JournalNode
   * @return the first words of the command
   */
  List<String> launchPrefix(Master master);

  /**
   * Gives clients a place with a link of its own, instead of the host, whose links nothing shapes;
   * {@link #remove} takes it away as well.
   *
   * @param rate of the link, each way
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void createClientPlace(Rate rate) throws IOException, InterruptedException;

  /**
   * As {@link #launchPrefix(int)} for the place of {@link #createClientPlace}.
   *
   * @return the first words of the command
   */
  List<String> clientLaunchPrefix();

  /**
   * {@return settings that a DataNode needs in this network, beyond its addresses}
   *
   * @param node a DataNode, from 1
   */
  Map<String, String> nodeSettings(int node);

  /**
   * Shapes both directions of a node's link; for good or until the next call.
   *
   * @param node a DataNode, from 1
   * @param rate each way
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setRate(int node, Rate rate) throws IOException, InterruptedException;

  /**
   * Cuts a node's link, silently as a pulled cable, or mends it.
   *
   * @param node a DataNode, from 1
   * @param up whether it carries packets
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setLinkUp(int node, boolean up) throws IOException, InterruptedException;

  /**
   * As {@link #setLinkUp(int, boolean)} for a master that is not on the host.
   *
   * @param master a NameNode or JournalNode
   * @param up whether it carries packets
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setLinkUp(Master master, boolean up) throws IOException, InterruptedException;

  /**
   * Shapes both directions of a rack's link to the core.
   *
   * @param rack from 1
   * @param rate each way
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  void setCrossRackRate(int rack, Rate rate) throws IOException, InterruptedException;

  /**
   * {@return bytes that crossed a node's link so far, where links are counted}
   *
   * @param node a DataNode, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   */
  Optional<LinkBytes> linkBytes(int node) throws IOException;

  /**
   * {@return bytes that left racks for the core so far, where racks have links}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  OptionalLong crossRackBytes() throws IOException;
}
