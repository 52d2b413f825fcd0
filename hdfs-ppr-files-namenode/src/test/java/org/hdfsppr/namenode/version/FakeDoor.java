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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.plan.NodeRef;

/** DataNodes that take orders and do nothing. */
class FakeDoor implements VersionDataNodes {
  /** An order and the node that has it. */
  static final class Given {
    final String uuid;
    final ManagerCommand command;

    Given(String uuid, ManagerCommand command) {
      this.uuid = uuid;
      this.command = command;
    }
  }

  final Set<String> silent = new HashSet<>();
  int checksAtATime = 1;
  final Set<String> stock = new HashSet<>();
  /** Nodes that know no digests of blocks that they do not link. */
  final Set<String> withoutDigests = new HashSet<>();
  final List<Given> given = new ArrayList<>();
  final List<String> cancelled = new ArrayList<>();
  /** The nodes that have to fetch their orders at once. */
  final List<String> hurried = new ArrayList<>();
  private final int nodes;

  FakeDoor(int nodes) {
    this.nodes = nodes;
  }

  static String uuid(int number) {
    return "node-" + number;
  }

  NodeRef node(int number) {
    return withPort(new NodeRef(uuid(number), "10.0.0." + number, "host" + number, 9866,
        NodeRef.NO_REPAIR_PORT, "/rack" + number % 3));
  }

  /** Returns the links that were ordered since the last call, and forgets them. */
  List<Given> links() {
    return taken(one -> one.command instanceof LinkCommand
        && !((LinkCommand) one.command).links.isEmpty());
  }

  /** Returns the orders for digests since the last call, and forgets them. */
  List<Given> digests() {
    return taken(one -> one.command instanceof LinkCommand
        && ((LinkCommand) one.command).links.isEmpty());
  }

  /** Returns the makings that were ordered since the last call, and forgets them. */
  List<Given> makes() {
    return taken(one -> one.command instanceof MakeCommand);
  }

  /** Returns the patches that were ordered since the last call, and forgets them. */
  List<Given> patches() {
    return taken(one -> one.command instanceof PatchCommand);
  }

  private List<Given> taken(Predicate<Given> kind) {
    List<Given> of = given.stream().filter(kind)
        .collect(Collectors.toList());
    given.removeAll(of);
    return of;
  }

  @Override
  public boolean canWork(String uuid) {
    return !silent.contains(uuid) && !stock.contains(uuid);
  }

  @Override
  public List<NodeRef> workers() {
    return IntStream.range(0, nodes).mapToObj(this::node).filter(node -> canWork(node.uuid))
        .collect(Collectors.toList());
  }

  @Override
  public NodeRef withPort(NodeRef node) {
    return node.withRepairPort(canWork(node.uuid) ? 9877 : NodeRef.NO_REPAIR_PORT);
  }

  @Override
  public boolean link(String uuid, LinkCommand command) {
    return given.add(new Given(uuid, command));
  }

  @Override
  public boolean sendsDigests(String uuid) {
    return canWork(uuid) && !withoutDigests.contains(uuid);
  }

  @Override
  public boolean make(String uuid, MakeCommand command) {
    return given.add(new Given(uuid, command));
  }

  @Override
  public boolean canPatch(String uuid) {
    return canWork(uuid);
  }

  @Override
  public boolean patch(String uuid, PatchCommand command) {
    return given.add(new Given(uuid, command));
  }

  @Override
  public int checksAtATime(String uuid) {
    return checksAtATime;
  }

  @Override
  public boolean check(String uuid, ScrubCommand command) {
    return given.add(new Given(uuid, command));
  }

  @Override
  public void cancel(String uuid, String orderId, long term) {
    cancelled.add(orderId);
  }

  @Override
  public void hurry(String uuid) {
    hurried.add(uuid);
  }
}
