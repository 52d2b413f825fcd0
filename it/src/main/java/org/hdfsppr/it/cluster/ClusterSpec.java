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

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The specification of a cluster: its size, network, Hadoop version and settings. All values are
 * checked before the cluster is built.
 */
@InterfaceAudience.Private
public final class ClusterSpec {

  /**
   * A setting of this harness: how often daemons publish their counters, ms. It stands in the
   * daemons' configuration, which ignores it, and decides what their settings of metrics say.
   */
  public static final String METRICS_PERIOD_KEY = "hdfsppr.it.metrics.period.ms";

  /**
   * A setting of this harness: options of the DataNodes' JVMs, separated by spaces. They come after
   * the harness's own, and override them. Daemons ignore the setting.
   */
  public static final String DATANODE_JVM_KEY = "hdfsppr.it.datanode.jvm.options";

  /**
   * A setting of this harness: a jar that DataNodes have on their class paths besides those of the
   * project, such as one with clocks of benchmarks. Daemons ignore the setting.
   */
  public static final String DATANODE_JAR_KEY = "hdfsppr.it.datanode.jar";

  /**
   * A setting of this harness: the folder with the jars of an older release, such as {@code lib} of
   * a release that is unpacked. Daemons ignore the setting.
   */
  public static final String OLDER_JARS_KEY = "hdfsppr.it.older.jars";

  /**
   * A setting of this harness: the names of the daemons that run the older release, such as {@code
   * nn2 dn1 dn3}, separated by spaces. Daemons ignore the setting.
   */
  public static final String OLDER_DAEMONS_KEY = "hdfsppr.it.older.daemons";

  /**
   * Names daemons and clients, separated by blanks, that get the jars for repairs alone, without
   * those that add versions and updates of files.
   */
  public static final String BASE_DAEMONS_KEY = "hdfsppr.it.base.daemons";

  /**
   * Network interface names have at most 15 characters. The names of a cluster's interfaces add up
   * to 5 characters to the cluster's name.
   */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,7}");

  /**
   * A DataNode's address ends in the byte 10 + node. With at most 200 nodes, no DataNode gets the
   * address of a client (250) or of a NameNode (below 10).
   */
  private static final int NODES_MAX = 200;

  public final String name;
  public final int nodes;
  public final int racks;
  public final Rate rate;
  public final Rate crossRackRate;
  public final NetworkKind network;
  public final String hadoopVersion;
  public final boolean plugin;
  public final boolean codecs;
  public final boolean nameNodePlugin;
  public final boolean ha;
  public final Map<String, String> conf;

  private ClusterSpec(Builder from) {
    this.name = from.name;
    this.nodes = from.nodes;
    this.racks = from.racks;
    this.rate = from.rate;
    this.crossRackRate = from.crossRackRate;
    this.network = from.network;
    this.hadoopVersion = from.hadoopVersion;
    this.plugin = from.plugin;
    this.codecs = from.codecs;
    this.nameNodePlugin = from.nameNodePlugin;
    this.ha = from.ha;
    this.conf = Collections.unmodifiableMap(new TreeMap<>(from.conf));
    check(NAME.matcher(name).matches(), "name '" + name + "' is not " + NAME);
    check(nodes >= 1 && nodes <= NODES_MAX, "nodes is " + nodes + ", not 1 to " + NODES_MAX);
    check(racks >= 1 && racks <= nodes, "racks is " + racks + ", not 1 to " + nodes);
    check(network == NetworkKind.NAMESPACES || rate.isUnlimited() && crossRackRate.isUnlimited(),
        "a loopback network cannot be shaped: rate and cross-rack rate must be none");
    check(crossRackRate.isUnlimited() || racks > 1, "a cross-rack rate wants more than one rack");
  }

  private static void check(boolean holds, String complaint) {
    if (!holds) {
      throw new IllegalArgumentException("Cluster: " + complaint);
    }
  }

  /**
   * Creates a builder with the default values: 18 nodes, 3 racks, namespaces without shaping, no
   * plugin.
   *
   * @return the builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a new builder with the values of this spec} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.nodes = nodes;
    builder.racks = racks;
    builder.rate = rate;
    builder.crossRackRate = crossRackRate;
    builder.network = network;
    builder.hadoopVersion = hadoopVersion;
    builder.plugin = plugin;
    builder.codecs = codecs;
    builder.nameNodePlugin = nameNodePlugin;
    builder.ha = ha;
    builder.conf.putAll(conf);
    return builder;
  }

  /**
   * {@return the number of a node's rack, from 1; node 1 is in rack 1, node 2 in rack 2 and so on,
   * and after the last rack follows rack 1}
   *
   * @param node a DataNode, from 1
   */
  public int rackOf(int node) {
    return (node - 1) % racks + 1;
  }

  ObjectNode toJson(ObjectMapper mapper) {
    ObjectNode json = mapper.createObjectNode()
        .put("name", name).put("nodes", nodes).put("racks", racks)
        .put("rate", rate.toString()).put("cross_rack_rate", crossRackRate.toString())
        .put("network", network.name()).put("hadoop", hadoopVersion).put("plugin", plugin)
        .put("codecs", codecs).put("namenode_plugin", nameNodePlugin).put("ha", ha);
    ObjectNode settings = json.putObject("conf");
    conf.forEach(settings::put);
    return json;
  }

  static ClusterSpec fromJson(ObjectNode json) {
    Builder builder = builder()
        .name(json.get("name").asText())
        .nodes(json.get("nodes").asInt())
        .racks(json.get("racks").asInt())
        .rate(Rate.parse(json.get("rate").asText()))
        .crossRackRate(Rate.parse(json.get("cross_rack_rate").asText()))
        .network(NetworkKind.valueOf(json.get("network").asText()))
        .hadoopVersion(json.get("hadoop").asText())
        .plugin(json.get("plugin").asBoolean())
        .codecs(json.path("codecs").asBoolean())
        .nameNodePlugin(json.path("namenode_plugin").asBoolean())
        .ha(json.path("ha").asBoolean());
    json.get("conf").fields()
        .forEachRemaining(e -> builder.conf(e.getKey(), e.getValue().asText()));
    return builder.build();
  }

  /** Collects the parts of a spec; {@link #build} checks them. */
  public static final class Builder {
    private String name = "ppr";
    private int nodes = 18;
    private int racks = 3;
    private Rate rate = Rate.UNLIMITED;
    private Rate crossRackRate = Rate.UNLIMITED;
    private NetworkKind network = NetworkKind.NAMESPACES;
    private String hadoopVersion = HadoopClassPath.DEFAULT_VERSION;
    private boolean plugin;
    private boolean codecs;
    private boolean nameNodePlugin;
    private boolean ha;
    private final Map<String, String> conf = new TreeMap<>();

    private Builder() {
    }

    /**
     * Sets the cluster's name.
     *
     * @param value the name, which is also the name of the cluster's folder
     * @return this
     */
    public Builder name(String value) {
      this.name = value;
      return this;
    }

    /**
     * Sets the number of DataNodes.
     *
     * @param value at least 1
     * @return this
     */
    public Builder nodes(int value) {
      this.nodes = value;
      return this;
    }

    /**
     * Sets the number of racks.
     *
     * @param value at least 1
     * @return this
     */
    public Builder racks(int value) {
      this.racks = value;
      return this;
    }

    /**
     * Sets the rate of every DataNode's link.
     *
     * @param value the rate in each direction
     * @return this
     */
    public Builder rate(Rate value) {
      this.rate = value;
      return this;
    }

    /**
     * Sets the rate of racks' links to the core.
     *
     * @param value the rate in each direction
     * @return this
     */
    public Builder crossRackRate(Rate value) {
      this.crossRackRate = value;
      return this;
    }

    /**
     * Sets the kind of network.
     *
     * @param value the kind
     * @return this
     */
    public Builder network(NetworkKind value) {
      this.network = value;
      return this;
    }

    /**
     * Sets the Hadoop version of the daemons.
     *
     * @param value such as 3.4.3
     * @return this
     */
    public Builder hadoopVersion(String value) {
      this.hadoopVersion = value;
      return this;
    }

    /**
     * Sets whether the DataNodes run the project's plugin.
     *
     * @param value {@code true} if they run it
     * @return this
     */
    public Builder plugin(boolean value) {
      this.plugin = value;
      return this;
    }

    /**
     * Sets whether NameNodes and DataNodes have the project's codecs.
     *
     * @param value {@code true} to put the codecs on the class paths
     * @return this
     */
    public Builder codecs(boolean value) {
      this.codecs = value;
      return this;
    }

    /**
     * Sets whether the NameNodes run the project's NameNode plugin.
     *
     * @param value {@code true} if they run it
     * @return this
     */
    public Builder nameNodePlugin(boolean value) {
      this.nameNodePlugin = value;
      return this;
    }

    /**
     * Sets whether there are two NameNodes with three JournalNodes, instead of one NameNode.
     *
     * @param value {@code true} for two NameNodes
     * @return this
     */
    public Builder ha(boolean value) {
      this.ha = value;
      return this;
    }

    /**
     * Adds settings for all daemons. A later value of a key replaces an earlier one.
     *
     * @param key the setting's name
     * @param value the setting's value
     * @return this
     */
    public Builder conf(String key, String value) {
      this.conf.put(key, value);
      return this;
    }

    /**
     * Adds settings for all daemons. A later value of a key replaces an earlier one.
     *
     * @param settings maps each setting's name to its value
     * @return this
     */
    public Builder conf(Map<String, String> settings) {
      this.conf.putAll(settings);
      return this;
    }

    /** {@return the spec, after a check of all values} */
    public ClusterSpec build() {
      return new ClusterSpec(this);
    }
  }
}
