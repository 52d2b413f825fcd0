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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.hdfsppr.it.util.Shell;

/**
 * A network with one network namespace per DataNode. Bridges of this host connect the namespaces.
 *
 * <pre>
 *  namespace NAME-n7            this host
 *    eth0 ------- veth ------- NAME-v7 --- bridge of the rack --- veth --- bridge of the core
 *    tbf: leaves the node      tbf: enters the node               tbf on both ends
 * </pre>
 *
 * A token bucket on each end of a link shapes the bytes that this end sends, so the two ends
 * together shape both directions. Without high availability, clients and the NameNode run on the
 * host, at the address of the core bridge. The host's own link is not shaped. With high
 * availability, each NameNode and JournalNode has a namespace, and its link is not shaped either.
 * Without a cross-rack rate, all nodes are connected to the core bridge directly.
 */
final class NamespaceNetwork implements Network {

  /**
   * The minimum size of a token bucket. It holds a few of the largest segments that TCP passes to
   * the link.
   */
  private static final long BURST_BYTES_MIN = 256 * 1024;

  /**
   * A bucket holds at least as many bytes as the link carries in this time, in seconds, because the
   * kernel's timer refills buckets only every few milliseconds.
   */
  private static final double BURST_SECONDS_MIN = 0.004;

  /**
   * The longest time that a packet waits in a queue. The value is typical of the buffer of a
   * switch's port. In a longer queue, every handshake would wait for seconds behind the packets of
   * other transfers.
   */
  private static final String QUEUE = "20ms";

  /**
   * TCP's congestion control in every namespace. The value is the default of Linux, and so of most
   * clusters. The namespaces do not use the host's setting, because results must not depend on the
   * host.
   */
  private static final String CONGESTION_CONTROL = "cubic";

  /**
   * The last byte of the address of the clients' first place; each further place has one less. All
   * are higher than the last byte of any DataNode's address.
   */
  private static final int CLIENT = 250;

  /** The place of rules that drop packets, in front of the rule that delivers all others. */
  private static final String FIREWALL_PREFERENCE = "5";
  private static final String DELIVERY_PREFERENCE = "100";

  private final ClusterSpec spec;
  private final int net;

  NamespaceNetwork(ClusterSpec spec, int net) {
    this.spec = spec;
    this.net = net;
  }

  /**
   * Describes everything that this host lacks to run namespaces. The list is empty if the host
   * lacks nothing.
   */
  static List<String> missing() {
    List<String> missing = new ArrayList<>();
    try {
      if (!Shell.run("id", "-u").strip().equals("0")) {
        missing.add("root");
      }
    } catch (IOException | InterruptedException e) {
      missing.add("the id command (" + e.getMessage() + ")");
    }
    for (String tool : List.of("ip", "tc")) {
      try {
        Shell.run(tool, "-V");
      } catch (IOException | InterruptedException e) {
        missing.add("the " + tool + " command (package iproute2)");
      }
    }
    if (missing.isEmpty()) {
      probe(missing);
    }
    return missing;
  }

  /** Tries to create a namespace, because even root may lack this permission within a container. */
  private static void probe(List<String> missing) {
    String name = "pprprobe" + ProcessHandle.current().pid();
    try {
      Shell.run("ip", "netns", "add", name);
      try {
        Shell.run("ip", "-n", name, "link", "set", "lo", "up");
        Shell.run("tc", "-n", name, "qdisc", "replace", "dev", "lo", "root", "tbf",
            "rate", "1gbit", "burst", "512kb", "latency", QUEUE);
      } finally {
        Shell.run("ip", "netns", "del", name);
      }
    } catch (IOException | InterruptedException e) {
      missing.add("leave to make and shape network namespaces: " + e.getMessage());
    }
  }

  @Override
  public void create() throws IOException, InterruptedException {
    // Creating the core bridge also reserves the cluster's name. If the bridge exists already, this
    // call fails before create() has built anything that it would have to remove.
    ip("link", "add", core(), "type", "bridge");
    boolean done = false;
    try {
      ip("addr", "add", hostAddress() + "/24", "dev", core());
      ip("link", "set", core(), "up");
      if (hasRackBridges()) {
        for (int rack = 1; rack <= spec.racks; rack++) {
          createRack(rack);
        }
      }
      for (Master master : Master.all(spec)) {
        if (!master.isOnHost()) {
          createPlace(namespace(master), hostEnd(master), core(), masterAddress(master));
        }
      }
      for (int node = 1; node <= spec.nodes; node++) {
        createPlace(namespace(node), hostEnd(node),
            hasRackBridges() ? rackBridge(spec.rackOf(node)) : core(), nodeAddress(node));
        setRate(node, spec.rate);
      }
      done = true;
    } finally {
      if (!done) {
        remove();
      }
    }
  }

  private void createRack(int rack) throws IOException, InterruptedException {
    ip("link", "add", rackBridge(rack), "type", "bridge");
    ip("link", "set", rackBridge(rack), "up");
    ip("link", "add", uplink(rack), "type", "veth", "peer", "name", downlink(rack));
    ip("link", "set", uplink(rack), "master", rackBridge(rack), "up");
    ip("link", "set", downlink(rack), "master", core(), "up");
    setCrossRackRate(rack, spec.crossRackRate);
  }

  private static void createPlace(String space, String hostEnd, String bridge, String address)
      throws IOException, InterruptedException {
    ip("netns", "add", space);
    ip("link", "add", hostEnd, "type", "veth", "peer", "name", "eth0", "netns", space);
    ip("link", "set", hostEnd, "master", bridge, "up");
    ip("-n", space, "addr", "add", address + "/24", "dev", "eth0");
    ip("-n", space, "link", "set", "eth0", "up");
    ip("-n", space, "link", "set", "lo", "up");
    // The congestion control is set on the route, because the host may forbid this value in the
    // namespace's own setting.
    ip("-n", space, "route", "replace", address.replaceFirst("[0-9]+$", "0/24"), "dev", "eth0",
        "proto", "kernel", "scope", "link", "src", address, "congctl", CONGESTION_CONTROL);
  }

  @Override
  public void countPeers() throws IOException, InterruptedException {
    new PeerCounters(spec.name).create(nodeAddress(1) + "-" + nodeAddress(spec.nodes),
        clientAddress(CLIENT_PLACES_MAX) + "-" + clientAddress(1));
  }

  @Override
  public PeerBytes peerBytes() throws IOException, InterruptedException {
    return new PeerCounters(spec.name).read();
  }

  @Override
  public void remove() throws IOException, InterruptedException {
    new PeerCounters(spec.name).remove();
    // Namespaces are deleted first. Deleting a namespace deletes its end of the veth pair, and
    // thereby also the host's end.
    for (String line : Shell.run("ip", "netns", "list").split("\n")) {
      String space = line.split(" ")[0];
      if (space.matches(spec.name + "-[nmc]\\d+")) {
        ip("netns", "del", space);
      }
    }
    for (int rack = 1; rack <= spec.racks; rack++) {
      removeLink(uplink(rack));
      removeLink(rackBridge(rack));
    }
    for (int node = 1; node <= spec.nodes; node++) {
      removeLink(hostEnd(node));
    }
    for (Master master : Master.all(spec)) {
      removeLink(hostEnd(master));
    }
    for (int place = 1; place <= CLIENT_PLACES_MAX; place++) {
      removeLink(clientHostEnd(place));
    }
    removeLink(core());
  }

  private static void removeLink(String link) throws IOException, InterruptedException {
    if (Files.exists(statistics(link))) {
      try {
        ip("link", "del", link);
      } catch (IOException e) {
        // The kernel removes the veth of a deleted namespace some time later, so the link may
        // disappear by itself.
        if (Files.exists(statistics(link))) {
          throw e;
        }
      }
    }
  }

  @Override
  public String hostAddress() {
    return "10.77." + net + ".1";
  }

  @Override
  public String masterAddress(Master master) {
    return "10.77." + net + "." + (1 + master.place);
  }

  @Override
  public String nodeAddress(int node) {
    return "10.77." + net + "." + (10 + node);
  }

  @Override
  public List<String> launchPrefix(int node) {
    return List.of("ip", "netns", "exec", namespace(node));
  }

  @Override
  public List<String> launchPrefix(Master master) {
    return master.isOnHost() ? List.of() : List.of("ip", "netns", "exec", namespace(master));
  }

  @Override
  public void createClientPlace(int place, Rate rate) throws IOException, InterruptedException {
    if (place < 1 || place > CLIENT_PLACES_MAX) {
      throw new IllegalArgumentException("place " + place + " is not 1 to " + CLIENT_PLACES_MAX);
    }
    createPlace(clientNamespace(place), clientHostEnd(place), core(),
        clientAddress(place));
    shape(List.of("tc"), clientHostEnd(place), rate);
    shape(List.of("tc", "-n", clientNamespace(place)), "eth0", rate);
  }

  private String clientAddress(int place) {
    return "10.77." + net + "." + (CLIENT + 1 - place);
  }

  @Override
  public List<String> clientLaunchPrefix(int place) {
    return List.of("ip", "netns", "exec", clientNamespace(place));
  }

  @Override
  public Map<String, String> nodeSettings(int node) {
    return Map.of();
  }

  @Override
  public void setRate(int node, Rate rate) throws IOException, InterruptedException {
    shape(List.of("tc"), hostEnd(node), rate);
    shape(List.of("tc", "-n", namespace(node)), "eth0", rate);
  }

  @Override
  public void setLinkUp(int node, boolean up) throws IOException, InterruptedException {
    // Only the host's end is set down. If the node's own end were down, the node's sockets would
    // report errors at once, which a pulled cable does not cause.
    ip("link", "set", hostEnd(node), up ? "up" : "down");
  }

  /**
   * Uses routing rules, because a host need not have a firewall's tools. A rule that drops packets
   * has an effect only in front of the rule that delivers them, which stands at the very front by
   * default.
   */
  @Override
  public void setPortOpen(int node, int port, boolean open)
      throws IOException, InterruptedException {
    String space = namespace(node);
    String[] drop = {"iif", "eth0", "ipproto", "tcp", "dport", String.valueOf(port), "blackhole",
        "pref", FIREWALL_PREFERENCE};
    if (open) {
      ip(words(List.of("-n", space, "rule", "del"), drop));
      return;
    }
    if (Shell.run("ip", "-n", space, "rule", "list", "pref", "0").contains("lookup local")) {
      ip("-n", space, "rule", "add", "pref", DELIVERY_PREFERENCE, "lookup", "local");
      ip("-n", space, "rule", "del", "pref", "0");
    }
    ip(words(List.of("-n", space, "rule", "add"), drop));
  }

  private static String[] words(List<String> first, String... then) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(then));
    return all.toArray(new String[0]);
  }

  @Override
  public void setLinkUp(Master master, boolean up) throws IOException, InterruptedException {
    if (master.isOnHost()) {
      throw new IllegalStateException(master + " is on the host and has no link to cut");
    }
    ip("link", "set", hostEnd(master), up ? "up" : "down");
  }

  @Override
  public void setCrossRackRate(int rack, Rate rate) throws IOException, InterruptedException {
    if (hasRackBridges()) {
      shape(List.of("tc"), uplink(rack), rate);
      shape(List.of("tc"), downlink(rack), rate);
    } else if (!rate.isUnlimited()) {
      throw new IllegalStateException("built without a cross-rack rate: racks share one bridge");
    }
  }

  private static void shape(List<String> tc, String device, Rate rate)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(tc);
    command.addAll(List.of("qdisc", "replace", "dev", device, "root"));
    if (rate.isUnlimited()) {
      // The queue is replaced instead of deleted, because deleting fails if there is nothing to
      // delete.
      command.addAll(List.of("pfifo", "limit", "1000"));
    } else {
      long burst = Math.max(BURST_BYTES_MIN,
          Math.round(rate.bitsPerSecond() / 8.0 * BURST_SECONDS_MIN));
      command.addAll(List.of("tbf", "rate", rate.toString(), "burst", burst + "b",
          "latency", QUEUE));
    }
    Shell.run(command.toArray(new String[0]));
  }

  /**
   * Reads the counters of the host's end of the link. The bytes that this end sends are the bytes
   * that the node receives.
   */
  @Override
  public Optional<LinkBytes> linkBytes(int node) throws IOException {
    return Optional.of(linkBytes(hostEnd(node)));
  }

  @Override
  public Optional<LinkBytes> clientLinkBytes(int place) throws IOException {
    return Optional.of(linkBytes(clientHostEnd(place)));
  }

  private static LinkBytes linkBytes(String hostEnd) throws IOException {
    Path statistics = statistics(hostEnd);
    return new LinkBytes(readCounter(statistics.resolve("tx_bytes")),
        readCounter(statistics.resolve("rx_bytes")));
  }

  /** Reads, at the core's end of each rack's link, the counters of what is received. */
  @Override
  public Optional<RackTraffic> crossRackTraffic() throws IOException {
    if (!hasRackBridges()) {
      return Optional.empty();
    }
    long bytes = 0;
    long frames = 0;
    for (int rack = 1; rack <= spec.racks; rack++) {
      Path statistics = statistics(downlink(rack));
      bytes += readCounter(statistics.resolve("rx_bytes"));
      frames += readCounter(statistics.resolve("rx_packets"));
    }
    return Optional.of(new RackTraffic(bytes, frames));
  }

  private static long readCounter(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }

  private static Path statistics(String link) {
    return Paths.get("/sys/class/net", link, "statistics");
  }

  private boolean hasRackBridges() {
    return !spec.crossRackRate.isUnlimited();
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    String[] command = new String[arguments.length + 1];
    command[0] = "ip";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Shell.run(command);
  }

  private String namespace(int node) {
    return spec.name + "-n" + node;
  }

  private String hostEnd(int node) {
    return spec.name + "-v" + node;
  }

  private String namespace(Master master) {
    return spec.name + "-m" + master.place;
  }

  private String hostEnd(Master master) {
    return spec.name + "-w" + master.place;
  }

  private String clientNamespace(int place) {
    return spec.name + "-c" + place;
  }

  private String clientHostEnd(int place) {
    return spec.name + "-x" + place;
  }

  private String core() {
    return spec.name + "-core";
  }

  private String rackBridge(int rack) {
    return spec.name + "-r" + rack;
  }

  private String uplink(int rack) {
    return spec.name + "-u" + rack;
  }

  private String downlink(int rack) {
    return spec.name + "-d" + rack;
  }
}
