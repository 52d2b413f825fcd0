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
package org.hdfsppr.namenode.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.OwnJar;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.Doctor;
import org.hdfsppr.namenode.doctor.Finding;
import org.hdfsppr.namenode.doctor.NodeFacts;
import org.hdfsppr.plan.NodeRef;

/**
 * The document {@code /v1/doctor}: what is wrong with the installation, and what each DataNode
 * reports about itself. It is made when a viewer asks, at most once a second.
 */
@InterfaceAudience.Private
public final class DoctorPages implements PageSource {
  private static final String PATH = "/v1/doctor";
  /** How many nodes a list has at most. The texts of findings count the others. */
  private static final int NODES_MAX = 1_000;
  /** The age from which on the document is made anew, ms. */
  private static final long KEPT_MS = 1_000;

  private final Supplier<ClusterFacts> facts;
  private final Doctor doctor;
  private final LongSupplier clockMs;
  private final ObjectMapper json = new ObjectMapper();
  /**
   * The number of documents so far, which is the version of the last one. Only a document with a
   * version is compressed, and a viewer that has this version does not get it again.
   */
  private final AtomicLong versions = new AtomicLong();
  private volatile PageResponse last;
  private volatile long madeMs;

  /**
   * @param facts collects what is known about all nodes now; may take some seconds
   * @param doctor examines what is known
   * @param clockMs the time, monotonic, ms
   */
  public DoctorPages(Supplier<ClusterFacts> facts, Doctor doctor, LongSupplier clockMs) {
    this.facts = facts;
    this.doctor = doctor;
    this.clockMs = clockMs;
  }

  @Override
  public Optional<PageResponse> find(String path) {
    if (!path.equals(PATH)) {
      return Optional.empty();
    }
    PageResponse page = last;
    if (page == null || clockMs.getAsLong() - madeMs >= KEPT_MS) {
      page = make(facts.get());
      madeMs = clockMs.getAsLong();
      last = page;
    }
    return Optional.of(page);
  }

  private PageResponse make(ClusterFacts cluster) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", 1);
    document.put("findings",
        doctor.examine(cluster).stream().map(DoctorPages::finding).collect(Collectors.toList()));
    document.put("ports_unchecked", cluster.portsUnchecked);
    document.put("total", cluster.live.size());
    document.put("truncated", cluster.live.size() > NODES_MAX);
    document.put("nodes", nodes(cluster));
    try {
      return PageResponse.json(Long.toString(versions.incrementAndGet()),
          json.writeValueAsBytes(document));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The document of the doctor cannot be written", e);
    }
  }

  private static Map<String, Object> finding(Finding finding) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("severity", finding.severity.name().toLowerCase(Locale.ROOT));
    object.put("code", finding.code.word());
    object.put("nodes", finding.nodes.stream().limit(NODES_MAX).collect(Collectors.toList()));
    object.put("truncated", finding.nodes.size() > NODES_MAX);
    object.put("text", finding.text);
    object.put("remedy", finding.remedy());
    return object;
  }

  private static List<Map<String, Object>> nodes(ClusterFacts cluster) {
    Map<String, NodeFacts> plugins = new LinkedHashMap<>();
    cluster.plugins.forEach(plugin -> plugins.put(plugin.node.uuid, plugin));
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (NodeRef node : cluster.live) {
      if (nodes.size() == NODES_MAX) {
        break;
      }
      nodes.add(node(node, Optional.ofNullable(plugins.get(node.uuid))));
    }
    return nodes;
  }

  /** Describes a node; what is unknown is null. */
  private static Map<String, Object> node(NodeRef node, Optional<NodeFacts> plugin) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("uuid", node.uuid);
    object.put("node", NodeFacts.nameOf(node));
    object.put("takes_part", plugin.isPresent() && !plugin.get().silent);
    object.put("software", plugin.map(facts -> facts.software).orElse(null));
    object.put("hadoop", plugin.flatMap(NodeFacts::self).map(self -> self.hadoopVersion)
        .orElse(null));
    object.put("java", plugin.flatMap(NodeFacts::self).map(self -> self.javaVersion)
        .orElse(null));
    object.put("kernel", plugin.flatMap(NodeFacts::self).map(self -> self.kernel).orElse(null));
    object.put("kernel_fallback", plugin.flatMap(NodeFacts::self)
        .map(self -> self.kernelFallback).filter(why -> !why.isEmpty()).orElse(null));
    object.put("clock_offset_ms", plugin.flatMap(NodeFacts::clockOffsetMs).orElse(null));
    object.put("last_heartbeat_ms", plugin.map(facts -> facts.heardMsAgo).orElse(null));
    object.put("repair_port", plugin.map(facts -> facts.node.repairPort).orElse(null));
    object.put("best_up_bytes_per_s", plugin.flatMap(NodeFacts::rates)
        .map(rates -> rates.bestUp).filter(rate -> rate > 0).orElse(null));
    object.put("best_down_bytes_per_s", plugin.flatMap(NodeFacts::rates)
        .map(rates -> rates.bestDown).filter(rate -> rate > 0).orElse(null));
    object.put("settings", plugin.flatMap(NodeFacts::self).map(self -> self.settings)
        .orElse(null));
    object.put("jars", plugin.flatMap(NodeFacts::self).map(self -> self.jars.stream()
        .map(OwnJar::toString).collect(Collectors.toList())).orElse(null));
    return object;
  }
}
