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

import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A NameNode or a JournalNode. Without high availability, the cluster's only NameNode runs on the
 * host, as the clients do. With high availability, each of the two NameNodes and three JournalNodes
 * has its own address and, in namespaces, its own namespace.
 */
@InterfaceAudience.Private
public final class Master {

  /** The kind of daemon. */
  public enum Kind {
    /** A NameNode. */
    NAMENODE,
    /** A JournalNode. */
    JOURNALNODE
  }

  private static final int NAMENODES = 2;
  private static final int JOURNALNODES = 3;

  public final Kind kind;
  public final String name;
  /**
   * The number of the daemon's place in the network. Place 0 is the host. Any other place has an
   * address of its own and, in namespaces, a namespace of its own.
   */
  final int place;

  private Master(Kind kind, String name, int place) {
    this.kind = kind;
    this.name = name;
    this.place = place;
  }

  /** Returns the NameNodes of a cluster, in the order of their numbers. */
  static List<Master> nameNodes(ClusterSpec spec) {
    if (!spec.ha) {
      return List.of(new Master(Kind.NAMENODE, "nn", 0));
    }
    List<Master> all = new ArrayList<>();
    for (int i = 1; i <= NAMENODES; i++) {
      all.add(new Master(Kind.NAMENODE, "nn" + i, i));
    }
    return all;
  }

  /** Returns the JournalNodes of a cluster. The list is empty without high availability. */
  static List<Master> journalNodes(ClusterSpec spec) {
    List<Master> all = new ArrayList<>();
    for (int i = 1; spec.ha && i <= JOURNALNODES; i++) {
      all.add(new Master(Kind.JOURNALNODE, "jn" + i, NAMENODES + i));
    }
    return all;
  }

  /** Returns the JournalNodes and NameNodes, in the order in which they start. */
  static List<Master> all(ClusterSpec spec) {
    List<Master> all = new ArrayList<>(journalNodes(spec));
    all.addAll(nameNodes(spec));
    return all;
  }

  boolean isOnHost() {
    return place == 0;
  }

  @Override
  public String toString() {
    return name;
  }
}
