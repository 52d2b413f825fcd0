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
package org.hdfsppr.it.read;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;

/** Which client reads: Hadoop's, or ours in one of its ways to read what is lost. */
@InterfaceAudience.Private
public enum ReadClient {
  /** Hadoop's own. */
  STOCK("stock", null),
  /** Ours, switched off. */
  OFF("off", "off"),
  /** Ours, as it is set by default. */
  AUTO("auto", "auto"),
  /** As auto, but by the simplest rules in the place of what was learnt. */
  SIMPLE("simple", "auto") {
    @Override
    public Map<String, String> settings() {
      Map<String, String> settings = super.settings();
      settings.put(INTERNAL_TACTICS_KEY, "simple");
      return settings;
    }
  },
  /** Ours, with binomial trees. */
  PPR("ppr", "ppr"),
  /** Ours, with chains. */
  CHAIN("chain", "chain");

  private static final String OUR_FILE_SYSTEM = "org.apache.hadoop.hdfs.PprFileSystem";
  private static final String INTERNAL_TACTICS_KEY = "dfs.client.ppr.internal.tactics";
  private static final String DEGRADED_READ_KEY = "dfs.client.ppr.degraded-read";

  private final String label;
  private final String degradedRead;

  ReadClient(String label, String degradedRead) {
    this.label = label;
    this.degradedRead = degradedRead;
  }

  /**
   * Finds a client by its label, as in {@code chain}.
   *
   * @param label as the user writes it
   * @return the client
   */
  public static ReadClient parse(String label) {
    return Arrays.stream(values()).filter(client -> client.label.equals(label)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a client; there "
            + "are " + Arrays.stream(values()).map(client -> client.label)
            .collect(Collectors.joining(", "))));
  }

  /** {@return the name that the user writes} */
  public String label() {
    return label;
  }

  /** {@return whether the drop-in jar has to be on the class path} */
  public boolean isOurs() {
    return degradedRead != null;
  }

  /** {@return what the client's configuration says beyond that of its cluster} */
  public Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    if (isOurs()) {
      settings.put("fs.hdfs.impl", OUR_FILE_SYSTEM);
      settings.put(DEGRADED_READ_KEY, degradedRead);
    }
    return settings;
  }

  /**
   * Puts the {@link #settings} into a configuration.
   *
   * @param conf gets the settings
   * @return {@code conf}
   */
  public Configuration applyTo(Configuration conf) {
    settings().forEach(conf::set);
    return conf;
  }
}
