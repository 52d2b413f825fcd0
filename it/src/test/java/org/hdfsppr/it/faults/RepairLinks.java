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
package org.hdfsppr.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The established connections of one node to or from the port for repairs, as the kernel lists
 * them. They show which nodes take part in a repair right now, and where in the tree.
 */
final class RepairLinks {
  private static final int REPAIR_PORT = 9877;
  private static final String ESTABLISHED = "01";

  private final Set<String> parents = new TreeSet<>();
  final Set<String> children = new TreeSet<>();

  private RepairLinks() {
  }

  /** Reads the connections of the process {@code pid}, which has the address {@code address}. */
  static RepairLinks of(long pid, String address) throws IOException {
    RepairLinks links = new RepairLinks();
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("/proc/" + pid + "/net/tcp")));
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.strip().split("\\s+");
      String local = fields[1];
      String remote = fields[2];
      // On loopback, the kernel's table has the connections of all nodes.
      if (fields[3].equals(ESTABLISHED) && address(local).equals(address)) {
        if (port(local) == REPAIR_PORT) {
          links.parents.add(address(remote));
        } else if (port(remote) == REPAIR_PORT) {
          links.children.add(address(remote));
        }
      }
    }
    return links;
  }

  /**
   * The kernel prints the four bytes as one number in the byte order of the machine, which is
   * little-endian.
   */
  private static String address(String endpoint) {
    long value = Long.parseLong(endpoint.substring(0, endpoint.indexOf(':')), 16);
    return (value & 255) + "." + (value >> 8 & 255) + "." + (value >> 16 & 255) + "."
        + (value >> 24 & 255);
  }

  private static int port(String endpoint) {
    return Integer.parseInt(endpoint.substring(endpoint.indexOf(':') + 1), 16);
  }

  boolean isEmpty() {
    return parents.isEmpty() && children.isEmpty();
  }

  /** Returns whether the node sends sums to another node and also receives sums. */
  boolean inMiddle() {
    return !parents.isEmpty() && !children.isEmpty();
  }

  /** Returns whether the node sends sums to another node. */
  boolean helps() {
    return !parents.isEmpty();
  }

  /** Returns the addresses at the other ends of the connections. */
  Set<String> neighbours() {
    Set<String> all = new TreeSet<>(parents);
    all.addAll(children);
    return all;
  }

  @Override
  public String toString() {
    return "parents " + parents + ", children " + children;
  }
}
