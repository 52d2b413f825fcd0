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

import java.util.Map;
import java.util.TreeMap;

import org.apache.hadoop.classification.InterfaceAudience;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that describe a cluster, shared by all commands that build one. */
@InterfaceAudience.Private
public final class ClusterOptions {

  @Option(names = "--name", defaultValue = "ppr",
      description = "Name of the cluster; two at a time want two (default: ${DEFAULT-VALUE})")
  private String name;

  @Option(names = "--nodes", defaultValue = "18",
      description = "DataNodes (default: ${DEFAULT-VALUE})")
  private int nodes;

  @Option(names = "--racks", defaultValue = "3", description = "Racks (default: ${DEFAULT-VALUE})")
  private int racks;

  @Option(names = "--rate", converter = RateConverter.class,
      description = "Rate of each DataNode's link, each way, like 200mbit (default: none)")
  private Rate rate = Rate.UNLIMITED;

  @Option(names = "--cross-rack-rate", converter = RateConverter.class,
      description = "Rate of each rack's link to the core, each way (default: none)")
  private Rate crossRackRate = Rate.UNLIMITED;

  @Option(names = "--network", defaultValue = "NAMESPACES",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private NetworkKind network;

  @Option(names = "--hadoop", defaultValue = HadoopClassPath.DEFAULT_VERSION,
      description = "Hadoop release: 3.3.6, 3.4.3 or 3.5.0 (default: ${DEFAULT-VALUE})")
  private String hadoop;

  @Option(names = "--ha",
      description = "Two NameNodes and three JournalNodes instead of one NameNode")
  private boolean ha;

  @Option(names = "--conf", paramLabel = "KEY=VALUE",
      description = "A setting for all daemons; may be repeated")
  private Map<String, String> conf = new TreeMap<>();

  /** {@return whether nodes get links that can be shaped} */
  public boolean canShape() {
    return network == NetworkKind.NAMESPACES;
  }

  /** {@return a spec with the values of these options; the command adds its own values to it} */
  public ClusterSpec.Builder toSpec() {
    return ClusterSpec.builder().name(name).nodes(nodes).racks(racks).rate(rate)
        .crossRackRate(crossRackRate).network(network).hadoopVersion(hadoop).ha(ha).conf(conf);
  }

  /** Lets picocli read a {@link Rate}. */
  public static final class RateConverter implements ITypeConverter<Rate> {
    @Override
    public Rate convert(String value) {
      try {
        return Rate.parse(value);
      } catch (IllegalArgumentException e) {
        // For a TypeConversionException, picocli prints only the message. For any other exception,
        // picocli would print the class name too.
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
