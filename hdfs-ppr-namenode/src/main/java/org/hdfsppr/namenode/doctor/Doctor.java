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
package org.hdfsppr.namenode.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.OwnJar;

/** Runs all checks. Thread-safe. */
@InterfaceAudience.Private
public final class Doctor {
  private final List<DoctorCheck> checks = new ArrayList<>();

  /** @param others the checks of other parts of the plugin, in this order; they are thread-safe */
  public Doctor(List<DoctorCheck> others) {
    checks.addAll(List.of(new PluginCheck(), new SilentPluginCheck(), new ClassPathCheck(),
        new SoftwareVersionCheck(), new PortCheck(), new KernelCheck()));
    checks.addAll(others);
    checks.addAll(List.of(new SettingsCheck(), new ClockCheck(), new LinkRateCheck()));
  }

  /**
   * Examines a cluster.
   *
   * @param facts what is known about the cluster
   * @return what is wrong, the most urgent first, and after that one finding for each check that
   *     has found nothing. If no plugin sends heartbeats, there is nothing to compare, and the list
   *     says only which plugins are missing or silent.
   */
  public List<Finding> examine(ClusterFacts facts) {
    List<Finding> findings = new ArrayList<>();
    if (facts.speaking().isEmpty()) {
      findings.addAll(new PluginCheck().examine(facts));
      if (!facts.plugins.isEmpty()) {
        findings.addAll(new SilentPluginCheck().examine(facts));
      }
    } else {
      checks.forEach(check -> findings.addAll(check.examine(facts)));
    }
    // The sort is stable, so that the order of the checks stays within a severity.
    findings.sort(Comparator.comparing((Finding finding) -> finding.severity));
    return findings;
  }

  /** Finds live DataNodes without the plugin. */
  static final class PluginCheck implements DoctorCheck {
    @Override
    public List<Finding> examine(ClusterFacts facts) {
      Set<String> known = facts.plugins.stream().map(node -> node.node.uuid)
          .collect(Collectors.toSet());
      List<String> without = facts.live.stream().filter(node -> !known.contains(node.uuid))
          .map(NodeFacts::nameOf).collect(Collectors.toList());
      return List.of(without.isEmpty()
          ? Finding.ok(FindingCode.PLUGIN_MISSING,
              "The plugin runs on all " + facts.live.size() + " live DataNodes.")
          : Finding.warning(FindingCode.PLUGIN_MISSING, without, Prose.count(without.size())
              + " of " + facts.live.size() + " live ones sent no heartbeat of the plugin: "
              + Prose.list(without) + "."));
    }
  }

  /** Finds live DataNodes whose plugin sends no heartbeats any more. */
  static final class SilentPluginCheck implements DoctorCheck {
    @Override
    public List<Finding> examine(ClusterFacts facts) {
      List<NodeFacts> silent = new ArrayList<>(facts.plugins);
      silent.removeIf(node -> !node.silent);
      if (silent.isEmpty()) {
        return List.of(Finding.ok(FindingCode.AGENT_SILENT, "The plugins on "
            + Prose.count(facts.plugins.size()) + " send heartbeats."));
      }
      return List.of(Finding.error(FindingCode.AGENT_SILENT, Prose.names(silent),
          "The DataNode is live, but its plugin sends no heartbeats any more: "
          + Prose.list(silent.stream().map(node -> node.name() + " (silent for "
              + TimeUnit.MILLISECONDS.toSeconds(node.heardMsAgo) + " s)")
              .collect(Collectors.toList())) + "."));
    }
  }

  /** Finds class paths with jars of two versions. */
  static final class ClassPathCheck implements DoctorCheck {
    @Override
    public List<Finding> examine(ClusterFacts facts) {
      List<String> wrong = new ArrayList<>();
      List<String> said = new ArrayList<>();
      for (NodeFacts node : facts.speaking()) {
        node.self().filter(self -> isMixed(self.jars)).ifPresent(self -> {
          wrong.add(node.name());
          said.add(node.name() + " has " + describe(self.jars));
        });
      }
      if (isMixed(facts.namenode.jars)) {
        said.add(0, "this NameNode has " + describe(facts.namenode.jars));
      }
      return List.of(said.isEmpty()
          ? Finding.ok(FindingCode.TWO_VERSIONS, "No class path has jars of two versions."
              + Prose.tooOld(facts.speaking(), node -> node.self().isPresent()))
          : Finding.error(FindingCode.TWO_VERSIONS, wrong,
              "Jars of different versions are on one class path: " + Prose.list(said) + "."));
    }

    private static boolean isMixed(List<OwnJar> jars) {
      return jars.stream().map(jar -> jar.version).filter(version -> !version.isEmpty()).distinct()
          .count() > 1;
    }

    private static String describe(List<OwnJar> jars) {
      return jars.stream().map(OwnJar::toString).collect(Collectors.joining(" and "));
    }
  }

  /** Finds different versions of the extension among the nodes. */
  static final class SoftwareVersionCheck implements DoctorCheck {
    private static final String NAMELESS = "0.1.0";

    @Override
    public List<Finding> examine(ClusterFacts facts) {
      Map<String, List<String>> byVersion = new TreeMap<>();
      for (NodeFacts node : facts.speaking()) {
        boolean isNameless = node.software.equals(HeartbeatRequest.NO_VERSION);
        // Version 0.1.0 sends no version, and no description of itself. A node that sends only the
        // description runs classes that are no release, and is left out.
        if (!isNameless || node.self().isEmpty()) {
          byVersion.computeIfAbsent(isNameless ? NAMELESS : node.software,
              version -> new ArrayList<>()).add(node.name());
        }
      }
      String own = facts.namenode.software;
      boolean likeOwn = byVersion.isEmpty() || byVersion.containsKey(own)
          || own.equals(HeartbeatRequest.NO_VERSION);
      if (byVersion.size() <= 1 && likeOwn) {
        return List.of(Finding.ok(FindingCode.VERSIONS_DIFFER, "All DataNodes with the plugin and"
            + " this NameNode run version "
            + byVersion.keySet().stream().findFirst().orElse(own) + "."));
      }
      List<Map.Entry<String, List<String>>> fewestFirst = new ArrayList<>(byVersion.entrySet());
      fewestFirst.sort(Comparator.comparing(entry -> entry.getValue().size()));
      List<String> odd = new ArrayList<>();
      List<String> said = new ArrayList<>();
      for (Map.Entry<String, List<String>> each : fewestFirst) {
        if (said.size() < fewestFirst.size() - 1) {
          odd.addAll(each.getValue());
        }
        said.add(each.getKey() + " on " + Prose.list(each.getValue()));
      }
      return List.of(Finding.warning(FindingCode.VERSIONS_DIFFER, odd,
          "Different versions of hdfs-ppr work together: " + Prose.list(said)
          + "; this NameNode runs " + own + "."));
    }
  }

  /** Finds repair ports to which other nodes cannot connect. */
  static final class PortCheck implements DoctorCheck {
    @Override
    public List<Finding> examine(ClusterFacts facts) {
      Map<String, List<String>> callers = new HashMap<>();
      for (NodeFacts node : facts.speaking()) {
        for (String uuid : node.unreachable) {
          callers.computeIfAbsent(uuid, key -> new ArrayList<>()).add(node.name());
        }
      }
      List<NodeFacts> toNodes = new ArrayList<>(facts.speaking());
      toNodes.removeIf(node -> !callers.containsKey(node.node.uuid));
      List<NodeFacts> toUs = new ArrayList<>(facts.speaking());
      toUs.removeAll(toNodes);
      toUs.removeIf(node -> facts.whyClosed(node.node.uuid) == null);
      List<Finding> findings = new ArrayList<>();
      if (!toNodes.isEmpty()) {
        findings.add(Finding.error(FindingCode.PORT_CLOSED, Prose.names(toNodes),
            "Other DataNodes could not connect to a repair port in the last 10 minutes: "
            + Prose.list(toNodes.stream().map(node -> "port " + node.node.repairPort + " of "
                + node.name() + ", from " + Prose.list(callers.get(node.node.uuid)))
                .collect(Collectors.toList())) + "."));
      }
      if (!toUs.isEmpty()) {
        findings.add(Finding.warning(FindingCode.PORT_CLOSED, Prose.names(toUs),
            "This NameNode cannot connect to a repair port: " + Prose.list(toUs.stream()
                .map(node -> "port " + node.node.repairPort + " of " + node.name() + " ("
                    + facts.whyClosed(node.node.uuid) + ")").collect(Collectors.toList()))
            + ". Updates in place need it: without it, no client gets a ticket for a unit whose log"
            + " is there, and no update is committed. Where no file is updated in place, a firewall"
            + " may keep the NameNode out."));
      }
      if (findings.isEmpty()) {
        findings.add(Finding.ok(FindingCode.PORT_CLOSED, "This NameNode has connected to the repair"
            + " ports of " + Prose.count(facts.speaking().size() - facts.portsUnchecked)
            + ", and no DataNode says that it could not."
            + (facts.portsUnchecked == 0 ? "" : " It is still trying "
                + Prose.count(facts.portsUnchecked) + "; ask again in some seconds.")));
      }
      return findings;
    }
  }

  /** Finds nodes that use the slow Java kernel instead of a native one for their calculations. */
  static final class KernelCheck implements DoctorCheck {
    private static final String JAVA = "java";

    @Override
    public List<Finding> examine(ClusterFacts facts) {
      Set<String> kernels = new TreeSet<>();
      List<NodeFacts> slow = new ArrayList<>();
      for (NodeFacts node : facts.speaking()) {
        node.self().ifPresent(self -> {
          kernels.add(self.kernel);
          if (self.kernel.equals(JAVA)) {
            slow.add(node);
          }
        });
      }
      if (kernels.size() <= 1) {
        // If an operator has chosen the Java kernel for all nodes, nothing is wrong.
        slow.removeIf(node -> node.self().map(self -> self.kernelFallback).orElse("").isEmpty());
      }
      return List.of(slow.isEmpty()
          ? Finding.ok(FindingCode.KERNEL_JAVA,
          "No node has fallen back to the Java kernel; in use: "
              + (kernels.isEmpty() ? "not reported" : String.join(", ", kernels)) + "."
              + Prose.tooOld(facts.speaking(), node -> node.self().isPresent()))
          : Finding.warning(FindingCode.KERNEL_JAVA, Prose.names(slow), Prose.count(slow.size())
              + " with the Java kernel, which is several times slower: "
              + Prose.list(slow.stream().map(KernelCheck::describe).collect(Collectors.toList()))
              + "."));
    }

    private static String describe(NodeFacts node) {
      String why = node.self().map(self -> self.kernelFallback).orElse("");
      return node.name() + " (" + (why.isEmpty() ? "dfs.ppr.kernel is java" : why) + ")";
    }
  }

  /** Finds settings that have different values on different nodes. */
  static final class SettingsCheck implements DoctorCheck {
    @Override
    public List<Finding> examine(ClusterFacts facts) {
      Map<String, Map<String, List<String>>> nodesByKeyAndValue = new TreeMap<>();
      for (NodeFacts node : facts.speaking()) {
        node.self().ifPresent(self -> self.settings.forEach((key, value) ->
            nodesByKeyAndValue.computeIfAbsent(key, name -> new TreeMap<>())
                .computeIfAbsent(comparable(key, value), text -> new ArrayList<>())
                .add(node.name())));
      }
      List<Finding> findings = new ArrayList<>();
      nodesByKeyAndValue.forEach((key, nodesByValue) -> {
        if (nodesByValue.size() > 1) {
          findings.add(differs(key, nodesByValue));
        }
      });
      if (findings.isEmpty()) {
        findings.add(Finding.ok(FindingCode.SETTINGS_DIFFER, "The " + nodesByKeyAndValue.size()
            + " settings have the same values on all DataNodes."
            + Prose.tooOld(facts.speaking(), node -> node.self().isPresent())));
      }
      return findings;
    }

    /**
     * Returns what has to be the same on all nodes: the port of an address, all of another value.
     */
    private static String comparable(String key, String value) {
      return key.equals(PprKeys.DATANODE_ADDRESS_KEY)
          ? "port " + value.substring(value.lastIndexOf(':') + 1) : value;
    }

    private static Finding differs(String key, Map<String, List<String>> nodesByValue) {
      List<Map.Entry<String, List<String>>> fewestFirst = new ArrayList<>(nodesByValue.entrySet());
      fewestFirst.sort(Comparator.comparing(entry -> entry.getValue().size()));
      List<String> odd = new ArrayList<>();
      List<String> said = new ArrayList<>();
      for (Map.Entry<String, List<String>> each : fewestFirst) {
        if (said.size() < fewestFirst.size() - 1) {
          odd.addAll(each.getValue());
        }
        said.add("'" + each.getKey() + "' on " + Prose.list(each.getValue()));
      }
      return Finding.warning(FindingCode.SETTINGS_DIFFER, odd,
          key + " is " + Prose.list(said) + ".");
    }
  }

  /** Finds nodes whose clock differs from the NameNode's. */
  static final class ClockCheck implements DoctorCheck {
    /**
     * The greatest difference that is no finding, ms. A heartbeat is under way for far less than
     * this, and block tokens are valid for hours.
     */
    static final long OFFSET_MS_MAX = 60_000;

    @Override
    public List<Finding> examine(ClusterFacts facts) {
      List<NodeFacts> known = new ArrayList<>(facts.speaking());
      known.removeIf(node -> node.clockOffsetMs().isEmpty());
      List<NodeFacts> off = new ArrayList<>(known);
      off.removeIf(node -> Math.abs(node.clockOffsetMs().get()) <= OFFSET_MS_MAX);
      if (off.isEmpty()) {
        return List.of(Finding.ok(FindingCode.CLOCK_OFF, "The clocks of "
            + Prose.count(known.size())
            + " are within a minute of this NameNode's."
            + Prose.tooOld(facts.speaking(), node -> node.clockOffsetMs().isPresent())));
      }
      return List.of(Finding.warning(FindingCode.CLOCK_OFF, Prose.names(off),
          "Clocks differ from this NameNode's by more than a minute: "
          + Prose.list(off.stream().map(ClockCheck::describe).collect(Collectors.toList())) + "."
          + (off.size() == known.size() && off.size() > 1
              ? " As all of them differ, look at this NameNode's clock first." : "")));
    }

    private static String describe(NodeFacts node) {
      long offsetMs = node.clockOffsetMs().get();
      return node.name() + " (" + TimeUnit.MILLISECONDS.toSeconds(Math.abs(offsetMs)) + " s "
          + (offsetMs > 0 ? "ahead" : "behind") + ")";
    }
  }

  /** Finds a link rate in the settings that is far from the rates of repairs. */
  static final class LinkRateCheck implements DoctorCheck {
    /**
     * The factor by which the rates must differ for a finding. With a smaller difference the
     * scheduler still works well, and repairs seldom use a link fully.
     */
    static final double FACTOR = 4;
    private static final double MEGA = 1e6;
    private static final int BITS = 8;
    private static final int TENTHS_BELOW = 10;

    @Override
    public List<Finding> examine(ClusterFacts facts) {
      double link = facts.namenode.linkBytesPerSecond;
      List<NodeFacts> seen = new ArrayList<>(facts.speaking());
      seen.removeIf(node -> node.bestBytesPerSecond() == 0);
      if (seen.isEmpty()) {
        return List.of(Finding.ok(FindingCode.LINK_RATE,
            "No repair has lately run for long enough to"
            + " compare its rate with the link rate of " + setting(link) + "." + ifNotSet(facts)));
      }
      List<NodeFacts> faster = new ArrayList<>(seen);
      faster.removeIf(node -> node.bestBytesPerSecond() < link * FACTOR);
      if (!faster.isEmpty()) {
        return List.of(Finding.warning(FindingCode.LINK_RATE, Prose.names(faster),
            "Repairs have moved up to " + rate(best(faster)) + " over a node's link, but"
            + " dfs.namenode.ppr.link.bytes.per-second says " + setting(link)
            + ", so that the scheduler uses too few links at a time."));
      }
      // Repairs of a node with an operator's limit do not show how fast the node's link is.
      List<NodeFacts> free = new ArrayList<>(seen);
      free.removeIf(NodeFacts::isLimited);
      if (!free.isEmpty() && best(free) <= link / FACTOR) {
        return List.of(Finding.warning(FindingCode.LINK_RATE, Prose.names(free),
            "Repairs have moved no more than " + rate(best(free)) + " over a node's link, but"
            + " dfs.namenode.ppr.link.bytes.per-second says " + setting(link)
            + ", so that the scheduler expects too much."));
      }
      return List.of(Finding.ok(FindingCode.LINK_RATE, "Repairs have moved up to "
          + rate(best(seen))
          + " over a node's link, which fits the link rate of " + setting(link) + "."
          + ifNotSet(facts)));
    }

    private static String ifNotSet(ClusterFacts facts) {
      return facts.namenode.linkRateSet ? "" : " It is the default: repairs yield to users only"
          + " where dfs.namenode.ppr.link.bytes.per-second is set.";
    }

    private static double best(List<NodeFacts> nodes) {
      return nodes.stream().mapToLong(NodeFacts::bestBytesPerSecond).max().orElse(0);
    }

    /** Returns a link rate in Mbit/s, and in bytes per second as in the setting. */
    private static String setting(double bytesPerSecond) {
      return String.format(Locale.ROOT, "%s (%.0f bytes per second)", rate(bytesPerSecond),
          bytesPerSecond);
    }

    private static String rate(double bytesPerSecond) {
      double megabits = bytesPerSecond * BITS / MEGA;
      return String.format(Locale.ROOT, megabits < TENTHS_BELOW ? "%.1f Mbit/s" : "%.0f Mbit/s",
          megabits);
    }
  }
}
