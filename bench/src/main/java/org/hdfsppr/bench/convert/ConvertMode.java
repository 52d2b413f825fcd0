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
package org.hdfsppr.bench.convert;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.hdfsppr.it.cluster.ClusterSpec;

/** The ways in which files get another code. */
enum ConvertMode {
  /** Stock clients beside DataNodes copy the files, and rename the copies. */
  REWRITE("rewrite", false, "stock clients on the hosts of DataNodes copy the files, as distcp "
      + "does, and rename the copies; no plugins"),
  /** The command {@code hdfs ppr -convert}. */
  CONVERT("convert", true, "hdfs ppr -convert, from the start of the command to its end"),
  /** The command {@code hdfs ppr -convert -sample-check}. */
  CONVERT_SAMPLES("convert-samples", true, "the same with -sample-check: samples of each version "
      + "are checked, and not every byte", "-sample-check");

  /** Lets the NameNode count how long its lock is held. */
  private static final Map<String, String> LOCK_METRICS =
      Map.of("dfs.namenode.lock.detailed-metrics.enabled", "true");

  final String label;
  private final boolean plugins;
  private final String words;
  /** What the command gets besides its usual options. */
  final List<String> options;

  ConvertMode(String label, boolean plugins, String words, String... options) {
    this.label = label;
    this.plugins = plugins;
    this.words = words;
    this.options = List.of(options);
  }

  static ConvertMode parse(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a mode; there are "
            + Arrays.stream(values()).map(mode -> mode.label).collect(Collectors.joining(", "))));
  }

  String describe() {
    return label + ": " + words;
  }

  boolean isInPlace() {
    return plugins;
  }

  /** Returns the specification for this mode; settings of {@code base} override the mode's. */
  ClusterSpec specFor(ClusterSpec base, CodePair pair) {
    return base.toBuilder().plugin(plugins).nameNodePlugin(plugins)
        .codecs(plugins || pair.needsCodecs()).conf(LOCK_METRICS).conf(base.conf).build();
  }
}
