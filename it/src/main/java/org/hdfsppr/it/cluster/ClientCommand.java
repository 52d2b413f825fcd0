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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** Builds the command lines of a cluster's client JVMs. The caller appends the main class. */
@InterfaceAudience.Private
public final class ClientCommand {
  /** The name of all clients on the list of daemons that run an older release. */
  public static final String NAME = "client";
  private static final String CLIENT_HEAP = "512m";

  private final ClusterHome home;
  private final Network network;
  private final ClusterJars jars;
  private final Path confDir;

  ClientCommand(ClusterHome home, Network network, ClusterJars jars, Path confDir) {
    this.home = home;
    this.network = network;
    this.jars = jars;
    this.confDir = confDir;
  }

  /**
   * {@return the command line of a client on this host; the client's class path has the project's
   * client jar if {@link ClusterSpec#codecs} is set}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<String> java() throws IOException, InterruptedException {
    List<Path> front = new ArrayList<>(List.of(confDir));
    front.addAll(jars.ofClient(NAME));
    return command(front);
  }

  /**
   * {@return the command line of a client at a place that
   * {@link HdfsProcessCluster#createClientPlace} has created}
   *
   * @param place the number of the place
   * @param ours whether the client's class path has the project's drop-in jar; needs codecs in the
   *     spec
   * @param more further entries of the class path, after the project's jar
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<String> placedJava(int place, boolean ours, List<Path> more)
      throws IOException, InterruptedException {
    return placed(network.clientLaunchPrefix(place), ours, more);
  }

  /**
   * {@return the command line of a client that runs on the host of a DataNode, so that it shares
   * the DataNode's link}
   *
   * @param node a DataNode, from 1
   * @param ours whether the client's class path has the project's drop-in jar; needs codecs in the
   *     spec
   * @param more further entries of the class path, after the project's jar
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<String> besideDataNodeJava(int node, boolean ours, List<Path> more)
      throws IOException, InterruptedException {
    return placed(network.launchPrefix(node), ours, more);
  }

  private List<String> placed(List<String> launchPrefix, boolean ours, List<Path> more)
      throws IOException, InterruptedException {
    List<Path> front = new ArrayList<>(List.of(confDir));
    if (ours) {
      List<Path> own = jars.ofClient(NAME);
      if (own.isEmpty()) {
        throw new IllegalStateException(home.spec.name + " was made without codecs");
      }
      front.addAll(own);
    }
    front.addAll(more);
    List<String> command = new ArrayList<>(launchPrefix);
    command.addAll(command(front));
    return command;
  }

  private List<String> command(List<Path> front) throws IOException, InterruptedException {
    return DaemonCommand.java(CLIENT_HEAP, confDir, home.temporary(), front,
        HadoopClassPath.ofDaemons(home.spec.hadoopVersion));
  }
}
